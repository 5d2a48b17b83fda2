"""The inner loop of a product with a transposed sparse matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit


@njit(cache=True, nogil=True)
def add_transposed(indptr: Any, indices: Any, values: Any, dense: Any, out: Any, first: int, last: int) -> None:
    """Add the transpose of CSR rows times `dense` to `out`, columns `first` to `last`, row after row.

    Each cell is summed in the order of the rows, so the result has the same bits however columns are divided among
    threads and rows into blocks.
    """
    for row in range(len(indptr) - 1):
        right = dense[row, first:last]
        for at in range(indptr[row], indptr[row + 1]):
            value, sums = values[at], out[np.uint64(indices[at]), first:last]
            for c in range(len(sums)):  # without a negative index it is compiled to vector instructions
                sums[c] += value * right[c]
