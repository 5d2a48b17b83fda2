"""CSV and TSV."""

from __future__ import annotations

from collections.abc import Iterator

from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.source import Source
from hin.reading.parsers.delimited import table_rows


class TableFormat:
    """Delimited text whose first line has the columns' names."""

    def __init__(self, delimiter: str, *endings: str) -> None:
        self.delimiter = delimiter
        self.endings = endings

    def matches(self, head: bytes) -> bool:
        """Never match: any text could be a table."""
        return False

    def rows(self, source: Source) -> Iterator[Row]:
        """Parse the rows."""
        limit, chunks, head = source.limits.record, source.text(), source.head()
        if b"\r" in head and b"\n" not in head:  # as spreadsheets on old Macs end their lines
            chunks = (chunk.replace(b"\r", b"\n") for chunk in chunks)
        return table_rows(chunks, self.delimiter, source.columns, limit, source.add_note, source.table_begins)


FORMATS.register("csv")(TableFormat(",", ".csv"))
FORMATS.register("tsv")(TableFormat("\t", ".tsv", ".tab"))
