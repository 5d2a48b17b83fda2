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
        limit = source.limits.record
        return table_rows(source.text(), self.delimiter, source.columns, limit, source.say, source.table_begins)


FORMATS.register("csv")(TableFormat(",", ".csv"))
FORMATS.register("tsv")(TableFormat("\t", ".tsv", ".tab"))
