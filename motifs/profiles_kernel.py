"""The hot loop of specificity: how alike the documents of each instance are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

__all__ = ["mean_cosines"]


@njit(cache=True, nogil=True)
def mean_cosines(first: int, stop: int, offsets: Any, documents: Any, profiles: Any, most: int) -> Any:
    """The mean cosine between two different documents of each instance `first..stop`.

    With unit vectors it is (|sum|^2 - n) / (n (n - 1)): no pair is visited, and the expectation does not depend on n.
    Of an instance in more than `most` documents every k-th is taken.
    """
    width = profiles.shape[1]
    total = np.empty(width, np.float64)
    out = np.zeros(stop - first, np.float64)
    for i in range(first, stop):
        size = offsets[i + 1] - offsets[i]
        step = max(1, (size + most - 1) // most)
        total[:] = 0.0
        own = 0.0
        n = 0
        for k in range(offsets[i], offsets[i + 1], step):
            d = documents[k]
            for c in range(width):
                total[c] += profiles[d, c]
                own += profiles[d, c] * profiles[d, c]
            n += 1
        if n > 1:
            length = 0.0
            for c in range(width):
                length += total[c] * total[c]
            out[i - first] = (length - own) / (n * (n - 1))
    return out
