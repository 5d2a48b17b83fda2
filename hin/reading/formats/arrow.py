"""Arrow's own files and streams, and Feather."""

from __future__ import annotations

from collections.abc import Iterator

from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.source import Source
from hin.reading.parsers.arrow_cells import readable, rows_of_batches

#: The first bytes of a stream.
STREAM = b"\xff\xff\xff\xff"


class ArrowFormat:
    """Columns as they lie in memory: the file format (Feather version 2 is the same), or a stream."""

    endings = (".arrow", ".feather", ".ipc", ".arrows")

    def matches(self, head: bytes) -> bool:
        """Recognise Arrow files by their magic bytes."""
        return head.startswith((b"ARROW1", b"FEA1", STREAM))

    def rows(self, source: Source) -> Iterator[Row]:
        """Read the rows, batch by batch."""
        import pyarrow as pa
        import pyarrow.feather as feather

        if not (head := source.head()):
            return
        with readable(source.name, "Arrow"):
            if head.startswith(b"FEA1"):
                yield from rows_of_batches(feather.read_table(source.whole()).to_batches(4096))
            elif head.startswith(STREAM):
                yield from rows_of_batches(pa.ipc.open_stream(source.whole()))
            else:
                file = pa.ipc.open_file(source.whole())
                yield from rows_of_batches(file.get_batch(i) for i in range(file.num_record_batches))


FORMATS.register("arrow")(ArrowFormat())
