"""Infer the kinds of value of an expression, and check that operators and functions accept them.

As on a server: a mistake that the text alone shows is reported even if there are no rows; the rest is left to the run.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping

from hin.cypher.errors import CypherSyntaxError
from hin.cypher.functions.registry import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    LIST,
    MAP,
    NODE,
    NUMBER,
    RELATIONSHIP,
    STRING,
    VALUE,
    Kind,
    list_of,
)
from hin.cypher.functions.table import FUNCTIONS, Function
from hin.cypher.meaning.walk import pattern_variables
from hin.cypher.syntax import tree

#: The kinds of the variables.
Scope = Mapping[str, Kind]
_ELEMENT = NODE | RELATIONSHIP | MAP
_SCALAR = Kind(tuple(name for name in VALUE.names if name != "list"))  # no list holds a list in a property
_LITERALS = {bool: BOOLEAN, int: INTEGER, float: FLOAT, str: STRING, type(None): ANY}


def kind_of(expression: tree.Expression, scope: Scope) -> Kind:
    """Return the kinds of an expression's value, given those of the variables.

    >>> kind_of(tree.ListOf(()), {}).names, kind_of(tree.Variable("n"), {"n": NODE}).names
    (('list',), ('node',))
    """
    match expression:
        case tree.Literal(value):
            return _LITERALS[type(value)]
        case tree.Variable(name):
            return scope.get(name, ANY)
        case tree.Parameter():
            return ANY
        case tree.Property(base):
            return VALUE if kind_of(base, scope).within("node", "relationship") else ANY
        case tree.Index(base):
            kind = kind_of(base, scope)
            return items_of(kind) if kind.within("list") else _SCALAR if kind == VALUE else ANY
        case tree.Slice(base):
            return list_of(items_of(kind_of(base, scope)))
        case tree.ListOf(items):
            return list_of(_of_all([kind_of(item, scope) for item in items])) if items else LIST
        case tree.ListComprehension(name, source, _, value):
            kind = items_of(kind_of(source, scope))
            return list_of(kind if value is None else kind_of(value, {**scope, name: kind}))
        case tree.PatternComprehension(path, _, value):
            return list_of(kind_of(value, {**scope, **dict.fromkeys(pattern_variables((path,)), ANY)}))
        case tree.MapOf() | tree.MapProjection():
            return MAP
        case tree.Negate(operand) | tree.Plus(operand):
            return _computed("-", INTEGER, kind_of(operand, scope))
        case tree.Arithmetic(first, rest):
            kind = kind_of(first, scope)
            for sign, operand in rest:
                kind = _computed(sign, kind, kind_of(operand, scope))
            return kind
        case tree.Case(_, branches, default):
            values = [value for _, value in branches] + ([] if default is None else [default])
            return either(kind_of(value, scope) for value in values)
        case tree.Reduce(total=total):
            return inside_reduce(expression, scope)[total]
        case tree.Call(name, arguments):
            function = FUNCTIONS.get(name)
            if function is None or (function.gives is not None and not arguments):
                return ANY
            if function.gives is not None:
                return function.gives(*(kind_of(argument, scope) for argument in arguments))
            return function.signature.result
        case tree.CountAll():
            return INTEGER
        case tree.Subquery(kind):
            return {"EXISTS": BOOLEAN, "COUNT": INTEGER, "COLLECT": LIST}[kind]
    return BOOLEAN


def items_of(kind: Kind) -> Kind:
    """Return the kind of a list's items, as far as known."""
    return kind.items or ANY


def either(kinds: Iterable[Kind]) -> Kind:
    """Return the kinds of a value that is one of several."""
    return functools.reduce(operator.or_, kinds)


def _of_all(kinds: list[Kind]) -> Kind:
    """Return the kind that Neo4j sees in the items of a list: numbers, one kind, or anything."""
    found = either(kinds)
    return found if found.within(*NUMBER.names) or all(kind.names == found.names for kind in kinds) else ANY


def _computed(sign: str, left: Kind, right: Kind) -> Kind:
    """Return the kinds of `left sign right`."""
    both = {name for name in left.names if name in right.names}
    if sign == "^":
        return FLOAT
    if sign == "||":
        return Kind(tuple(name for name in ("string", "list") if name in both)) if both else ANY
    names = ["integer"] if "integer" in both else []
    if left.meets(NUMBER) and right.meets(NUMBER) and "float" in left.names + right.names:
        names.append("float")
    if "other" in both:  # times and durations, which only Neo4j has
        names.append("other")
    if sign == "+":
        plain = NUMBER | STRING
        if left.meets(plain) and right.meets(plain) and "string" in left.names + right.names:
            names.append("string")
        if "list" in left.names + right.names:
            names.append("list")
    items = (left | right).items if left.within("list") and right.within("list") else None
    return Kind(tuple(names), items=items) if names else ANY


def need(kind: Kind, wanted: Kind, where: str, hint: str) -> None:
    """Raise if a value is certainly of another kind."""
    if not kind.meets(wanted):
        raise CypherSyntaxError(f"{kind.description} {where}", hint=hint)


