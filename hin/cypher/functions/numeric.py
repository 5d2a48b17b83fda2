"""Functions of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
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
from hin.cypher.functions.registry import Functions, need_integer, need_number, need_text
from hin.cypher.values.arithmetic import LARGEST, SMALLEST, integer

__all__ = ["NUMBERS"]

NUMBERS = Functions()
_MODES = {
    "UP": ROUND_UP, "DOWN": ROUND_DOWN, "CEILING": ROUND_CEILING, "FLOOR": ROUND_FLOOR,
    "HALF_UP": ROUND_HALF_UP, "HALF_DOWN": ROUND_HALF_DOWN, "HALF_EVEN": ROUND_HALF_EVEN,
}  # fmt: skip


@NUMBERS.add("abs", 1)
def absolute(value: Any) -> Any:
    """Without its sign."""
    need_number("abs", value)
    return integer(abs(value)) if isinstance(value, int) else abs(value)


@NUMBERS.add("sign", 1)
def sign(value: Any) -> int:
    """-1, 0 or 1."""
    need_number("sign", value)
    return int(value > 0) - int(value < 0)


@NUMBERS.add("ceil ceiling", 1)
def ceil(value: Any) -> float:
    """Return the next whole number up, as a float."""
    need_number("ceil", value)
    return float(value) if not math.isfinite(value) else _signed_zero(float(math.ceil(value)), value)


@NUMBERS.add("floor", 1)
def floor(value: Any) -> float:
    """Return the next whole number down, as a float."""
    need_number("floor", value)
    return float(value) if not math.isfinite(value) else float(math.floor(value))


def _signed_zero(found: float, value: Any) -> float:
    return -0.0 if found == 0 and value < 0 else found


@NUMBERS.add("round", 1, 3)
def round_(value: Any, precision: int = 0, mode: str | None = None) -> float:
    """Rounded: half up without a precision, half away from zero with one.

    >>> round_(-1.5), round_(2.345, 2), round_(2.5, 0, "HALF_EVEN")
    (-1.0, 2.35, 2.0)
    """
    need_number("round", value)
    need_integer("round", precision)
    if precision < 0:
        raise CypherValueError("round() to less than 0 digits", hint="precision starts at 0")
    if not math.isfinite(value):
        return float(value)
    if mode is None and precision == 0:
        half = abs(value) < 2**52 and value != 0.49999999999999994
        return float(max(SMALLEST, min(LARGEST, math.floor(value + 0.5 if half else value))))
    if mode is not None:
        need_text("round", mode)
        if mode not in _MODES:
            raise CypherValueError(f"round() has no mode {mode!r}", hint=f"use {', '.join(_MODES)}")
    if precision > 300:
        return float(value)
    quantum = Decimal(1).scaleb(-precision)
    exact = Decimal(repr(value))
    if exact.adjusted() + precision > 25:
        return float(value)
    return float(exact.quantize(quantum, rounding=_MODES[mode or "HALF_UP"]))


@NUMBERS.add("isnan", 1)
def is_nan(value: Any) -> bool:
    """Return whether it is not a number."""
    need_number("isNaN", value)
    return math.isnan(value)


def _real(name: str, call: Callable[[float], float]) -> None:
    def function(value: Any) -> float:
        need_number(name, value)
        try:
            return call(float(value))
        except ValueError:
            return -math.inf if name.startswith("log") and value == 0 else float("nan")
        except OverflowError:
            return math.inf

    NUMBERS.add(name, 1)(function)


for _name, _call in {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log10": math.log10, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan, "degrees": math.degrees,
    "radians": math.radians, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "haversin": lambda x: (1 - math.cos(x)) / 2,
}.items():  # fmt: skip
    _real(_name, _call)


@NUMBERS.add("cot", 1)
def cot(value: Any) -> float:
    """Return the cotangent."""
    need_number("cot", value)
    return math.inf if value == 0 else 1 / math.tan(value)


@NUMBERS.add("atan2", 2)
def atan2(y: Any, x: Any) -> float:
    """Return the angle of a point."""
    need_number("atan2", y, x)
    return math.atan2(y, x)


@NUMBERS.add("pi", 0)
def pi() -> float:
    """Return the number pi."""
    return math.pi


@NUMBERS.add("e", 0)
def e() -> float:
    """Return the number e."""
    return math.e


@NUMBERS.add("rand", 0)
def rand() -> float:
    """Return a number from 0 to 1; the run, which owns the generator, puts its own in place of this."""
    raise NotImplementedError
