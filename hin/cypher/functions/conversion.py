"""Convert between types: null where a string is not a number, an error where a type cannot be converted."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hin.cypher.errors import CypherRefused, CypherValueError
from hin.cypher.functions.registry import ANY, BOOLEAN, FLOAT, INTEGER, LIST, NUMBER, STRING, function, list_of
from hin.cypher.sql_terms import NotPushed, Sql
from hin.cypher.values.arithmetic import LARGEST, SMALLEST, text_of_float, type_name
from hin.cypher.values.order import is_number

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
#: Spellings that Java parses as a number and other languages do not.
_JAVA = re.compile(r"\s*[+-]?(nan|infinity|0x[0-9a-f.]+p.*|[\d.e+-]+[dfl])\s*", re.IGNORECASE)


def _wrong(function: str, value: Any) -> CypherValueError:
    return CypherValueError(f"{function}() cannot convert {type_name(value)}", hint=f"use {function}OrNull()")


def _readable(text: str) -> bool:
    if _NUMBER.fullmatch(text):
        return True
    doubtful = any(letter.isdigit() and letter > "\x7f" for letter in text)
    if doubtful or _JAVA.fullmatch(text) or (text != text.strip() and _NUMBER.fullmatch(text.strip())):
        raise CypherRefused(f"{text[:40]!r} as a number", hint="filter such values out with WHERE")
    return False


def _of(*kinds: str) -> Callable[[Sql], Sql]:
    """Return the argument if it is of one of some kinds, else raise."""

    def push(value: Sql) -> Sql:
        if value.kind not in kinds:
            raise NotPushed
        return value

    return push


def _as_float(value: Sql) -> Sql:
    found = _of("INTEGER", "FLOAT")(value)
    return Sql(f"CAST({found.text} AS DOUBLE)", "FLOAT", finite=found.finite, signed=found.signed)


def _as_text(value: Sql) -> Sql:
    return Sql(f"CAST({_of('INTEGER', 'STRING')(value).text} AS VARCHAR)", "STRING")


@function("toInteger toInt", ANY >> INTEGER, sql=_of("INTEGER"))
def to_integer(value: Any) -> int | None:
    """Convert to an integer.

    >>> to_integer("2.9"), to_integer("x"), to_integer(-1.5), to_integer(True)
    (2, None, -1, 1)
    """
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if value != value:
            return 0  # as Java casts
        return int(min(max(value, SMALLEST), LARGEST))
    if isinstance(value, str):
        if not _readable(value):
            return None
        exact = Decimal(value)
        if exact.adjusted() > 30:
            raise CypherValueError("toInteger() of a number that is too large", hint="use toFloat()")
        found = int(exact)
        if not SMALLEST <= found <= LARGEST:
            raise CypherValueError("toInteger() of a number that is too large", hint="use toFloat()")
        return found
    raise _wrong("toInteger", value)


@function("toFloat", (NUMBER | STRING) >> FLOAT, sql=_as_float, hint="use toFloatOrNull()")
def to_float(value: Any) -> float | None:
    """Convert to a float.

    >>> to_float("1e3"), to_float("x"), to_float(2)
    (1000.0, None, 2.0)
    """
    if is_number(value):
        return float(value)
    if isinstance(value, str):
        return float(value) if _readable(value) else None
    raise _wrong("toFloat", value)


@function("toBoolean", (BOOLEAN | INTEGER | STRING) >> BOOLEAN, hint="use toBooleanOrNull()")
def to_boolean(value: Any) -> bool | None:
    """Convert to a boolean: 'true' and 'false' in any case; 0 is false."""
    if isinstance(value, bool):
        return value
    if type(value) is int:
        return value != 0
    if isinstance(value, str):
        if value != value.strip():
            raise CypherRefused("toBoolean() of a string with spaces", hint="use trim()")
        return {"true": True, "false": False}.get(value.lower())
    raise _wrong("toBoolean", value)


@function("toString", (BOOLEAN | NUMBER | STRING) >> STRING, sql=_as_text, hint="use toStringOrNull()")
def to_text(value: Any) -> str:
    """Convert to a string.

    >>> to_text(True), to_text(1.0), to_text(3)
    ('true', '1.0', '3')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int)):
        return str(value)
    if isinstance(value, float):
        return text_of_float(value)
    raise _wrong("toString", value)


_NAMES = {bool: "BOOLEAN", str: "STRING", int: "INTEGER", float: "FLOAT", dict: "MAP"}


@function("valueType", ANY >> STRING, strict=False)
def value_type(value: Any) -> str:
    """Return the name of a value's type, as Neo4j writes it.

    >>> value_type([1, None]), value_type("a"), value_type(None)
    ('LIST<INTEGER> NOT NULL', 'STRING NOT NULL', 'NULL')
    """
    if value is None:
        return "NULL"
    if not isinstance(value, list):
        return f"{_NAMES.get(type(value)) or type(value).__name__.upper()} NOT NULL"
    kinds = {value_type(item) for item in value if item is not None}
    known = [f"{name} NOT NULL" for name in _NAMES.values() if f"{name} NOT NULL" in kinds]
    if len(kinds) > 1 and len(known) < len(kinds):
        raise CypherRefused("valueType() of a list of lists and other values", hint="ask for the type of its items")
    end = "" if None in value else " NOT NULL"
    inner = " | ".join(kind.removesuffix(" NOT NULL") + end for kind in known or sorted(kinds))
    return f"LIST<{inner or ('NULL' if value else 'NOTHING')}> NOT NULL"


def _or_null(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def function(value: Any) -> Any:
        try:
            return call(value)
        except CypherValueError:
            return None

    return function


def _each(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    gentle = _or_null(call)
    return lambda values: [None if value is None else gentle(value) for value in values]


for _name, _call, _kind in (
    ("Integer", to_integer, INTEGER), ("Float", to_float, FLOAT),
    ("Boolean", to_boolean, BOOLEAN), ("String", to_text, STRING),
):  # fmt: skip
    function(f"to{_name}OrNull", ANY >> _kind)(_or_null(_call))
    function(f"to{_name}List", LIST >> list_of(_kind))(_each(_call))
