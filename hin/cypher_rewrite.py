"""Neo4j's Cypher reworded for the embedded engine, so that both give the same rows.

The engine lets one relationship be used twice in a MATCH, which Neo4j forbids, so relationships get names and every
pair that could be one is told to differ. Values become parameters, variables get names that do not depend on case.
What cannot be reworded is refused with a line that says what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hin.cypher_expressions import Expressions, Variable, identifier
from hin.cypher_functions import Typed
from hin.cypher_names import quote
from hin.cypher_parse import parse, source_of
from hin.cypher_types import INT, NODE, NULL, REL, CypherDiffers, ViewSchema
from hin.errors import BadUsage

__all__ = ["Rewritten", "rewrite"]

#: The longest path that the embedded engine follows.
LONGEST_PATH = 30


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
    >>> from hin.cypher_types import STRING
    >>> schema = ViewSchema({"Document": {"id": STRING}, "Author": {"name": STRING}}, {"HAS_AUTHOR": {}})
    >>> made = rewrite("MATCH (a)<-[:HAS_AUTHOR]-()-[:HAS_AUTHOR]->(b:Author) RETURN a.name, b.name AS other", schema)
    >>> print(made.text)
    MATCH (v0)<-[v1:`HAS_AUTHOR`]-()-[v2:`HAS_AUTHOR`]->(v3:`Author`) WHERE id(v1) <> id(v2)
    RETURN v0.`name` AS c0, v3.`name` AS c1
    >>> made.columns
    ('a.name', 'other')
    """
    tree = parse(query)
    return _Rewriter(schema, parameters or {}).query(tree)


