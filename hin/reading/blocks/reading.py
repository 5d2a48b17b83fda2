"""One block into a part, on any worker."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from hin.building.parts import Part, PartMaker
from hin.reading.blocks.block import Block
from hin.reading.documents import BatchReader
from hin.reading.formats import FORMATS
from hin.reading.inputs.files import shown
from hin.reading.limits import Limits, RecordTooLongError
from hin.reading.problems import Problem, Rejects
from hin.reading.records import BATCH_SIZE

if TYPE_CHECKING:
    from hin.reading.formats import Row
    from hin.reading.options import ReadOptions
    from hin.reading.record_maker import RecordMaker

__all__ = ["Before", "BlockResult", "Reading", "read_block"]


@dataclass(frozen=True)
class Reading:
    """What every block is read with: all files, the options, and what the first records settled.

    `collector` makes what takes the batches of a block in (`add`) and gives the part (`finish`); `scratch` is where a
    worker that does not share our memory puts the texts.
    """

    files: list[str]
    options: ReadOptions
    maker: RecordMaker
    drop_duplicates: bool = False
    scratch: Path | None = None
    collector: Callable[[], Any] = PartMaker


@dataclass(frozen=True)
class Before:
    """What a block must know of those before it to be read as in one pass: ids and texts that are taken."""

    seen: dict[str, tuple[int, int]] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    digests: frozenset[bytes] = frozenset()


@dataclass
class BlockResult:
    """What one block gave: its documents, its bad records in order, what its records told of the fields."""

    part: Any
    lines: list[int]
    problems: list[Problem]
    maker: RecordMaker
    inputs: list[dict[str, Any]]
    digests: set[bytes]
    duplicates: int
    texts: Path | None = None


class _Kept(Rejects):
    """Bad records, kept for whoever puts the blocks together."""

    def __init__(self) -> None:
        super().__init__(None)
        self.problems: list[Problem] = []

    def add(self, file: str, problem: Problem) -> None:
        super().add(file, problem)
        self.problems.append(problem)


class _BlockReader(BatchReader):
    """Reads one block as the whole would be read."""

    def __init__(self, reading: Reading, block: Block, on_error: Any, before: Before) -> None:
        drop = reading.drop_duplicates
        super().__init__([block.file], reading.options, on_error, None, before.known, drop_duplicates=drop)
        self.block = block
        self.files = reading.files
        self._own_names = {block.number: self._own_names[0]}
        self.rejects: _Kept = _Kept()
        self._maker = copy.deepcopy(reading.maker)
        self._settled = True
        self._seen = dict(before.seen)
        self._digests = set(before.digests)

    def __iter__(self) -> Iterator[Any]:
        pending: list[tuple[int, int, Any, bytes]] = []
        rows = (
            self._rows(self.block.number, self.block.file)
            if self.block.kind == "whole"
            else _rows(self.block, self.options.limits)
        )
        for line, value, raw in rows:
            pending.append((self.block.number, line, value, raw))
            if len(pending) >= BATCH_SIZE:
                yield from self._batch(pending)
                pending = []
        yield from self._batch(pending)

    def result(self, part: Any) -> BlockResult:
        lines = [line for _, line in part.where]
        found = (self.rejects.problems, self._maker, self.inputs, self._digests, self.duplicates)
        return BlockResult(part, lines, *found)


def read_block(
    reading: Callable[[], Reading], block: Block, on_error: Any = "skip", before: Before | None = None
) -> BlockResult:
    """Read, make records, cut into terms."""
    told = reading()
    reader = _BlockReader(told, block, on_error, before or Before())
    parts = told.collector()
    for batch in reader:
        parts.add(batch)
    part = parts.finish()
    result = reader.result(part)
    part.where = []  # told once, as lines
    if told.scratch is not None and isinstance(part, Part) and len(part):
        result.texts = told.scratch / f"part-{uuid4().hex}.arrow"
        _write_texts(result.texts, part)
    return result


def _write_texts(path: Path, part: Part) -> None:
    """Put the texts into a file that the driver reads: they need not go through its memory."""
    import pyarrow as pa

    table = pa.table(part.texts, names=[str(i) for i in range(len(part.texts))])
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    part.texts = []


class _Text:
    """A block as a format sees a file: the text, with the line of the columns' names put before it."""

    def __init__(self, block: Block, limits: Limits) -> None:
        self.file = block.file
        self.name = shown(block.file)
        self.packed = False
        self.columns = None
        self.limits = limits
        self._bytes = block.head + block.bytes()

    def head(self) -> bytes:
        return self._bytes[: 1 << 16]

    def text(self) -> Iterator[bytes]:
        yield self._bytes


def _rows(block: Block, limits: Limits) -> Iterator[Row]:
    """Yield the rows of a block, with the lines they have in the file."""
    if block.kind == "groups":
        yield from _group_rows(block)
        return
    shift = block.before - block.head.count(b"\n")
    try:
        for line, value, raw in FORMATS.get(block.format).rows(_Text(block, limits)):  # type: ignore[arg-type]
            moved = replace(value, line=value.line + shift) if isinstance(value, Problem) else value
            yield line + shift, moved, raw
    except RecordTooLongError as long:
        yield long.line + shift, replace(long.problem(), line=long.line + shift), b""


def _group_rows(block: Block) -> Iterator[Row]:
    import pyarrow.parquet as pq

    from hin.reading.parsers.arrow_cells import readable, rows_of_batches

    groups = list(range(block.start, block.stop))
    with readable(shown(block.file), "Parquet"):
        batches = pq.ParquetFile(block.file).iter_batches(batch_size=BATCH_SIZE, row_groups=groups)
        for row, value, raw in rows_of_batches(batches):
            yield block.before + row, value, raw
