"""Detect the layout of delimited text from its first lines: the delimiter, and the line of the header."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from hin.reading.parsers.header import looks_like_data

#: How many lines are examined: preambles are shorter, and more would delay a slow stream.
EXAMINED_LINES = 40
_MARKS = "\t;,|"


class TableLayout(NamedTuple):
    """The delimiter, the number of lines above the header, and whether a quoted cell may have a space before it."""

    delimiter: str
    skipped: int = 0
    spaced: bool = False


def layout_of(lines: Sequence[str], default: str, columns: int = 0) -> TableLayout:
    r"""Detect the layout from a table's first lines; `columns` is the number of its columns, if known.

    In prose, a comma or semicolon before a space belongs to the sentence. Lines above the header, such as a
    title or a note, have hardly any cells.

    >>> layout_of(["id;text;year"], ","), layout_of(["1;Rain, wind, snow;Wien"], ",")
    (TableLayout(delimiter=';', skipped=0, spaced=False), TableLayout(delimiter=';', skipped=0, spaced=False))
    >>> layout_of(["Sales of 2024\n", "\n", "id,text,year\n", "1,hello,2008\n"], ",")
    TableLayout(delimiter=',', skipped=2, spaced=False)
    """
    layout = _layout(lines, default, columns)
    quoted = any(f'{layout.delimiter} "' in line for line in lines)
    spaced = quoted and _regular(lines, layout.delimiter, True) > _regular(lines, layout.delimiter)
    return layout._replace(spaced=spaced)


def _layout(lines: Sequence[str], default: str, columns: int) -> TableLayout:
    delimiter = _delimiter(lines[0], default, columns)
    if columns or len(lines) < 3:
        return TableLayout(delimiter)
    below = max(_MARKS, key=lambda mark: (_regular(lines, mark), mark == delimiter))
    for mark in dict.fromkeys((delimiter, below)):
        if skipped := _preamble(lines, mark):
            return TableLayout(mark, skipped)
    return TableLayout(delimiter)


def _delimiter(first: str, default: str, columns: int) -> str:
    def fits(mark: str) -> tuple[bool, int, int, bool]:
        count = first.count(mark)
        cells = [len(row) for row in rows_of_lines([first], mark)]
        return columns > 0 and cells == [columns], count - first.count(f"{mark} "), count, mark == default

    return max(_MARKS, key=fits)


def rows_of_lines(lines: Sequence[str], mark: str, spaced: bool = False) -> list[list[str]]:
    """Parse lines into rows of cells; none if they are not valid."""
    reader = csv.reader(lines, delimiter=mark, skipinitialspace=spaced)
    try:
        return list(reader)
    except csv.Error:
        return []


def width_of(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of cells that most rows have."""
    widths = Counter(len(row) for row in rows if row)
    return max(widths, key=lambda width: (widths[width], width)) if widths else 0


def _regular(lines: Sequence[str], mark: str, spaced: bool = False) -> int:
    """Count the rows with the most common number of cells, if that is more than one."""
    rows = rows_of_lines(lines, mark, spaced)
    width = width_of(rows)
    return sum(len(row) == width for row in rows) if width > 1 else 0


def _preamble(lines: Sequence[str], mark: str) -> int:
    """Count the lines above the header: the first row as wide as most, with a name in most cells."""
    width = width_of(rows_of_lines(lines, mark))
    if width < 2:
        return 0
    reader, above, seen = csv.reader(lines, delimiter=mark), 0, False
    try:
        for row in reader:
            filled = sum(bool(cell.strip()) for cell in row)
            if len(row) == width and 2 * filled > width:
                return above if seen and not looks_like_data(row) else 0
            if filled > max(1, width // 3):
                return 0
            seen = seen or filled > 0
            above = reader.line_num
    except csv.Error:
        pass
    return 0
