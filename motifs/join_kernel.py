"""The hot loops of matching: from documents to nodes and back, and one more node for every instance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

__all__ = [
    "expand",
    "extend",
    "find_rows",
    "gather_rows",
    "has_edge",
    "multiply_choices",
    "node_documents",
    "transpose",
]


@njit(cache=True, nogil=True)
def node_documents(offsets: Any, targets: Any, keep: Any, n_nodes: int, min_count: int) -> Any:
    """The documents of each node that is in at least `min_count` kept documents, sorted."""
    count = np.zeros(n_nodes + 1, np.int64)
    for d in range(len(offsets) - 1):
        if keep[d]:
            for j in range(offsets[d], offsets[d + 1]):
                count[targets[j] + 1] += 1
    for t in range(1, n_nodes + 1):
        if count[t] < min_count:
            count[t] = 0
    starts = np.cumsum(count)
    documents = np.empty(starts[n_nodes], np.int32)
    free = starts[:-1].copy()
    for d in range(len(offsets) - 1):
        if keep[d]:
            for j in range(offsets[d], offsets[d + 1]):
                t = targets[j]
                if count[t + 1] > 0:
                    documents[free[t]] = d
                    free[t] += 1
    return starts, documents


@njit(cache=True, nogil=True)
def transpose(offsets: Any, targets: Any, n_columns: int) -> Any:
    """The same edges from the other side, sorted within a row."""
    starts = np.zeros(n_columns + 1, np.int64)
    for j in range(len(targets)):
        starts[targets[j] + 1] += 1
    for t in range(n_columns):
        starts[t + 1] += starts[t]
    free = starts[:-1].copy()
    rows = np.empty(len(targets), np.int32)
    for r in range(len(offsets) - 1):
        for j in range(offsets[r], offsets[r + 1]):
            t = targets[j]
            rows[free[t]] = r
            free[t] += 1
    return starts, rows


@njit(cache=True, nogil=True)
def extend(
    first: int,
    stop: int,
    offsets: Any,
    documents: Any,
    above: Any,
    row_offsets: Any,
    row_nodes: Any,
    n_nodes: int,
    min_count: int,
    room: int,
) -> Any:
    """Give each instance `first..stop` one more node, keeping what is in at least `min_count` documents.

    `above[i]` is the node that the new one has to come after (-1: any), which makes equal-typed nodes distinct and
    unordered. `room` bounds the (instance, document) pairs that can come out. Returns the parent and node of each
    new instance, its number of documents, and the documents, sorted.
    """
    count = np.zeros(n_nodes, np.int32)
    slot = np.full(n_nodes, -1, np.int64)
    touched = np.empty(n_nodes, np.int32)
    out_documents = np.empty(room, np.int32)
    capacity = 1024
    parent = np.empty(capacity, np.int32)
    node = np.empty(capacity, np.int32)
    size = np.empty(capacity, np.int32)
    made = 0
    filled = 0
    for i in range(first, stop):
        least = above[i]
        n_touched = 0
        for k in range(offsets[i], offsets[i + 1]):
            d = documents[k]
            for j in range(row_offsets[d + 1] - 1, row_offsets[d] - 1, -1):
                t = row_nodes[j]
                if t <= least:
                    break
                if count[t] == 0:
                    touched[n_touched] = t
                    n_touched += 1
                count[t] += 1
        kept = 0
        for m in range(n_touched):
            t = touched[m]
            if count[t] >= min_count:
                touched[kept] = t
                kept += 1
            else:
                count[t] = 0
        if kept == 0:
            continue
        if kept > 1:
            touched[:kept].sort()
        if made + kept > capacity:
            while made + kept > capacity:
                capacity *= 2
            parent = _grown(parent, made, capacity)
            node = _grown(node, made, capacity)
            size = _grown(size, made, capacity)
        for m in range(kept):
            t = touched[m]
            parent[made] = i
            node[made] = t
            size[made] = count[t]
            slot[t] = filled
            filled += count[t]
            made += 1
        for k in range(offsets[i], offsets[i + 1]):
            d = documents[k]
            for j in range(row_offsets[d + 1] - 1, row_offsets[d] - 1, -1):
                t = row_nodes[j]
                if t <= least:
                    break
                if slot[t] >= 0:
                    out_documents[slot[t]] = d
                    slot[t] += 1
        for m in range(kept):
            count[touched[m]] = 0
            slot[touched[m]] = -1
    return parent[:made].copy(), node[:made].copy(), size[:made].copy(), out_documents[:filled].copy()


@njit(cache=True, nogil=True)
def _grown(values: Any, used: int, capacity: int) -> Any:
    larger = np.empty(capacity, values.dtype)
    larger[:used] = values[:used]
    return larger


@njit(cache=True, nogil=True)
def gather_rows(offsets: Any, targets: Any, order: Any) -> Any:
    """The rows of a table of rows, in another order."""
    starts = np.zeros(len(order) + 1, np.int64)
    for i in range(len(order)):
        starts[i + 1] = starts[i] + offsets[order[i] + 1] - offsets[order[i]]
    out = np.empty(starts[len(order)], np.int32)
    for i in range(len(order)):
        at = starts[i]
        for j in range(offsets[order[i]], offsets[order[i] + 1]):
            out[at] = targets[j]
            at += 1
    return starts, out


@njit(cache=True, nogil=True)
def expand(nodes: Any, offsets: Any, targets: Any, total: int) -> Any:
    """Follow every edge of every node: the position it came from and the node it leads to."""
    origin = np.empty(total, np.int64)
    reached = np.empty(total, np.int32)
    at = 0
    for i in range(len(nodes)):
        for j in range(offsets[nodes[i]], offsets[nodes[i] + 1]):
            origin[at] = i
            reached[at] = targets[j]
            at += 1
    return origin, reached


@njit(cache=True, nogil=True)
def has_edge(sources: Any, ends: Any, offsets: Any, targets: Any) -> Any:
    """Whether each pair is an edge; rows are sorted."""
    found = np.empty(len(sources), np.bool_)
    for i in range(len(sources)):
        low = offsets[sources[i]]
        high = offsets[sources[i] + 1]
        stop = high
        while low < high:
            middle = (low + high) // 2
            if targets[middle] < ends[i]:
                low = middle + 1
            else:
                high = middle
        found[i] = low < stop and targets[low] == ends[i]
    return found


@njit(cache=True, nogil=True)
def multiply_choices(total: Any, offsets: Any, chosen: int) -> None:
    """Multiply each row's number by the ways to choose some of its targets."""
    for r in range(len(total)):
        ways = 1.0
        for i in range(chosen):
            ways *= max(offsets[r + 1] - offsets[r] - i, 0) / (i + 1)
        total[r] *= ways


@njit(cache=True, nogil=True)
def find_rows(table: Any, wanted: Any) -> Any:
    """Where each wanted row stands in a sorted table of rows, -1 where it does not."""
    width = table.shape[1]
    found = np.empty(len(wanted), np.int64)
    for i in range(len(wanted)):
        low = 0
        high = len(table)
        while low < high:
            middle = (low + high) // 2
            smaller = False
            for c in range(width):
                if table[middle, c] != wanted[i, c]:
                    smaller = table[middle, c] < wanted[i, c]
                    break
            if smaller:
                low = middle + 1
            else:
                high = middle
        same = low < len(table)
        if same:
            for c in range(width):
                same = same and table[low, c] == wanted[i, c]
        found[i] = low if same else -1
    return found
