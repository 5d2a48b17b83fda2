"""Neo4j's Cypher reworded for the embedded engine, so that both give the same rows.

Patterns are made to use a relationship once (see `cypher_patterns`), expressions are typed (`cypher_expressions`),
values become parameters, variables get names that do not depend on case. What cannot be reworded is refused with a
line that says what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hin.cypher.reworded.expressions import Expressions, Variable, identifier
from hin.cypher.reworded.functions import Typed
from hin.cypher.reworded.parse import SingleQuery, parse, source_of
from hin.cypher.reworded.patterns import Pattern, read_pattern
from hin.cypher.reworded.types import INT, NODE, NULL, REL, CypherDiffers, ViewSchema
from hin.errors import BadUsage

__all__ = ["Rewritten", "rewrite"]


@dataclass(frozen=True)
class Rewritten:
    """A query for the embedded engine.

    Attributes
    ----------
    columns : tuple of str
        The columns' names as Neo4j gives them.
    """

    text: str
    parameters: dict[str, Any]
    columns: tuple[str, ...]


def rewrite(query: str, schema: ViewSchema, parameters: Mapping[str, Any] | None = None) -> Rewritten:
    """Reword a query, or refuse it.

    Examples
    --------
    >>> from hin.cypher.reworded.types import STRING
    >>> nodes = {"Document": {"id": STRING}, "Author": {"name": STRING}}
    >>> schema = ViewSchema(nodes, {"HAS_AUTHOR": {}}, {"HAS_AUTHOR": (("Document", "Author"),)})
    >>> made = rewrite("MATCH (a)<-[:HAS_AUTHOR]-(d)-[:HAS_AUTHOR]->(b) RETURN a.name, b.name AS other", schema)
    >>> print(made.text)
    MATCH (v0:`Author`)<-[v2:`HAS_AUTHOR`]-(v1:`Document`)-[v4:`HAS_AUTHOR`]->(v3:`Author`) WHERE (id(v0) <> id(v3))
    RETURN v0.`name` AS c0, v3.`name` AS c1
    >>> made.columns
    ('a.name', 'other')
    """
    return _Rewriter(schema, parameters or {}).query(parse(query))


class _Rewriter:
    def __init__(self, schema: ViewSchema, given: Mapping[str, Any]) -> None:
        self.schema = schema
        self.expressions = Expressions(schema, given, self.subquery)
        self.names = 0
        self.limited = False  # an earlier WITH cut the rows
        self.barrier = False  # conditions were applied after a pattern
        self.distinct_rows = True  # no two rows have the same nodes, relationships and values
        self.subqueries = 0

    @property
    def scope(self) -> dict[str, Variable]:
        return self.expressions.scope

    @scope.setter
    def scope(self, scope: dict[str, Variable]) -> None:
        self.expressions.scope = scope

    def fresh(self) -> str:
        name = f"v{self.names}"
        self.names += 1
        return name

    # Queries and clauses

    def query(self, parts: list[SingleQuery]) -> Rewritten:
        text, columns = [self.single(parts[0])], self.columns
        if len({part.joined for part in parts[1:]}) > 1:
            raise CypherDiffers("UNION and UNION ALL in one query", hint="use one of them")
        for part in parts[1:]:
            if any(kind in (NODE, REL) or kind.kind == "LIST" for kind in self.kinds):
                raise CypherDiffers("UNION of nodes, relationships or lists", hint="return their properties")
            before = self.kinds
            text.append(f"{part.joined}\n{self.single(part)}")
            if self.columns != columns:
                raise BadUsage("the parts of a UNION have different columns", hint="name them alike with AS")
            if self.kinds != before:
                raise CypherDiffers("the parts of a UNION have different types", hint="make them one type")
        return Rewritten("\n".join(text), self.expressions.parameters, columns)

    def single(self, part: SingleQuery) -> str:
        self.scope, self.limited, self.barrier, self.distinct_rows = {}, False, False, True
        handlers = {
            "ReadingStatementContext": self.reading,
            "UpdatingStatementContext": self.refuse_writing,
            "WithStContext": self.with_clause,
            "ReturnStContext": self.return_clause,
        }
        text = [handlers[type(clause).__name__](clause) for clause in part.clauses]
        if not part.clauses or type(part.clauses[-1]).__name__ != "ReturnStContext":
            raise BadUsage("the query returns nothing", hint="end it with RETURN")
        return "\n".join(text)

    def refuse_writing(self, tree: Any) -> str:
        raise BadUsage(
            "a folder's Cypher view cannot be written to: it is made anew from the folder's tables",
            hint="use `hin load --append`, or take the graph to Neo4j with `hin copy` and query there with --write",
        )

    def reading(self, tree: Any) -> str:
        if tree.matchSt() is not None:
            return self.match(tree.matchSt())
        if tree.unwindSt() is not None:
            return self.unwind(tree.unwindSt())
        raise CypherDiffers("CALL is not known to the embedded engine", hint="procedures need Neo4j")

    def match(self, tree: Any) -> str:
        inner, optional = tree.patternWhere(), bool(tree.OPTIONAL())
        parts = inner.pattern().patternPart()
        pattern = read_pattern(parts, self.expressions, self.fresh, strict=optional, optional=optional)
        early, late = pattern.conditions.early, pattern.conditions.late
        if inner.where() is not None:
            subqueries = self.subqueries
            for made in self.expressions.conjuncts(inner.where().expression()):
                (late if made.late else early).append(made.text)
                if made.late and self.subqueries > subqueries:
                    self.refuse_mixed()
            if optional and self.subqueries > subqueries:
                raise CypherDiffers("a pattern in the WHERE of an OPTIONAL MATCH", hint="put it into a MATCH before")
        if optional:
            self.refuse_late(pattern, "OPTIONAL MATCH")
            early, late = early + late, []
        word = "OPTIONAL MATCH" if optional else "MATCH"
        text = f"{word} {pattern.text}" + (f" WHERE {' AND '.join(early)}" if early else "")
        if late:
            text += "\n" + self.after_pattern(pattern, late)
        return text

    def after_pattern(self, pattern: Pattern, late: list[str]) -> str:
        """Conditions that the engine gets wrong inside a pattern, applied to rows that were gathered before.

        DISTINCT makes the engine gather. It drops no row as long as rows differ in the nodes and relationships that
        they are made of.
        """
        if not self.distinct_rows:
            raise CypherDiffers(
                "a CASE or a condition on a relationship after an UNWIND, or a WITH that does not group",
                hint="put the condition into the first MATCH, or use WITH DISTINCT",
            )
        self.barrier = True
        kept = {variable.text: None for variable in self.scope.values()} | dict.fromkeys(pattern.variables)
        name = self.fresh()
        return f"WITH DISTINCT {', '.join(kept)}, ({' AND '.join(late)}) AS {name} WHERE {name}"

    def refuse_mixed(self) -> None:
        raise CypherDiffers(
            "a pattern used as a condition together with a CASE or a condition on a relationship",
            hint="move the pattern into a MATCH",
        )

    def refuse_late(self, pattern: Pattern, where: str) -> None:
        if pattern.conditions.late and pattern.relationships > 1:
            raise CypherDiffers(
                f"a condition on relationships in an {where} with several of them",
                hint="give each its type and direction, or put the condition into a MATCH",
            )

    def unwind(self, tree: Any) -> str:
        made = self.expressions.expression(tree.expression())
        if made.type.kind != "LIST" or made.aggregate:
            raise CypherDiffers(f"UNWIND of a {made.type.name}", hint="give a list")
        item = made.type.item
        if item in (NODE, REL):
            raise CypherDiffers("UNWIND of nodes or relationships", hint="collect a property, or match them again")
        self.distinct_rows = False
        name = self.fresh()
        empty = f"CAST({self.expressions.value([])} AS STRING[])"
        self.scope[identifier(tree.symbol())] = Variable(name, item or NULL)
        return f"UNWIND {empty if item is None else made.text} AS {name}"

    def subquery(self, word: str, pattern: Any, where: Any) -> str:
        """`EXISTS { pattern }` and `COUNT { pattern }`; a bare pattern may not bring new variables."""
        self.subqueries += 1
        if self.barrier:
            self.refuse_mixed()
        outer = dict(self.scope)
        bare = type(pattern).__name__ != "PatternContext"
        parts = [pattern] if bare else pattern.patternPart()
        made = read_pattern(parts, self.expressions, self.fresh, strict=True)
        if bare and (new := set(self.scope) - set(outer)):
            raise BadUsage(f"the variable `{min(new)}` is not defined", hint="use EXISTS { ... } for new variables")
        conditions = made.conditions
        if where is not None:
            for condition in self.expressions.conjuncts(where.expression()):
                (conditions.late if condition.late else conditions.early).append(condition.text)
        self.refuse_late(made, f"{word} {{ }}")
        self.scope = outer
        every = conditions.early + conditions.late
        return f"{word} {{ MATCH {made.text}" + (f" WHERE {' AND '.join(every)}" if every else "") + " }"

    # Projections

    def items(self, tree: Any, *, final: bool) -> list[tuple[str, str, Typed, Variable | None]]:
        """Name, source text, rewritten expression, and the variable it may be, of each column."""
        items: list[tuple[str, str, Typed, Variable | None]] = []
        if tree.MULT() is not None:
            items += [
                (name, name, Typed(variable.text, variable.type), variable)
                for name, variable in sorted(self.scope.items())
            ]
            if not items:
                raise BadUsage("RETURN * without variables", hint="name what to return")
        for item in tree.projectionItem() or []:
            made = self.expressions.expression(item.expression())
            source = source_of(item.expression())
            name = identifier(item.symbol()) if item.symbol() is not None else None
            variable = self.scope.get(source.strip("`")) if made.type in (NODE, REL) else None
            if name is None:
                plain = source.strip("`")
                if not final and plain not in self.scope:
                    raise BadUsage(f"{source} needs a name in WITH", hint="write AS name after it")
                name = plain if plain in self.scope else source
            items.append((name, source, made, variable))
        names = [name for name, *_ in items]
        if len(set(names)) < len(names):
            raise BadUsage("two columns with one name", hint="tell them apart with AS")
        self.check_grouping(items)
        return items

    def check_grouping(self, items: list[tuple[str, str, Typed, Variable | None]]) -> None:
        aggregates = [made for _, _, made, _ in items if made.aggregate]
        if aggregates and self.limited:
            raise CypherDiffers(
                "an aggregate after WITH ... LIMIT or SKIP, which the embedded engine gets wrong",
                hint="run it as two queries, or aggregate before the LIMIT",
            )
        for name, source, made, _ in items:
            if made.aggregate and _mixes(made.text):
                raise CypherDiffers(
                    f"{source} mixes an aggregate with other values",
                    hint=f"aggregate in a WITH first, then compute {name}",
                )

    def with_clause(self, tree: Any) -> str:
        body = tree.projectionBody()
        if body.orderSt() is not None and body.limitSt() is None and body.skipSt() is None:
            raise CypherDiffers("ORDER BY in WITH without LIMIT", hint="order at the end, in RETURN")
        items = self.items(body.projectionItems(), final=False)
        after: dict[str, Variable] = {}
        columns = []
        for name, _, made, variable in items:
            alias = self.fresh()
            after[name] = Variable(alias, made.type)
            if variable is not None:
                after[name].labels, after[name].optional = variable.labels, variable.optional
            columns.append(f"{made.text} AS {alias}")
        distinct = "DISTINCT " if body.DISTINCT() else ""
        ends = self.ends(body, items, after, bool(distinct))
        self.distinct_rows = bool(distinct) or any(made.aggregate for _, _, made, _ in items)
        self.scope = after
        where = tree.where()
        condition = f" WHERE {self.expressions.condition(where.expression())}" if where is not None else ""
        if condition and ends:
            # The engine may filter before it cuts.
            raise CypherDiffers("WHERE after ORDER BY or LIMIT in WITH", hint="put a second WITH before the WHERE")
        if body.limitSt() is not None or body.skipSt() is not None:
            self.limited = True
        return f"WITH {distinct}{', '.join(columns)}{ends}{condition}"

    def return_clause(self, tree: Any) -> str:
        body = tree.projectionBody()
        items = self.items(body.projectionItems(), final=True)
        after = {name: Variable(f"c{i}", made.type) for i, (name, _, made, _) in enumerate(items)}
        columns = [f"{made.text} AS c{i}" for i, (_, _, made, _) in enumerate(items)]
        distinct = "DISTINCT " if body.DISTINCT() else ""
        if distinct and self.limited:
            raise CypherDiffers("DISTINCT after WITH ... LIMIT or SKIP", hint="put DISTINCT into the WITH")
        text = f"RETURN {distinct}{', '.join(columns)}{self.ends(body, items, after, bool(distinct))}"
        self.columns = tuple(name for name, *_ in items)
        self.kinds = tuple(made.type for _, _, made, _ in items)
        return text

    def ends(self, body: Any, items: list[Any], after: dict[str, Variable], distinct: bool) -> str:
        """ORDER BY, SKIP and LIMIT."""
        text = ""
        if body.orderSt() is not None:
            closed = distinct or any(made.aggregate for _, _, made, _ in items)
            orders = [self.order(item, items, after, closed) for item in body.orderSt().orderItem()]
            text += f" ORDER BY {', '.join(orders)}"
        for word, clause in (("SKIP", body.skipSt()), ("LIMIT", body.limitSt())):
            if clause is not None:
                made = self.expressions.expression(clause.expression())
                if made.type != INT or not made.constant:
                    raise BadUsage(f"{word} {source_of(clause.expression())}", hint="give a whole number")
                text += f" {word} {self.number(made, word)}"
        return text

    def number(self, made: Typed, word: str) -> int:
        """The value of a constant, written out: the engine plans with it."""
        text = made.text.removeprefix("CAST(").removesuffix(" AS INT64)")
        value = self.expressions.parameters[text[1:]] if text.startswith("$") else None
        if value is None and text.lstrip("-").isdigit():
            value = int(text)
        if value is None or value < 0:
            raise BadUsage(f"{word} takes a number from 0", hint="write it plainly")
        if text.startswith("$"):
            del self.expressions.parameters[text[1:]]
        return int(value)

    def order(self, tree: Any, items: list[Any], after: dict[str, Variable], closed: bool) -> str:
        source = source_of(tree.expression())
        plain = source.strip("`")
        direction = " DESC" if tree.DESC() or tree.DESCENDING() else ""
        for name, text, made, _ in items:
            if plain == name or source == text:
                self.orderable(made, source)
                return f"{after[name].text}{direction}"
        scope = self.scope
        # Names given by this projection hide older ones.
        self.scope = {**({} if closed else scope), **after}
        try:
            made = self.expressions.expression(tree.expression())
        finally:
            self.scope = scope
        if made.aggregate:
            raise CypherDiffers(f"ORDER BY {source}", hint="return it under a name, and order by the name")
        self.orderable(made, source)
        return f"{made.text}{direction}"

    def orderable(self, made: Typed, source: str) -> None:
        if made.type in (NODE, REL) or made.type.kind == "LIST":
            raise CypherDiffers(f"ORDER BY a {made.type.name}: {source}", hint="order by a property")


def _mixes(text: str) -> bool:
    """Whether a variable stands outside every aggregate of an expression.

    >>> _mixes("(count(v1) + 1)"), _mixes("(v2.`n` + count(v1))")
    (False, True)
    """
    depth_text = re.sub(r"`(?:[^`]|``)*`", "", text)
    outside: list[str] = []
    depth, inside = 0, 0
    i = 0
    while i < len(depth_text):
        found = re.match(r"(count|sum|avg|min|max|collect)\(", depth_text[i:])
        if found and not inside and not re.match(r"\w", depth_text[i - 1 : i]):
            inside = depth + 1
            depth += 1
            i += found.end()
            continue
        if depth_text[i] == "(":
            depth += 1
        elif depth_text[i] == ")":
            if inside == depth:
                inside = 0
            depth -= 1
        elif not inside:
            outside.append(depth_text[i])
        i += 1
    return re.search(r"\bv\d+", "".join(outside)) is not None
