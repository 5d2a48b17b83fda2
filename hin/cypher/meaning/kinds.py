"""What kind of value an expression surely gives; `any` when only the run can tell, `value` for a property."""

from __future__ import annotations

from collections.abc import Mapping

from hin.cypher.errors import CypherSyntaxError
from hin.cypher.functions.table import FUNCTIONS, Function
from hin.cypher.syntax import tree

__all__ = ["Kinds", "check_arguments", "kind_of"]

Kinds = Mapping[str, str]

#: What a property cannot hold.
_ELEMENTS = {"node", "relationship", "path", "map"}


def kind_of(expression: tree.Expression, kinds: Kinds) -> str:
    """Return the kind of an expression's value, given those of the variables.

    >>> kind_of(tree.ListOf(()), {}), kind_of(tree.Variable("n"), {"n": "node"})
    ('list', 'node')
    """
    if isinstance(expression, tree.Literal):
        value = expression.value
        names = {bool: "boolean", int: "integer", float: "float", str: "string"}
        return "any" if value is None else names[type(value)]
    if isinstance(expression, tree.Variable):
        return kinds.get(expression.name, "any")
    if isinstance(expression, (tree.ListOf, tree.ListComprehension, tree.PatternComprehension)):
        return "list"
    if isinstance(expression, (tree.MapOf, tree.MapProjection)):
        return "map"
    if isinstance(expression, (tree.Logic, tree.Not, tree.Compare, tree.Test, tree.IsNull, tree.HasLabels)):
        return "boolean"
    if isinstance(expression, (tree.Quantifier, tree.PatternTest)):
        return "boolean"
    if isinstance(expression, tree.CountAll):
        return "integer"
    if isinstance(expression, tree.Call):
        if expression.name in ("min", "max") and len(expression.arguments) == 1:
            return kind_of(expression.arguments[0], kinds)
        return FUNCTIONS[expression.name].signature.result.one if expression.name in FUNCTIONS else "any"
    if isinstance(expression, tree.Property) and kind_of(expression.base, kinds) in ("node", "relationship"):
        return "value"
    if isinstance(expression, tree.Subquery):
        return {"EXISTS": "boolean", "COUNT": "integer", "COLLECT": "list"}[expression.kind]
    return "any"


def check_arguments(call: tree.Call, kinds: Kinds) -> None:
    """Raise when a function surely gets something that it cannot take, rows or none."""
    function = FUNCTIONS[call.name]
    for argument, wanted in zip(call.arguments, function.signature.arguments, strict=False):
        kind = kind_of(argument, kinds)
        if isinstance(argument, tree.PatternTest) and not argument.called:
            raise CypherSyntaxError(
                f"{call.written}() of a pattern", hint="write COUNT { (a)-->(b) } for how many there are"
            )
        fits = not _ELEMENTS.issuperset(wanted.names) if kind == "value" else kind in ("any", *wanted.names)
        if not fits:
            hint = f"it takes {wanted.said}" + (f"; {function.hint}" if function.hint != Function.hint else "")
            raise CypherSyntaxError(f"{call.written}() of a {kind}", hint=hint)
