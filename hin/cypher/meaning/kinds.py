"""What kind of value an expression surely gives; `any` when only the run can tell, `value` for a property."""

from __future__ import annotations

from collections.abc import Mapping

from hin.cypher.errors import CypherSyntaxError
from hin.cypher.syntax import tree

__all__ = ["Kinds", "check_argument", "kind_of"]

Kinds = Mapping[str, str]

_RESULTS = {
    "count": "integer", "collect": "list", "size": "integer", "length": "integer", "labels": "list", "keys": "list",
    "nodes": "list", "relationships": "list", "range": "list", "split": "list", "type": "string", "tostring": "string",
    "toupper": "string", "tolower": "string", "properties": "map", "startnode": "node", "endnode": "node",
    "avg": "number", "stdev": "number", "tointeger": "integer", "tofloat": "number",
    "trim": "string", "substring": "string", "left": "string", "right": "string", "replace": "string",
}  # fmt: skip
#: What a function takes; anything else that is surely not it is a mistake in the query, rows or none.
_TAKES = {
    "type": ("relationship",), "labels": ("node",), "length": ("path",), "nodes": ("path",), "relationships": ("path",),
    "startnode": ("relationship",), "endnode": ("relationship",), "size": ("list", "string"),
    "properties": ("node", "relationship", "map"), "keys": ("node", "relationship", "map"),
    **dict.fromkeys(("sum", "avg", "stdev", "stdevp"), ("integer", "number")),
}  # fmt: skip
#: What a property cannot hold.
_ELEMENTS = {"node", "relationship", "path", "map"}


def kind_of(expression: tree.Expression, kinds: Kinds) -> str:
    """Return the kind of an expression's value, given those of the variables.

    >>> kind_of(tree.ListOf(()), {}), kind_of(tree.Variable("n"), {"n": "node"})
    ('list', 'node')
    """
    if isinstance(expression, tree.Literal):
        value = expression.value
        names = {bool: "boolean", int: "integer", float: "number", str: "string"}
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
        return _RESULTS.get(expression.name, "any")
    if isinstance(expression, tree.Property) and kind_of(expression.base, kinds) in ("node", "relationship"):
        return "value"
    if isinstance(expression, tree.Subquery):
        return {"EXISTS": "boolean", "COUNT": "integer", "COLLECT": "list"}[expression.kind]
    return "any"


def check_argument(call: tree.Call, kinds: Kinds) -> None:
    """Raise when a function surely gets something that it cannot take."""
    wanted = _TAKES.get(call.name)
    if wanted is None or len(call.arguments) != 1:
        return
    kind = kind_of(call.arguments[0], kinds)
    if kind == "value" and not _ELEMENTS.issuperset(wanted):
        return
    if kind != "any" and kind not in wanted:
        hint = "it takes numbers" if "number" in wanted else f"it takes a {' or a '.join(wanted)}"
        if isinstance(call.arguments[0], tree.PatternTest):
            kind, hint = "pattern", "write COUNT { (a)-->(b) } for how many there are"
        elif call.name == "length":
            hint += "; size() tells the length of a string or list"
        raise CypherSyntaxError(f"{call.written}() of a {kind}", hint=hint)
