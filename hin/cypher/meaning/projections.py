"""Check WITH and RETURN: columns, grouping, the scope of ORDER BY."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hin.cypher.errors import CypherRefused, CypherSyntaxError
from hin.cypher.meaning.kinds import kind_of
from hin.cypher.meaning.walk import children, free_variables, has_aggregate, is_aggregate, parts_of, replaced
from hin.cypher.syntax import tree

if TYPE_CHECKING:
    from hin.cypher.functions.registry import Kind
    from hin.cypher.meaning.scope import Checker


def all_items(clause: tree.Projection, scope: dict[str, Kind] | set[str]) -> tuple[tree.Item, ...]:
    """Return the columns, `*` written out in the order of names.

    >>> [item.name for item in all_items(tree.Projection((), True), {"b", "a"})]
    ['a', 'b']
    """
    if not clause.everything:
        return clause.items
    return (*(tree.Item(tree.Variable(name), name, True) for name in sorted(scope)), *clause.items)


def in_columns(expression: tree.Expression, items: tuple[tree.Item, ...]) -> tree.Expression:
    """Return an expression of ORDER BY with the columns' names in place of what they are computed from."""

    def column(part: Any) -> tree.Variable | None:
        if isinstance(part, (tree.Variable, tree.Literal)):
            return None
        return next((tree.Variable(item.name) for item in items if part == item.expression), None)

    found: tree.Expression = replaced(expression, column)
    return found


class Slots:
    """The grouping keys and the aggregates of columns; called on an expression, the variable that holds its value."""

    def __init__(self, items: tuple[tree.Item, ...]) -> None:
        self.keys = [item for item in items if not has_aggregate(item.expression)]
        self.aggregates: list[tree.Expression] = []

    def __call__(self, part: Any) -> tree.Variable | None:
        """Return the variable in the place of a part, None for a part that stays."""
        for item in self.keys:
            if part == item.expression and not isinstance(part, tree.Literal):
                return tree.Variable(f" key {item.name}")
        if not is_aggregate(part):
            return None
        if part not in self.aggregates:
            self.aggregates.append(part)
        return tree.Variable(f" aggregate {self.aggregates.index(part)}")


def check(
    checker: Checker, clause: tree.Projection, scope: dict[str, Kind], kept: dict[str, Kind]
) -> tuple[tuple[str, ...], dict[str, Kind]]:
    """Check one clause and return its columns and the scope after it."""
    if clause.everything and not scope and clause.final:
        raise CypherSyntaxError("RETURN * with nothing to return", hint="name columns")
    items = all_items(clause, scope)
    for item in items:
        if not clause.final and not item.named:
            raise CypherSyntaxError(f"`{item.name}` needs a name in WITH", hint="add AS and a name")
        checker.expression(item.expression, scope, aggregates=True)
        if item.name in kept and item.expression != tree.Variable(item.name):
            raise CypherSyntaxError(f"`{item.name}` hides a name from outside the subquery", hint="use another name")
    names = [item.name for item in items]
    if len(set(names)) < len(names):
        raise CypherSyntaxError("two columns with one name", hint="rename one of them with AS")
    grouped = any(has_aggregate(item.expression) for item in items)
    if grouped:
        if clause.everything and scope.keys() <= kept.keys():  # of no rows Neo4j makes one, or none if `*` has a name
            checker.refuse("WITH * without a name of its own beside an aggregate", hint="leave out the *")
        _check_grouping(items)
    after = {**kept, **{item.name: kind_of(item.expression, scope) for item in items}}
    _check_order(checker, clause, items, scope, after, grouped or clause.distinct)
    for bound, word in ((clause.skip, "SKIP"), (clause.limit, "LIMIT")):
        if bound is not None:
            _check_bound(checker, bound, word)
    if clause.test is not None:
        checker.condition(clause.test, after if grouped or clause.distinct else {**scope, **after})
    return tuple(names), after


def _check_bound(checker: Checker, bound: tree.Expression, word: str) -> None:
    if free_variables(bound) or has_aggregate(bound):
        raise CypherSyntaxError(f"{word} that depends on rows", hint="give a number or a parameter")
    checker.expression(bound, {})
    if isinstance(bound, tree.Literal) and (type(bound.value) is not int or bound.value < 0):
        raise CypherSyntaxError(f"{word} needs a whole number from 0", hint=f"for example {word} 10")
    if isinstance(bound, tree.Negate):
        raise CypherSyntaxError(f"{word} below 0", hint=f"for example {word} 10")


