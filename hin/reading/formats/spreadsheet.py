"""Spreadsheets: Excel (.xlsx, .xlsb, .xls) and OpenDocument (.ods); ``book.xlsx::Sheet2`` names a sheet."""

from __future__ import annotations

import contextlib
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from hin.errors import BadInput
from hin.human import did_you_mean, plural
from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.places import BAD_ZIP
from hin.reading.inputs.source import Source
from hin.reading.parsers.arrow_cells import plain_cell
from hin.reading.parsers.header import filled_names
from hin.reading.parsers.number_spelling import Cell
from hin.reading.parsers.several_tables import table_with_texts, typical_length

#: The highest compression ratio of a zip archive: a packed byte expands to at most this many.
_DENSEST = 1032


class SpreadsheetFormat:
    """One sheet of a workbook: the one that is named, else the one that holds a table."""

    endings = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")

    def matches(self, head: bytes) -> bool:
        """Recognise an Excel archive by its first entry, and the old format by its magic bytes."""
        if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
            return True
        excel = b"xl/" in head and (b"[Content_Types].xml" in head or b"_rels/.rels" in head)
        return head.startswith(b"PK\x03\x04") and (excel or b"opendocument.spreadsheet" in head[:200])

    def rows(self, source: Source) -> Iterator[Row]:
        """Read the sheet; rows have the numbers that the spreadsheet program shows."""
        import python_calamine as calamine

        if not source.head():
            return
        whole = source.whole()
        _check_unpacked(whole, source)
        try:
            data = io.BytesIO(whole.getbuffer()) if isinstance(whole, io.BytesIO) else whole
            with calamine.load_workbook(data) as book:
                cells = _cells(book, source)  # damage inside a sheet is found here
        except (calamine.CalamineError, calamine.PasswordError, OSError, ValueError) as error:
            what = f"{source.name}: not a readable spreadsheet ({error})"
            raise BadInput(what, hint="open and save it again without a password, or save it as CSV") from None
        yield from _records(cells, source)


def _check_unpacked(whole: str | io.BytesIO, source: Source) -> None:
    """Raise if an archive would expand beyond the limit, since the library decompresses all of it."""
    if not source.first_bytes().startswith(b"PK"):
        return  # the old format is not compressed
    try:
        with zipfile.ZipFile(whole) as archive:
            entries = archive.infolist()
            source.limits.check_unpacked(sum(entry.file_size for entry in entries), source.name)
            # The sizes an archive declares may be false; only a large one can hide much.
            if sum(entry.compress_size for entry in entries) * _DENSEST > source.limits.unpacked:
                _count_unpacked(whole, entries, source)
    except BAD_ZIP:
        return  # the library reports what is wrong with it
    finally:
        if isinstance(whole, io.BytesIO):
            whole.seek(0)


def _count_unpacked(whole: str | io.BytesIO, entries: list[zipfile.ZipInfo], source: Source) -> None:
    """Decompress an archive piece by piece to count its bytes."""
    count = 0
    with contextlib.nullcontext(whole) if isinstance(whole, io.BytesIO) else open(whole, "rb") as file:
        for entry in entries:
            if entry.compress_type != zipfile.ZIP_DEFLATED:
                continue
            file.seek(entry.header_offset + 26)
            name, extra = struct.unpack("<HH", file.read(4))
            file.seek(entry.header_offset + 30 + name + extra)
            unpacker, left = zlib.decompressobj(-15), entry.compress_size
            with contextlib.suppress(zlib.error):
                while left > 0 and (data := file.read(min(left, 1 << 16))):
                    left -= len(data)
                    while data:
                        count += len(unpacker.decompress(data, 1 << 22))
                        source.limits.check_unpacked(count, source.name)
                        data = unpacker.unconsumed_tail


def _cells(book: Any, source: Source) -> list[tuple[int, list[Any]]]:
    """Return the rows that are not empty, with their numbers."""
    names = list(book.sheet_names)
    if source.part is not None and source.part not in names:
        hint = f"{did_you_mean(source.part, names)}there are {', '.join(names)}"
        raise BadInput(f"{source.place.file}: no sheet {source.part!r}", hint=hint)
    sheets = {name: _filled(book, name) for name in ([source.part] if source.part is not None else names)}
    tables = [name for name, rows in sheets.items() if _is_table(rows)]
    if len(tables) > 1:
        lengths = {name: typical_length(row for _, row in sheets[name]) for name in tables}
        found, note = table_with_texts(lengths, source.place.file, "sheets")
        source.add_note(note)
        return sheets[found]
    if tables:
        return sheets[tables[0]]
    return next(filter(None, sheets.values()), [])


def _filled(book: Any, name: str) -> list[tuple[int, list[Any]]]:
    rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    return [(i, row) for i, row in enumerate(rows, 1) if any(cell != "" for cell in row)]


def _is_table(rows: list[tuple[int, list[Any]]]) -> bool:
    """Check whether a sheet holds records: at least two rows of two cells; notes and headings have fewer."""
    return len([row for _, row in rows if sum(cell != "" for cell in row) > 1]) > 1


def _records(rows: list[tuple[int, list[Any]]], source: Source) -> Iterator[Row]:
    if not rows:
        return
    widest = max(sum(cell != "" for cell in row) for _, row in rows)
    # A heading above the table is a row of one cell; the first wider row has the columns' names.
    start = 0
    while widest > 1 and start < len(rows) and sum(cell != "" for cell in rows[start][1]) <= 1:
        start += 1
    if source.columns is None and _spans_names(rows[start : start + 2]):
        start += 1
    if start:
        source.add_note(f"{plural(start, 'row')} above the header skipped")
    width = max(len(row) for _, row in rows)
    used = [i for i in range(width) if any(len(row) > i and row[i] != "" for _, row in rows[start:])]
    if source.columns is None:
        _, header = rows[start]
        names = filled_names([header_text(header[i]) if i < len(header) else "" for i in used])
        start += 1
    else:
        names = [name for name, _ in zip(source.columns, used, strict=False)]
    for number, row in rows[start:]:
        yield number, {name: _value(row[i]) for name, i in zip(names, used, strict=False) if i < len(row)}, b""


def header_text(cell: Any) -> str:
    """Return the name that a header's cell has; a year is not a decimal number, and an empty cell no name.

    >>> header_text(2019.0), header_text(""), header_text(None)
    ('2019', '', '')
    """
    value = _value(cell)
    return "" if value is None else str(value)


def _spans_names(rows: list[tuple[int, list[Any]]]) -> bool:
    """Check whether the first of two rows groups the columns that the second one names (merged cells)."""
    if len(rows) < 2:
        return False
    above, below = ([cell for cell in row if cell != ""] for _, row in rows)
    words = all(isinstance(cell, str) for cell in (*above, *below))
    return words and 2 * len(above) <= len(below) == len(set(below))


def _value(value: Any) -> Any:
    """Return a cell's value; spreadsheets store no integers, so whole numbers become integers."""
    if value == "":
        return None
    if type(value) is str:
        return Cell(value)
    if type(value) is float and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return plain_cell(value)


FORMATS.register("xlsx")(SpreadsheetFormat())
