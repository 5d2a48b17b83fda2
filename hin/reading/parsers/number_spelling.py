"""Values as spelled in the file, for cases where a parser would lose the spelling."""

from __future__ import annotations

import json
import re
from typing import Any

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)


class Spelled(str):
    """A number that keeps the spelling it has in the file."""

    __slots__ = ()


class SpelledInteger(Spelled):
    """An integer that keeps its spelling, however long."""

    __slots__ = ()


class Cell(str):
    """A table's cell: text that may stand for an integer or, with a separator, for a list."""

    __slots__ = ()

    def looks_integer(self) -> bool:
        """Check whether the cell is an integer in its plain spelling.

        >>> Cell("2008").looks_integer(), Cell("007").looks_integer()
        (True, False)
        """
        return _INTEGER.fullmatch(self) is not None


def spelled(raw: bytes) -> Any:
    """Parse JSON with every number as it is spelled.

    >>> spelled(b'{"version": 1.10}')
    {'version': '1.10'}
    """
    return json.loads(raw, parse_float=Spelled, parse_int=SpelledInteger)


_KINDS = {
    Spelled: "a number",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


def kind_of(value: Any) -> str:
    """Name a value's type as JSON knows it, for people.

    >>> kind_of({}), kind_of(1.5), kind_of(True)
    ('an object', 'a number', 'true or false')
    """
    return next((name for kind, name in _KINDS.items() if isinstance(value, kind)), type(value).__name__)
