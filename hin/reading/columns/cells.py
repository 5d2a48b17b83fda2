"""Parse cells that spell a list or an object in JSON or Python, and find the names inside."""

from __future__ import annotations

import json
from typing import Any

from hin.reading.parsers.number_spelling import Cell, Spelled, SpelledInteger
from hin.reading.parsers.python_values import python_value

#: The keys that may hold an object's name: the first of these that it has, else a person's, else one ending in "name",
#: else the name of an object directly inside.
NAME_KEYS = ("name", "title", "label", "value", "text", "literal", "tag", "keyword", "term", "login")
#: The keys of a person's names, in lower case without `_`.
_FAMILY = ("family", "familyname", "lastname", "last", "surname")
_GIVEN = ("given", "givenname", "firstname", "first", "forename")
#: Longer cells are texts, whatever they begin with; and Python's parser needs bounded input.
LONGEST = 100_000
_WHOLE = (int, SpelledInteger)
_BRACKETS = {"[": "]", "{": "}", "(": ")"}


def open_cell(value: Any) -> Any:
    """Parse the list or object that a cell spells, MongoDB's types, dates of bibliographies and texts of OpenAlex.

    Examples
    --------
    >>> open_cell({"$date": {"$numberLong": "0"}}), open_cell({"$date": "2009-01-01T00:00:00Z"})
    ('0', '2009-01-01T00:00:00Z')
    >>> open_cell({"date-parts": [[2010, 5]], "date-time": "2010-05-02T00:00:00Z"})
    '2010-05'
    >>> open_cell({"graphs": [1], "On": [0], "and": [2], "graph": [3]})
    'On graphs and graph'
    >>> open_cell(Cell('[{"id": 28, "name": "Action"}]'))
    [{'id': '28', 'name': 'Action'}]
    >>> open_cell(Cell("['Drama', 'Crime']")), open_cell(Cell("[sic]"))
    (['Drama', 'Crime'], '[sic]')
    """
    if type(value) is dict:
        return (_date(value["date-parts"]) if "date-parts" in value else _by_positions(value)) or _extended(value)
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


def _date(parts: Any) -> str | None:
    """Return the first of the dates that bibliographies spell as lists of year, month and day; None for others."""
    first = parts[0] if type(parts) is list and parts else None
    if type(first) is not list or not 1 <= len(first) <= 3 or not all(str(part).isdecimal() for part in first):
        return None
    return "-".join(f"{int(part):02}" for part in first)


def _by_positions(words: dict[str, Any]) -> str | None:
    """Return the text of an object that has the positions of each word, as OpenAlex has abstracts; None for others."""
    if len(words) < 2 or not all(type(at) is list and at and type(at[0]) in _WHOLE for at in words.values()):
        return None
    try:
        return " ".join(word for _, word in sorted((int(place), word) for word, at in words.items() for place in at))
    except (TypeError, ValueError):
        return None


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


def name_in(item: dict[str, Any]) -> str | None:
    """Return the name that an object holds, or one directly inside it, or None if nothing in it looks like a name.

    Examples
    --------
    >>> name_in({"iso_639_1": "en", "name": "English"}), name_in({"user_name": "ann"}), name_in({"x": 1, "y": 2})
    ('English', 'ann', None)
    >>> name_in({"given": "Ann", "family": "Lee"}), name_in({"lastName": "Lee", "firstName": "Ann"})
    ('Ann Lee', 'Ann Lee')
    >>> name_in({"position": "first", "author": {"id": "A1", "display_name": "Ann"}})
    'Ann'
    """
    own = _own_name(item)
    inside = (_own_name(value) for value in item.values() if type(value) is dict)
    return own if own is not None else next((name for name in inside if name is not None), None)


def _own_name(item: dict[str, Any]) -> str | None:
    """Return the name that an object itself holds."""
    found = next((item[key] for key in NAME_KEYS if _names(item.get(key))), None)
    if found is None:
        plain = {key.lower().replace("_", ""): value for key, value in item.items() if _names(value)}
        family = next((plain[key] for key in _FAMILY if key in plain), None)
        given = next((plain[key] for key in _GIVEN if key in plain), None)
        found = f"{given} {family}" if given and family else family
    if found is None:
        found = next((value for key, value in item.items() if key.lower().endswith("name") and _names(value)), None)
    return found


def _names(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Spelled) and bool(value)
