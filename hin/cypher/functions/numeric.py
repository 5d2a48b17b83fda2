"""Functions of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import (
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
    Decimal,
)
from typing import Any

from hin.cypher.errors import CypherValueError
from hin.cypher.functions.registry import BOOLEAN, FLOAT, INTEGER, NUMBER, STRING, Signature, function
from hin.cypher.sql_terms import NotPushed, Sql
from hin.cypher.values.arithmetic import LARGEST, SMALLEST

_MODES = {
    "UP": ROUND_UP, "DOWN": ROUND_DOWN, "CEILING": ROUND_CEILING, "FLOOR": ROUND_FLOOR,
    "HALF_UP": ROUND_HALF_UP, "HALF_DOWN": ROUND_HALF_DOWN, "HALF_EVEN": ROUND_HALF_EVEN,
}  # fmt: skip


def _same(text: str) -> Callable[[Sql], Sql]:
    """Return SQL whose result has the kind of its argument."""

    def push(value: Sql) -> Sql:
        if value.kind not in ("INTEGER", "FLOAT"):
            raise NotPushed
        return replace(value, text=text.format(value.text), signed=False, nonzero=False)

    return push


def _whole(name: str) -> Callable[[Sql], Sql]:
    def push(value: Sql) -> Sql:
        if value.kind != "FLOAT":
            raise NotPushed
        return Sql(f"{name}({value.text})", "FLOAT", finite=value.finite, signed=True)

    return push


def _root(value: Sql) -> Sql:
    return replace(_same("sqrt(CAST({0} AS DOUBLE))")(value), kind="FLOAT", finite=False)


@function("abs", NUMBER >> NUMBER, sql=_same("abs({0})"))
def absolute(value: Any) -> Any:
    """Return the absolute value; the smallest integer has no positive counterpart, and is returned unchanged."""
    return value if value == SMALLEST else abs(value)


@function("sign", NUMBER >> INTEGER)
def sign(value: Any) -> int:
    """Return the sign: -1, 0 or 1."""
    return int(value > 0) - int(value < 0)


@function("ceil ceiling", NUMBER >> FLOAT, sql=_whole("ceil"))
def ceil(value: Any) -> float:
    """Return the next whole number up, as a float."""
    return float(value) if not math.isfinite(value) else math.copysign(math.ceil(value), value)


@function("floor", NUMBER >> FLOAT, sql=_whole("floor"))
def floor(value: Any) -> float:
    """Return the next whole number down, as a float."""
    return float(value) if not math.isfinite(value) else math.copysign(math.floor(value), value)


@function("round", (NUMBER, ~NUMBER, ~STRING) >> FLOAT)
def round_(value: Any, precision: float = 0, mode: str | None = None) -> float:
    """Round: half up without a precision, half away from zero with one.

    >>> round_(-1.5), round_(2.345, 2), round_(2.5, 0, "HALF_EVEN")
    (-1.0, 2.35, 2.0)
    """
    precision = int(precision)
    if not 0 <= precision < 2**31:
        raise CypherValueError("round() to less than 0 digits, or to 2^31", hint="precision starts at 0")
    if not math.isfinite(value):
        return float(value)
    if mode is None and precision == 0:
        half = abs(value) < 2**52 and value != 0.49999999999999994
        return float(max(SMALLEST, min(LARGEST, math.floor(value + 0.5 if half else value))))
    if mode is not None and mode not in _MODES:
        raise CypherValueError(f"round() has no mode {mode!r}", hint=f"use {', '.join(_MODES)}")
    if precision > 300:
        return float(value) + 0.0
    quantum = Decimal(1).scaleb(-precision)
    exact = Decimal(repr(value))
    if exact.adjusted() + precision <= 25:
        exact = exact.quantize(quantum, rounding=_MODES[mode or "HALF_UP"])
    return float(exact) + 0.0  # Java's decimals know no -0.0


function("isNaN", NUMBER >> BOOLEAN)(lambda value: math.isnan(value))
function("atan2", (NUMBER, NUMBER) >> FLOAT)(math.atan2)
function("pi", Signature((), FLOAT))(lambda: math.pi)
function("e", Signature((), FLOAT))(lambda: math.e)
function("rand", Signature((), FLOAT))(lambda: NotImplemented)  # the run, which owns the generator, draws


def _real(name: str, call: Callable[[float], float]) -> None:
    def value_of(value: Any) -> float:
        try:
            return call(float(value))
        except ValueError:
            return -math.inf if name.startswith("log") and value == 0 else float("nan")
        except OverflowError:
            return math.inf

    function(name, NUMBER >> FLOAT, sql=_root if name == "sqrt" else None)(value_of)


for _name, _call in {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log10": math.log10, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan, "degrees": math.degrees,
    "radians": math.radians,
    "cot": lambda x: math.inf if x == 0 else 1 / math.tan(x), "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "haversin": lambda x: (1 - math.cos(x)) / 2,
}.items():  # fmt: skip
    _real(_name, _call)
