"""The inner loop of the CNN's max-pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit


@njit(cache=True, nogil=True)
def pool_documents(
    table: Any, tokens: Any, starts: Any, windows: Any, first_maps: Any, columns: Any, best: Any, where: Any
) -> None:
    """Write the largest window sum of every map in each document, and the first window that has it.

    The positions of a window are added in order, so a sum has the same bits on every processor.
    """
    n_maps = len(best[0])
    sums, largest = np.empty(n_maps, dtype=np.float32), np.empty(n_maps, dtype=np.float32)
    chosen = np.empty(n_maps, dtype=np.int32)  # as wide as the sums, for vector instructions
    for document in range(len(windows)):
        largest[:] = -np.inf
        chosen[:] = 0
        for window in range(windows[document]):
            at = starts[document] + window
            sums[:] = 0
            for place in range(len(first_maps)):
                # Without a negative index it is compiled to vector instructions.
                row = table[np.uint64(tokens[at + place]), columns[place] : columns[place + 1]]
                own = sums[first_maps[place] :]
                for k in range(len(own)):
                    own[k] += row[k]
            number = np.int32(window)
            for k in range(n_maps):
                larger = sums[k] > largest[k]
                chosen[k] = number if larger else chosen[k]
                largest[k] = sums[k] if larger else largest[k]
        best[document] = largest
        where[document] = chosen
