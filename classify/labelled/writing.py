"""A labelled table as a file: .csv, .tsv, .jsonl, .json, .parquet or .xlsx, complete or not at all."""

from __future__ import annotations

import csv
import io
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from classify.labelled.added import free_names
from classify.labelled.cells import cell_text, plain_value
from classify.labelled.rows import SourceRow, SourceRows
from hin.errors import BadUsage
from hin.files.atomic import atomic_file
from hin.reading.formats import FORMATS, format_by_name
from hin.reading.formats.arrow import STREAM
from hin.reading.inputs.source import Source, TextTable
from hin.reading.parsers.delimited import doubled_quotes
from hin.reading.parsers.number_spelling import Cell
from hin.visible import guard_cell

#: The rows whose numbers show what stands before decimals, and such a number; before three figures it may be thousands.
_SAMPLE = 500
_DECIMAL = re.compile(r"[-+]?\d+([.,])(?!\d{3}$)\d+", re.ASCII)
#: Not a dict as Python prints it.
_JSON_OBJECT = re.compile(rb"\{\s*[\"}]")
ENDINGS = (".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx")


def ending_of(out: Path, source: str | None = None) -> str:
    """Return the extension that decides the format; for the standard output that of the source, else `.csv`.

    >>> ending_of(Path("labelled.TSV")), ending_of(Path("-"), "reviews.jsonl.gz"), ending_of(Path("-"))
    ('.tsv', '.jsonl', '.csv')
    >>> ending_of(Path("labelled.ndjson"))
    '.jsonl'
    """
    ending = out.suffix.lower().replace(".ndjson", ".jsonl")
    if str(out) == "-":
        named = f".{format_by_name(source or '')}"
        return named if named in ENDINGS else ".csv"
    if ending not in ENDINGS:
        raise BadUsage(f"unknown format of {out}", hint=f"end its name in {', '.join(ENDINGS)}")
    return ending


def has_decimal_commas(values: Iterable[Any]) -> bool:
    """Check whether the numbers among a text table's cells have decimal commas, and none a point.

    >>> has_decimal_commas([Cell("3,5"), Cell("Rome")]), has_decimal_commas([Cell("3,5"), Cell("2.5")])
    (True, False)
    >>> has_decimal_commas([Cell("1,000"), Cell("12,500")])
    False
    """
    found = {match[1] for value in values if type(value) is Cell and (match := _DECIMAL.fullmatch(value.strip()))}
    return found == {","}


def _typed_table(file: str | None) -> Any:
    """Return the table of a Parquet or Arrow file with its types; None for other files and compressed ones."""
    from pyarrow import feather, ipc, parquet

    if file is None or not Path(file).is_file():
        return None
    with Path(file).open("rb") as begun:
        head = begun.read(8)
    if FORMATS.get("parquet").matches(head):
        return parquet.read_table(file)
    if not FORMATS.get("arrow").matches(head):
        return None
    return ipc.open_stream(file).read_all() if head.startswith(STREAM) else feather.read_table(file)


