"""Values spelled as Python prints them: lists, dicts, numpy arrays of strings."""

from __future__ import annotations

import ast
import re
from typing import Any

from hin.reading.parsers.number_spelling import Spelled

_NEIGHBOURS = re.compile(r"""(['"])\s+(?=['"])""")


def python_value(text: str) -> Any:
    """Parse a Python literal, or return None; the missing commas of a numpy array are added first.

    >>> python_value("['a' 'b']"), python_value("('a', 1.50)"), python_value("a b")
    (['a', 'b'], ['a', '1.5'], None)
    """
    if "," not in text:
        text = _NEIGHBOURS.sub(r"\1, ", text)
    try:
        opened = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    return _plain(opened)


def _plain(value: Any) -> Any:
    if isinstance(value, (tuple, set, frozenset)):
        value = sorted(value, key=str) if isinstance(value, (set, frozenset)) else list(value)
    if type(value) is list:
        return [_plain(item) for item in value]
    if type(value) is dict:
        return {str(key): _plain(item) for key, item in value.items()}
    return Spelled(value) if type(value) is float else value
