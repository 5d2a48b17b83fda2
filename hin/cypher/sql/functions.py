"""Functions that SQL has with the same meaning."""

from __future__ import annotations

from collections.abc import Callable

from hin.cypher.sql.terms import NotPushed, Sql

__all__ = ["FUNCTIONS", "one_of"]


def _need(arguments: list[Sql], *kinds: str) -> None:
    if len(arguments) != len(kinds) or any(a.kind not in k.split("|") for a, k in zip(arguments, kinds, strict=True)):
        raise NotPushed
    if any(argument.zero for argument in arguments):
        raise NotPushed


def _size(arguments: list[Sql]) -> Sql:
    _need(arguments, "STRING|STRING[]|INTEGER[]|FLOAT[]|NODE[]|RELATIONSHIP[]")
    name = "length" if arguments[0].kind == "STRING" else "len"
    return Sql(f"{name}({arguments[0].text})", "INTEGER")


def _coalesce(arguments: list[Sql]) -> Sql:
    kinds = {argument.kind for argument in arguments} - {"NULL"}
    if len(kinds) != 1 or any(argument.zero for argument in arguments):
        raise NotPushed
    return one_of(f"coalesce({', '.join(argument.text for argument in arguments)})", kinds.pop(), arguments)


def one_of(text: str, kind: str, values: list[Sql]) -> Sql:
    """Return an expression that gives one of several values."""
    flags = max(value.bits for value in values), all(value.tame for value in values)
    return Sql(text, kind, *flags, signed=any(value.signed for value in values))


def _to_integer(arguments: list[Sql]) -> Sql:
    _need(arguments, "INTEGER")
    return arguments[0]


def _to_float(arguments: list[Sql]) -> Sql:
    _need(arguments, "INTEGER|FLOAT")
    return Sql(f"CAST({arguments[0].text} AS DOUBLE)", "FLOAT", tame=arguments[0].tame, signed=arguments[0].signed)


def _to_string(arguments: list[Sql]) -> Sql:
    _need(arguments, "INTEGER|STRING")
    return Sql(f"CAST({arguments[0].text} AS VARCHAR)", "STRING")


def _absolute(arguments: list[Sql]) -> Sql:
    _need(arguments, "INTEGER|FLOAT")
    return Sql(f"abs({arguments[0].text})", arguments[0].kind, arguments[0].bits, arguments[0].tame)


def _whole(name: str) -> Callable[[list[Sql]], Sql]:
    def make(arguments: list[Sql]) -> Sql:
        _need(arguments, "FLOAT")
        return Sql(f"{name}({arguments[0].text})", "FLOAT", tame=arguments[0].tame, signed=True)

    return make


def _sqrt(arguments: list[Sql]) -> Sql:
    _need(arguments, "INTEGER|FLOAT")
    return Sql(f"sqrt(CAST({arguments[0].text} AS DOUBLE))", "FLOAT", tame=False)


FUNCTIONS: dict[str, Callable[[list[Sql]], Sql]] = {
    "size": _size,
    "coalesce": _coalesce,
    "tointeger": _to_integer,
    "tofloat": _to_float,
    "tostring": _to_string,
    "abs": _absolute,
    "floor": _whole("floor"),
    "ceil": _whole("ceil"),
    "sqrt": _sqrt,
}