@dataclass
class LabelledTable:
    """The rows of a table with the added columns.

    Attributes
    ----------
    added : the values of each added column by document.
    formulas : leave added cells of a CSV file as they are, even if a spreadsheet would take them for formulas.
    """

    source: SourceRows
    added: Mapping[str, Sequence[Any]]
    formulas: bool = False

    def __post_init__(self) -> None:
        #: What each added column is called: another name where the table has a column of that name.
        self.names = free_names(self.added, self.source.columns)
        #: The encoding of the user's text file, where the written one is in UTF-8 instead.
        self.was_in: str | None = None
        #: Whether the file's own numbers have decimal commas, as in most of Europe.
        self._commas = has_decimal_commas(value for row in self.source.rows[:_SAMPLE] for value in row.values.values())

    @property
    def header(self) -> list[str]:
        """All columns, the table's own first."""
        return [*self.source.columns, *self.names.values()]

    def more(self, row: SourceRow) -> dict[str, Any]:
        """Return the added values of a row: None in all columns where it became no document."""
        return {
            name: values[row.document] if row.document >= 0 else None
            for name, values in zip(self.names.values(), self.added.values(), strict=True)
        }

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield every row with its added values, numbers as numbers."""
        for row in self.source.rows:
            yield {name: plain_value(row.values.get(name)) for name in self.source.columns} | self.more(row)

    def write(self, out: Path) -> None:
        """Write the table in the format of the file's extension; `-` is the standard output."""
        ending, first = ending_of(out, self.source.file), self.source.rows[:1]
        if str(out) == "-" and format_by_name(self.source.file or "") is None and first and first[0].raw[:1] == b"{":
            ending = ".jsonl"  # the standard input has no name
        if str(out) != "-":
            with atomic_file(out) as temporary:
                self._write(temporary, ending)
            return
        with tempfile.TemporaryDirectory(prefix="hin-") as folder:
            self._write(Path(folder) / "out", ending)
            with (Path(folder) / "out").open("rb") as made:
                sys.stdout.flush()
                shutil.copyfileobj(made, sys.stdout.buffer)
                sys.stdout.buffer.flush()

    def _write(self, path: Path, ending: str) -> None:
        if ending in (".jsonl", ".json"):
            self._write_json(path, lines=ending == ".jsonl")
        elif ending == ".parquet":
            from pyarrow import parquet

            parquet.write_table(self.to_arrow(), path)
        elif ending == ".xlsx":
            from classify.labelled.workbook import write_workbook

            write_workbook(self, path)
        else:
            self._write_cells(path, "\t" if ending == ".tsv" else None)

    def _write_json(self, path: Path, lines: bool) -> None:
        import orjson

        with path.open("wb") as file:
            file.write(b"" if lines else b"[\n")
            for number, row in enumerate(self.source.rows):
                more, raw = orjson.dumps(self.more(row)), row.raw.strip()
                if _JSON_OBJECT.match(raw) and b"\n" not in raw:  # the user's own spelling, to the byte
                    inner = raw[:-1].rstrip()
                    line = inner + (b"" if inner == b"{" else b",") + more[1:]
                else:
                    own = orjson.dumps({name: plain_value(value) for name, value in row.values.items()})
                    line = own[:-1] + (b"," if len(own) > 2 else b"") + more[1:]
                file.write((b"" if lines or not number else b",\n") + line + (b"\n" if lines else b""))
            file.write(b"" if lines else b"\n]\n")

    def to_arrow(self) -> Any:
        """Return an Arrow table; the own columns of a Parquet or Arrow file keep their types."""
        import pyarrow as pa

        rows, file = self.source.rows, self.source.file
        if (typed := _typed_table(file)) is not None:
            table = typed.take([row.line - 1 for row in rows])
        else:
            own = self.source.columns
            columns = {name: _column([plain_value(row.values.get(name)) for row in rows]) for name in own}
            table = pa.table(columns)
        for name, values in zip(self.names.values(), self.added.values(), strict=True):
            column = [values[row.document] if row.document >= 0 else None for row in rows]
            kind = pa.string() if name.startswith(("category", "because")) else None
            table = table.append_column(name, pa.array(column, kind))
        return table

    def _write_cells(self, path: Path, delimiter: str | None) -> None:
        first = self.source.rows[0] if self.source.rows else None
        mark, ends, found = _dialect(None if self.source.table is None else self.source.file, first)
        if found == "\t" and format_by_name(self.source.file or "") not in (None, "csv"):
            delimiter = delimiter or ","  # a .csv that was asked for
        encoding = "utf-8" if self.source.table is None else self.source.table.encoding
        if self.source.table is not None and delimiter in (None, found):
            lines = "".join(self._own_lines(self.source.table, found, ends))
            try:
                path.write_bytes(lines.encode(encoding))
            except UnicodeEncodeError:  # a category has a character that the file's encoding lacks
                self.was_in = encoding
                path.write_bytes(lines.encode("utf-8-sig"))
            return
        self.was_in = None if encoding in ("utf-8", "utf-8-sig") else encoding
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(mark)
            writer = csv.writer(file, delimiter=delimiter or found, lineterminator=ends)
            writer.writerow(self.header)
            for row in self.source.rows:
                own = [cell_text(row.values.get(name)) for name in self.source.columns]
                writer.writerow([*own, *self._added_cells(row)])

    def _own_lines(self, table: TextTable, delimiter: str, ends: str) -> Iterator[str]:
        """Yield the file's own lines unchanged, with the added cells appended."""
        header = table.header.rstrip("\r\n")
        quoting: Literal[0, 1] = csv.QUOTE_ALL if header[:1] == header[-1:] == '"' else csv.QUOTE_MINIMAL

        def line(cells: Sequence[str]) -> str:
            made = io.StringIO()
            csv.writer(made, delimiter=delimiter, lineterminator="", quoting=quoting).writerow(cells)
            return made.getvalue()

        if table.above.lower().startswith("sep="):  # Excel takes the delimiter from it
            yield table.above.rstrip("\r\n") + ends
        yield header + delimiter + line(list(self.names.values())) + ends
        width = len(self.source.columns)
        for row in self.source.rows:
            own = row.raw.decode("utf-8", "replace").rstrip("\r\n")
            plain = delimiter == "\t" and own.count("\t") + 1 == width  # quotes may be part of the text
            if not plain and width not in _widths(own, delimiter):
                # empty cells at its end
                own = line([cell_text(row.values.get(name)) for name in self.source.columns])
            yield own + delimiter + line(self._added_cells(row)) + ends

    def _added_cells(self, row: SourceRow) -> list[str]:
        """Format the added values of a row, numbers as the file has its own."""
        values = self.more(row).values()
        cells = [cell_text(v).replace(".", ",") if self._commas and type(v) is float else cell_text(v) for v in values]
        return cells if self.formulas else list(map(guard_cell, cells))


def _widths(line: str, delimiter: str) -> Iterator[int]:
    """Yield the number of a line's cells as each kind of writer quotes them."""
    for text, spaced in ((line, False), (doubled_quotes(line), False), (line, True)):
        yield len(next(csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=spaced), ()))


def _dialect(file: str | None, first: SourceRow | None) -> tuple[str, str, str]:
    """Return byte order mark, line ending and delimiter of a text table; the usual ones for other files."""
    text, cells = ("", []) if first is None else (first.raw.decode("utf-8", "replace"), [*first.values.values()])
    fitting = (mark for mark in ",;\t|" if next(csv.reader(io.StringIO(text), delimiter=mark), None) == cells)
    delimiter = next(fitting, None)
    if file is None or delimiter is None:
        return "", "\n", ","
    with Source(file) as source:
        head = source.first_bytes()
    return "\ufeff" if head.startswith(b"\xef\xbb\xbf") else "", "\r\n" if b"\r\n" in head else "\n", delimiter


def _column(values: list[Any]) -> Any:
    """Return an Arrow column; values of several kinds become text."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError):
        return pa.array([None if value is None else cell_text(value) for value in values], pa.string())
