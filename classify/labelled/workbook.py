"""A labelled table as an Excel workbook: the user's own with more columns, or a new one."""

from __future__ import annotations

import datetime
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classify.labelled.cells import cell_text
from hin.errors import BadUsage
from hin.reading.formats.spreadsheet import header_text
from hin.reading.inputs.places import InputPath
from hin.reading.parsers.header import filled_names
from hin.reading.parsers.number_spelling import Cell

if TYPE_CHECKING:
    from classify.labelled.writing import LabelledTable

#: The most rows of a sheet, including the header.
_ROWS = 1_048_576
#: The fixed time stamp of a workbook and its parts, so that the same table gives the same bytes.
_THEN = datetime.datetime(1980, 1, 1)
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")


def write_workbook(table: LabelledTable, path: Path) -> None:
    """Write a workbook; one made from the source workbook keeps its other sheets, dates and formatting."""
    import openpyxl

    if len(table.source.rows) >= _ROWS:
        what = f"{len(table.source.rows):,} rows are more than a sheet holds"
        raise BadUsage(what, hint="write .csv or .parquet")
    file = table.source.file
    own = None if file is None else InputPath(file)
    book = sheet = None
    if own is not None and own.file.lower().endswith((".xlsx", ".xlsm")) and Path(own.file).is_file():
        book = openpyxl.load_workbook(own.file)
        sheet, header = _sheet_of(book, own.part, table)
    if book is not None and sheet is not None:
        _widen(sheet, header, table)
    else:
        book = openpyxl.Workbook()
        _fill(book.active, table)
    book.properties.created = book.properties.created if sheet is not None else _THEN
    made = path.with_name(path.name + ".xlsx")
    try:
        book.save(made)
        _settle(made, path)
    finally:
        made.unlink(missing_ok=True)


def _sheet_of(book: Any, part: str | None, table: LabelledTable) -> tuple[Any, int]:
    """Return the sheet that the rows come from, and the number of the row with the columns' names."""
    lines = [row.line for row in table.source.rows]
    wanted = set(table.source.columns)
    texts = {str(value) for row in table.source.rows[:1] for value in row.values.values() if isinstance(value, Cell)}
    for sheet in book.worksheets if part is None else [book[part]]:
        for number in range(1, min(lines, default=1)):
            names = filled_names([header_text(cell.value) for cell in sheet[number]])
            if wanted <= set(names) and texts <= {str(cell.value) for cell in sheet[lines[0]]}:
                return sheet, number
    return None, 0


def _widen(sheet: Any, header: int, table: LabelledTable) -> None:
    """Append the columns to a sheet."""
    first = sheet.max_column + 1
    for offset, name in enumerate(table.names.values()):
        _put(sheet, header, first + offset, name)
    for row in table.source.rows:
        for offset, value in enumerate(table.more(row).values()):
            _put(sheet, row.line, first + offset, value)


def _fill(sheet: Any, table: LabelledTable) -> None:
    """Write all columns to an empty sheet."""
    for column, name in enumerate(table.header, 1):
        _put(sheet, 1, column, name)
    for number, record in enumerate(table.records(), 2):
        for column, value in enumerate(record.values(), 1):
            _put(sheet, number, column, value)


def _put(sheet: Any, row: int, column: int, value: Any) -> None:
    """Put a value into a cell; text is never a formula, whatever it begins with."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    if value is None:
        return
    if isinstance(value, (bool, int, float)):
        sheet.cell(row, column, value)
        return
    cell = sheet.cell(row, column)
    cell.value = ILLEGAL_CHARACTERS_RE.sub("", cell_text(value))
    cell.data_type = "s"


def _settle(made: Path, path: Path) -> None:
    """Copy a workbook with fixed time stamps."""
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "docProps/core.xml":
                content = _MODIFIED.sub(rb"\g<1>1980-01-01T00:00:00Z", content)
            target.writestr(zipfile.ZipInfo(entry.filename, _THEN.timetuple()[:6]), content, zipfile.ZIP_DEFLATED)
