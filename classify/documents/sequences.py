"""Documents as the classifier reads them: metadata instances, then the text, cut at a fixed length (section 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from hin.graph import Graph
    from motifs import MotifSet

__all__ = ["Sequences", "build_sequences", "join_sequences", "take_sequences"]


class Sequences(NamedTuple):
    """Rows of motif-instance ids: row i is ``ids[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> Sequences.of([[3, 1], [], [2]]).row(0).tolist()
    [3, 1]
    """

    offsets: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int32]

    @classmethod
    def of(cls, rows: list[list[int]]) -> Sequences:
        """Make sequences from Python lists."""
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        return cls(offsets, np.array([i for row in rows for i in row], dtype=np.int32))

    @property
    def n_documents(self) -> int:
        """How many rows there are (`len` of a named tuple counts its fields)."""
        return len(self.offsets) - 1

    def row(self, i: int) -> npt.NDArray[np.int32]:
        """The ids of one row."""
        return self.ids[self.offsets[i] : self.offsets[i + 1]]


def build_sequences(graph: Graph, motif_set: MotifSet, length: int = 200) -> Sequences:
    """Write every document as its metadata instances and then its terms, at most `length` in all.

    Metadata come field by field, as in the paper's example (authors, venue, year, text). Only single nodes that are
    instances of the motif set have a vector and so a place; combinations such as venue-year are not part of the input.

    Examples
    --------
    >>> from types import SimpleNamespace as Fake
    >>> from hin.graph import Csr
    >>> star = Fake(is_star=True)
    >>> terms = Fake(pattern=star, fields=("term",), parts=np.array([[0], [2]], dtype=np.int32))
    >>> venues = Fake(pattern=star, fields=("venue",), parts=np.array([[1]], dtype=np.int32))
    >>> motif_set = Fake(tables=(terms, venues), offsets=np.array([0, 2, 3]))
    >>> nodes = {"term": "abc", "venue": "xy"}
    >>> graph = Fake(fields=("venue",), tokens=Csr.from_lists([[2, 1, 0], [0]]), names=nodes.get,
    ...              edges={"venue": Csr.from_lists([[1], [0]])}.get)
    >>> sequences = build_sequences(graph, motif_set)
    >>> [sequences.row(i).tolist() for i in range(2)]
    [[2, 1, 0], [0]]
    """
    parts: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]] = []
    # A path through another document may also end in one node, but that node is not the document's own.
    own = [k for k, table in enumerate(motif_set.tables) if len(table.fields) == 1 and table.pattern.is_star]
    tables = {motif_set.tables[k].fields[0]: k for k in own}
    for field in (*graph.fields, "term"):
        if field not in tables:
            continue
        k = tables[field]
        edges = graph.tokens if field == "term" else graph.edges(field)
        instance = np.full(len(graph.names(field)), -1, dtype=np.int32)
        n = len(motif_set.tables[k].parts)
        instance[motif_set.tables[k].parts[:, 0]] = np.arange(n, dtype=np.int32) + np.int32(motif_set.offsets[k])
        parts.append(_keep_known(edges.offsets, instance[edges.targets]))
    n_documents = len(graph.tokens.offsets) - 1
    return _concatenate(parts, n_documents, length)


def take_sequences(sequences: Sequences, rows: npt.NDArray[np.integer]) -> Sequences:
    """Pick rows, in the order given, repeats allowed.

    >>> take_sequences(Sequences.of([[1], [2, 3]]), np.array([1, 1])).ids.tolist()
    [2, 3, 2, 3]
    """
    lengths = np.diff(sequences.offsets)[rows]
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    source = np.repeat(sequences.offsets[:-1][rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
    return Sequences(offsets, sequences.ids[source])


def join_sequences(first: Sequences, second: Sequences) -> Sequences:
    """Put the rows of the second below those of the first.

    >>> join_sequences(Sequences.of([[1]]), Sequences.of([[2, 3]])).offsets.tolist()
    [0, 1, 3]
    """
    offsets = np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]])
    return Sequences(offsets, np.concatenate([first.ids, second.ids]))


def _keep_known(
    offsets: npt.NDArray[np.int64], ids: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Drop ids of -1."""
    known = ids >= 0
    before = np.concatenate([[0], np.cumsum(known)])
    return before[offsets].astype(np.int64), ids[known]


def _concatenate(
    parts: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]], n_documents: int, length: int
) -> Sequences:
    """Lay the parts side by side in every row, and cut rows at `length`."""
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
