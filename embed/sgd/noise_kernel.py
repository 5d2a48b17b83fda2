"""The loop that builds an alias table."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit


@njit(cache=True, nogil=True)
def vose(scaled: Any) -> Any:
    """Return acceptance and alias of each bucket; `scaled` sums to its length and is overwritten."""
    n = scaled.size
    accept = np.ones(n, np.float32)
    alias = np.arange(n).astype(np.int32)
    small = np.empty(n, np.int64)
    large = np.empty(n, np.int64)
    n_small = 0
    n_large = 0
    for i in range(n):
        if scaled[i] < 1.0:
            small[n_small] = i
            n_small += 1
        else:
            large[n_large] = i
            n_large += 1
    while n_small > 0 and n_large > 0:
        n_small -= 1
        s = small[n_small]
        g = large[n_large - 1]
        accept[s] = scaled[s]
        alias[s] = g
        scaled[g] -= 1.0 - scaled[s]
        if scaled[g] < 1.0:
            n_large -= 1
            small[n_small] = g
            n_small += 1
    return accept, alias
