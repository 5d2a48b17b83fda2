"""Documents as sequences for the CNN: metadata instances, then the text, truncated to a fixed length (section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hin.arrays.types import Int32, Int64, Ints
from hin.graph import Csr

#: Offsets and ids, as in `Sequences`.
Rows = tuple[Int64, Int32]


class Sequences(NamedTuple):
    """Rows of motif-instance ids: row i is ``ids[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> Sequences.of([[3, 1], [], [2]]).row(0).tolist()
    [3, 1]
    """

    offsets: Int64
    ids: Int32

    @classmethod
    def of(cls, rows: list[list[int]]) -> Sequences:
        """Make sequences from Python lists."""
        made = Csr.from_lists(rows)
        return cls(made.offsets, made.targets)

    @classmethod
    def joined(cls, parts: Sequence[Sequences]) -> Sequences:
        """Concatenate the rows of several.

        >>> Sequences.joined([Sequences.of([[1]]), Sequences.of([[2, 3]])]).offsets.tolist()
        [0, 1, 3]
        """
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        made = Csr.from_lengths(lengths, np.concatenate([part.ids for part in parts]))
        return cls(made.offsets, made.targets)

    @property
    def n_documents(self) -> int:
        """How many rows there are (`len` of a named tuple counts its fields)."""
        return len(self.offsets) - 1

    @property
    def mean_length(self) -> int:
        """The mean length of the rows, at least 1.

        >>> Sequences.of([[1, 2, 3], [4]]).mean_length, Sequences.of([[]]).mean_length
        (2, 1)
        """
        return max(1, round(len(self.ids) / max(1, self.n_documents)))

    def row(self, i: int) -> Int32:
        """Return the ids of one row."""
        return self.ids[self.offsets[i] : self.offsets[i + 1]]


def take_sequences(sequences: Sequences, rows: Ints) -> Sequences:
    """Return rows in the order given; they may repeat.

    >>> take_sequences(Sequences.of([[1], [2, 3]]), np.array([1, 1])).ids.tolist()
    [2, 3, 2, 3]
    """
    taken = Csr(sequences.offsets, sequences.ids).take(rows)
    return Sequences(taken.offsets, taken.targets)


def keep_known(offsets: Int64, ids: Int32) -> Rows:
    """Drop ids of -1.

    >>> [part.tolist() for part in keep_known(np.array([0, 2, 3]), np.array([4, -1, -1], dtype=np.int32))]
    [[0, 1, 1], [4]]
    """
    known = ids >= 0
    before = np.concatenate([[0], np.cumsum(known)])
    return before[offsets].astype(np.int64), ids[known]


def side_by_side(parts: Sequence[Rows], n_documents: int, length: int) -> Sequences:
    """Concatenate the parts within every row, and truncate rows to `length`.

    >>> side_by_side([Sequences.of([[1], [2]]), Sequences.of([[3, 4], []])], 2, 2).row(0).tolist()
    [1, 3]
    """
    lengths = np.zeros((len(parts), n_documents), dtype=np.int64)
    room = np.full(n_documents, length, dtype=np.int64)
    for k, (part_offsets, _) in enumerate(parts):
        lengths[k] = np.minimum(np.diff(part_offsets), room)
        room -= lengths[k]
    offsets = np.zeros(n_documents + 1, dtype=np.int64)
    np.cumsum(lengths.sum(axis=0), out=offsets[1:])
    ids = np.empty(offsets[-1], dtype=np.int32)
    start = offsets[:-1].copy()
    for k, (part_offsets, part_ids) in enumerate(parts):
        first = np.concatenate([[0], np.cumsum(lengths[k])])[:-1]
        within = np.arange(lengths[k].sum()) - np.repeat(first, lengths[k])
        ids[np.repeat(start, lengths[k]) + within] = part_ids[np.repeat(part_offsets[:-1], lengths[k]) + within]
        start += lengths[k]
    return Sequences(offsets, ids)