def check_operands(expression: tree.Expression, scope: Scope) -> None:
    """Raise if an operator certainly gets an operand that it does not accept."""
    match expression:
        case tree.Negate(operand) | tree.Plus(operand):
            need(kind_of(operand, scope), NUMBER, "where a number is needed", "convert it with toInteger()")
        case tree.Arithmetic(first, rest):
            left = kind_of(first, scope)
            for sign, operand in rest:
                _check_sign(sign, left, kind_of(operand, scope))
                left = _computed(sign, left, kind_of(operand, scope))
        case tree.Test("=~", left_side, right_side):
            for side in (left_side, right_side):
                need(kind_of(side, scope), STRING, "beside =~", "convert it with toString()")
        case tree.Test("IN", _, right_side):
            need(kind_of(right_side, scope), LIST, "after IN", "put it in brackets: x IN [y]")
        case tree.ListComprehension(source=source) | tree.Quantifier(source=source) | tree.Reduce(source=source):
            need(kind_of(source, scope), LIST, "where a list is needed", "give a list")
            if isinstance(expression, tree.Reduce):
                inner = inside_reduce(expression, scope)
                value, wanted = kind_of(expression.value, inner), inner[expression.total]
                need(value, wanted, "as the total of reduce()", "begin with such a value")
                if _other_lists(value, kind_of(expression.start, scope)):
                    raise CypherSyntaxError("a list of other values as the total of reduce()", hint="begin with []")
        case tree.Index(base, index):
            kind = kind_of(base, scope)
            need(kind, LIST | _ELEMENT, "cannot be indexed", "index a list or a map")
            if index == tree.Literal(""):
                raise CypherSyntaxError("an empty name of a property", hint="name one that is there")
            if kind.within("list"):
                need(kind_of(index, scope), INTEGER, "as the index of a list", "use an integer")
            elif kind.within(*_ELEMENT.names):
                need(kind_of(index, scope), STRING, "as the name of a property", "use a string")
        case tree.Slice(base, low, high):
            need(kind_of(base, scope), LIST, "cannot be sliced", "slice a list, or use substring()")
            for bound in (low, high):
                if bound is not None:
                    need(kind_of(bound, scope), INTEGER, "as the bound of a slice", "use an integer")
        case tree.Property(base, key):
            hint = "ask a node, relationship or map"
            need(kind_of(base, scope), _ELEMENT | Kind(("other",)), f"has no property `{key}`", hint)
        case tree.MapProjection(base):
            need(kind_of(base, scope), _ELEMENT, "cannot become a map", "use a node, relationship or map")
        case tree.HasLabels(operand):
            need(kind_of(operand, scope), NODE | RELATIONSHIP, "has no labels", "ask a node")


def _other_lists(left: Kind, right: Kind) -> bool:
    """Whether both are certainly lists, and certainly of values of different kinds."""
    if not (left.within("list") and right.within("list")):
        return False
    one, other = items_of(left), items_of(right)
    return not one.meets(other) or _other_lists(one, other)


def inside_reduce(expression: tree.Reduce, scope: Scope) -> dict[str, Kind]:
    """Return the kinds of the names inside `reduce()`: a total that begins as a number may become another number."""
    start = kind_of(expression.start, scope)
    total = start | NUMBER if start.meets(NUMBER) else Kind(start.names)
    return {**scope, expression.variable: items_of(kind_of(expression.source, scope)), expression.total: total}


def _check_sign(sign: str, left: Kind, right: Kind) -> None:
    if sign == "||":
        need(left, STRING | LIST, "before ||", "join two strings or two lists")
        joined = Kind(tuple(name for name in left.names if name in ("string", "list")))
        need(right, joined, "after ||", "join two strings or two lists")
    elif sign != "+":
        need(left, NUMBER, "where a number is needed", "convert it with toInteger()")
        need(right, NUMBER, "where a number is needed", "convert it with toInteger()")
    elif not left.meets(LIST):
        plain = NUMBER | STRING
        need(
            right,
            plain | LIST if left.meets(plain) else LIST,
            f"cannot be added to {left.description}",
            "use toString()",
        )


def check_arguments(call: tree.Call, scope: Scope) -> None:
    """Raise if a function certainly gets an argument that it does not accept, even if there are no rows."""
    function = FUNCTIONS[call.name]
    for argument, wanted in zip(call.arguments, function.signature.arguments, strict=False):
        if isinstance(argument, tree.PatternTest) and not argument.called:
            raise CypherSyntaxError(
                f"{call.written}() of a pattern", hint="write COUNT { (a)-->(b) } for how many there are"
            )
        hint = f"it takes {wanted.description}" + (f"; {function.hint}" if function.hint != Function.hint else "")
        kind = kind_of(argument, scope)
        if not kind.meets(wanted):
            raise CypherSyntaxError(f"{call.written}() of {kind.description}", hint=hint)
