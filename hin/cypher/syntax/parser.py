"""`parse`: a query's text as a tree of clauses."""

from __future__ import annotations

from collections.abc import Callable

from hin.cypher.errors import CypherRefused, CypherSyntaxError
from hin.cypher.syntax import tree
from hin.cypher.syntax.patterns import Patterns

WRITING = "it cannot be written to by queries: take the graph to Neo4j with `hin copy`"
#: Procedures, in small letters, and their columns.
PROCEDURES: dict[str, tuple[str, ...]] = {
    "db.labels": ("label",),
    "db.relationshiptypes": ("relationshipType",),
    "db.propertykeys": ("propertyKey",),
    "db.schema.visualization": ("nodes", "relationships"),
}
_CALL = "write CALL (x) { ... }"
_PAGES = ("ORDER", "SKIP", "OFFSET", "LIMIT")  # clauses of their own, after others
_SCHEMA = "the folder has no such thing; `hin info` shows what is in the graph"


def parse(text: str, spend: Callable[[], None] = lambda: None) -> tree.Query:
    """Read a query; `spend` is called for every word and may raise when time is up.

    Examples
    --------
    >>> query = parse("MATCH (d:Document) RETURN count(*) AS n")
    >>> query.parts[0][1].items[0].name
    'n'
    """
    return Parser(text, spend).whole()


