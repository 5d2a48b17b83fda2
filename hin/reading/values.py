"""Convert the values of a record's field to strings; the accepted types are defined here only."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from hin.reading.columns.cells import name_in, open_cell
from hin.reading.dates import PARTS, part_of_date
from hin.reading.na_words import NA_WORDS
from hin.reading.parsers.number_spelling import Cell, Spelled, SpelledInteger, kind_of

_OPENING = frozenset("[{(")
_MARKS = frozenset(";|,")


class LostSpellingError(Exception):
    """A number whose spelling the fast parser has lost."""


class WrongTypeError(Exception):
    """A value of a type that cannot be used."""


def values_of(
    value: Any, kinds: set[str] | None = None, separator: str | None = None, missing: Collection[str] = NA_WORDS
) -> list[str]:
    """Return the values of a metadata field as strings: numbers as JSON spells them, no nulls, no empty strings.

    An object becomes its name, and a cell that spells a list becomes its members. `kinds` collects "string" and
    "integer" as they occur. A separator splits a value into several, unless a list does so already. Spaces around a
    value are stripped, and values in `missing` (lower case) are dropped.

    Examples
    --------
    >>> values_of(["KDD", 2008, None, ""]), values_of(Cell('[{"id": 28, "name": "Action"}]'))
    (['KDD', '2008'], ['Action'])
    """
    kinds = set() if kinds is None else kinds
    if type(value) is dict:
        value = open_cell(value)
    if type(value) is str:
        kinds.add("string")
        parts = value.split(separator) if separator else [value]
        return [part for part in map(str.strip, parts) if part and part.lower() not in missing]
    if value is None:
        return []
    if type(value) is Cell:
        if value[:1] in _OPENING and (opened := open_cell(value)) is not value:
            return values_of(opened, kinds, None, missing)
        cells = [Cell(part.strip()) for part in (value.split(separator) if separator else [value])]
        cells = [cell for cell in cells if cell and cell.lower() not in missing]
        if cells:
            kinds.add("integer" if all(cell.looks_integer() for cell in cells) else "string")
        return [str(cell) for cell in cells]
    result = []
    for item in value if type(value) is list else [value]:
        kind = type(item)
        if kind is str:
            kinds.add("string")
            item = item.strip()
            if item and item.lower() not in missing:
                result.append(item)
        elif kind is int:
            kinds.add("integer" if -(2**63) <= item < 2**63 else "string")
            result.append(str(item))
        elif isinstance(item, Spelled):
            small = kind is SpelledInteger and len(item) < 19 and item != "-0"
            kinds.add("integer" if small else "string")
            result.append(str(item))
        elif kind is float:
            raise LostSpellingError
        elif kind is dict and (name := name_in(item)) is not None:
            kinds.add("string")
            result.append(str(name))
        elif item is not None:
            raise WrongTypeError(kind_of(item) if item is value else f"a list with {kind_of(item)}")
    return result


def dig(value: Any, path: list[str]) -> Any:
    """Follow a path into objects, and into each member of the lists on the way.

    >>> dig({"authors": [{"name": "Ann"}, {"name": "Bob"}]}, ["authors", "name"])
    ['Ann', 'Bob']
    """
    for depth, key in enumerate(path):
        value = open_cell(value)
        if isinstance(value, str):
            return _part_of_text(value, path[depth:])
        if type(value) is list:
            found = [dig(item, path[depth:]) for item in value]
            leaves = (leaf for part in found for leaf in (part if type(part) is list else [part]))
            return [leaf for leaf in leaves if leaf is not None]
        if type(value) is not dict:
            return None
        value = value.get(key)
    return value


def _part_of_text(text: str, path: list[str]) -> Any:
    """Return a part of a date, as in ``date.dmy.year``, or the split values, as in ``tags.;``; None for other paths.

    >>> _part_of_text("20/11/2024", ["dmy", "month"]), _part_of_text("sky; sea", [";"]), _part_of_text("sky", ["name"])
    ('2024-11', ['sky', 'sea'], None)
    """
    if len(path) == 1 and path[0] in _MARKS:
        return [part.strip() for part in text.split(path[0])]
    *order, part = path
    if part not in PARTS or order not in ([], ["dmy"], ["mdy"]):
        return None
    return part_of_date(text, part, *order)


def is_usable(value: Any) -> bool:
    """Check by one value whether a field that the user did not name could be metadata.

    >>> is_usable(2008), is_usable({"x": "Ann"}), is_usable("")
    (True, False, False)
    """
    try:
        return bool(values_of(value))
    except WrongTypeError:
        return False
    except LostSpellingError:
        return True


def text_of(value: Any) -> str | None:
    """Return a text that is not a plain string: a cell, a number (the film 1776), or joined paragraphs.

    >>> text_of(1776), text_of(SpelledInteger("1776")), text_of(["One.", "Two."]), text_of({})
    ('1776', '1776', 'One.\\nTwo.', None)
    """
    if type(value) in (int, float) or isinstance(value, (Cell, Spelled)):
        return str(value)
    if type(value) is dict and type(opened := open_cell(value)) is str:
        return opened
    if type(value) is list and value and all(type(part) is str for part in value):
        return "\n".join(value)
    return "" if value == [] else None


def inner_kind(value: Any) -> str:
    """Name the kind of a value that is not text; of a list, name the member that does not belong there.

    >>> inner_kind(7), inner_kind(["a", 7])
    ('a number', 'a list with a number')
    """
    if type(value) is list:
        bad = next((part for part in value if type(part) is not str), "")
        return f"a list with {kind_of(bad)}"
    return kind_of(value)
