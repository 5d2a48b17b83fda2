"""Check a query's names and kinds: that names are defined and bound once, and where aggregates may occur."""

from __future__ import annotations

from collections.abc import Callable

from hin.cypher.errors import CypherRefused, CypherSyntaxError
from hin.cypher.functions.registry import ANY, BOOLEAN, LIST, NODE, PATH, RELATIONSHIP, Kind, list_of
from hin.cypher.functions.table import FUNCTIONS, unknown_function
from hin.cypher.meaning import projections
from hin.cypher.meaning.kinds import check_arguments, check_operands, either, inside_reduce, items_of, kind_of, need
from hin.cypher.meaning.known import KnownNames
from hin.cypher.meaning.walk import children, free_variables, is_aggregate
from hin.cypher.syntax import tree
from hin.cypher.syntax.parser import WRITING


class Checker:
    """The checker of one query; raises at the first mistake.

    Examples
    --------
    >>> from hin.cypher.syntax.parser import parse
    >>> Checker().query(parse("MATCH (d:Document) RETURN d.id, d"), {})
    ('d.id', 'd')
    """

    def __init__(self, known: KnownNames | None = None, spend: Callable[[], None] = lambda: None) -> None:
        self.known = known
        self.spend = spend
        #: What a folder cannot answer; reported if the query has no mistake.
        self.refused: list[CypherRefused] = []
        #: The columns of the query that was checked last.
        self.kinds: dict[str, Kind] = {}
        #: The names outside the EXISTS, COUNT or COLLECT that is checked; nothing in it may bind them again.
        self.outside: frozenset[str] = frozenset()

    def query(
        self, query: tree.Query, outer: dict[str, Kind], *, kind: str = "whole", keep: bool = False
    ) -> tuple[str, ...]:
        """Check all parts and return the columns; `kind` is what the query is part of; `keep` lets outer names stay."""
        inside = "UNION" if kind == "COUNT" and len(query.parts) > 1 and not query.keep_all else kind
        found = [self.part(part, dict(outer), inside, outer if keep else {}) for part in query.parts]
        if any(columns.keys() != found[0].keys() for columns in found):
            raise CypherSyntaxError("the parts of a UNION have other columns", hint="name the columns alike, with AS")
        if kind == "whole" and self.refused:
            raise self.refused[0]
        self.kinds = {name: either(columns[name] for columns in found) for name in found[0]}
        return tuple(found[0])

    def refuse(self, message: str, hint: str) -> None:
        """Record that only Neo4j can answer this."""
        self.refused.append(CypherRefused(message, hint))

    def part(
        self, clauses: tuple[tree.Clause, ...], scope: dict[str, Kind], kind: str, kept: dict[str, Kind]
    ) -> dict[str, Kind]:
        """Check the clauses one after the other and return the columns with their kinds."""
        columns: tuple[str, ...] = ()
        for i, clause in enumerate(clauses):
            last = i == len(clauses) - 1
            if isinstance(clause, tree.Refused):
                raise CypherRefused(f"{clause.what} on a folder", hint=clause.hint)
            if isinstance(clause, tree.Create):
                raise CypherRefused("CREATE on a folder", hint=WRITING)
            if isinstance(clause, tree.Projection) and clause.final != last and clause.final:
                raise CypherSyntaxError("RETURN before the end of the query", hint="use WITH there")
            if isinstance(clause, tree.Match):
                self.match(clause, scope)
            elif isinstance(clause, tree.Unwind):
                self.unwind(clause, scope)
            elif isinstance(clause, tree.CallQuery):
                self.call(clause, scope)
            elif isinstance(clause, tree.CallProcedure):
                for _, name in clause.yields:
                    if name in scope:
                        raise CypherSyntaxError(f"`{name}` is there already", hint="rename the column: YIELD x AS y")
                    scope[name] = ANY
            else:
                columns, scope = projections.check(self, clause, scope, kept)
        ends = clauses[-1]
        returns = isinstance(ends, tree.Projection) and ends.final
        if not returns and kind not in ("EXISTS", "COUNT"):
            raise CypherSyntaxError("the query returns nothing", hint="end it with RETURN")
        if not returns and isinstance(ends, tree.Projection):  # where it aggregates no rows, Neo4j counts none
            self.refuse("a subquery that ends with WITH", "end it with RETURN")
        return {name: scope[name] for name in columns} if returns else {}

    def match(self, clause: tree.Match, scope: dict[str, Kind]) -> None:
        """Check patterns and bind their names."""
        self.patterns(clause.paths, scope)
        if clause.test is not None:
            self.condition(clause.test, scope)
        self._shortest(clause)
        steps = [step for path in clause.paths for step in path.relationships if step.length is not None]
        if len({step.quantified for step in steps}) > 1:
            raise CypherSyntaxError("`*` and `{1,2}` as lengths in one MATCH", hint="use one of them")

    def _shortest(self, clause: tree.Match) -> None:
        found = [path for path in clause.paths if path.shortest is not None]
        if not found:
            return
        if sum(len(path.relationships) for path in clause.paths) > 1:
            self.refuse("shortestPath beside other relationships in one MATCH", hint="put it into a MATCH of its own")
        names = {found[0].variable, found[0].relationships[0].variable}
        if clause.test is not None and names & free_variables(clause.test):
            self.refuse(
                "WHERE that looks at a shortest path chooses which paths are searched in Neo4j",
                hint="filter what was found with WITH ... WHERE after the MATCH",
            )

    def patterns(self, paths: tuple[tree.PathPattern, ...], scope: dict[str, Kind]) -> None:
        """Bind the names of patterns, then check the expressions inside them."""
        seen: set[str] = set()
        before = set(scope)
        for path in paths:
            for node in path.nodes:
                if node.variable is not None and node.variable not in scope:
                    scope[node.variable] = NODE
                elif node.variable is not None and not scope[node.variable].meets(NODE):
                    raise _conflict(node.variable, scope[node.variable], NODE)
            for step in path.relationships:
                self._relationship(step, scope, before, seen)
            if path.variable is not None:
                if path.variable in scope:
                    raise CypherSyntaxError(f"`{path.variable}` is there already", hint="give the path another name")
                scope[path.variable] = PATH
        for path in paths:
            for part in path.elements():
                self._inside(part, scope)

    def _relationship(
        self, step: tree.RelationshipPattern, scope: dict[str, Kind], before: set[str], seen: set[str]
    ) -> None:
        kind = RELATIONSHIP if step.length is None else list_of(RELATIONSHIP)
        name = step.variable
        if name is None:
            return
        if name in seen:
            self.refuse(f"the relationship `{name}` stands twice in one MATCH", hint="use two names")
        seen.add(name)
        if name not in scope:
            scope[name] = kind
        elif not scope[name].meets(kind):
            raise _conflict(name, scope[name], kind)
        elif step.length is not None:
            self.refuse(f"the relationships `{name}` are bound already", hint="use another name")
        elif name not in before and not self.refused:
            raise _conflict(name, scope[name], kind)

    def _inside(self, part: tree.NodePattern | tree.RelationshipPattern, scope: dict[str, Kind]) -> None:
        if self.known is not None:
            if isinstance(part, tree.NodePattern):
                self.known.check_labels(part.labels)
            else:
                self.known.check_types(part.types)
            if isinstance(part.properties, tree.MapOf):
                for key, _ in part.properties.entries:
                    self.known.check_property(key)
        if isinstance(part.properties, tree.Parameter):
            raise CypherSyntaxError("a parameter as the properties of a pattern", hint="write {key: $value}")
        if part.properties is not None:
            self.expression(part.properties, scope)
        if part.test is not None:
            self.condition(part.test, scope)
        if isinstance(part, tree.RelationshipPattern) and part.length is not None and part.test is not None:
            self.refuse("WHERE inside a relationship of variable length", hint="use all(r IN rs WHERE ...)")
        types = part.types if isinstance(part, tree.RelationshipPattern) else None
        if isinstance(types, tuple) and types[0] == "|" and len(set(types)) < len(types):
            self.refuse("a relationship type named twice", hint="name each type once")  # a server may count it twice

    def unwind(self, clause: tree.Unwind, scope: dict[str, Kind]) -> None:
        """Check UNWIND."""
        self.expression(clause.source, scope)
        if clause.variable in scope:
            raise CypherSyntaxError(f"`{clause.variable}` is there already", hint="give the rows another name")
        kind = kind_of(clause.source, scope)
        scope[clause.variable] = items_of(kind) if kind.within("list") else ANY if kind.meets(LIST) else kind

    def call(self, clause: tree.CallQuery, scope: dict[str, Kind]) -> None:
        """Check a subquery and add its columns."""
        names = tuple(scope) if clause.imports == ("*",) else clause.imports
        for name in names:
            if name not in scope:
                raise undefined(name, scope)
        before, self.outside = self.outside, frozenset()
        columns = self.query(clause.query, {name: scope[name] for name in names}, kind="CALL", keep=clause.keeps)
        self.outside = before
        for column in columns:
            if column in scope:
                raise CypherSyntaxError(f"`{column}` is there already", hint="rename the column of the subquery")
            scope[column] = self.kinds[column]

    def condition(self, expression: tree.Expression, scope: dict[str, Kind], *, aggregates: bool = False) -> None:
        """Check a condition, which may be a pattern."""
        if isinstance(expression, tree.PatternTest):
            for name in (part.variable for part in expression.path.elements()):
                if name is not None and name not in scope:
                    raise undefined(name, scope)
            self.patterns((expression.path,), dict(scope))
        else:
            self.expression(expression, scope, aggregates=aggregates)
            kind = kind_of(expression, scope)
            wanted = BOOLEAN if kind.within("list") else BOOLEAN | LIST  # which a server would turn into a boolean
            need(kind, wanted, "where a condition is needed", "compare it with something")

    def expression(self, expression: tree.Expression, scope: dict[str, Kind], *, aggregates: bool = False) -> None:
        """Check a value."""
        self.spend()
        if isinstance(expression, tree.Variable):
            if expression.name not in scope:
                raise undefined(expression.name, scope)
        elif isinstance(expression, tree.PatternTest) and expression.called:
            self.condition(expression, scope)
        elif isinstance(expression, tree.PatternTest):
            raise CypherSyntaxError("a pattern where a value is needed", hint="write EXISTS { (a)-->(b) }")
        elif isinstance(expression, (tree.Logic, tree.Not)):
            for child in children(expression):
                self.condition(child, scope, aggregates=aggregates)
        elif isinstance(expression, tree.Case):
            for test, value in expression.branches:
                self.condition(test, scope, aggregates=aggregates)
                self.expression(value, scope, aggregates=aggregates)
            if expression.default is not None:
                self.expression(expression.default, scope, aggregates=aggregates)
        elif isinstance(expression, (tree.ListComprehension, tree.Quantifier)):
            self.expression(expression.source, scope, aggregates=aggregates)
            check_operands(expression, scope)
            self._bound_once(expression.variable)
            inner = {**scope, expression.variable: items_of(kind_of(expression.source, scope))}
            if expression.test is not None:
                self.condition(expression.test, inner)
            if isinstance(expression, tree.ListComprehension) and expression.value is not None:
                self.expression(expression.value, inner)
        elif isinstance(expression, tree.Reduce):
            self.expression(expression.start, scope, aggregates=aggregates)
            self.expression(expression.source, scope, aggregates=aggregates)
            check_operands(expression, scope)
            self._bound_once(expression.variable)
            self._bound_once(expression.total)
            self.expression(expression.value, inside_reduce(expression, scope))
        elif isinstance(expression, tree.PatternComprehension):
            inner = dict(scope)
            self.patterns((expression.path,), inner)
            if expression.test is not None:
                self.condition(expression.test, inner)
            self.expression(expression.value, inner)
        elif isinstance(expression, tree.Subquery):
            self._subquery(expression, scope)
        else:
            self._plain(expression, scope, aggregates)

    def _bound_once(self, name: str) -> None:
        if name in self.outside:
            raise CypherSyntaxError(f"`{name}` hides a name from outside the subquery", hint="use another name")

    def _subquery(self, expression: tree.Subquery, scope: dict[str, Kind]) -> None:
        before, self.outside = self.outside, frozenset(scope)
        columns = self.query(expression.query, dict(scope), kind=expression.kind, keep=True)
        self.outside = before
        if expression.kind == "COLLECT" and len(columns) != 1:
            raise CypherSyntaxError("COLLECT { } returns one column", hint="return one value, or a map")

    def _plain(self, expression: tree.Expression, scope: dict[str, Kind], aggregates: bool) -> None:
        if is_aggregate(expression):
            if not aggregates:
                raise CypherSyntaxError("an aggregate where none may stand", hint="compute it in a WITH first")
            aggregates = False  # none inside another
            if any(isinstance(child, tree.Call) and child.name == "rand" for child in children(expression)):
                raise CypherSyntaxError("rand() inside an aggregate", hint="draw it in a WITH first")
        if isinstance(expression, tree.Call):
            self._call(expression, scope)
        if (
            isinstance(expression, tree.Property)
            and self.known is not None
            and kind_of(expression.base, scope).within("node", "relationship")
        ):
            self.known.check_property(expression.key)
        for child in children(expression):
            self.expression(child, scope, aggregates=aggregates)
        check_operands(expression, scope)

    def _call(self, call: tree.Call, scope: dict[str, Kind]) -> None:
        if call.name not in FUNCTIONS:
            raise unknown_function(call.written)
        function = FUNCTIONS[call.name]
        if call.distinct and not function.aggregate:
            raise CypherSyntaxError(f"DISTINCT in {call.written}()", hint="it stands in aggregates only")
        least, most = function.signature.least, function.signature.most
        if not least <= len(call.arguments) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            raise CypherSyntaxError(f"{call.written}() with {len(call.arguments)} arguments", hint=f"it takes {wanted}")
        check_arguments(call, scope)


def undefined(name: str, scope: dict[str, Kind]) -> CypherSyntaxError:
    """Return the error for an unknown name."""
    there = ", ".join(f"`{known}`" for known in sorted(scope)[:10])
    return CypherSyntaxError(
        f"`{name}` is not defined", hint=f"there is {there}" if there else "bind it with MATCH or WITH"
    )


def _conflict(name: str, kind: Kind, wanted: Kind) -> CypherSyntaxError:
    return CypherSyntaxError(
        f"`{name}` is {kind.description} already, not {wanted.description}", hint="use another name"
    )