class Parser(Patterns):
    """Reads clauses and whole queries."""

    def whole(self) -> tree.Query:
        """Read to the end."""
        mode = None
        if self.sees_word("EXPLAIN") or self.sees_word("PROFILE"):
            mode = self.advance().upper
        if self.sees_word("CYPHER"):
            raise CypherRefused("a query that chooses Neo4j's version", hint="leave out CYPHER ...")
        query = self.query()
        self.take(";")
        if self.token.kind != "end":
            raise self.unexpected("a clause, or the end")
        return tree.Query(query.parts, query.keep_all, mode)

    def query(self) -> tree.Query:
        """Read parts joined by UNION."""
        parts, kinds = [self._part()], set()
        while self.take_word("UNION"):
            kinds.add(self.take_word("ALL"))
            self.take_word("DISTINCT")
            parts.append(self._part())
            self.check_count(len(parts), 500, "parts of a UNION")
        if len(kinds) > 1:
            raise CypherSyntaxError("UNION and UNION ALL in one query", hint="use one of them")
        return tree.Query(tuple(parts), kinds != {False})

    def subquery(self, kind: str) -> tree.Expression:
        """Read `{ MATCH ... }` or `{ (a)-->(b) WHERE ... }` after EXISTS, COUNT or COLLECT."""
        self.deeper()
        self.need("{")
        if self.sees("(") or (self.token.kind in ("name", "quoted") and self.ahead().value == "="):
            paths = self.paths()
            test = self.expression() if self.take_word("WHERE") else None
            query = tree.Query(((tree.Match(paths, test, False),),))
        else:
            query = self.query()
        self.need("}")
        self.depth -= 1
        return tree.Subquery(kind, query)

    def _part(self) -> tuple[tree.Clause, ...]:
        found: list[tree.Clause] = []
        while (found or self.token.upper not in _PAGES) and (clause := self._clause()) is not None:
            found.append(clause)
            self.check_count(len(found), 200, "clauses")
            if isinstance(clause, tree.CallProcedure) and self.take_word("WHERE"):
                found.append(tree.Projection((), True, test=self.expression()))
        if not found:
            raise self.unexpected("MATCH, RETURN or another clause")
        if isinstance(found[0], tree.CallProcedure) and not isinstance(found[-1], (tree.Refused, tree.Projection)):
            found.append(tree.Projection((), True, final=True))  # a lone procedure call returns all its columns
        return tuple(found)

    def _clause(self) -> tree.Clause | None:
        word = self.token.upper
        if self.take_word("OPTIONAL", "MATCH"):
            return self._match(optional=True)
        if word == "MATCH":
            self.advance()
            return self._match(optional=False)
        if word == "UNWIND":
            self.advance()
            source = self.expression()
            self.need_word("AS")
            return tree.Unwind(source, self.name())
        if self.sees_word("ORDER", "BY") or word in ("SKIP", "OFFSET", "LIMIT"):
            return tree.Projection((), True, False, *self._page())
        if word in ("WITH", "RETURN"):
            self.advance()
            return self._projection_clause(final=word == "RETURN")
        if word == "CREATE" and self.ahead().kind in ("sign", "name", "quoted") and self.ahead().value != "INDEX":
            self.advance()
            return tree.Create(self.paths())
        if self.take_word("OPTIONAL", "CALL"):
            return self._call_clause(optional=True)
        if word == "CALL":
            self.advance()
            return self._call_clause()
        return self._skip_refused(word)

    def _skip_refused(self, word: str) -> tree.Clause | None:
        """Skip the rest of a query with a clause that is not supported here: the whole query is refused."""
        names = {
            **dict.fromkeys(("CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "DROP"), WRITING),
            **dict.fromkeys(("SHOW", "TERMINATE", "ALTER", "GRANT", "DENY", "REVOKE"), _SCHEMA),
            "LOAD": "read files with `hin load`",
            "USE": "name the graph with --graph",
            "FINISH": "end the query with RETURN",
        }
        if word not in names:
            return None
        while self.token.kind != "end":
            self.advance()
        return tree.Refused(word, names[word])

    def _match(self, *, optional: bool) -> tree.Match:
        paths = self.paths()
        if self.sees_word("USING"):
            raise CypherRefused(f"a planner hint at {self.where()}", hint="leave out USING")
        return tree.Match(paths, self.expression() if self.take_word("WHERE") else None, optional)

    def _call_clause(self, *, optional: bool = False) -> tree.Clause:
        imports: tuple[str, ...] | None = None
        if self.take("("):
            names = []
            if self.take("*"):
                names = ["*"]
            while self.token.kind in ("name", "quoted"):
                names.append(self.name())
                if not self.take(","):
                    break
            self.need(")")
            imports = tuple(names)
        if not self.sees("{"):
            return self._procedure()
        self.deeper()
        self.need("{")
        query = self.query()
        self.need("}")
        self.depth -= 1
        if self.sees_word("IN"):
            raise CypherRefused("CALL ... IN TRANSACTIONS", hint="leave out IN TRANSACTIONS")
        if imports is None:
            return tree.CallQuery(query, _imported(query), optional, keeps=False)
        return tree.CallQuery(query, imports, optional)

    def _procedure(self) -> tree.Clause:
        name = self.name("a procedure")
        while self.take("."):
            name += "." + self.name("a procedure")
        columns = PROCEDURES.get(name.lower())
        if columns is None:
            while self.token.kind != "end":
                self.advance()
            return tree.Refused(f"CALL of the procedure {name}", _SCHEMA)
        if self.take("("):
            self.need(")")
        yields = [(column, column) for column in columns]
        if self.take_word("YIELD") and not self.take("*"):
            yields = [self._yielded(name, columns)]
            while self.take(","):
                yields.append(self._yielded(name, columns))
        return tree.CallProcedure(name.lower(), tuple(yields))

    def _yielded(self, procedure: str, columns: tuple[str, ...]) -> tuple[str, str]:
        column = self.name("a column")
        if column not in columns:
            raise CypherSyntaxError(f"{procedure} has no column `{column}`", hint=f"it has {', '.join(columns)}")
        return column, self.name() if self.take_word("AS") else column

    def _projection_clause(self, *, final: bool) -> tree.Projection:
        distinct = self.take_word("DISTINCT")
        everything = self.take("*")
        items = []
        if not everything or self.take(","):
            items.append(self._item())
            while self.take(","):
                items.append(self._item())
                self.check_count(len(items), 1000, "columns")
        order, skip, limit = self._page()
        test = self.expression() if not final and self.take_word("WHERE") else None
        return tree.Projection(tuple(items), everything, distinct, order, skip, limit, test, final)

    def _page(self) -> tuple[tuple[tree.Sort, ...], tree.Expression | None, tree.Expression | None]:
        order: list[tree.Sort] = []
        skip = limit = None
        if self.take_word("ORDER", "BY"):
            order.append(self._sort())
            while self.take(","):
                order.append(self._sort())
        if self.take_word("SKIP") or self.take_word("OFFSET"):
            skip = self.expression()
        if self.take_word("LIMIT"):
            limit = self.expression()
        return tuple(order), skip, limit

    def _item(self) -> tree.Item:
        start = self.token
        expression = self.expression()
        if self.take_word("AS"):
            return tree.Item(expression, self.name(), True)
        if isinstance(expression, tree.Variable):
            return tree.Item(expression, expression.name, True)
        if isinstance(expression, tree.MapProjection) and isinstance(expression.base, tree.Variable):
            return tree.Item(expression, expression.base.name, True)
        return tree.Item(expression, self.source(start), False)

    def _sort(self) -> tree.Sort:
        expression = self.expression()
        for word in ("DESCENDING", "DESC"):
            if self.take_word(word):
                return tree.Sort(expression, True)
        for word in ("ASCENDING", "ASC"):
            if self.take_word(word):
                break
        return tree.Sort(expression, False)


def _imported(query: tree.Query) -> tuple[str, ...]:
    """Return the names that the first WITH of each part imports: plain names and nothing else."""
    found = []
    for part in query.parts:
        first = part[0]
        names: tuple[str, ...] = ()
        if isinstance(first, tree.Projection) and not first.final:
            paged = first.distinct or first.order or first.skip or first.limit or first.test
            plain = all(item.expression == tree.Variable(item.name) for item in first.items)
            if paged or not plain:
                raise CypherRefused("the first WITH of CALL { } does more than name variables", hint=_CALL)
            names = ("*",) if first.everything else tuple(item.name for item in first.items)
        found.append(names)
    if any(set(names) != set(found[0]) for names in found):
        raise CypherRefused("the parts of CALL { } begin with different WITH", hint=_CALL)
    return found[0]
