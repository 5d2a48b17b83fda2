"""Tables of text with a header line, as one object a row with its line number."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hin.reading.limits import RecordTooLongError
from hin.reading.parsers.header import FIRST_LINE, bad_header, looks_like_data
from hin.reading.parsers.lines import lines_of
from hin.reading.parsers.number_spelling import Cell
from hin.reading.problems import SKIP, Problem

__all__ = ["delimiter_of", "table_rows"]


def delimiter_of(first: str, default: str, columns: int = 0) -> str:
    """Return the character between the cells: the default, unless another one cuts the first line better.

    In a line of prose a comma or semicolon before a space belongs to the sentence. Where the number of columns is
    known, a character that cuts the line into as many cells goes first.

    >>> delimiter_of("id;text;year", ","), delimiter_of("id,text", ","), delimiter_of("1;Rain, wind, snow;Wien", ",")
    (';', ',', ';')
    """

    def fits(mark: str) -> tuple[bool, int, int, bool]:
        count = first.count(mark)
        return columns > 0 and _cells(first, mark) == columns, count - first.count(f"{mark} "), count, mark == default

    return max("\t;,|", key=fits)


def _cells(line: str, delimiter: str) -> int:
    """Return how many cells a line has; 0 where quotes go on in the next."""
    try:
        return len(next(csv.reader([line], delimiter=delimiter, strict=True), []))
    except csv.Error:
        return 0


class _Lines:
    """Decoded lines for the CSV parser; remembers the first one that is not UTF-8."""

    def __init__(self, chunks: Iterable[bytes], longest: int | None) -> None:
        self.lines = lines_of(chunks, longest)
        self.longest = longest
        self.held = 0
        self.number = 0
        self.bad: Problem | None = None
        self.kept: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for number, raw in self.lines:
            self.number = number
            self.held += len(raw)
            if self.longest is not None and self.held > self.longest:  # a quote that is never closed
                raise RecordTooLongError(number, self.longest)
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                line = raw.decode("utf-8", "backslashreplace")
                self.bad = self.bad or Problem.bad_byte(self.number, raw, error.start)
            line += "\n"
            self.kept.append(line)
            yield line

    def record(self) -> bytes:
        """Return the lines since the last call, for the side file."""
        text = "".join(self.kept)
        self.kept.clear()
        self.held = 0
        return text.encode()


def table_rows(
    chunks: Iterable[bytes], delimiter: str, columns: Sequence[str] | None = None, longest: int | None = None
) -> Iterator[tuple[int, Any, bytes]]:
    r"""Parse a table whose first line has the columns' names, unless `columns` does; what is broken is a `Problem`.

    >>> [value for _, value, _ in table_rows([b"id,text\n1,hello\n"], ",")]
    [{'id': '1', 'text': 'hello'}]
    >>> [value for _, value, _ in table_rows([b"1,hello\n"], ",", ["id", "text"])]
    [{'id': '1', 'text': 'hello'}]
    """
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # texts are longer than the module's 128 KB
    table = _Table(_Lines(chunks, longest), delimiter, columns)
    return table.rows()


class _Table:
    """The state of parsing one table: its lines, its delimiter, and the columns' names once they are known."""

    def __init__(self, lines: _Lines, delimiter: str, columns: Sequence[str] | None) -> None:
        self.lines = lines
        self.source = iter(lines)
        self.delimiter = delimiter
        self.trusted = columns is not None and list(columns) == [FIRST_LINE]
        self.names = [] if columns is None or self.trusted else list(columns)
        self.given = bool(self.names)

    def rows(self) -> Iterator[tuple[int, Any, bytes]]:
        first = next(self.source, None)
        if first is None:
            return
        self.delimiter = delimiter_of(first, self.delimiter, len(self.names))
        reader = self._reader(_chain(first, self.source))
        start, count = 1, 0
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                break
            except csv.Error as error:
                raw = self.lines.record()
                reader = self._reader(self.source)
                yield start, Problem(start, f"not a valid table row ({error})", self._quoting(), raw=raw), raw
                if not self.names:
                    return
            else:
                raw = self.lines.record()
                row = self._row(cells, start, raw)
                if row is not None:
                    count += 1
                    yield row
                    if not self.names:
                        return
            start = self.lines.number + 1
        if not count and self.names:
            hint = "expected at least one record below it; leave the file out"
            yield 1, Problem(1, "a line with the columns' names and no records", hint), b""

    def _reader(self, lines: Iterator[str]) -> Any:
        return csv.reader(lines, delimiter=self.delimiter, strict=True)

    def _quoting(self) -> str:
        return f"put cells that hold quotes, {self.delimiter!r} or line breaks in double quotes, {SKIP}"

    def _row(self, cells: list[str], start: int, raw: bytes) -> tuple[int, Any, bytes] | None:
        """One record or problem; None for a blank line and for the line with the names."""
        if self.lines.bad is not None:
            bad, self.lines.bad = self.lines.bad, None
            bad.raw = raw  # the whole record, which may have begun lines above
            return bad.line, bad, raw
        if not cells:
            return None
        if not self.names:
            names = [name.strip() for name in cells]
            problem = (None if self.trusted else looks_like_data(names, start, raw)) or bad_header(names, start, raw)
            if problem is not None:
                return start, problem, raw
            self.names = names
            return None
        if len(cells) != len(self.names):
            who = "--columns names" if self.given else "the header"
            what = f"the row has {len(cells)} cells, {who} {len(self.names)}"
            return start, Problem(start, what, self._quoting(), raw=raw), raw
        return start, dict(zip(self.names, map(Cell, cells), strict=True)), raw


def _chain(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest
