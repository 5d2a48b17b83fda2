"""The CNN's convolution and max-pooling on whole arrays, shared by training and prediction.

With frozen input vectors a convolution is a sum of per-word projections, so each word is multiplied with the filters
once, however often it occurs. A document's results depend on the document alone: they are the same bits whatever the
batch, its order or the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from classify.documents.sequences import Sequences
from classify.learners.cnn_options import CNNOptions
from hin.arrays.types import Array, Floats, Int64

#: Rows in a product: a multiple of any BLAS's block size, so that a row is always summed in the same order.
_ROWS = 480
#: Documents that a thread pools at a time.
_DOCUMENTS = 128


class Places(NamedTuple):
    """The filters' columns by their position in a window.

    Attributes
    ----------
    order : the columns of the parameter `filters`, those of the first position first.
    maps : for each position, the first map whose window is wide enough to have it; all later ones are, too.
    columns : for each position, the start of its columns in that order, and the number of all columns.
    """

    order: Int64
    maps: list[int]
    columns: list[int]


@lru_cache
def places(options: CNNOptions) -> Places:
    """Order the filters' columns by their position in a window.

    >>> found = places(CNNOptions(widths=(1, 2), maps=2))
    >>> found.order.tolist(), found.maps, found.columns
    ([0, 1, 2, 3, 4, 5], [0, 2], [0, 4, 6])
    """
    place = np.concatenate([np.repeat(np.arange(width), options.maps) for width in options.widths])
    sizes = np.bincount(place)
    columns = np.concatenate([[0], np.cumsum(sizes)])
    return Places(np.argsort(place, kind="stable"), (sizes[0] - sizes).tolist(), columns.tolist())


class Words(NamedTuple):
    """Documents one after the other, with padding between them where a window reaches past the end.

    Attributes
    ----------
    tokens : the row of each word in `inputs`; its last row, all zeros, is the padding.
    starts : the offset of each document in the tokens, and the end.
    windows : the number of windows of each document, one per word and at least one.
    given : the positions of the sequences' words in the tokens.
    inputs : the vectors of the words.
    """

    tokens: Int64
    starts: Int64
    windows: Int64
    given: Int64
    inputs: Floats


def lay_out(options: CNNOptions, rows: Sequences, vectors: Floats) -> Words:
    """Lay documents out for pooling; ids below 0 are words without a vector and count as zeros.

    >>> words = lay_out(CNNOptions(widths=(1, 2)), Sequences.of([[7, -1, 7], []]), np.ones((9, 2), np.float32))
    >>> words.tokens.tolist(), words.starts.tolist(), words.inputs.tolist()
    ([0, 1, 0, 1, 1, 1], [0, 4, 6], [[1.0, 1.0], [0.0, 0.0]])
    """
    seen = np.zeros(len(vectors) + 1, dtype=np.bool_)
    seen[rows.ids] = True  # -1 marks the extra last slot
    used = np.flatnonzero(seen[:-1])
    row = np.full(len(seen), len(used), dtype=np.int64)
    row[used] = np.arange(len(used))
    lengths = np.diff(rows.offsets)
    windows = np.maximum(lengths, 1)
    starts = np.concatenate([[0], np.cumsum(windows + options.widths[-1] - 1)])
    given = np.repeat(starts[:-1] - rows.offsets[:-1], lengths) + np.arange(len(rows.ids))
    tokens = np.full(starts[-1], len(used), dtype=np.int64)
    tokens[given] = row[rows.ids]
    inputs = np.zeros((len(used) + 1, vectors.shape[1]), dtype=np.float32)
    inputs[:-1] = vectors[used]
    return Words(tokens, starts, windows, given, inputs)


def multiply(rows: Array, factor: Array, pool: ThreadPoolExecutor | None = None) -> Any:
    """Multiply rows with a matrix in blocks of one shape: a row's bits do not depend on the rows beside it.

    In double precision: in single precision a BLAS sums neighbouring rows in different orders on some processors
    (OpenBLAS on those with AVX2 alone).
    """
    found = np.empty((len(rows), factor.shape[1]), dtype=factor.dtype)
    double = factor.astype(np.float64)

    def block(start: int) -> None:
        some = rows[start : start + _ROWS].astype(np.float64)
        if len(some) < _ROWS:
            some = np.concatenate([some, np.zeros((_ROWS - len(some), rows.shape[1]))])
        found[start : start + _ROWS] = (some @ double)[: len(rows) - start]

    run_all(pool, block, range(0, len(rows), _ROWS))
    return found


def tabulate(options: CNNOptions, filters: Floats, words: Words, pool: ThreadPoolExecutor | None) -> Floats:
    """Return the projection of every word by every filter column, ordered by position in the window."""
    table: Floats = multiply(words.inputs, np.ascontiguousarray(filters[:, places(options).order]), pool)
    return table


def pool_windows(
    options: CNNOptions, table: Floats, words: Words, pool: ThreadPoolExecutor | None
) -> tuple[Floats, Int64]:
    """Return the largest window sum of every map in every document, and the start of that window.

    A window may begin at any word; past the end of the document there are zeros. Of equal windows the first counts.
    """
    from classify.learners.cnn_kernel import pool_documents

    _, first_maps, columns = places(options)
    n = len(words.windows)
    best = np.empty((n, columns[1]), dtype=np.float32)
    where = np.empty((n, columns[1]), dtype=np.int64)
    filters = np.array(first_maps), np.array(columns)

    def some(first: int) -> None:
        here = slice(first, first + _DOCUMENTS)
        pool_documents(table, words.tokens, words.starts[here], words.windows[here], *filters, best[here], where[here])

    run_all(pool, some, range(0, n, _DOCUMENTS))
    return best, where


def run_all(pool: ThreadPoolExecutor | None, work: Callable[[int], None], items: range) -> None:
    """Do the work of all items, on the pool's threads where there is one."""
    list((map if pool is None else pool.map)(work, items))


def cut(rows: Sequences, length: int) -> Sequences:
    """Shorten rows to the longest sequence that the CNN reads."""
    lengths = np.diff(rows.offsets)
    if not len(lengths) or lengths.max() <= length:
        return rows
    within = np.arange(len(rows.ids)) - np.repeat(rows.offsets[:-1], lengths)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.minimum(lengths, length), out=offsets[1:])
    return Sequences(offsets, rows.ids[within < length])
