"""How a function is declared: its name, how many arguments, what it does with null."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hin.cypher.errors import CypherValueError
from hin.cypher.values.arithmetic import type_name
from hin.cypher.values.order import is_number

__all__ = ["Function", "Functions", "need_integer", "need_list", "need_number", "need_text"]


@dataclass(frozen=True)
class Function:
    """A function of values; `strict` ones give null for any null."""

    call: Callable[..., Any]
    least: int
    most: int
    strict: bool = True


class Functions(dict[str, Function]):
    """The functions of one family."""

    def add(self, names: str, least: int, most: int | None = None, *, strict: bool = True) -> Callable[[Any], Any]:
        """Declare a function under one or several names (decorator).

        Examples
        --------
        >>> family = Functions()
        >>> @family.add("twice", 1)
        ... def twice(x): return 2 * x
        >>> family["twice"].most
        1
        """

        def declare(call: Callable[..., Any]) -> Callable[..., Any]:
            for name in names.split():
                self[name] = Function(call, least, least if most is None else most, strict)
            return call

        return declare


def _wrong(function: str, wanted: str, value: Any) -> CypherValueError:
    return CypherValueError(f"{function}() needs {wanted}, not {type_name(value)}", hint="convert the value first")


def need_text(function: str, *values: Any) -> None:
    """Raise unless all are strings."""
    for value in values:
        if not isinstance(value, str):
            raise _wrong(function, "a string", value)


def need_number(function: str, *values: Any) -> None:
    """Raise unless all are numbers."""
    for value in values:
        if not is_number(value):
            raise _wrong(function, "a number", value)


def need_integer(function: str, *values: Any) -> None:
    """Raise unless all are integers."""
    for value in values:
        if type(value) is not int:
            raise _wrong(function, "an integer", value)


def need_list(function: str, *values: Any) -> None:
    """Raise unless all are lists."""
    for value in values:
        if not isinstance(value, list):
            raise _wrong(function, "a list", value)
