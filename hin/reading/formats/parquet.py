"""Parquet."""

from __future__ import annotations

from collections.abc import Iterator

from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.source import Source
from hin.reading.parsers.arrow_cells import readable, rows_of_batches

_BATCH = 4096  # rows at a time: bounds memory


class ParquetFormat:
    """Parquet: read in place from a plain file, otherwise from memory."""

    endings = (".parquet", ".pq")

    def matches(self, head: bytes) -> bool:
        """Recognise Parquet files by their first four bytes."""
        return head.startswith(b"PAR1")

    def rows(self, source: Source) -> Iterator[Row]:
        """Read the file row by row; an empty file has none."""
        import pyarrow.parquet as pq

        if not source.head():
            return
        with readable(source.name, "Parquet"):
            file = pq.ParquetFile(source.whole())
            yield from rows_of_batches(file.iter_batches(batch_size=_BATCH))


FORMATS.register("parquet")(ParquetFormat())
