"""`+ - * / % ^` with Cypher's types: integers of 64 bits that do not wrap, strings and lists that `+` joins."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hin.cypher.errors import CypherRefused, CypherValueError, QueryTooLarge
from hin.cypher.values.elements import Node, Path, Relationship
from hin.cypher.values.order import is_number

SMALLEST, LARGEST = -(2**63), 2**63 - 1
#: The longest string or list that an expression may build.
LONGEST = 20_000_000


def type_name(value: Any) -> str:
    """Return a value's type, for messages.

    >>> type_name([1]), type_name(None)
    ('a list', 'null')
    """
    names = {
        bool: "a boolean", int: "an integer", float: "a float", str: "a string", list: "a list", dict: "a map",
        Node: "a node", Relationship: "a relationship", Path: "a path",
    }  # fmt: skip
    return names.get(type(value), "null" if value is None else type(value).__name__)


def integer(value: int) -> int:
    """Return the integer, if 64 bits hold it."""
    if not SMALLEST <= value <= LARGEST:
        raise CypherValueError("an integer became too large", hint="compute with floats: 1.0 * x")
    return value


def negate(value: Any) -> Any:
    """`-value`; Neo4j subtracts from 0, so that -(0.0) is no -0.0.

    >>> negate(2.5), negate(0.0), negate(None)
    (-2.5, 0.0, None)
    """
    if value is None:
        return None
    _need_numbers("-", value)
    return integer(-value) if isinstance(value, int) else 0.0 - value


def add(left: Any, right: Any) -> Any:
    """`left + right`: numbers, strings, lists.

    >>> add(1, 2.5), add("a", 1), add([1], 2), add("a", None)
    (3.5, 'a1', [1, 2], None)
    """
    if isinstance(left, list) or isinstance(right, list):
        return _joined(left, right)
    if left is None or right is None:
        return None
    if isinstance(left, str) or isinstance(right, str):
        return _bounded(_text(left) + _text(right))
    _need_numbers("+", left, right)
    return integer(left + right) if type(left) is type(right) is int else float(left) + float(right)


def concatenate(left: Any, right: Any) -> Any:
    """`left || right`: two strings, or two lists.

    >>> concatenate("a", "b"), concatenate([1], [2])
    ('ab', [1, 2])
    """
    if left is None or right is None:
        return None
    if type(left) is not type(right) or not isinstance(left, (str, list)):
        said = f"`||` of {type_name(left)} and {type_name(right)}"
        raise CypherValueError(said, hint="join two strings or two lists")
    return _bounded(left + right)


def _joined(left: Any, right: Any) -> Any:
    if left is None or right is None:
        return None
    one = left if isinstance(left, list) else [left]
    other = right if isinstance(right, list) else [right]
    return _bounded(one + other)


def _bounded(made: Any) -> Any:
    if len(made) > LONGEST:
        raise QueryTooLarge("a string or list became too long")
    return made


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if not is_number(value):
        raise CypherValueError(f"{type_name(value)} cannot be added to a string", hint="use toString()")
    return text_of_float(value) if isinstance(value, float) else str(value)


def text_of_float(value: float) -> str:
    """Return a float as Java writes it.

    >>> text_of_float(1.0), text_of_float(1.5e10), text_of_float(0.0001), text_of_float(float("inf"))
    ('1.0', '1.5E10', '1.0E-4', 'Infinity')
    """
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value) if "e" not in repr(value) else f"{value:f}".rstrip("0")
    shortest = (text for digits in range(1, 17) if float(text := f"{value:.{digits}e}") == value)
    mantissa, exponent = next(shortest).split("e")  # two digits at least, as Java has them: 4.9E-324
    return f"{mantissa}E{int(exponent)}"


def subtract(left: Any, right: Any) -> Any:
    """`left - right`."""
    return _numeric("-", left, right, lambda a, b: a - b)


def multiply(left: Any, right: Any) -> Any:
    """`left * right`."""
    return _numeric("*", left, right, lambda a, b: a * b)


def divide(left: Any, right: Any) -> Any:
    """`left / right`: whole for integers, towards zero.

    >>> divide(-7, 2), divide(1.0, 0.0), divide(7, 2.0)
    (-3, inf, 3.5)
    """
    if type(right) is int and right == 0 and type(left) is float:
        raise CypherRefused("a float divided by the integer 0: Neo4j answers inconsistently", hint="divide by 0.0")
    return _numeric("/", left, right, _quotient)


def _quotient(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int):
        if right == 0:
            raise CypherValueError("a division by zero", hint="filter such rows out with WHERE, or divide floats")
        whole = abs(left) // abs(right)
        return whole if (left < 0) == (right < 0) else -whole
    if right == 0:
        if left == 0 or math.isnan(left):
            return float("nan")
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    try:
        return left / right
    except OverflowError:
        return math.copysign(math.inf, left) * math.copysign(1.0, right)


def modulo(left: Any, right: Any) -> Any:
    """`left % right`, with the sign of the left.

    >>> modulo(-7, 3), modulo(5.5, 2)
    (-1, 1.5)
    """
    return _numeric("%", left, right, _remainder)


def _remainder(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int):
        if right == 0:
            raise CypherValueError("a division by zero", hint="filter such rows out with WHERE, or divide floats")
        rest = abs(left) % abs(right)
        return -rest if left < 0 else rest
    if right == 0 or math.isinf(left) or math.isnan(left) or math.isnan(right):
        return float("nan")
    return math.fmod(left, right)


def power(left: Any, right: Any) -> Any:
    """`left ^ right`, always a float.

    >>> power(2, 10), power(-8, 0.5)
    (1024.0, nan)
    """
    return _numeric("^", left, right, _raised)


def _raised(left: Any, right: Any) -> float:
    base, exponent = float(left), float(right)
    if abs(base) == 1 and math.isinf(exponent) or base == 1 and math.isnan(exponent):
        return float("nan")  # as Java has it
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf
    except ValueError:
        return float("nan") if base != 0 else math.inf


def _numeric(sign: str, left: Any, right: Any, how: Callable[[Any, Any], Any]) -> Any:
    if left is None or right is None:
        return None
    _need_numbers(sign, left, right)
    if type(left) is type(right) is int:
        found = how(left, right)
        return integer(found) if isinstance(found, int) else found
    return how(float(left), float(right))


def _need_numbers(sign: str, *values: Any) -> None:
    for value in values:
        if not is_number(value):
            raise CypherValueError(
                f"`{sign}` needs numbers, not {type_name(value)}", hint="convert with toInteger() or toFloat()"
            )


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": add, "||": concatenate, "-": subtract, "*": multiply, "/": divide, "%": modulo, "^": power,
}  # fmt: skip
