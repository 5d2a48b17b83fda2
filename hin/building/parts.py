"""A batch of records in columns with vocabularies of their own: what a worker hands to the graph builder.

Names are numbered in the order of first mention within the batch. Parts that are merged in the order of the batches
therefore give the numbers that one pass over all records would give, wherever the batches begin and end.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hin.reading.records import RecordBatch
from hin.text.tokenize import Tokenizer, Vocabulary

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Lists", "Part", "part_of"]

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


def part_of(batch: RecordBatch) -> Part:
    """Return one batch as a part: its texts cut into terms, its names numbered. This is what workers do.

    Examples
    --------
    >>> part = part_of(RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)]))
    >>> part.ids, part.fields["year"].names, part.tokens.tolist()
    (['p1'], ['2008'], [0, 1])
    """
    import pyarrow as pa

    tokenizer = Tokenizer()
    joined = [texts[0] if len(texts) == 1 else _BETWEEN_TEXTS.join(texts) for texts in batch.texts]
    tokens, breaks, lengths = tokenizer.add(joined)
    return Part(
        ids=batch.ids,
        where=batch.where,
        texts=[pa.array(column, type=pa.large_string()) for column in zip(*batch.texts, strict=True)],
        fields={name: _lists(rows) for name, rows in batch.metadata.items()},
        links={name: _lists(rows) for name, rows in batch.links.items()},
        labels=batch.labels,
        vocabulary=tokenizer.vocabulary(),
        tokens=tokens,
        breaks=breaks,
        lengths=lengths,
    )


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