class _Rewriter:
    def __init__(self, schema: ViewSchema, given: Mapping[str, Any]) -> None:
        self.schema = schema
        self.expressions = Expressions(schema, given, self.subquery)
        self.names = 0
        self.limited = False  # an earlier WITH cut the rows

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

    def query(self, tree: Any) -> Rewritten:
        parts, columns = [self.single(tree.singleQuery())], self.columns
        unions = tree.unionSt() or []
        if len({bool(union.ALL()) for union in unions}) > 1:
            raise CypherDiffers("UNION and UNION ALL in one query", hint="use one of them")
        for union in unions:
            if any(kind in (NODE, REL) or kind.kind == "LIST" for kind in self.kinds):
                raise CypherDiffers("UNION of nodes, relationships or lists", hint="return their properties")
            before = self.kinds
            parts.append(f"UNION{' ALL' if union.ALL() else ''}\n{self.single(union.singleQuery())}")
            if self.columns != columns:
                raise BadUsage("the parts of a UNION have different columns", hint="name them alike with AS")
            if self.kinds != before:
                raise CypherDiffers("the parts of a UNION have different types", hint="make them one type")
        return Rewritten("\n".join(parts), self.expressions.parameters, columns)

    def single(self, tree: Any) -> str:
        self.scope, self.limited = {}, False
        clauses: list[str] = []
        multi = tree.multiPartQ()
        last = tree.singlePartQ()
        if multi is not None:
            last = multi.singlePartQ()
            for child in multi.getChildren():
                kind = type(child).__name__
                if kind == "ReadingStatementContext":
                    clauses.append(self.reading(child))
                elif kind == "UpdatingStatementContext":
                    self.refuse_writing()
                elif kind == "WithStContext":
                    clauses.append(self.with_clause(child))
        for child in last.getChildren():
            kind = type(child).__name__
            if kind == "ReadingStatementContext":
                clauses.append(self.reading(child))
            elif kind == "UpdatingStatementContext":
                self.refuse_writing()
        if last.returnSt() is None:
            raise BadUsage("the query returns nothing", hint="end it with RETURN")
        clauses.append(self.return_clause(last.returnSt()))
        return "\n".join(clauses)

    def refuse_writing(self) -> None:
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
        inner = tree.patternWhere()
        text, conditions = self.pattern(inner.pattern().patternPart())
        if inner.where() is not None:
            conditions.insert(0, self.expressions.condition(inner.where().expression()))
        word = "OPTIONAL MATCH" if tree.OPTIONAL() else "MATCH"
        return f"{word} {text}" + (f" WHERE {' AND '.join(conditions)}" if conditions else "")

    def unwind(self, tree: Any) -> str:
        made = self.expressions.expression(tree.expression())
        if made.type.kind != "LIST" or made.aggregate:
            raise CypherDiffers(f"UNWIND of a {made.type.name}", hint="give a list")
        item = made.type.item
        if item in (NODE, REL):
            raise CypherDiffers("UNWIND of nodes or relationships", hint="collect a property, or match them again")
        name = self.fresh()
        empty = f"CAST({self.expressions.value([])} AS STRING[])"
        self.scope[identifier(tree.symbol())] = Variable(name, item or NULL)
        return f"UNWIND {empty if item is None else made.text} AS {name}"

    # Patterns

    def pattern(self, parts: list[Any]) -> tuple[str, list[str]]:
        """The pattern's text, and the conditions that keep its relationships apart."""
        relationships: list[tuple[str, frozenset[str], bool]] = []
        before = set(self.scope)
        text = []
        for part in parts:
            if part.symbol() is not None:
                raise CypherDiffers(f"the path {source_of(part)}", hint="name the nodes and relationships instead")
            text.append(self.element(part.patternElem(), relationships, before))
        return ", ".join(text), self.apart(relationships)

    def apart(self, relationships: list[tuple[str, frozenset[str], bool]]) -> list[str]:
        conditions = []
        for (left, left_types, left_path), (right, right_types, right_path) in combinations(relationships, 2):
            if not left_types & right_types:
                continue
            if left_path or right_path:
                raise CypherDiffers(
                    "a path of several lengths beside other relationships of its type",
                    hint="put it into a MATCH of its own",
                )
            conditions.append(f"id({left}) <> id({right})")
        return conditions

    def element(self, tree: Any, relationships: list[Any], before: set[str]) -> str:
        if tree.functionInvocation() if hasattr(tree, "functionInvocation") else False:
            raise CypherDiffers("shortestPath is not known to the embedded engine", hint="use it on Neo4j")
        if hasattr(tree, "patternElem") and tree.patternElem() is not None:
            return self.element(tree.patternElem(), relationships, before)
        text = [self.node(tree.nodePattern())]
        for chain in tree.patternElemChain() or []:
            text.append(self.relationship(chain.relationshipPattern(), relationships, before))
            text.append(self.node(chain.nodePattern()))
        return "".join(text)

    def node(self, tree: Any) -> str:
        labels = [identifier(name) for name in tree.nodeLabels().name()] if tree.nodeLabels() is not None else []
        if len(labels) > 1:
            raise CypherDiffers(f"two labels at once: {source_of(tree)}", hint="every node has one label")
        for label in labels:
            self.expressions.known_label(label)
        variable = Variable("", NODE, frozenset(labels) or None)
        if tree.symbol() is not None:
            name = identifier(tree.symbol())
            if name not in self.scope:
                self.scope[name] = Variable(self.fresh(), NODE, variable.labels)
            elif self.scope[name].type != NODE:
                raise BadUsage(f"`{name}` is a {self.scope[name].type.name}, not a node", hint="use another name")
            elif labels and self.scope[name].labels not in (None, variable.labels):
                raise CypherDiffers(f"`{name}` has two labels", hint="every node has one label")
            variable = self.scope[name]
        label_text = f":{quote(labels[0])}" if labels else ""
        return f"({variable.text}{label_text}{self.properties(tree.properties(), variable, labels)})"

    def relationship(self, tree: Any, relationships: list[Any], before: set[str]) -> str:
        detail = tree.relationDetail()
        types = detail.relationshipTypes() if detail is not None else None
        names = [identifier(name) for name in types.name()] if types is not None else []
        for name in names:
            if name not in self.schema.relationships:
                known = ", ".join(sorted(self.schema.relationships))
                raise BadUsage(f"no relationship {name!r}", hint=f"there are {known}")
        possible = frozenset(names or self.schema.relationships)
        left, right = bool(tree.LT()), bool(tree.GT())
        loops = possible & self.schema.loops
        if left == right and loops:
            raise CypherDiffers(
                f"a pattern without direction over {', '.join(sorted(loops))}, which joins some nodes to themselves",
                hint="write the direction, -[]-> or <-[]-",
            )
        name = self.fresh()
        if detail is not None and detail.symbol() is not None:
            given = identifier(detail.symbol())
            if given in self.scope:
                raise CypherDiffers(f"the relationship `{given}` is matched twice", hint="match it once")
            self.scope[given] = Variable(name, REL, possible if names else None)
        path = detail.rangeLit() if detail is not None else None
        length = self.length(path, detail) if path is not None else ""
        relationships.append((name, possible, path is not None))
        type_text = ":" + "|".join(quote(kind) for kind in names) if names else ""
        variable = Variable(name, REL, possible)
        properties = self.properties(detail.properties(), variable, names) if detail is not None else ""
        if path is not None and (properties or not names):
            raise CypherDiffers(f"the path {source_of(tree)}", hint="give it a relationship type and no properties")
        body = f"[{name}{type_text}{length}{properties}]"
        return f"{'<' if left and not right else ''}-{body}-{'>' if right and not left else ''}"

    def length(self, tree: Any, detail: Any) -> str:
        """`*1..3`: Neo4j walks no relationship twice, which the engine calls a trail."""
        if detail.symbol() is not None:
            raise CypherDiffers("a name for a path of several lengths", hint="leave the name out")
        text = "".join(tree.getText().split()).lstrip("*")
        low, dots, high = text.partition("..")
        if not dots:
            high = low
        shortest = int(low or 1)
        if not high or not shortest <= int(high) <= LONGEST_PATH or shortest < 1:
            raise CypherDiffers(
                f"the length {tree.getText()}", hint=f"give bounds from 1 to {LONGEST_PATH}, for example *1..3"
            )
        return f"* TRAIL {shortest}..{int(high)}"

    def properties(self, tree: Any, variable: Variable, labels: list[str]) -> str:
        if tree is None:
            return ""
        if tree.parameter() is not None:
            raise CypherDiffers("properties from one parameter", hint="write {name: $name}")
        pairs = []
        for pair in tree.mapLit().mapPair() or []:
            name = identifier(pair.name())
            made = self.expressions.expression(pair.expression())
            asked = Variable("", variable.type, frozenset(labels) or variable.labels)
            wanted = self.expressions.property_type(asked, name)
            if made.type != wanted or made.type.kind == "LIST":
                raise CypherDiffers(
                    f"{source_of(pair)} compares a {wanted.name} with a {made.type.name}", hint="use the same type"
                )
            pairs.append(f"{quote(name)}: {made.text}")
        return f" {{{', '.join(pairs)}}}"

    def subquery(self, word: str, pattern: Any, where: Any) -> str:
        """`EXISTS { pattern }` and `COUNT { pattern }`; a bare pattern may not bring new variables."""
        outer = dict(self.scope)
        kind = type(pattern).__name__
        if kind == "PatternContext":
            text, conditions = self.pattern(pattern.patternPart())
        else:
            relationships: list[Any] = []
            text = self.element(pattern, relationships, set(outer))
            conditions = self.apart(relationships)
            if new := set(self.scope) - set(outer):
                raise BadUsage(f"the variable `{min(new)}` is not defined", hint="use EXISTS { ... } for new variables")
        if where is not None:
            conditions.insert(0, self.expressions.condition(where.expression()))
        self.scope = outer
        return f"{word} {{ MATCH {text}" + (f" WHERE {' AND '.join(conditions)}" if conditions else "") + " }"

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
            after[name] = Variable(alias, made.type, variable.labels if variable is not None else None)
            columns.append(f"{made.text} AS {alias}")
        distinct = "DISTINCT " if body.DISTINCT() else ""
        ends = self.ends(body, items, after, bool(distinct))
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