def _check_grouping(items: tuple[tree.Item, ...]) -> None:
    keys = [item.expression for item in items if not has_aggregate(item.expression)]
    for item in items:
        if has_aggregate(item.expression):
            _check_covered(item.expression, keys)


def _check_covered(expression: tree.Expression, keys: list[tree.Expression]) -> None:
    """Raise unless everything outside the aggregates is a constant or a grouping key."""
    if expression in keys or is_aggregate(expression):
        return
    if isinstance(expression, tree.Property) and expression.base in keys and isinstance(expression.base, tree.Variable):
        return
    if isinstance(
        expression, (tree.Variable, tree.Subquery, tree.PatternComprehension, tree.PatternTest)
    ) and free_variables(expression):
        raise CypherSyntaxError(
            "a value beside an aggregate that is not a column of its own",
            hint="put it into the WITH before, or return it as a column",
        )
    if isinstance(expression, (tree.ListComprehension, tree.Quantifier, tree.Reduce)):
        if free_variables(expression) and not all(tree.Variable(name) in keys for name in _outside(expression)):
            raise CypherRefused("a comprehension beside an aggregate", hint="compute the aggregate in a WITH first")
        return
    for child in children(expression):
        _check_covered(child, keys)


def _outside(expression: tree.Expression) -> set[str]:
    """Return the free variables that are not inside an aggregate."""
    if is_aggregate(expression):
        return set()
    bound = {getattr(expression, "variable", None), getattr(expression, "total", None)}
    if isinstance(expression, tree.Variable):
        return {expression.name}
    return set().union(*(_outside(child) for child in children(expression))) - bound


def _check_order(
    checker: Checker,
    clause: tree.Projection,
    items: tuple[tree.Item, ...],
    scope: dict[str, Kind],
    after: dict[str, Kind],
    narrowed: bool,
) -> None:
    expressions = [item.expression for item in items]
    for sort in clause.order:
        _check_shadowed(checker, sort.expression, items, scope)
        if not narrowed:
            if has_aggregate(sort.expression):
                raise CypherSyntaxError("an aggregate in ORDER BY only", hint="return it as a column, or use WITH")
            checker.expression(sort.expression, {**scope, **after})
        else:
            if has_aggregate(sort.expression):
                checker.expression(sort.expression, {**scope, **after}, aggregates=True)
            _check_order_after_grouping(checker, sort.expression, expressions, after)


def _check_order_after_grouping(
    checker: Checker, expression: tree.Expression, columns: list[tree.Expression], after: dict[str, Kind]
) -> None:
    """Check an ORDER BY after grouping or DISTINCT, where only the columns can be ordered by."""
    if expression in columns:
        return
    if is_aggregate(expression):
        raise CypherSyntaxError("an aggregate in ORDER BY that is not a column", hint="return it as a column")
    if isinstance(expression, tree.Variable) and expression.name not in after:
        raise CypherSyntaxError(f"ORDER BY `{expression.name}`, which is gone after grouping", hint="order by a column")
    if isinstance(
        expression, (tree.ListComprehension, tree.Quantifier, tree.Reduce, tree.Subquery, tree.PatternComprehension)
    ):
        checker.expression(expression, after)
        return
    for child in children(expression):
        _check_order_after_grouping(checker, child, columns, after)


def _check_shadowed(
    checker: Checker, expression: tree.Expression, items: tuple[tree.Item, ...], scope: dict[str, Kind]
) -> None:
    """Raise if a column has the name of another variable: ORDER BY could mean either."""
    new = {item.name for item in items if item.name in scope and item.expression != tree.Variable(item.name)}
    doubtful = [
        i.expression
        for i in items
        if not isinstance(i.expression, tree.Variable) and new & free_variables(i.expression)
    ]
    if expression not in doubtful and any(part in doubtful for part in parts_of(expression)):
        checker.refuse("ORDER BY with a name that changes its meaning", hint="give the column another name")
