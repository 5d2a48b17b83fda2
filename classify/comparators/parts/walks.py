"""Random walks over the nodes of a graph: guided by meta-paths, or free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from classify.comparators.parts.nodes import NumberedNodes
from classify.documents.sequences import Sequences
from hin.arrays.types import Int32, Int64, Ints


class NeighboursByKind(NamedTuple):
    """The neighbours of each node by kind; the kind after the last is any."""

    offsets: Int64
    targets: Int32


def neighbours_by_kind(nodes: NumberedNodes) -> NeighboursByKind:
    """Group the neighbours of each node by kind; the last group has those of any kind."""
    parts = [nodes.neighbours(kind) for kind in range(len(nodes.names))] + [nodes.edges]
    before = np.concatenate([[0], np.cumsum([part.nnz for part in parts])])
    offsets = np.stack([part.indptr.astype(np.int64) + start for part, start in zip(parts, before, strict=False)])
    return NeighboursByKind(offsets, np.concatenate([part.indices for part in parts]).astype(np.int32))


def meta_path(nodes: NumberedNodes, fields: Sequence[str]) -> tuple[int, ...]:
    """Return the kinds that a walk which begins at a document steps to, over and over.

    The paper's path VENUE→PAPER→YEAR is walked there and back: paper, venue, paper, year, paper, venue.

    Examples
    --------
    >>> from classify.categories.category_file import Category
    >>> from classify.comparators import Task
    >>> from classify.comparators.parts.nodes import nodes_of
    >>> from motifs.samples import tiny_graph
    >>> nodes = nodes_of(Task(tiny_graph(), (Category("web"),), patterns=("venue-year",), min_count=1))
    >>> [nodes.names[kind] for kind in meta_path(nodes, ["venue", "year"])]
    ['venue', 'document', 'year', 'document']
    """
    return tuple(kind for name in fields for kind in (nodes.names.index(name), 0))


def walk_along(
    neighbours: NeighboursByKind,
    starts: Ints,
    kinds: Sequence[int],
    length: int,
    seed: Sequence[int],
) -> Sequences:
    """Return a walk from each start, stepping to the `kinds` in turn; walks of a single node are left out."""
    from classify.comparators.parts.walk_kernel import walk

    key = np.random.SeedSequence(list(seed)).generate_state(1, np.uint64)[0]
    walks = np.empty((len(starts), length), dtype=np.int32)
    lengths = np.empty(len(starts), dtype=np.int64)
    begin = np.ascontiguousarray(starts, dtype=np.int64)
    walk(begin, length, np.array(kinds, np.int64), neighbours.offsets, neighbours.targets, key, walks, lengths)
    walks, lengths = walks[lengths > 1], lengths[lengths > 1]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Sequences(offsets, walks[np.arange(length) < lengths[:, None]])
