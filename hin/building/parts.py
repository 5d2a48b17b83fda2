"""The records of one block in columns with vocabularies of their own: what a worker hands to the graph builder.

Names are numbered in the order of first mention within the block. Parts that are merged in the order of the blocks
therefore give the numbers that one pass over all records would give, wherever the blocks begin and end.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.reading.records import RecordBatch
from hin.text.tokenize import Tokenizer, Vocabulary

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Lists", "Part", "PartMaker", "part_of"]

#: Put between the texts of one document: a break that no phrase goes over.
_BETWEEN_TEXTS = "\n\n\u2029"


@dataclass
class Lists:
    """One list of names a document: the distinct names, which ones each document has, and how many."""

    names: list[str]
    targets: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int32]


@dataclass
class Part:
    """Some documents, one after the other.

    Attributes
    ----------
    ids : list of str
    where : list of (file, line)
        For messages.
    texts : list of Arrow arrays, one a text field
    fields, links : dict of Lists
    labels : list of what each document has: one, several or none
    vocabulary, tokens, breaks, lengths
        The distinct terms, their numbers in text order, where something other than space stood before one, and how
        many terms each document has.
    """

    ids: list[str]
    where: list[tuple[str, int]]
    texts: list[pa.Array]
    fields: dict[str, Lists]
    links: dict[str, Lists]
    labels: list[str | tuple[str, ...] | None]
    vocabulary: Vocabulary
    tokens: npt.NDArray[np.int32]
    breaks: npt.NDArray[np.uint8]
    lengths: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


class _ListMaker:
    """A growing table of names with one list of them a document."""

    def __init__(self, rows: int = 0) -> None:
        self.positions: dict[str, int] = {}
        self.targets = array("i")
        self.lengths = array("i", [0]) * rows

    def add(self, rows: Iterable[list[str]]) -> None:
        positions, targets, lengths = self.positions, self.targets, self.lengths
        for row in rows:
            if len(row) == 1:
                targets.append(positions.setdefault(row[0], len(positions)))
                lengths.append(1)
                continue
            # A value given twice is one edge; the order of first mention is kept.
            distinct = dict.fromkeys(row)
            for value in distinct:
                targets.append(positions.setdefault(value, len(positions)))
            lengths.append(len(distinct))

    def lists(self) -> Lists:
        return Lists(list(self.positions), np.array(self.targets, np.int32), np.array(self.lengths, np.int32))


class PartMaker:
    """Collects batches of records into one part.

    Examples
    --------
    >>> maker = PartMaker()
    >>> maker.add(RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)]))
    >>> part = maker.finish()
    >>> part.ids, part.fields["year"].names, part.tokens.tolist()
    (['p1'], ['2008'], [0, 1])
    """

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._where: list[tuple[str, int]] = []
        self._texts: list[list[Any]] = []
        self._fields: dict[str, _ListMaker] = {}
        self._links: dict[str, _ListMaker] = {}
        self._labels: list[str | tuple[str, ...] | None] = []
        self._tokenizer = Tokenizer()
        self._tokens: list[tuple[Any, Any, Any]] = []

    def add(self, batch: RecordBatch) -> None:
        """Take one batch in."""
        import pyarrow as pa

        before = len(self._ids)
        self._ids += batch.ids
        self._where += batch.where
        for lists, columns in ((self._fields, batch.metadata), (self._links, batch.links)):
            for name in columns:
                if name not in lists:
                    lists[name] = _ListMaker(before)
            for name, column in lists.items():
                column.add(columns.get(name) or [[]] * len(batch))
        self._labels += batch.labels
        if batch.texts:
            columns_of_text = zip(*batch.texts, strict=True)
            self._texts.append([pa.array(part, type=pa.large_string()) for part in columns_of_text])
        joined = [parts[0] if len(parts) == 1 else _BETWEEN_TEXTS.join(parts) for parts in batch.texts]
        self._tokens.append(self._tokenizer.add(joined))

    def finish(self) -> Part:
        """Return the part; the maker is used up."""
        import pyarrow as pa

        texts = [pa.concat_arrays(column) for column in zip(*self._texts, strict=True)]
        empty = (np.zeros(0, np.int32), np.zeros(0, np.uint8), np.zeros(0, np.int64))
        tokens, breaks, lengths = (np.concatenate(column) for column in zip(*(self._tokens or [empty]), strict=True))
        return Part(
            self._ids,
            self._where,
            texts,
            {name: maker.lists() for name, maker in self._fields.items()},
            {name: maker.lists() for name, maker in self._links.items()},
            self._labels,
            self._tokenizer.vocabulary(),
            tokens,
            breaks,
            lengths,
        )


def part_of(batch: RecordBatch) -> Part:
    """Return one batch as a part.

    >>> len(part_of(RecordBatch(["p1"], [("Mining graphs",)], {}, [None], {}, [("-", 1)])))
    1
    """
    maker = PartMaker()
    maker.add(batch)
    return maker.finish()
