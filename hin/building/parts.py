"""A batch of records in columns with vocabularies of their own: what the graph builder takes.

Names are numbered in the order of first mention within the batch. Parts that are merged in the order of the batches
therefore give the numbers that one pass over all records would give, wherever the batches begin and end.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Int32, Int64
from hin.reading.records import RecordBatch
from hin.text.tokenize import Tokenizer, Vocabulary

if TYPE_CHECKING:
    import pyarrow as pa

    from hin.engines.base import Engine

#: Stands between the texts of one document: a break that no phrase crosses.
_BETWEEN_TEXTS = "\n\n\u2029"


@dataclass
class Lists:
    """One list of names per document: the distinct names, the names of each document, and their number."""

    names: list[str]
    targets: Int32
    lengths: Int32


@dataclass
class Part:
    """Some documents, one after the other.

    Attributes
    ----------
    ids : list of str
    where : list of (file, line)
        For messages.
    texts : list of Arrow arrays, one per text field
    fields, links : dict of Lists
    labels : list of what each document has: one, several or none
    """

    ids: list[str]
    where: list[tuple[str, int]]
    texts: list[pa.Array]
    fields: dict[str, Lists]
    links: dict[str, Lists]
    labels: list[str | tuple[str, ...] | None]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass
class Terms:
    """The terms of a part's texts.

    `vocabulary` has the distinct ones, `tokens` their numbers in text order, `breaks` where something other than space
    stood before one, `lengths` how many each document has.
    """

    vocabulary: Vocabulary
    tokens: Int32
    breaks: npt.NDArray[np.uint8]
    lengths: Int64


def part_of(batch: RecordBatch) -> Part:
    """Return one batch as a part, its names numbered.

    >>> part_of(RecordBatch(["p1"], [("Graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])).fields["year"].names
    ['2008']
    """
    import pyarrow as pa

    return Part(
        ids=batch.ids,
        where=batch.where,
        texts=[pa.array(column, type=pa.large_string()) for column in zip(*batch.texts, strict=True)],
        fields={name: _lists(rows) for name, rows in batch.metadata.items()},
        links={name: _lists(rows) for name, rows in batch.links.items()},
        labels=batch.labels,
    )


def terms_of(texts: Sequence[pa.Array]) -> Terms:
    """Cut the texts of a part into terms: the work of an engine's workers.

    >>> import pyarrow as pa
    >>> terms_of([pa.array(["Mining graphs", "On graphs"], pa.large_string())]).tokens.tolist()
    [0, 1, 2, 1]
    """
    tokenizer = Tokenizer()
    rows = zip(*(column.to_pylist() for column in texts), strict=True)
    tokens, breaks, lengths = tokenizer.add([_BETWEEN_TEXTS.join(row) for row in rows])
    return Terms(tokenizer.vocabulary(), tokens, breaks, lengths)


def parts_with_terms(engine: Engine, batches: Iterable[RecordBatch]) -> Iterator[tuple[Part, Terms]]:
    """Yield each batch as a part, with its terms from the engine's workers; only texts travel there."""
    waiting: deque[Part] = deque()

    def texts() -> Iterator[list[pa.Array]]:
        for batch in batches:
            waiting.append(part_of(batch))
            yield waiting[-1].texts

    for terms in engine.map(terms_of, texts()):
        yield waiting.popleft(), terms


def _lists(rows: Iterable[list[str]]) -> Lists:
    positions: dict[str, int] = {}
    targets, lengths = array("i"), array("i")
    for row in rows:
        # A value given twice is one edge; the order of first mention is kept.
        distinct = row if len(row) == 1 else dict.fromkeys(row)
        for value in distinct:
            targets.append(positions.setdefault(value, len(positions)))
        lengths.append(len(distinct))
    return Lists(list(positions), np.array(targets, np.int32), np.array(lengths, np.int32))
