"""The hot loop of degree-preserving edge swaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit


@njit(cache=True, nogil=True)
def swap_edges(offsets: Any, rows: Any, targets: Any, pairs: Any, loops: bool) -> int:
    """Swap the targets of pairs of edges in place unless that duplicates an edge; return the number of swaps.

    Without `loops` no edge may lead from a node to itself. A pair that cannot be swapped is passed over, so that every
    graph with these degrees is as likely as any other (Markov chain with symmetric steps).
    """
    swapped = 0
    for i in range(len(pairs)):
        one, two = pairs[i, 0], pairs[i, 1]
        a, b, c, d = rows[one], targets[one], rows[two], targets[two]
        if a == c or b == d or (not loops and (a == d or c == b)):
            continue
        free = True
        for e in range(offsets[a], offsets[a + 1]):
            free = free and targets[e] != d
        for e in range(offsets[c], offsets[c + 1]):
            free = free and targets[e] != b
        if free:
            targets[one], targets[two] = np.int32(d), np.int32(b)
            swapped += 1
    return swapped
