"""Compile expressions to functions of a row: each becomes one small closure, made once per query."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hin.cypher.errors import CypherValueError
from hin.cypher.functions.table import FUNCTIONS, unknown_function
from hin.cypher.meaning.walk import children
from hin.cypher.run.conditions import COMPARE, TESTS, quantified, truth, xor
from hin.cypher.run.context import Context, Evaluate, Row
from hin.cypher.syntax import tree
from hin.cypher.values.arithmetic import OPERATORS, negate, type_name
from hin.cypher.values.elements import Node, Relationship, fits
from hin.cypher.values.order import equal, is_number


class Evaluator:
    """Compiles expressions to closures, with a method for each kind; `Runner` adds patterns and subqueries."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def make(self, expression: tree.Expression) -> Evaluate:
        """Return the closure of an expression."""
        make: Callable[[Any], Evaluate] = getattr(self, tree.method_for(expression))
        return make(expression)

    def _literal(self, e: tree.Literal) -> Evaluate:
        return lambda row: e.value

    def _variable(self, e: tree.Variable) -> Evaluate:
        return lambda row: row[e.name]

    def _parameter(self, e: tree.Parameter) -> Evaluate:
        value = self.context.parameter(e.name)
        return lambda row: value

    def _property(self, e: tree.Property) -> Evaluate:
        base, key = self.make(e.base), e.key

        def get(row: Row) -> Any:
            value = base(row)
            if isinstance(value, (Node, Relationship, dict)):
                return value.get(key)
            if value is None:
                return None
            raise CypherValueError(
                f"{type_name(value)} has no property `{key}`", hint="ask a node, relationship or map"
            )

        return get

    def _index(self, e: tree.Index) -> Evaluate:
        base, index = self.make(e.base), self.make(e.index)

        def get(row: Row) -> Any:
            value, at = base(row), index(row)
            if value is None or at is None:
                return None
            if isinstance(value, list):
                if type(at) is not int:
                    raise CypherValueError(f"a list indexed by {type_name(at)}", hint="use an integer")
                return value[at] if -len(value) <= at < len(value) else None
            if isinstance(value, (dict, Node, Relationship)):
                if not isinstance(at, str):
                    raise CypherValueError(f"a property named by {type_name(at)}", hint="use a string")
                return value.get(at)
            raise CypherValueError(f"{type_name(value)} cannot be indexed", hint="index a list or a map")

        return get

    def _slice(self, e: tree.Slice) -> Evaluate:
        base = self.make(e.base)
        low, high = (None if bound is None else self.make(bound) for bound in (e.low, e.high))

        def get(row: Row) -> Any:
            value = base(row)
            bounds = [None if bound is None else bound(row) for bound in (low, high)]
            if value is None or any(b is None and m is not None for b, m in zip(bounds, (low, high), strict=True)):
                return None
            if any(bound is not None and (type(bound) is not int or not -(2**31) <= bound < 2**31) for bound in bounds):
                raise CypherValueError("a slice with bounds that are no integers below 2^31", hint="use integers")
            return (value if isinstance(value, list) else [value])[slice(*bounds)]

        return get

    def _list_of(self, e: tree.ListOf) -> Evaluate:
        items = [self.make(item) for item in e.items]
        return lambda row: [item(row) for item in items]

    def _map_of(self, e: tree.MapOf) -> Evaluate:
        entries = [(key, self.make(value)) for key, value in e.entries]
        return lambda row: {key: value(row) for key, value in entries}

    def _map_projection(self, e: tree.MapProjection) -> Evaluate:
        base = self.make(e.base)
        entries = [(key, None if value is None else self.make(value)) for key, value in e.entries]

        def get(row: Row) -> Any:
            value = base(row)
            if value is None:
                return None
            if not isinstance(value, (Node, Relationship, dict)):
                raise CypherValueError(f"a map made from {type_name(value)}", hint="use a node, relationship or map")
            found: dict[str, Any] = {}
            for key, item in entries:
                if key is None or item is None:
                    found.update(value if isinstance(value, dict) else value.properties())
                else:
                    found[key] = item(row)
            return found

        return get

    def _negate(self, e: tree.Negate) -> Evaluate:
        operand = self.make(e.operand)
        return lambda row: negate(operand(row))

    def _plus(self, e: tree.Plus) -> Evaluate:
        operand = self.make(e.operand)

        def get(row: Row) -> Any:
            value = operand(row)
            if value is not None and not is_number(value):
                raise CypherValueError(f"`+` before {type_name(value)}", hint="use a number")
            return value

        return get

    def _arithmetic(self, e: tree.Arithmetic) -> Evaluate:
        first = self.make(e.first)
        rest = [(OPERATORS[sign], self.make(operand)) for sign, operand in e.rest]

        def get(row: Row) -> Any:
            value = first(row)
            for operator, operand in rest:
                value = operator(value, operand(row))
            return value

        if not _is_constant(e):
            return get
        found: list[Any] = []

        def once(row: Row) -> Any:  # one NaN for all rows, and so one group of them
            if not found:
                found.append(get(row))
            return found[0]

        return once

    def _compare(self, e: tree.Compare) -> Evaluate:
        first = self.make(e.first)
        rest = [(COMPARE[sign], self.make(operand)) for sign, operand in e.rest]

        def get(row: Row) -> Any:
            left, known = first(row), True
            for holds, operand in rest:
                right = operand(row)
                answer = holds(left, right)
                if answer is False:
                    return False
                known = known and answer is not None
                left = right
            return True if known else None

        return get

    def _logic(self, e: tree.Logic) -> Evaluate:
        items = [self.make(item) for item in e.items]
        if e.operator == "XOR":
            return lambda row: xor([truth(item(row)) for item in items])
        decisive = e.operator == "OR"

        def get(row: Row) -> Any:
            known = True
            for item in items:
                value = truth(item(row))
                if value is decisive:
                    return decisive
                known = known and value is not None
            return not decisive if known else None

        return get

    def _not(self, e: tree.Not) -> Evaluate:
        operand = self.make(e.operand)

        def get(row: Row) -> Any:
            value = truth(operand(row))
            return None if value is None else not value

        return get

    def _test(self, e: tree.Test) -> Evaluate:
        left, right, test = self.make(e.left), self.make(e.right), TESTS[e.operator]
        return lambda row: test(left(row), right(row))

    def _is_null(self, e: tree.IsNull) -> Evaluate:
        operand, negated = self.make(e.operand), e.negated
        return lambda row: (operand(row) is None) is not negated

    def _has_labels(self, e: tree.HasLabels) -> Evaluate:
        operand, labels = self.make(e.operand), e.labels

        def get(row: Row) -> Any:
            value = operand(row)
            if value is None:
                return None
            if isinstance(value, Node):
                return fits(labels, value.labels)
            if isinstance(value, Relationship):
                return fits(labels, (value.type,))
            raise CypherValueError(f"{type_name(value)} has no labels", hint="ask a node")

        return get

    def _call(self, e: tree.Call) -> Evaluate:
        function = FUNCTIONS.get(e.name)
        if function is None:
            raise unknown_function(e.written)
        arguments = [self.make(argument) for argument in e.arguments]
        value = function.value
        if e.name == "coalesce":  # which does not evaluate arguments after the first value
            return lambda row: next((found for argument in arguments if (found := argument(row)) is not None), None)
        if e.name == "range":
            return lambda row: self._range(value(*[argument(row) for argument in arguments]))
        return lambda row: value(*[argument(row) for argument in arguments])

    def _range(self, numbers: range) -> list[int]:
        """Return a list of numbers if there is memory for it: it is made in one step, with nothing counted between."""
        self.context.budget.check(40 * len(numbers))
        return list(numbers)

    def _case(self, e: tree.Case) -> Evaluate:
        operand = None if e.operand is None else self.make(e.operand)
        branches = [(self.make(test), self.make(value)) for test, value in e.branches]
        default = None if e.default is None else self.make(e.default)

        def get(row: Row) -> Any:
            subject = None if operand is None else operand(row)
            for test, value in branches:
                found = test(row)
                if (truth(found) if operand is None else equal(subject, found)) is True:
                    return value(row)
            return None if default is None else default(row)

        return get

    def _items(self, source: Evaluate, row: Row) -> Iterator[Any] | None:
        found = source(row)
        if found is None:
            return None
        # One value is a list of one, as on a server, if the kind is only known at run time.
        return self._counted(found if isinstance(found, list) else [found])

    def _counted(self, values: list[Any]) -> Iterator[Any]:
        for value in values:
            self.context.budget.spend()
            yield value

    def _list_comprehension(self, e: tree.ListComprehension) -> Evaluate:
        source, name = self.make(e.source), e.variable
        test = None if e.test is None else self.make(e.test)
        value = None if e.value is None else self.make(e.value)

        def get(row: Row) -> Any:
            values = self._items(source, row)
            if values is None:
                return None
            found, inner = [], dict(row)
            for item in values:
                inner[name] = item
                if test is None or truth(test(inner)):
                    found.append(item if value is None else value(inner))
            return found

        return get

    def _quantifier(self, e: tree.Quantifier) -> Evaluate:
        source, name, test, kind = self.make(e.source), e.variable, self.make(e.test), e.kind

        def get(row: Row) -> Any:
            values = self._items(source, row)
            if values is None:
                return None
            inner = dict(row)
            answers = []
            for item in values:
                inner[name] = item
                answers.append(truth(test(inner)))
            return quantified(kind, answers)

        return get

    def _reduce(self, e: tree.Reduce) -> Evaluate:
        start, source, value = self.make(e.start), self.make(e.source), self.make(e.value)

        def get(row: Row) -> Any:
            values = self._items(source, row)
            total = start(row)
            if values is None:
                return None
            inner = dict(row)
            for item in values:
                # A list or string that grows is copied each time.
                self.context.budget.spend(len(total) // 64 if isinstance(total, (list, str)) else 0)
                inner[e.variable], inner[e.total] = item, total
                total = value(inner)
            return total

        return get


def _is_constant(expression: tree.Expression) -> bool:
    """Check whether an expression is arithmetic of literals alone, NaN apart, which a server computes once."""
    if isinstance(expression, (tree.Arithmetic, tree.Negate, tree.Plus)):
        return all(map(_is_constant, children(expression)))
    return isinstance(expression, tree.Literal) and expression.value == expression.value
