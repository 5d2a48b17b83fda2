"""Parse delimited text with a header line into one object per row with its line number."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from hin.errors import argument
from hin.human import plural
from hin.reading.limits import RecordTooLongError
from hin.reading.parsers.header import FIRST_LINE, filled_names, looks_like_data
from hin.reading.parsers.layout import EXAMINED_LINES, layout_of, rows_of_lines, width_of
from hin.reading.parsers.lines import lines_of
from hin.reading.parsers.number_spelling import Cell
from hin.reading.problems import SKIP, Problem

_ESCAPED_QUOTE = re.compile(r'(?<!\\)((?:\\\\)*)\\"')


class _Lines:
    """The decoded lines for the CSV parser; records the first one that is not UTF-8."""

    def __init__(self, chunks: Iterable[bytes], longest: int | None) -> None:
        self.lines: Iterator[tuple[int, bytes]] = lines_of(chunks, longest)
        self.longest = longest
        self.number = 0
        self.bad: Problem | None = None
        #: The lines of the current record, and their bytes.
        self.pending: list[str] = []
        self.size = 0
        self.failed: RecordTooLongError | None = None
        #: Whether quotes inside of cells have a backslash before them, as MySQL and Spark write them.
        self.escaped = False

    def __iter__(self) -> Iterator[str]:
        for number, raw in self.lines:
            self.number = number
            self.size += len(raw)
            if self.longest is not None and self.size > self.longest:  # a quote that is never closed
                raise RecordTooLongError(number, self.longest)
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                line = raw.decode("utf-8", "backslashreplace")
                self.bad = self.bad or Problem.bad_byte(self.number, raw, error.start)
            line += "\n"
            self.pending.append(line)
            yield doubled_quotes(line) if self.escaped else line
        if self.failed is not None:
            raise self.failed

    def ahead(self, count: int) -> list[str]:
        """Return the next lines without consuming them; they end before a line too long for a record."""
        found: list[tuple[int, bytes]] = []
        size = 0
        try:
            for number, raw in islice(self.lines, count):
                found.append((number, raw))
                size += len(raw)
                if self.longest is not None and size > self.longest:
                    break
        except RecordTooLongError as error:
            self.failed = error
        self.lines = chain(found, self.lines)
        return [raw.decode("utf-8", "replace") + "\n" for _, raw in found]

    def again(self, raw: bytes) -> Iterator[str]:
        """Yield the lines of a record once more, then the rest."""
        for text in raw.decode("utf-8").split("\n")[:-1]:
            self.pending.append(f"{text}\n")
            yield doubled_quotes(f"{text}\n")
        yield from self

    def record(self) -> bytes:
        """Return the lines since the last call, for the side file."""
        text = "".join(self.pending)
        self.pending.clear()
        self.size = 0
        return text.encode()


def table_rows(
    chunks: Iterable[bytes],
    delimiter: str,
    columns: Sequence[str] | None = None,
    longest: int | None = None,
    add_note: Callable[[str], None] = lambda note: None,
    begins: Callable[[bytes, bytes], None] = lambda above, header: None,
) -> Iterator[tuple[int, Any, bytes]]:
    r"""Parse a table whose first line has the columns' names, unless `columns` does.

    A broken row is a `Problem`, a row of empty cells None.

    Lines above the header are skipped, with a note to `add_note`; so are empty columns and rows at the end. `begins` is
    called with the lines above the header, and with the header, as they are written.

    >>> [value for _, value, _ in table_rows([b"id,text\n1,hello\n"], ",")]
    [{'id': '1', 'text': 'hello'}]
    >>> [value for _, value, _ in table_rows([b"1,hello\n"], ",", ["id", "text"])]
    [{'id': '1', 'text': 'hello'}]
    """
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # texts may be longer than the module's limit of 128 KB
    table = _Table(_Lines(chunks, longest), delimiter, columns, add_note)
    table.begins = begins
    return table.rows()


def doubled_quotes(line: str) -> str:
    r"""Double the quotes that have a backslash before them, as the CSV parser expects.

    >>> print(doubled_quotes(r'"She said \"no\" to C:\\";2008'))
    "She said ""no"" to C:\\";2008
    """
    return _ESCAPED_QUOTE.sub(r'\1""', line) if '\\"' in line else line


def _strip_quotes(cell: str) -> Cell:
    """Return a cell without the quotes around all of it."""
    whole = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in cell[1:-1].replace('""', "")
    return Cell(cell[1:-1].replace('""', '"') if whole else cell)


class _Table:
    """The state of parsing one table: its lines, its delimiter, and the columns' names once they are known."""

    def __init__(
        self, lines: _Lines, delimiter: str, columns: Sequence[str] | None, add_note: Callable[[str], None]
    ) -> None:
        self.lines = lines
        self.delimiter = delimiter
        #: Whether a quoted cell may have a space before it.
        self.spaced = False
        self.add_note = add_note
        self.begins: Callable[[bytes, bytes], None] = lambda above, header: None
        #: The lines above the header, as they are written.
        self.above = b""
        #: Whether the user says that the first line is the header, whatever it looks like.
        self.first_is_header = columns is not None and list(columns) == [FIRST_LINE]
        self.names = [] if columns is None or self.first_is_header else list(columns)
        self.names_given = bool(self.names)
        #: Whether the header is behind: from here on, a row of empty cells is a row of the table.
        self.past_header = self.names_given
        #: The least number of cells of a row: up to the last column with a name.
        self.least = len(self.names)
        #: The rows below the first one, as far as they were looked at.
        self.below: list[list[str]] = []

    def _find_header(self) -> Iterator[str]:
        """Return the lines from the header on, and set the delimiter; the first lines are decoded in advance."""
        ahead = self.lines.ahead(EXAMINED_LINES)
        if not ahead:
            return iter(())
        layout = layout_of(ahead, self.delimiter, len(self.names))
        self.delimiter, self.spaced = layout.delimiter, layout.spaced
        lines = iter(self.lines)
        if layout.skipped and not self.first_is_header:
            for _ in islice(lines, layout.skipped):
                pass
            self.above = self.lines.record()
            self.add_note(f"{plural(layout.skipped, 'line')} above the header skipped")
        self.below = rows_of_lines(ahead[layout.skipped :], layout.delimiter, layout.spaced)[1:]
        return lines

    def rows(self) -> Iterator[tuple[int, Any, bytes]]:
        lines = self._find_header()
        reader = self._reader(lines)
        start, count = self.lines.number + 1, 0
        lone: list[tuple[int, Any, bytes]] = []
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                break
            except csv.Error as error:
                raw = self.lines.record()
                if self._has_escaped_quotes(raw):
                    reader = self._reader(self.lines.again(raw))
                    continue
                reader = self._reader(lines)
                cut = "end of data" in str(error) and self.delimiter != "\t"  # within a quoted cell
                if plain := [] if cut else self._unquoted(start, raw):
                    count += len(plain)
                    yield from plain
                    start = self.lines.number + 1
                    continue
                hint = (
                    f"a quote in this record is never closed, or the file is cut off: mend it, {SKIP}"
                    if cut
                    else self._quoting_hint()
                )
                yield start, Problem(start, f"not a valid table row ({error})", hint, raw=raw), raw
                if not self.names:
                    return
            else:
                raw = self.lines.record()
                row = self._row(cells, start, raw)
                if row is not None and isinstance(row[1], Problem):
                    if self._has_escaped_quotes(raw):
                        reader = self._reader(self.lines.again(raw))
                        continue
                    if len(cells) == 1 and len(self.names) > 2:  # below the last record it is a note
                        lone.append(row)
                        start = self.lines.number + 1
                        continue
                if any(cells):
                    yield from lone
                    lone.clear()
                if row is None and self.names and cells and self.past_header:
                    yield start, None, raw  # a row of empty cells: the labelled file has it too
                self.past_header = bool(self.names)
                if row is not None:
                    found = self.delimiter == "\t" and raw.count(b"\n") > 1 and self._unquoted(start, raw)
                    found = found or [row]
                    count += len(found)
                    yield from found
                    if not self.names:
                        return
            start = self.lines.number + 1
        if lone:
            count += 1
            self.add_note(f"{plural(len(lone), 'line')} below the table skipped, from line {lone[0][0]} on")
        if not count and self.names:
            hint = "expected at least one record below it; leave the file out"
            yield 1, Problem(1, "a line with the columns' names and no records", hint), b""

    def _has_escaped_quotes(self, raw: bytes) -> bool:
        """Check, once, whether a row that cannot be parsed has quotes with a backslash before them."""
        if self.lines.escaped or b'\\"' not in raw or self.lines.bad is not None:
            return False
        self.lines.escaped = True
        return True

    def _reader(self, lines: Iterator[str]) -> Any:
        return csv.reader(lines, delimiter=self.delimiter, strict=True, skipinitialspace=self.spaced)

    def _unquoted(self, start: int, raw: bytes) -> list[tuple[int, Any, bytes]]:
        """Parse lines with quotes as plain characters; return no rows unless each line has all cells."""
        lines = raw.decode("utf-8", "replace").splitlines()
        cells = [line.split(self.delimiter) for line in lines] if self.names else []
        if any(len(row) != len(self.names) for row in cells):
            return []
        return [
            (start + i, dict(zip(self.names, map(_strip_quotes, row), strict=True)), f"{lines[i]}\n".encode())
            for i, row in enumerate(cells)
        ]

    def _name_columns(self, width: int) -> None:
        """Number the columns of a table without a header line."""
        self.names, self.least = [f"column {i}" for i in range(1, width + 1)], width
        self.begins(self.above, self.delimiter.join(self.names).encode() + b"\n")
        names, header = argument("columns", "NAME,NAME"), argument("columns", FIRST_LINE)
        self.add_note(
            f"its first line is a record: the columns are numbered ({names}, or {header} if it has their names)"
        )

    def _quoting_hint(self) -> str:
        return f"put cells that hold quotes, {self.delimiter!r} or line breaks in double quotes, {SKIP}"

    def _row(self, cells: list[str], start: int, raw: bytes) -> tuple[int, Any, bytes] | None:
        """Return one record or problem; None for a blank line and for the header."""
        if self.lines.bad is not None:
            bad, self.lines.bad = self.lines.bad, None
            bad.raw = raw  # the whole record, which may span several lines
            return bad.line, bad, raw
        if not any(cells):
            return None
        if not self.names:
            if self.first_is_header or not looks_like_data(cells, self.below):
                if len(self.below) > 2 and width_of(self.below) == len(cells) + 1:
                    cells = ["", *cells]  # R gives the rows' names no name
                self.names = filled_names(cells)
                self.begins(self.above, raw)
                self.least = 1 + max((i for i, cell in enumerate(cells) if cell.strip()), default=0)
                return None
            self._name_columns(len(cells))
        width = len(self.names)
        if not any(cells[self.least :]):  # empty columns without a name at the end, or fewer of them
            cells = [*cells[: self.least], *[""] * (width - self.least)] if len(cells) >= self.least else cells
        if len(cells) != width:
            who = "--columns names" if self.names_given else "the header"
            what = f"the row has {len(cells)} cells, {who} {width}"
            return start, Problem(start, what, self._quoting_hint(), raw=raw), raw
        return start, dict(zip(self.names, map(Cell, cells), strict=True)), raw
