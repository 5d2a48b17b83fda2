"""Detect whether a table's first line is its header, and name the columns that have no name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import count

from hin.reading.na_words import NA_WORDS

#: ``--columns @first``: the first line is the header, whatever it looks like.
FIRST_LINE = "@first"
_DATA = re.compile(r"[-+]?\d+(?:[.,]\d+)*|\d{4}-\d\d-\d\d.*|[a-z]+://.*|[^@\s]+@[^@\s]+\.[a-z]+", re.IGNORECASE)
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d|21\d\d", re.ASCII)
_LONG = 80
#: The lines below the first that show whether a question stands above its answers.
_ENOUGH = 3
#: The name of a first column without one: `DataFrame.to_csv()` writes the index there.
INDEX = "index"
#: Usual names of an id column.
ID_NAME = re.compile(r"(?:.*[\s_.-])?(?:id|uuid|guid)|.*[a-z](?:Id|ID)", re.DOTALL)


def filled_names(cells: Sequence[str]) -> list[str]:
    """Return the columns' names: unnamed columns get one, and repeated names get a number.

    >>> filled_names(["", " text", "", "year", "year"])
    ['index', 'text', 'column 3', 'year', 'year 2']
    """
    names = [name.strip() for name in cells]
    taken = set(names)
    for i, name in enumerate(names):
        if not name:
            names[i] = INDEX if i == 0 and INDEX not in taken else _free_column(i + 1, taken)
        elif name in names[:i]:
            names[i] = next(other for n in count(2) if (other := f"{name} {n}") not in taken)
            taken.add(names[i])
    return names


def _free_column(number: int, taken: Collection[str]) -> str:
    """Return an unused name for a column without one."""
    name = f"column {number}"
    return name if name not in taken else f"{name} without a name"


def looks_like_data(cells: Sequence[str], below: Sequence[Sequence[str]] = ()) -> bool:
    """Check whether a table's first line is a record rather than the names of the columns.

    `below` are the lines after it: a record is like them, whereas a survey's questions stand above short answers, and
    years above counts.

    >>> looks_like_data(["id", "text"]), looks_like_data(["3", "Prices fall again as the harvest comes in early"])
    (False, True)
    >>> looks_like_data(["RFC0001", "Host Software"], [["RFC0002", "Host Software"], ["RFC0003", "Conventions"]])
    True
    """
    # A survey has whole sentences for names, beside that of its id.
    if any(len(cell) < 30 and ID_NAME.fullmatch(cell.strip()) for cell in cells):
        return False
    columns = [[row[i] for row in below if i < len(row)] for i in range(len(cells))]
    if any(_same_pattern(cell, column) for cell, column in zip(cells, columns, strict=True)):
        return True
    if any(
        _is_prose(cell) and (len(column) < _ENOUGH or 2 * sum(map(_is_prose, column)) > len(column))
        for cell, column in zip(cells, columns, strict=True)
    ):
        return True
    data = [
        cell
        for cell, column in zip(cells, columns, strict=True)
        if cell.strip().lower() in NA_WORDS or _is_data(cell) and 2 * sum(map(_is_data, column)) >= len(column)
    ]
    years = [cell.strip() for cell in data if _YEAR.fullmatch(cell.strip())]
    return bool(data) and 2 * len(data) >= len(cells) and not 2 * len(years) > len(data) > 1


def _is_data(cell: str) -> bool:
    return _DATA.fullmatch(cell.strip()) is not None


def _is_prose(cell: str) -> bool:
    return (len(cell) > _LONG or len(cell.split()) >= 8) and "?" not in cell  # a survey asks


def _same_pattern(cell: str, column: Sequence[str]) -> bool:
    """Check whether a cell with letters and figures differs from those below it in the figures alone.

    >>> _same_pattern("RFC0001", ["RFC0002", "RFC0003"]), _same_pattern("Q1", ["12", "9"])
    (True, False)
    """
    pattern = re.sub(r"\d", "0", cell.strip())
    if "0" not in pattern or not re.search(r"[^\W\d_]{2}", pattern):
        return False
    alike = sum(re.sub(r"\d", "0", other.strip()) == pattern for other in column)
    return len(column) > 1 and 10 * alike >= 9 * len(column)
