"""The joins, vectorised over whole arrays: numpy and scipy's compiled loops, nothing to compile on first use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hin.arrays.types import Array, Bools, Doubles, Int32, Int64
from hin.files.mapped import mapped_zeros, release_pages
from hin.graph import Csr

#: How many rows of edges are processed together.
_ROWS = 65_536
#: With more edges than this, they are transposed in blocks.
_MANY = 1 << 23


def _matrix(offsets: Array, targets: Int32, values: Array, n_columns: int) -> Any:
    from scipy import sparse

    return sparse.csr_array((values, targets, offsets), shape=(len(offsets) - 1, n_columns))


def transpose(edges: Csr, n_columns: int, keep: Bools | None = None) -> Csr:
    """Transpose edges, sorted within a row; rows of columns that are not in `keep` are empty.

    Many edges are transposed in blocks of rows, into a memory-mapped file, so that memory stays bounded.

    Examples
    --------
    >>> transpose(Csr.from_lists([[1, 0], [1]]), 2).row(1).tolist()
    [0, 1]
    >>> transpose(Csr.from_lists([[1, 0], [1]]), 2, np.array([True, False])).degrees().tolist()
    [1, 0]
    """
    if edges.n_edges <= _MANY:
        return _transposed(edges, n_columns, keep)
    sizes = np.zeros(n_columns, dtype=np.int64)
    for _, part in _row_ranges(edges):
        sizes += np.bincount(part.targets, minlength=n_columns)
        release_pages(edges.targets)
    if keep is not None:
        sizes[~keep] = 0
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    targets = mapped_zeros((int(offsets[-1]),), np.int32)
    free = offsets[:-1].copy()  # the position of the next edge of each column
    for first, part in _row_ranges(edges):
        own = _transposed(part, n_columns, keep)
        degrees = own.degrees()
        targets[np.repeat(free - own.offsets[:-1], degrees) + np.arange(own.n_edges)] = own.targets + np.int32(first)
        free += degrees
        release_pages(edges.targets)
    return Csr(offsets, targets)


def _transposed(edges: Csr, n_columns: int, keep: Bools | None) -> Csr:
    nothing = np.zeros(edges.n_edges, dtype=np.int8)
    # offsets as narrow as the targets, else scipy looks through all of them before it narrows them itself
    transposed = _matrix(edges.offsets.astype(edges.targets.dtype), edges.targets, nothing, n_columns).tocsc()
    found = Csr(transposed.indptr.astype(np.int64), transposed.indices.astype(np.int32, copy=False))
    return found if keep is None else rows_among(found, keep)


def _row_ranges(edges: Csr) -> Iterator[tuple[int, Csr]]:
    """Yield the first row of each range, and its rows; no range has many more edges than `_MANY` / 2."""
    first = 0
    while first < len(edges):
        wanted = int(np.searchsorted(edges.offsets, edges.offsets[first] + _MANY // 2, side="right")) - 1
        last = min(max(wanted, first + 1), len(edges))
        begin, end = edges.offsets[first], edges.offsets[last]
        yield first, Csr(edges.offsets[first : last + 1] - begin, edges.targets[begin:end])
        first = last


def frequent_rows(edges: Csr, in_degrees: Int64, min_count: int) -> Csr:
    """Return the edges without those to nodes in fewer than `min_count` rows.

    Examples
    --------
    >>> edges = Csr.from_lists([[0, 1], [1]])
    >>> frequent_rows(edges, edges.in_degrees(2), 2).degrees().tolist()
    [1, 1]
    """
    if min_count < 2:
        return edges
    kept = (in_degrees >= min_count)[edges.targets]
    offsets = np.zeros(len(edges) + 1, dtype=np.int64)
    for first in range(0, len(edges), _ROWS):  # positions are wide, and there are many more edges than rows
        ends = edges.offsets[first : first + _ROWS + 1]
        before = np.concatenate([[0], np.cumsum(kept[ends[0] : ends[-1]])])
        offsets[first + 1 : first + _ROWS + 1] = offsets[first] + before[ends[1:] - ends[0]]
    return Csr(offsets, np.compress(kept, edges.targets))


def rows_among(edges: Csr, keep: Bools) -> Csr:
    """Return the edges of the rows in `keep`; the other rows are empty.

    Examples
    --------
    >>> rows_among(Csr.from_lists([[0, 1], [1]]), np.array([False, True])).degrees().tolist()
    [0, 1]
    """
    if keep.all():
        return edges
    degrees = edges.degrees()
    return Csr.from_lengths(degrees * keep, edges.targets[np.repeat(keep, degrees)])


def choices(rows: Csr, chosen: int) -> Doubles:
    """Count the ways to choose `chosen` targets of each row.

    Examples
    --------
    >>> choices(Csr.from_lists([[0, 1, 2], [0]]), 2).tolist()
    [3.0, 0.0]
    """
    degrees = rows.degrees()
    ways = degrees.astype(np.float64)
    for i in range(1, chosen):
        ways *= np.maximum(degrees - i, 0)
        ways /= i + 1
    return ways


def expand(nodes: Int32, edges: Csr) -> tuple[Int64, Int32]:
    """Follow every edge of every node: the position it came from and the node it leads to.

    Examples
    --------
    >>> origin, reached = expand(np.array([1, 0]), Csr.from_lists([[7], [8, 9]]))
    >>> origin.tolist(), reached.tolist()
    ([0, 0, 1], [8, 9, 7])
    """
    where, degrees = _places(edges.offsets[nodes], edges.offsets[nodes + 1])
    return np.repeat(np.arange(len(nodes)), degrees), edges.targets[where]


def _places(begin: Int64, end: Int64) -> tuple[Int64, Int64]:
    """Concatenate the numbers of all ranges; also return the length of each range."""
    degrees = end - begin
    ends = np.cumsum(degrees)
    narrow = np.int32 if max(end.max(initial=0), ends[-1] if len(ends) else 0) < 1 << 31 else np.int64
    where = np.repeat((end - ends).astype(narrow), degrees)
    where += np.arange(len(where), dtype=narrow)
    return where, degrees


def pairs_within(rows: Csr) -> tuple[Int32, Int32, Int32]:
    """Return every unordered pair of targets of one row: the smaller, the larger, the row; short rows first.

    Examples
    --------
    >>> [array.tolist() for array in pairs_within(Csr.from_lists([[5, 2, 7], [1], [4, 3]]))]
    [[3, 2, 5, 2], [4, 5, 7, 7], [2, 0, 0, 0]]
    """
    degrees = rows.degrees()
    narrow = degrees.astype(np.min_scalar_type(int(degrees.max(initial=0))))  # up to 16 bits are sorted by radix
    by_degree, sizes = np.argsort(narrow, kind="stable"), np.bincount(degrees)
    ends, found = np.cumsum(sizes), []
    for degree in np.flatnonzero(sizes[2:]) + 2:  # rows of one length are a matrix, whose pairs need no index of each
        owners = by_degree[ends[degree] - sizes[degree] : ends[degree]]
        block = rows.targets[rows.offsets[owners] + np.arange(degree)[:, None]]
        i, j = np.triu_indices(int(degree), 1)
        one, other = block[i].ravel(), block[j].ravel()
        found.append((np.minimum(one, other), np.maximum(one, other), np.tile(owners.astype(np.int32), len(i))))
    none = np.empty(0, dtype=np.int32)
    smaller, larger, row = (np.concatenate(column) for column in zip((none, none, none), *found, strict=True))
    return smaller, larger, row


def count_pairs(one: Int32, two: Int32, limit: int, min_count: int) -> tuple[Int32, Int32, Int64]:
    """Return the pairs that occur at least `min_count` (two or more) times, sorted, and how often.

    `limit` is an upper bound of the second nodes.

    Examples
    --------
    >>> [a.tolist() for a in count_pairs(np.array([4, 1, 4]), np.array([2, 3, 2]), 4, 2)]
    [[4], [2], [2]]
    """
    low = limit.bit_length()
    narrow = int(one.max(initial=0)).bit_length() + low < 32
    packed: Array = one.astype(np.int32 if narrow else np.int64)
    packed <<= low
    packed |= two
    packed.sort()
    again = np.compress(packed[1:] == packed[:-1], packed[1:])  # most pairs occur once
    begin = np.flatnonzero(changes(again))
    counts = np.diff(np.append(begin, len(again))) + 1
    kept = counts >= min_count
    pairs = again[begin[kept]]
    return (pairs >> low).astype(np.int32), (pairs & ((1 << low) - 1)).astype(np.int32), counts[kept]


def joined_rows(instances: Int32, documents: Int32, rows: Csr) -> tuple[Int32, Int32, Int32]:
    """Join (instance, document) pairs with the targets of the documents' rows: instance, target, document.

    Examples
    --------
    >>> pairs = joined_rows(np.array([4, 6]), np.array([1, 0]), Csr.from_lists([[8], [9, 3]]))
    >>> [array.tolist() for array in pairs]
    [[4, 4, 6], [9, 3, 8], [1, 1, 0]]
    """
    if (held := rows.degrees()).max(initial=0) == 1:  # a single-valued field: nothing to repeat
        if not (there := (held > 0)[documents]).all():
            instances, documents = np.compress(there, instances), np.compress(there, documents)
        return instances, rows.targets[rows.offsets[:-1].clip(max=rows.n_edges - 1)][documents], documents
    begin, end = rows.offsets[documents], rows.offsets[documents + 1]
    where, degrees = _places(begin, end)
    return np.repeat(instances, degrees), rows.targets[where], np.repeat(documents, degrees)


def grouped(
    instances: Int32, nodes: Int32, documents: Int32, limits: tuple[int, int, int], min_count: int
) -> tuple[Int32, Int32, Int64, Int32]:
    """Return the (instance, node) pairs in at least `min_count` documents, in order.

    `limits` are upper bounds of the instances, nodes and documents. Returns the instance and the node of each pair, its
    number of documents, and the documents, sorted.

    Examples
    --------
    >>> found = grouped(np.array([0, 1, 0]), np.array([7, 7, 7]), np.array([2, 2, 1]), (2, 8, 3), 2)
    >>> [array.tolist() for array in found]
    [[0], [7], [2], [1, 2]]
    """
    if min_count > 1:
        likely = np.flatnonzero(_likely(instances, nodes, min_count))
        instances, nodes, documents = instances[likely], nodes[likely], documents[likely]
    instances, nodes, documents = _sorted_triples(instances, nodes, documents, limits)
    begin = np.flatnonzero(changes(instances, nodes))
    sizes = np.diff(np.append(begin, len(nodes)))
    kept = sizes >= min_count
    begin = begin[kept]
    return instances[begin], nodes[begin], sizes[kept], documents[np.repeat(kept, sizes)]


def _likely(instances: Int32, nodes: Int32, min_count: int) -> Bools:
    """Drop most pairs that are too rare without sorting them: even their hash bucket has too few."""
    size = 1 << max(10, min(22, (2 * len(nodes)).bit_length()))
    mixed = instances.astype(np.uint32) * np.uint32(2654435761)
    mixed ^= nodes.astype(np.uint32) * np.uint32(2246822519)
    mixed >>= np.uint32(33 - size.bit_length())
    full = np.bincount(mixed, minlength=size) >= min_count
    found: Bools = full[mixed]
    return found


def changes(*columns: Array) -> Bools:
    """Return the mask of the rows that differ from the one before; the first always does.

    Examples
    --------
    >>> changes(np.array([1, 1, 1]), np.array([2, 2, 3])).tolist()
    [True, False, True]
    """
    fresh = np.zeros(len(columns[0]), dtype=np.bool_)
    fresh[:1] = True
    for column in columns:
        fresh[1:] |= column[1:] != column[:-1]
    return fresh


def _sorted_triples(
    instances: Int32, nodes: Int32, documents: Int32, limits: tuple[int, int, int]
) -> tuple[Int32, Int32, Int32]:
    """Sort the triples; packed into one number each if they fit, because plain numbers sort fastest."""
    high, middle, low = (limit.bit_length() for limit in limits)
    if high + middle + low > 63:
        order = np.lexsort((documents, nodes, instances))
        return instances[order], nodes[order], documents[order]
    packed = instances.astype(np.int64)
    packed <<= middle
    packed |= nodes
    packed <<= low
    packed |= documents
    packed.sort()
    documents = (packed & ((1 << low) - 1)).astype(np.int32)
    packed >>= low
    nodes = (packed & ((1 << middle) - 1)).astype(np.int32)
    packed >>= middle
    return packed.astype(np.int32), nodes, documents


def edge_keys(edges: Csr) -> Int64:
    """Encode each edge as one number, in order; for `has_edge`.

    Examples
    --------
    >>> edge_keys(Csr.from_lists([[0, 2], []])).tolist()
    [0, 2]
    """
    return np.sort((edges.rows().astype(np.int64) << 32) | edges.targets)


def has_edge(sources: Int32, ends: Int32, known: Int64) -> Bools:
    """Return the mask of the pairs that are among the edges with the given keys.

    Examples
    --------
    >>> keys = edge_keys(Csr.from_lists([[0, 2], []]))
    >>> has_edge(np.array([0, 0, 1]), np.array([2, 1, 0]), keys).tolist()
    [True, False, False]
    """
    if not len(known):
        return np.zeros(len(sources), dtype=np.bool_)
    asked = (sources.astype(np.int64) << 32) | ends
    place = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    found: Bools = known[place] == asked
    return found


def find_rows(table: Int32, wanted: Int32) -> Int64:
    """Return the position of each wanted row in a table of distinct rows, -1 if it is not there.

    Examples
    --------
    >>> find_rows(np.array([[1, 2], [1, 3]]), np.array([[1, 3], [2, 2]])).tolist()
    [1, -1]
    """
    both = np.concatenate([table, wanted])
    codes = np.zeros(len(both), dtype=np.int64)
    for column in both.T:  # one number per row, column by column, so that no product overflows
        codes = np.unique(codes * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1]
    place = np.full(len(both), -1, dtype=np.int64)
    place[codes[: len(table)]] = np.arange(len(table))
    found: Int64 = place[codes[len(table) :]]
    return found
