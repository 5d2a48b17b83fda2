"""Parse cells that spell a list or an object in JSON or Python, and find the names inside."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from hin.reading.parsers.number_spelling import Cell, Spelled, SpelledInteger

#: The keys that may hold an object's name: the first of these that it has, else one that ends in "name".
NAME_KEYS = ("name", "title", "label", "value", "text")
#: Longer cells are texts, whatever they begin with; and Python's parser needs bounded input.
LONGEST = 100_000
_BRACKETS = {"[": "]", "{": "}", "(": ")"}
_NEIGHBOURS = re.compile(r"""(['"])\s+(?=['"])""")


def open_cell(value: Any) -> Any:
    """Parse the list or object that a cell spells; return any other value unchanged.

    Examples
    --------
    >>> open_cell(Cell('[{"id": 28, "name": "Action"}]'))
    [{'id': '28', 'name': 'Action'}]
    >>> open_cell(Cell("['Drama', 'Crime']")), open_cell(Cell("[sic]"))
    (['Drama', 'Crime'], '[sic]')
    """
    if type(value) is not Cell:
        return value
    text = value.strip()
    if len(text) < 2 or len(text) > LONGEST or _BRACKETS.get(text[0]) != text[-1]:
        return value
    try:
        opened = json.loads(text, parse_float=Spelled, parse_int=SpelledInteger)
    except (ValueError, RecursionError):
        opened = _python(text)
    return opened if type(opened) in (list, dict) else value


def _python(text: str) -> Any:
    """Parse a Python literal; the missing commas of a numpy array (``['a' 'b']``) are added first."""
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


def name_in(item: dict[str, Any]) -> Any:
    """Return the name that an object holds, or None if nothing in it looks like a name.

    Examples
    --------
    >>> name_in({"iso_639_1": "en", "name": "English"}), name_in({"user_name": "ann"}), name_in({"x": 1, "y": 2})
    ('English', 'ann', None)
    """
    found = next((item[key] for key in NAME_KEYS if _names(item.get(key))), None)
    if found is None:
        found = next((value for key, value in item.items() if key.lower().endswith("name") and _names(value)), None)
    return found


def _names(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Spelled) and bool(value)
