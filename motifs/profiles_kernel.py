"""The hot loop of specificity: how alike the documents of each instance are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

__all__ = ["mean_cosines"]


@njit(cache=True, nogil=True)
def mean_cosines(first: int, stop: int, offsets: Any, documents: Any, profiles: Any, most: int) -> Any:
    """The mean cosine between two different documents of each instance `first..stop`.

    Columns: all its documents, its 1st, 3rd, ... and its 2nd, 4th, ... ones (NaN where there are fewer than two), and
    how many there are. With unit vectors it is (|sum|^2 - n) / (n (n - 1)): no pair is visited, and the expectation
    does not depend on n. Of an instance in more than `most` documents every k-th is taken.
    """
    width = profiles.shape[1]
    total = np.empty((2, width), np.float64)
    own = np.empty(2, np.float64)
    n = np.empty(2, np.int64)
    out = np.full((stop - first, 4), np.nan)
    for i in range(first, stop):
        size = offsets[i + 1] - offsets[i]
        step = max(1, (size + most - 1) // most)
        total[:] = 0.0
        own[:] = 0.0
        n[:] = 0
        half = 0
        for k in range(offsets[i], offsets[i + 1], step):
            d = documents[k]
            square = 0.0
            for c in range(width):
                total[half, c] += profiles[d, c]
                square += profiles[d, c] * profiles[d, c]
            own[half] += square
            n[half] += 1
            half = 1 - half
        whole, left, right = 0.0, 0.0, 0.0
        for c in range(width):
            left += total[0, c] * total[0, c]
            right += total[1, c] * total[1, c]
            whole += (total[0, c] + total[1, c]) * (total[0, c] + total[1, c])
        both = n[0] + n[1]
        if both > 1:
            out[i - first, 0] = (whole - own[0] - own[1]) / (both * (both - 1))
        if n[0] > 1:
            out[i - first, 1] = (left - own[0]) / (n[0] * (n[0] - 1))
        if n[1] > 1:
            out[i - first, 2] = (right - own[1]) / (n[1] * (n[1] - 1))
        out[i - first, 3] = both
    return out
