"""Detect whether a table's first line is its header, and report what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import count

from hin.human import shortened
from hin.reading.problems import Problem

__all__ = ["FIRST_LINE", "ID_NAME", "INDEX", "filled_names", "looks_like_data"]

#: ``--columns @first``: the first line is the header, whatever it looks like.
FIRST_LINE = "@first"
_DATA = re.compile(r"[-+]?\d+(?:[.,]\d+)*|\d{4}-\d\d-\d\d.*|[a-z]+://.*|[^@\s]+@[^@\s]+\.[a-z]+", re.IGNORECASE)
_LONG = 80
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


def looks_like_data(cells: Sequence[str], line: int, raw: bytes) -> Problem | None:
    """Return a problem if the first line looks like a record rather than names of columns, else None.

    >>> looks_like_data(["id", "text"], 1, b"") is None
    True
    >>> print(looks_like_data(["3", "Prices fall again as the harvest comes in early"], 1, b"").error("news.csv"))
    news.csv, line 1: expected the names of the columns, found what looks like a record ('3', 'Prices fall again as \
th…'); if the table has no line of names, give them: --columns column1,column2; if it has: --columns @first
    """
    data = sum(_DATA.fullmatch(cell.strip()) is not None for cell in cells)
    # A survey's columns may be named by their questions; its id column has a usual name.
    prose = sum((len(cell) > _LONG or len(cell.split()) >= 8) and "?" not in cell for cell in cells)
    if any(len(cell) < 30 and ID_NAME.fullmatch(cell.strip()) for cell in cells):
        return None
    if not prose and (not data or 2 * data < len(cells)):
        return None
    shown = ", ".join(repr(shortened(cell, 24)) for cell in cells[:4]) + (", …" if len(cells) > 4 else "")
    names = ",".join(f"column{i}" for i in range(1, min(len(cells), 6) + 1)) + (",..." if len(cells) > 6 else "")
    what = f"expected the names of the columns, found what looks like a record ({shown})"
    hint = f"if the table has no line of names, give them: --columns {names}; if it has: --columns {FIRST_LINE}"
    return Problem(line, what, hint, raw=raw)
