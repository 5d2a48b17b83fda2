"""The join plan of a short-form pattern: one document, one more node at a time, rare prefixes dropped at once.

An instance's documents are among those of each of its prefixes, so a prefix in fewer than `min_count` documents
cannot lead to an instance: the intermediate results are never larger than the frequent prefixes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hin.arrays.types import Bools, Int32, Int64
from hin.engines.local import core_count
from hin.graph import Csr
from hin.progress import Progress, silent
from motifs.joins.arrays import (
    choices,
    frequent_rows,
    grouped,
    joined_rows,
    pairs_within,
    rows_among,
    transpose,
)
from motifs.joins.join_plan import Estimate, Matched, check_memory

if TYPE_CHECKING:
    from motifs.joins.sorted_edges import Columns
    from motifs.language.pattern import Pattern
    from motifs.options import MotifOptions

#: Node visits in one unit of parallel work; constant, so that the result does not depend on the threads.
_CHUNK_VISITS = 1 << 21


class _Extended(NamedTuple):
    """New instances: the parent, the added node and the number of documents of each, and their documents."""

    parents: Int32
    nodes: Int32
    sizes: Int64
    documents: Int32


@dataclass(frozen=True)
class StarPlan:
    """A plan that joins the document to each of the fields."""

    pattern: Pattern
    columns: Columns
    options: MotifOptions

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The part columns in the order they are joined.

        Two columns cost the same in either order; of three or more, the rarest nodes come first and prune the rest.
        """
        fields = self.pattern.fields
        if len(set(fields)) < 2 or len(fields) < 3:
            return tuple(range(len(fields)))

        def documents_per_node(field: str) -> float:
            sizes = self.columns.documents_of(field, self.options.min_count).degrees()
            return float(sizes.sum() / max(1, np.count_nonzero(sizes)))

        return tuple(sorted(range(len(fields)), key=lambda c: (documents_per_node(fields[c]), fields[c], c)))

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the plan, as text."""
        fields = [self.pattern.fields[c] for c in self.order]
        first = f"documents of each {fields[0]}"
        rest = [
            f"join {field}" + (f" after the {field} before it" if field == before else "")
            for before, field in pairwise(fields)
        ]
        return (first, *(f"{step}, keep instances in >= {self.options.min_count} documents" for step in rest))

    @cached_property
    def per_document(self) -> np.ndarray:
        """The number of candidate instances of each document: a product of binomials of its numbers of nodes."""
        fields, min_count = self.pattern.fields, self.options.min_count
        total = np.ones(len(self.columns.graph), dtype=np.float64)
        for field in dict.fromkeys(fields):
            edges = self.columns.graph.edges(field)
            # one part: sorted rows are only worth building if a document could exceed the limit
            if len(fields) > 1 or edges.degrees().max(initial=0) > self.options.max_per_document:
                edges = self.columns.rows(field, min_count)
            total *= choices(edges, fields.count(field))
        return total

    def estimate(self) -> Estimate:
        """Count the candidates, and find the documents that are left out."""
        return Estimate.of(self.per_document, self.options, len(self.pattern.fields))

    def run(self, progress: Progress = silent) -> Matched:
        """Match the pattern."""
        estimate = self.estimate()
        if self.options.min_count == 1:  # every candidate is an instance-document pair, so the size is known
            check_memory(self.pattern, int(estimate.candidates), estimate.bytes, self.options)
        fields = [self.pattern.fields[c] for c in self.order]
        keep = None
        if len(estimate.skipped):
            keep = np.ones(len(self.columns.graph), dtype=np.bool_)
            keep[estimate.skipped] = False
        if len(fields) == 1:
            parts, level = self._single(fields[0], keep)
        else:
            parts, level = self._pairs(fields[0], fields[1], self._rows(fields[0], keep), progress)
        for before, field in pairwise(fields[1:]):
            above = parts[-1] if field == before else None
            parent, node, level = self._extend(level, above, field, progress)
            parts = [column[parent] for column in parts] + [node]
        return self._in_canonical_order(parts, level, estimate.skipped)

    def split(self, pieces: int) -> list[tuple[int, int]]:
        """Return ranges of the first field's nodes with about equally many documents; none for a single field."""
        if len(self.pattern.fields) < 2:
            return []
        ahead = self.columns.documents_of(self.pattern.fields[self.order[0]], self.options.min_count).offsets
        return _split_evenly(ahead, max(1, int(ahead[-1]) // pieces + 1))

    def run_range(self, nodes: tuple[int, int]) -> tuple[list[Int32], Csr]:
        """Return the instances whose first node, in the order of joining, is in a range: no other range has them."""
        fields = [self.pattern.fields[c] for c in self.order]
        first = self.columns.documents_of(fields[0], self.options.min_count)
        inside = np.zeros(len(first), dtype=np.bool_)
        inside[nodes[0] : nodes[1]] = True
        level = rows_among(first, inside)
        skipped = self.estimate().skipped
        if len(skipped):
            keep = np.ones(len(self.columns.graph), dtype=np.bool_)
            keep[skipped] = False
            level = _among_targets(level, keep)
        parts = [np.arange(len(level), dtype=np.int32)]
        for before, field in pairwise(fields):
            above = parts[-1] if field == before else None
            parent, node, level = self._extend(level, above, field, silent)
            parts = [column[parent] for column in parts] + [node]
        return parts, level

    def combine(self, pieces: list[tuple[list[Int32], Csr]]) -> Matched:
        """Concatenate the results of all ranges, in their order."""
        columns = [np.concatenate(column) for column in zip(*(parts for parts, _ in pieces), strict=True)]
        sizes = np.concatenate([level.degrees() for _, level in pieces])
        documents = np.concatenate([level.targets for _, level in pieces])
        level = Csr.from_lengths(sizes, documents)
        return self._in_canonical_order(columns, level, self.estimate().skipped)

    def _rows(self, field: str, keep: np.ndarray | None) -> Csr:
        rows = self.columns.rows(field, self.options.min_count)
        return rows if keep is None else rows_among(rows, keep)

    def _single(self, field: str, keep: np.ndarray | None) -> tuple[list[Int32], Csr]:
        """Return the instances of one field: the nodes themselves."""
        n_nodes, min_count = self.columns.n_nodes(field), self.options.min_count
        if keep is None:
            found = self.columns.documents_of(field, min_count)
        else:  # without the documents left out, some nodes are too rare
            rows = self._rows(field, keep)
            found = transpose(frequent_rows(rows, rows.in_degrees(n_nodes), min_count), n_nodes)
        nodes = np.flatnonzero(found.degrees()).astype(np.int32)
        return [nodes], Csr(np.append(found.offsets[nodes], found.n_edges), found.targets)

    def _pairs(self, first: str, second: str, rows: Csr, progress: Progress) -> tuple[list[Int32], Csr]:
        """Return the instances of two fields, built document by document if they are few enough to sort at once."""
        other = self.columns.rows(second, self.options.min_count)
        same = first == second
        visits = choices(rows, 2).sum() if same else np.dot(rows.degrees(), other.degrees())
        if visits > _CHUNK_VISITS:  # too many to sort at once: node by node, as for longer instances
            level = transpose(rows, self.columns.n_nodes(first))
            nodes = np.arange(len(level), dtype=np.int32)
            parent, node, level = self._extend(level, nodes if same else None, second, progress)
            return [parent, node], level
        candidates = pairs_within(rows) if same else joined_rows(rows.targets, rows.rows(), other)
        limits = (self.columns.n_nodes(first), self.columns.n_nodes(second), len(rows))
        one, two, sizes, documents = grouped(*candidates, limits, self.options.min_count)
        check_memory(self.pattern, len(one), 2 * one.nbytes + sizes.nbytes + documents.nbytes, self.options)
        return [one, two], Csr.from_lengths(sizes, documents)

    def _extend(self, level: Csr, above: Int32 | None, field: str, progress: Progress) -> tuple[Int32, Int32, Csr]:
        """Extend every instance of a level by one node, in fixed chunks on all threads.

        The new node has to come after `above`, so that equal-typed nodes are distinct and unordered.
        """
        rows = self.columns.rows(field, self.options.min_count)
        n_nodes = self.columns.n_nodes(field)
        ahead = np.concatenate([[0], np.cumsum(rows.degrees()[level.targets])])[level.offsets]

        def work(chunk: tuple[int, int]) -> _Extended:
            first, stop = chunk
            offsets = level.offsets[first : stop + 1]
            owner = np.repeat(np.arange(stop - first, dtype=np.int32), np.diff(offsets))
            instances, nodes, documents = joined_rows(owner, level.targets[offsets[0] : offsets[-1]], rows)
            if above is not None:
                later = nodes > above[first:stop][instances]
                instances, nodes, documents = instances[later], nodes[later], documents[later]
            limits = (stop - first, n_nodes, len(rows))
            parents, added, sizes, holders = grouped(instances, nodes, documents, limits, self.options.min_count)
            return _Extended(parents + np.int32(first), added, sizes, holders)

        done: list[_Extended] = []
        nbytes = 0
        chunks = _split_evenly(ahead, _CHUNK_VISITS)
        threads = core_count() if self.options.threads is None else self.options.threads
        for made in _in_order(work, chunks, threads):
            done.append(made)
            progress(f"joining {self.pattern.name}", len(done), len(chunks))
            nbytes += sum(array.nbytes for array in made)
            check_memory(self.pattern, sum(len(one.nodes) for one in done), nbytes, self.options)
        if not done:
            none = np.empty(0, dtype=np.int32)
            return none, none, Csr(np.zeros(1, dtype=np.int64), none)
        parent, node, size, documents = (np.concatenate(column) for column in zip(*done, strict=True))
        return parent, node, Csr.from_lengths(size, documents)

    def _in_canonical_order(self, parts: list[Int32], level: Csr, skipped: Int64) -> Matched:
        placed = [parts[self.order.index(c)] for c in range(len(parts))]
        table = np.stack(placed, axis=1)
        if self.order != tuple(range(len(parts))):
            order = np.lexsort(tuple(table[:, c] for c in reversed(range(table.shape[1]))))
            table = np.ascontiguousarray(table[order])
            level = level.take(order)
        return Matched(table, level, skipped)


def _in_order(
    work: Callable[[tuple[int, int]], _Extended], chunks: list[tuple[int, int]], threads: int
) -> Iterator[_Extended]:
    """Yield the results of all chunks in their order; after a failure, no further chunk is started."""
    if threads == 1 or len(chunks) < 2:
        yield from map(work, chunks)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(work, chunks)
    finally:
        pool.shutdown(cancel_futures=True)


def _among_targets(edges: Csr, keep: Bools) -> Csr:
    """Return the edges to the targets in `keep`."""
    wanted = keep[edges.targets]
    before = np.zeros(len(wanted) + 1, dtype=np.int64)
    np.cumsum(wanted, out=before[1:])
    return Csr(before[edges.offsets], edges.targets[wanted])


def _split_evenly(ahead: Int64, size: int) -> list[tuple[int, int]]:
    total, n = int(ahead[-1]), len(ahead) - 1
    wanted = np.arange(size, total, size)
    split = np.unique(np.concatenate([[0], np.searchsorted(ahead, wanted), [n]]))
    return [(int(first), int(stop)) for first, stop in pairwise(split)]
