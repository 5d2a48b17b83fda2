"""Tables of text with a header line, as one object a row with its line number."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from hin.reading.lines import lines_of
from hin.reading.number_spelling import Cell
from hin.reading.problems import SKIP, Problem

__all__ = ["delimiter_of", "table_rows"]


def delimiter_of(header: str, default: str) -> str:
    """Return the character between the cells: the default, unless only `;` or a tab occurs in the header.

    >>> delimiter_of("id;text;year", ","), delimiter_of("id,text", ",")
    (';', ',')
    """
    if default in header:
        return default
    return next((other for other in "\t;," if other in header), default)


class _Lines:
    """Decoded lines for the CSV parser; remembers the first one that is not UTF-8."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.lines = lines_of(chunks)
        self.number = 0
        self.bad: tuple[int, str] | None = None
        self.kept: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for number, raw in self.lines:
            self.number = number
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                line = raw.decode("utf-8", "backslashreplace")
                what = f"not valid UTF-8 (byte 0x{raw[error.start]:02x} at column {error.start + 1})"
                self.bad = self.bad or (self.number, what)
            line += "\n"
            self.kept.append(line)
            yield line

    def record(self) -> bytes:
        """Return the lines since the last call, for the side file."""
        text = "".join(self.kept)
        self.kept.clear()
        return text.encode()


def table_rows(chunks: Iterable[bytes], delimiter: str) -> Iterator[tuple[int, Any, bytes]]:
    r"""Parse a table with a header line; what is broken comes as a `Problem`.

    >>> [value for _, value, _ in table_rows([b"id,text\n1,hello\n"], ",")]
    [{'id': '1', 'text': 'hello'}]
    """
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # texts are longer than the module's 128 KB
    lines = _Lines(chunks)
    source = iter(lines)
    reader: Any = None
    names: list[str] = []
    quoting = f"put cells that hold quotes, {delimiter!r} or line breaks in double quotes, {SKIP}"
    while True:
        start = lines.number + 1
        try:
            if reader is None:
                first = next(source)
                delimiter = delimiter_of(first, delimiter)
                reader = csv.reader(_chain(first, source), delimiter=delimiter, strict=True)
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raw = lines.record()
            reader = csv.reader(source, delimiter=delimiter, strict=True)
            yield start, Problem(start, f"not a valid table row ({error})", quoting, raw=raw), raw
            if not names:
                return
            continue
        raw = lines.record()
        if lines.bad is not None:
            (line, what), lines.bad = lines.bad, None
            hint = f"convert the file to UTF-8, for example with iconv, {SKIP}"
            yield line, Problem(line, what, hint, raw=raw), raw
            if not names:
                return
        elif not cells:
            continue
        elif not names:
            names = [name.strip() for name in cells]
            problem = _bad_header(names, start, raw)
            if problem is not None:
                yield start, problem, raw
                return
        elif len(cells) != len(names):
            what = f"the row has {len(cells)} cells, the header {len(names)}"
            yield start, Problem(start, what, quoting, raw=raw), raw
        else:
            yield start, dict(zip(names, map(Cell, cells), strict=True)), raw


def _chain(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _bad_header(names: list[str], line: int, raw: bytes) -> Problem | None:
    if "" in names:
        what = f"column {names.index('') + 1} has no name"
        return Problem(line, what, "name every column in the first line", raw=raw)
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        hint = "give every column a name of its own in the first line"
        return Problem(line, "two columns have this name", hint, field=twice, raw=raw)
    return None
