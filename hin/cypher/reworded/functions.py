"""The functions of Cypher that mean the same on both engines, each with its wording for the embedded one.

A function that is not here is refused: being loud is cheap, being quietly different is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hin.cypher.reworded.types import FLOAT, INT, NULL, STRING, CypherDiffers, Type, list_of

__all__ = ["AGGREGATES", "Typed", "call", "fail_when", "index_of", "slice_of"]

AGGREGATES = ("count", "sum", "avg", "min", "max", "collect")

#: Characters whose case the two engines change differently (found by trying every code point on both).
_LOWER_DIFFERS = r"\pL\x{3a3}|[\x{a7c7}\x{a7c9}\x{a7f5}]"
_UPPER_DIFFERS = (
    r"[\x{df}\x{149}\x{1f0}\x{390}\x{3b0}\x{587}\x{1e96}-\x{1e9a}\x{1f50}\x{1f52}\x{1f54}\x{1f56}\x{1f80}-\x{1ffc}"
    r"\x{a7c8}\x{a7ca}\x{a7f6}\x{fb00}-\x{fb17}]"
)


@dataclass(frozen=True)
class Typed:
    """A piece of the embedded engine's Cypher and its type.

    Attributes
    ----------
    constant : bool
        Whether it is the same for every row.
    aggregate : bool
        Whether it holds an aggregate.
    late : bool
        Whether it looks at a relationship or holds a CASE: the engine gets conditions of that kind wrong inside MATCH.
    """

    text: str
    type: Type
    constant: bool = False
    aggregate: bool = False
    late: bool = False


def fail_when(condition: str) -> str:
    """An integer 1 that fails, loudly, for a row in which the engines would differ; null where the condition is.

    It counts the letters of True and False.

    >>> fail_when("x = 0")
    '(1 / (size(CAST(x = 0 AS STRING)) - 4))'
    """
    return f"(1 / (size(CAST({condition} AS STRING)) - 4))"


def call(name: str, arguments: list[Typed], distinct: bool) -> Typed:
    """A function call in the embedded engine's wording.

    Examples
    --------
    >>> call("avg", [Typed("v1.kappa", FLOAT)], False).text
    'avg(v1.kappa)'
    >>> call("elementId", [Typed("v1", INT)], False)
    Traceback (most recent call last):
    ...
    hin.cypher_types.CypherDiffers: elementId() differs between the engines; use the property `number` instead
    """
    lowered = name.lower()
    if lowered in AGGREGATES:
        return _aggregate(lowered, arguments, distinct)
    if distinct:
        raise CypherDiffers(f"DISTINCT means nothing in {name}()", hint="leave it out")
    make = _FUNCTIONS.get(lowered)
    if make is None:
        hint = _INSTEAD.get(lowered, "run the query on Neo4j: `hin copy` takes the graph there")
        word = "differs between the engines" if lowered in _INSTEAD else "is not known to the embedded engine"
        raise CypherDiffers(f"{name}() {word}", hint=hint)
    if any(argument.type == NULL for argument in arguments) and lowered != "coalesce":
        raise CypherDiffers(f"{name}() of null", hint="leave it out")
    text, kind = make(name, arguments)
    return Typed(
        text,
        kind,
        constant=all(a.constant for a in arguments),
        aggregate=any(a.aggregate for a in arguments),
        late=any(a.late for a in arguments) or "CASE " in text,
    )


def _aggregate(name: str, arguments: list[Typed], distinct: bool) -> Typed:
    one = _one(name, arguments)
    if one.aggregate:
        raise CypherDiffers(f"an aggregate inside {name}()", hint="use WITH between the two")
    inner = f"DISTINCT {one.text}" if distinct else one.text
    kind = one.type
    if name == "count":
        return Typed(f"count({inner})", INT, aggregate=True)
    if name == "collect":
        if kind == NULL or kind.kind == "LIST":
            raise CypherDiffers(f"collect() of a {kind.name}", hint="collect single values")
        return Typed(f"collect({inner})", list_of(kind), aggregate=True)
    if name in ("sum", "avg"):
        _need(name, one, INT, FLOAT)
        if name == "avg":
            return Typed(f"avg({inner})", FLOAT, aggregate=True)
        # Neo4j's sum of nothing is 0.
        zero = "0" if kind == INT else "0.0"
        return Typed(f"CAST(coalesce(sum({inner}), {zero}) AS {kind.engine})", kind, aggregate=True)
    _need(name, one, INT, FLOAT, STRING)
    return Typed(f"{name}({inner})", kind, aggregate=True)


def _one(name: str, arguments: list[Typed]) -> Typed:
    if len(arguments) != 1:
        raise CypherDiffers(f"{name}() with {len(arguments)} arguments", hint="give it one")
    return arguments[0]


def _need(name: str, argument: Typed, *kinds: Type) -> None:
    if argument.type not in kinds:
        wanted = " or ".join(dict.fromkeys(kind.name for kind in kinds))
        raise CypherDiffers(f"{name}() of a {argument.type.name}", hint=f"it takes a {wanted} here")


def _numeric(engine_name: str, result: Type | None = FLOAT) -> Callable[[str, list[Typed]], tuple[str, Type]]:
    def make(name: str, arguments: list[Typed]) -> tuple[str, Type]:
        one = _one(name, arguments)
        _need(name, one, INT, FLOAT)
        text = one.text if result is None else f"CAST({one.text} AS DOUBLE)" if one.type == INT else one.text
        return f"{engine_name}({text})", result or one.type

    return make


def _positive(engine_name: str, bound: str) -> Callable[[str, list[Typed]], tuple[str, Type]]:
    # Neo4j gives NaN or -Infinity below; both sort differently in the embedded engine.
    def make(name: str, arguments: list[Typed]) -> tuple[str, Type]:
        one = _one(name, arguments)
        _need(name, one, INT, FLOAT)
        text = f"CAST({one.text} AS DOUBLE)" if one.type == INT else one.text
        return f"{engine_name}({text} * {fail_when(f'{text} {bound} 0')})", FLOAT

    return make


def _size(name: str, arguments: list[Typed]) -> tuple[str, Type]:
    one = _one(name, arguments)
    if one.type.kind != "LIST":
        _need(name, one, STRING)
    return f"size({one.text})", INT


def _cased(engine_name: str, differs: str) -> Callable[[str, list[Typed]], tuple[str, Type]]:
    def make(name: str, arguments: list[Typed]) -> tuple[str, Type]:
        one = _one(name, arguments)
        _need(name, one, STRING)
        text = f"replace({one.text}, 'İ', 'i̇')" if engine_name == "lower" else one.text
        guard = fail_when(f"regexp_matches({one.text}, '{differs}')".replace("\\", "\\\\"))
        return f"left({engine_name}({text}), 1000000000 * {guard})", STRING

    return make


def _to_string(name: str, arguments: list[Typed]) -> tuple[str, Type]:
    one = _one(name, arguments)
    _need(name, one, INT, STRING)
    return (one.text if one.type == STRING else f"CAST({one.text} AS STRING)"), STRING


def _to_integer(name: str, arguments: list[Typed]) -> tuple[str, Type]:
    one = _one(name, arguments)
    _need(name, one, INT, STRING)
    if one.type == INT:
        return one.text, INT
    # A plain integer is converted, a text without digits is null, anything between fails in the cast.
    text = one.text
    return (
        f"CAST(CASE WHEN regexp_full_match({text}, '-?[0-9]{{1,18}}') THEN {text} "
        f"WHEN regexp_matches({text}, '[0-9]|[iI]nf|[nN]a[nN]') THEN 'not a plain integer' END AS INT64)"
    ), INT


def _to_float(name: str, arguments: list[Typed]) -> tuple[str, Type]:
    one = _one(name, arguments)
    _need(name, one, INT, FLOAT)
    return f"CAST({one.text} AS DOUBLE)", FLOAT


def _coalesce(name: str, arguments: list[Typed]) -> tuple[str, Type]:
    kinds = {argument.type for argument in arguments if argument.type != NULL}
    if len(kinds) != 1:
        raise CypherDiffers("coalesce() of different types", hint="make them one type, e.g. with toFloat()")
    return f"coalesce({', '.join(a.text for a in arguments)})", kinds.pop()


def _head(name: str, arguments: list[Typed]) -> tuple[str, Type]:
    return index_of(_one(name, arguments), 0)


def _last(name: str, arguments: list[Typed]) -> tuple[str, Type]:
    one = _one(name, arguments)
    if one.type.kind != "LIST":
        _need(name, one, list_of(None))
    return index_of(Typed(f"list_reverse({one.text})", one.type), 0)


def _substring(name: str, arguments: list[Typed]) -> tuple[str, Type]:
    if len(arguments) not in (2, 3):
        raise CypherDiffers(f"substring() with {len(arguments)} arguments", hint="give it a start and a length")
    _need(name, arguments[0], STRING)
    numbers = [argument.text for argument in arguments[1:]]
    if not all(number.isdigit() for number in numbers):
        raise CypherDiffers("substring() with a computed start or length", hint="write plain numbers")
    length = numbers[1] if len(numbers) == 2 else "1000000000"
    return f"substring({arguments[0].text}, {int(numbers[0]) + 1}, {length})", STRING


def index_of(target: Typed, position: int) -> tuple[str, Type]:
    """An element of a list, null beyond its end, as Neo4j counts: from 0.

    >>> index_of(Typed("v1", list_of(INT)), 0)[0]
    'CASE WHEN size(v1) >= 1 THEN list_any_value(list_slice(v1, 1, 1)) END'
    """
    if target.type.kind != "LIST" or target.type.item is None:
        raise CypherDiffers(f"an element of a {target.type.name}", hint="index a list")
    if target.type.item.kind not in ("INT", "FLOAT", "STRING"):
        raise CypherDiffers(f"an element of a {target.type.name}", hint="collect a property instead")
    at = position + 1
    text = f"CASE WHEN size({target.text}) >= {at} THEN list_any_value(list_slice({target.text}, {at}, {at})) END"
    return text, target.type.item


def slice_of(target: Typed, start: int, stop: int | None) -> tuple[str, Type]:
    """A part of a list, as Neo4j counts: from 0, the end left out.

    >>> slice_of(Typed("v1", list_of(INT)), 0, 2)[0]
    'list_slice(v1, 1, 2)'
    """
    if target.type.kind != "LIST":
        raise CypherDiffers(f"a part of a {target.type.name}", hint="slice a list")
    return f"list_slice({target.text}, {start + 1}, {-1 if stop is None else stop})", target.type


_FUNCTIONS: dict[str, Callable[[str, list[Typed]], tuple[str, Type]]] = {
    "abs": _numeric("abs", None),
    "ceil": _numeric("ceil"),
    "coalesce": _coalesce,
    "floor": _numeric("floor"),
    "head": _head,
    "last": _last,
    "log": _positive("ln", "<="),
    "log10": _positive("log10", "<="),
    "size": _size,
    "sqrt": _positive("sqrt", "<"),
    "substring": _substring,
    "tofloat": _to_float,
    "tointeger": _to_integer,
    "tolower": _cased("lower", _LOWER_DIFFERS),
    "tostring": _to_string,
    "toupper": _cased("upper", _UPPER_DIFFERS),
}
_INSTEAD = {
    "id": "use the property `number` instead",
    "elementid": "use the property `number` instead",
    "exists": "write `x.property IS NOT NULL`",
    "round": "use floor(x + 0.5), or round the result yourself",
    "length": "count with `size`, or give the pattern's length",
    "nodes": "name the nodes in the pattern and return them",
    "relationships": "name the relationships in the pattern and return them",
    "keys": "the properties are listed by `hin info`",
    "properties": "return the node itself",
    "trim": "names carry no blanks at their ends",
    "split": "match the nodes instead",
    "rand": "use ORDER BY on a property instead",
}
