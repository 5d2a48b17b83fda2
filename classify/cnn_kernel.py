"""Hot loops of the CNN: per-word projections, max-pooling over windows, the dense layers of prediction.

With frozen input vectors a convolution is a sum of per-word projections, so each word is multiplied with the filters
once, however often it occurs. Every number is computed in one fixed order of additions that depends on the document
alone: the same bits come out whatever the batch, its order or the number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

__all__ = ["dense_softmax", "pool", "project"]

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[Any]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def project(vectors: Floats, used: Ints, filters: Floats, start: int, stop: int, table: Floats) -> None:
    """Fill rows `start` to `stop` of the table: vector of the used word times all filter columns."""
    dim, columns = filters.shape
    whole = dim - dim % 4
    for i in range(start, stop):
        vector = vectors[used[i]]
        row = table[i]
        for c in range(columns):
            row[c] = 0.0
        # Four inputs at a time keep the running sums in registers; the order of additions is that of the plain loop.
        for k in range(0, whole, 4):
            a, b, c4, d = vector[k], vector[k + 1], vector[k + 2], vector[k + 3]
            first, second, third, fourth = filters[k], filters[k + 1], filters[k + 2], filters[k + 3]
            for c in range(columns):
                row[c] = (((row[c] + a * first[c]) + b * second[c]) + c4 * third[c]) + d * fourth[c]
        for k in range(whole, dim):
            a = vector[k]
            first = filters[k]
            for c in range(columns):
                row[c] += a * first[c]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def pool(
    tokens: Ints, offsets: Ints, start: int, stop: int, table: Floats, widths: Ints, maps: int, best: Floats, where: Ints
) -> None:
    """Find the largest window sum of every map, and where it starts, for documents `start` to `stop`.

    A window may begin at any word; past the end of the document it sees zeros, the table's last row. An empty
    document is one window of zeros. The first of equal windows wins.
    """
    blank = table.shape[0] - 1
    sums = np.empty(maps, dtype=np.float32)
    for d in range(start, stop):
        low, high = offsets[d], offsets[d + 1]
        n = max(high - low, 1)
        for m in range(best.shape[1]):
            best[d, m] = -np.inf
            where[d, m] = 0
        for t in range(n):
            column = 0
            for w in range(len(widths)):
                row = table[tokens[low + t]] if low + t < high else table[blank]
                for f in range(maps):
                    sums[f] = row[column + f]
                column += maps
                for j in range(1, widths[w]):
                    if low + t + j < high:
                        row = table[tokens[low + t + j]]
                        for f in range(maps):
                            sums[f] += row[column + f]
                    column += maps
                top = best[d, w * maps : (w + 1) * maps]
                at = where[d, w * maps : (w + 1) * maps]
                for f in range(maps):
                    better = sums[f] > top[f]
                    top[f] = sums[f] if better else top[f]
                    at[f] = t if better else at[f]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def dense_softmax(
    pooled: Floats, bias: Floats, hidden: Floats, hidden_bias: Floats, out: Floats, out_bias: Floats,
    start: int, stop: int, proba: Floats,
) -> None:  # fmt: skip
    """Run the layers after pooling for documents `start` to `stop`; a hidden layer with no columns is left out."""
    n_maps, n_hidden = hidden.shape
    n_inputs, n_categories = out.shape
    features = np.empty(n_maps, dtype=np.float32)
    inner = np.empty(n_inputs, dtype=np.float32)
    logits = np.empty(n_categories, dtype=np.float64)
    for d in range(start, stop):
        for m in range(n_maps):
            features[m] = max(pooled[d, m] + bias[m], np.float32(0.0))
        if n_hidden > 0:
            inner[:] = hidden_bias
            for m in range(n_maps):
                for h in range(n_hidden):
                    inner[h] += features[m] * hidden[m, h]
            for h in range(n_hidden):
                inner[h] = max(inner[h], np.float32(0.0))
        else:
            inner[:] = features
        logits[:] = out_bias
        for h in range(n_inputs):
            for c in range(n_categories):
                logits[c] += inner[h] * out[h, c]
        top = logits.max()
        total = 0.0
        for c in range(n_categories):
            logits[c] = np.exp(logits[c] - top)
            total += logits[c]
        for c in range(n_categories):
            proba[d, c] = logits[c] / total
