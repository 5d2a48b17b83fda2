"""The documents of a reader as parts, read block by block on an engine, with the errors that one pass would raise."""

from __future__ import annotations

import copy
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hin.building.parts import PartMaker
from hin.engines.base import Engine, absolute
from hin.reading.blocks.block import BLOCK_BYTES, Block
from hin.reading.blocks.cutting import blocks_of
from hin.reading.blocks.reading import Before, BlockResult, Reading, read_block
from hin.reading.documents import BatchReader
from hin.reading.inputs.files import shown
from hin.reading.options import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["read_parts"]


def read_parts(
    reader: BatchReader,
    engine: Engine,
    ids: Mapping[str, int],
    scratch: Path | None = None,
    size: int | None = None,
    collector: Callable[[], Any] = PartMaker,
) -> Iterator[Any]:
    """Read what the reader would read, on the engine; the reader knows afterwards what it would know.

    Parameters
    ----------
    ids : mapping
        The ids of all documents taken so far, by position; the caller adds each part's before it asks for the next.
    scratch : Path, optional
        A folder that all workers see, for texts.
    collector : callable
        Makes what takes the batches of a block in (`add`) and gives its part (`finish`).
    """
    if reader.one_pass:
        yield from _in_one_pass(reader, collector)
        return
    blocks = _Blocks(reader, engine, size or BLOCK_BYTES)
    if blocks.is_one() or not reader.settle_ahead():
        yield from _in_one_pass(reader, collector)  # nothing to share out, or nothing to go by
        return
    try:
        yield from _Merging(reader, engine, ids, scratch, collector).parts(blocks)
        reader.inputs = [blocks.inputs[number] for number in sorted(blocks.inputs)]
        reader.finish()
    finally:
        reader.rejects.close()


def _in_one_pass(reader: BatchReader, collector: Callable[[], Any]) -> Iterator[Any]:
    for batch in reader:
        one = collector()
        one.add(batch)
        yield one.finish()


class _Blocks:
    """The blocks of all files: cut while they are read here, or beforehand by workers elsewhere."""

    def __init__(self, reader: BatchReader, engine: Engine, size: int) -> None:
        self.inputs: dict[int, dict[str, Any]] = {}
        self._files = reader.files
        self._tell = reader.tell
        self._found = self._here(reader, size) if engine.here else self._there(reader, engine, size)
        self._first: list[Block] = []

    def is_one(self) -> bool:
        """Return whether there are fewer than two blocks."""
        self._first = list(islice(self._found, 2))
        return len(self._first) < 2

    def __iter__(self) -> Iterator[Block]:
        while self._first:
            yield self._first.pop(0)
        yield from self._found

    def read(self, number: int, inputs: dict[str, Any]) -> None:
        """Remember the name, size and hash of a file."""
        self.inputs[number] = {**inputs, "file": shown(self._files[number])}
        self._tell(sum(entry["bytes"] for entry in self.inputs.values()))

    def _here(self, reader: BatchReader, size: int) -> Iterator[Block]:
        options = reader.options
        for number, file in enumerate(reader.files):
            before = sum(entry["bytes"] for entry in self.inputs.values())
            tell = partial(_tell_more, self._tell, before)
            asked = (options.columns, options.limits, options.encoding)
            yield from self._cut(number, blocks_of(number, file, options.format, size, True, tell, *asked))

    def _there(self, reader: BatchReader, engine: Engine, size: int) -> Iterator[Block]:
        files = absolute(reader.files)
        options = reader.options
        work = partial(_cut, options=options, size=size)
        for number, items in enumerate(engine.map(work, list(enumerate(files)))):
            yield from self._cut(number, items)

    def _cut(self, number: int, items: Iterable[Block | dict[str, Any]]) -> Iterator[Block]:
        for item in items:
            if isinstance(item, Block):
                yield item
            else:
                self.read(number, item)


def _tell_more(tell: Any, before: int, done: int) -> None:
    tell(before + done)


def _cut(file: tuple[int, str], options: ReadOptions, size: int) -> list[Block | dict[str, Any]]:
    return list(
        blocks_of(
            *file,
            options.format,
            size,
            held=False,
            columns=options.columns,
            limits=options.limits,
            encoding=options.encoding,
        )
    )


class _Merging:
    """Puts results together in the order of the blocks."""

    def __init__(
        self,
        reader: BatchReader,
        engine: Engine,
        ids: Mapping[str, int],
        scratch: Path | None,
        collector: Callable[[], Any],
    ) -> None:
        self.reader = reader
        self.engine = engine
        self.ids = ids
        maker = copy.deepcopy(reader.maker)
        self.told = Reading(reader.files, reader.options, maker, reader.drop_duplicates, None, collector)
        self.shared = self.told if engine.here else replace(self.told, scratch=scratch)
        #: The file and line of each document, by position after those that were in the graph.
        self.before = len(ids)
        self.files, self.lines = array("i"), array("q")

    def parts(self, blocks: _Blocks) -> Iterator[Any]:
        """Yield the parts of all blocks."""
        waiting: deque[Block] = deque()

        def fed() -> Iterator[Block]:
            for block in blocks:
                waiting.append(block)
                yield block

        for result in self.engine.map(partial(read_block, self.engine.share(self.shared)), fed()):
            block = waiting.popleft()
            result = self._as_in_one_pass(block, result)
            for inputs in result.inputs:
                blocks.read(block.number, inputs)
            for problem in result.problems:
                self.reader.rejects.add(shown(self.reader.files[block.number]), problem)
            self.reader.maker.absorb(result.maker)
            self.reader.take_texts(result.digests, result.duplicates)
            self.reader.documents += len(result.part)
            self.files.extend([block.number] * len(result.part))
            self.lines.extend(result.lines)
            yield _with_texts(result)

    def _as_in_one_pass(self, block: Block, result: BlockResult) -> BlockResult:
        """Read a block again here, where only one that knows what came before can tell what is wrong with it."""
        known = self.reader.known_ids
        taken = [name for name in result.part.ids if name in self.ids or name in known]
        again = self.reader.texts_before(result.digests) if self.told.drop_duplicates else frozenset()
        if not taken and not again and not (result.problems and self.reader.on_error == "stop"):
            return result
        if result.texts is not None:
            result.texts.unlink(missing_ok=True)
        seen = {name: self._place(name) for name in taken if name not in known and name in self.ids}
        before = Before(seen, frozenset(name for name in taken if name in known), again)
        return read_block(lambda: self.told, block, self.reader.on_error, before)

    def _place(self, name: str) -> tuple[int, int]:
        position = self.ids[name] - self.before
        return self.files[position], self.lines[position]


def _with_texts(result: BlockResult) -> Any:
    """Return the part, with the texts that a worker left in a file."""
    if result.texts is not None:
        import pyarrow as pa

        with pa.OSFile(str(result.texts), "rb") as file:  # not mapped: the file is about to go
            table = pa.ipc.open_file(file).read_all()
        result.part.texts = [column.combine_chunks() for column in table.columns]
        result.texts.unlink()
    return result.part
