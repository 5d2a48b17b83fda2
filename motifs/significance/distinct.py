"""Group rows that have the same numbers, so that each combination is evaluated once."""

from __future__ import annotations

import numpy as np

from hin.arrays.types import Array, Int64
from motifs.joins.arrays import changes


def distinct_rows(*columns: Array) -> tuple[Int64, Int64]:
    """Return one row of each combination of the columns' whole numbers, and the index of each row's combination.

    Examples
    --------
    >>> first, back = distinct_rows(np.array([5, 5, 6, 5]), np.array([1.0, 2.0, 1.0, 1.0]))
    >>> back.tolist(), sorted(first.tolist())
    ([0, 1, 2, 0], [1, 2, 3])
    """
    codes, n_codes = _ranks(columns[0])
    for column in columns[1:]:
        values, n_values = _ranks(column)
        if n_values > 1:
            codes, n_codes = _ranks(codes * n_values + values)
    first = np.empty(n_codes, dtype=np.int64)
    first[codes] = np.arange(len(codes))
    return first, codes


def distinct_counts(*columns: Array) -> tuple[list[Array], Int64]:
    """Return each combination of the columns' whole numbers once, as columns, and how many rows have it.

    Examples
    --------
    >>> columns, times = distinct_counts(np.array([5, 5, 6, 5]), np.array([1.0, 2.0, 1.0, 1.0]))
    >>> [column.tolist() for column in columns], times.tolist()
    ([[5, 5, 6], [1.0, 2.0, 1.0]], [2, 1, 1])
    """
    widths = [int(column.max(initial=0)).bit_length() for column in columns]
    if sum(widths) > 63:
        first, back = distinct_rows(*columns)
        return [column[first] for column in columns], np.bincount(back, minlength=len(first))
    packed = np.zeros(len(columns[0]), dtype=np.int64)
    for column, width in zip(columns, widths, strict=True):  # plain numbers sort fastest
        packed <<= width
        packed |= column.astype(np.int64)
    packed.sort()
    begin = np.flatnonzero(changes(packed))
    times, rows, found = np.diff(np.append(begin, len(packed))), packed[begin], []
    for column, width in zip(reversed(columns), reversed(widths), strict=True):
        found.append((rows & ((1 << width) - 1)).astype(column.dtype))
        rows >>= width
    return found[::-1], times


def _ranks(values: Array) -> tuple[Int64, int]:
    """Return the rank of each value among the distinct ones, and their number; without sorting if they are dense."""
    if not len(values):
        return np.zeros(0, dtype=np.int64), 0
    if values.max() > 16 * len(values) + 65_536:
        found, back = np.unique(values, return_inverse=True)
        return back, len(found)
    numbers = values.astype(np.int64, copy=False)
    ranks = np.zeros(int(values.max()) + 1, dtype=np.int32)
    ranks[numbers] = 1
    np.cumsum(ranks, out=ranks)
    return ranks[numbers].astype(np.int64) - 1, int(ranks[-1])
