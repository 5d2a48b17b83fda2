"""Hot loops of random walks."""

from __future__ import annotations

from typing import Any

import numpy as np

from embed.sgd.random_kernel import below, draw
from hin.arrays.compiling import njit

_ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def walk(starts: Any, length: int, kinds: Any, offsets: Any, targets: Any, key: Any, walks: Any, lengths: Any) -> None:
    """From each start, step to a random neighbour of the kind that is next in the cycle `kinds`.

    `offsets` and `targets` hold the edges of each kind, one below the other: kind k, node v begins at
    ``offsets[k, v]``. A walk ends early where a node has no such neighbour.
    """
    counter = np.uint64(0)
    for row in range(len(starts)):
        node = starts[row]
        walks[row, 0] = node
        n = 1
        while n < length:
            kind = kinds[(n - 1) % len(kinds)]
            low, high = offsets[kind, node], offsets[kind, node + 1]
            if high == low:
                break
            counter += _ONE
            node = targets[low + below(draw(key, counter), high - low)]
            walks[row, n] = node
            n += 1
        lengths[row] = n
