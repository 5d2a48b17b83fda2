"""Sums of document vectors by instance, in one pass over the document-instance edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

__all__ = ["squared_resultants"]


@njit(cache=True, nogil=True, fastmath=True)
def squared_resultants(offsets: Any, instances: Any, units: Any, n_instances: Any) -> Any:
    """Squared length of the sum of the unit vectors of each instance's documents, and how many there are.

    Zero vectors (documents without a direction) are left out.
    """
    width = units.shape[1]
    sums = np.zeros((n_instances, width), np.float32)
    counts = np.zeros(n_instances, np.int64)
    for d in range(offsets.size - 1):
        empty = True
        for c in range(width):
            if units[d, c] != np.float32(0.0):
                empty = False
                break
        if empty:
            continue
        for e in range(offsets[d], offsets[d + 1]):
            m = instances[e]
            counts[m] += 1
            for c in range(width):
                sums[m, c] += units[d, c]
    out = np.zeros(n_instances, np.float64)
    for m in range(n_instances):
        total = 0.0
        for c in range(width):
            total += np.float64(sums[m, c]) * np.float64(sums[m, c])
        out[m] = total
    return out, counts
