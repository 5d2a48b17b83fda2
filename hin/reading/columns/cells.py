"""Parse cells that spell a list or an object in JSON or Python, and find the names inside."""

from __future__ import annotations

import json
from typing import Any

from hin.reading.parsers.number_spelling import Cell, Spelled, SpelledInteger
from hin.reading.parsers.python_values import python_value

#: The keys that may hold an object's name: the first of these that it has, else one that ends in "name".
NAME_KEYS = ("name", "title", "label", "value", "text")
#: Longer cells are texts, whatever they begin with; and Python's parser needs bounded input.
LONGEST = 100_000
_BRACKETS = {"[": "]", "{": "}", "(": ")"}


def open_cell(value: Any) -> Any:
    """Parse the list or object that a cell spells, and MongoDB's way to spell a type; leave other values unchanged.

    Examples
    --------
    >>> open_cell({"$date": {"$numberLong": "0"}}), open_cell({"$date": "2009-01-01T00:00:00Z"})
    ('0', '2009-01-01T00:00:00Z')
    >>> open_cell(Cell('[{"id": 28, "name": "Action"}]'))
    [{'id': '28', 'name': 'Action'}]
    >>> open_cell(Cell("['Drama', 'Crime']")), open_cell(Cell("[sic]"))
    (['Drama', 'Crime'], '[sic]')
    """
    if type(value) is dict:
        return _extended(value)
    if type(value) is not Cell:
        return value
    text = value.strip()
    if len(text) < 2 or len(text) > LONGEST or _BRACKETS.get(text[0]) != text[-1]:
        return value
    try:
        opened = json.loads(text, parse_float=Spelled, parse_int=SpelledInteger)
    except (ValueError, RecursionError):
        opened = python_value(text)
    return opened if type(opened) in (list, dict) else value


def _extended(item: dict[str, Any]) -> Any:
    """Return the value in an object with a type for its one key, such as `{"$oid": "..."}`; else the object."""
    if len(item) != 1:
        return item
    ((key, value),) = item.items()
    if not key.startswith("$"):
        return item
    if type(value) is str and key.startswith("$number"):
        return Spelled(value)
    return _extended(value) if type(value) is dict else value


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
