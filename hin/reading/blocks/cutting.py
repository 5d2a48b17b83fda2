"""Cut files into blocks: JSON Lines at any newline, tables where a row ends, Parquet between row groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from hin.errors import BadInput
from hin.reading.blocks.block import Block
from hin.reading.formats import FORMATS, format_of
from hin.reading.inputs.source import Source
from hin.reading.limits import Limits
from hin.reading.parsers.delimited import delimiter_of, is_header

__all__ = ["blocks_of"]

#: Tells, of a text that starts with a row, where its last whole row ends, 0 if none does, -1 if it is no table.
_Ends = Callable[[bytes], int]
_MARK = b"\xef\xbb\xbf"


def blocks_of(
    number: int,
    file: str,
    wanted: str | None,
    size: int,
    held: bool,
    tell: Callable[[int], None] = lambda done: None,
    columns: Sequence[str] | None = None,
    limits: Limits | None = None,
    encoding: str | None = None,
) -> Iterator[Block | dict[str, Any]]:
    """Yield the blocks of a file, and at last its name, size and hash, unless the file is not cut.

    Parameters
    ----------
    held : bool
        Put the bytes into the blocks, for workers that share this memory; else say where they are in the file.
    columns : sequence of str, optional
        Names for the columns of a table that has none; such a table is not cut.
    """
    plain = Block(number, file)
    try:
        with Source(file, tell, columns, limits, encoding) as source:
            name = _name(format_of(source, wanted))
            head = source.head().removeprefix(_MARK)
            plain_file = source.place.is_plain_file and source.part is None and not source.packed
            if not (held or plain_file) or not head or source.encoding is not None:
                yield plain
            elif name in ("json", "jsonl") and head.lstrip()[:1] != b"[":
                yield from _text_blocks(plain, source, name, size, held, b"", _last_line)
            elif name in ("csv", "tsv") and columns is None and (row := _header(head, name)) is not None:
                yield from _text_blocks(plain, source, name, size, held, *row)
            elif name == "parquet" and plain_file:
                yield from _group_blocks(plain, source, size)
            else:
                yield plain
    except BadInput:
        yield plain  # whoever reads it as a whole says what is wrong, in its place among the records


def _name(kind: Any) -> str | None:
    return next((name for name in FORMATS.names() if FORMATS.get(name) is kind), None)


def _text_blocks(
    plain: Block, source: Source, name: str, size: int, held: bool, head: bytes, ends: _Ends
) -> Iterator[Block | dict[str, Any]]:
    """Cut a text; a file of one block is not cut."""
    start = len(_MARK) if source.head().startswith(_MARK) else 0
    before, text, whole = 0, b"", True

    def block(data: bytes) -> Block:
        where = (start, start + len(data), before)
        return Block(plain.number, plain.file, "text", name, *where, head if before else b"", data if held else None)

    for chunk in source.text():
        text += chunk
        while len(text) >= size:
            end = ends(text[:size]) or ends(text)  # a row may be longer than a block
            if end < 0:  # not a table that can be cut: the rest is one block
                ends, end = _never, 0
            if not end and len(text) > source.limits.record + size:  # whoever reads the block says that it is too long
                yield plain if whole else block(text)
                yield from () if whole else (source.inputs(),)
                return
            if not end:
                break
            yield block(text[:end])
            before += text.count(b"\n", 0, end)
            start, text, whole = start + end, text[end:], False
    if text and whole:
        yield plain
        return
    if text:
        yield block(text)
    yield source.inputs()


def _last_line(text: bytes) -> int:
    return text.rfind(b"\n") + 1


def _never(text: bytes) -> int:
    return 0


def _header(head: bytes, name: str) -> tuple[bytes, _Ends] | None:
    """Return a table's first line, and how its rows end; None where it is no header that every block could be read
    with.
    """
    from hin.reading.blocks.table_kernel import row_ends

    default = "\t" if name == "tsv" else ","
    line = head[: head.find(b"\n") + 1]
    if not line or b'"' in line or not is_header(line, default):
        return None
    delimiter = ord(delimiter_of(line.decode("utf-8"), default))

    def ends(text: bytes) -> int:
        return int(row_ends(np.frombuffer(text, dtype=np.uint8), delimiter))

    return line, ends


def _group_blocks(plain: Block, source: Source, size: int) -> Iterator[Block | dict[str, Any]]:
    """Row groups, as many to a block as make up its size."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        meta = pq.ParquetFile(plain.file).metadata
    except (pa.ArrowException, OSError, ValueError):
        yield plain
        return
    first, before, held, rows = 0, 0, 0, 0
    for group in range(meta.num_row_groups):
        held += meta.row_group(group).total_byte_size
        rows += meta.row_group(group).num_rows
        if held >= size or group + 1 == meta.num_row_groups:
            if not first and group + 1 == meta.num_row_groups:
                yield plain
                return
            yield Block(plain.number, plain.file, "groups", "parquet", first, group + 1, before)
            first, before, held = group + 1, rows, 0
    yield source.inputs()
