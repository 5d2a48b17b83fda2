"""Hot loops of the CNN: per-word projections, max-pooling over windows, the dense layers of prediction.

With frozen input vectors a convolution is a sum of per-word projections, so each word is multiplied with the filters
once, however often it occurs. Every number is computed in one fixed order of additions that depends on the document
alone: the same bits come out whatever the batch, its order or the number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hin.engines.compiling import njit

__all__ = ["attribute", "dense_softmax", "filter_slopes", "pool", "project"]

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[Any]


@njit(cache=True, nogil=True, fastmath={"contract"})
def project(vectors: Floats, used: Ints, filters: Floats, start: int, stop: int, table: Floats) -> None:
    """Fill rows `start` to `stop` of the table: vector of the used word times all filter columns.

    Four words and two inputs at a time share the loads of the filters; additions keep the order of the plain loop.
    """
    dim, columns = filters.shape
    even = dim - dim % 2
    table[start:stop] = 0.0
    blocks = start + (stop - start) // 4 * 4
    for i in range(start, blocks, 4):
        v0, v1, v2, v3 = vectors[used[i]], vectors[used[i + 1]], vectors[used[i + 2]], vectors[used[i + 3]]
        r0, r1, r2, r3 = table[i], table[i + 1], table[i + 2], table[i + 3]
        for k in range(0, even, 2):
            f, g = filters[k], filters[k + 1]
            a0, a1, a2, a3 = v0[k], v1[k], v2[k], v3[k]
            b0, b1, b2, b3 = v0[k + 1], v1[k + 1], v2[k + 1], v3[k + 1]
            for c in range(columns):
                r0[c] = (r0[c] + a0 * f[c]) + b0 * g[c]
                r1[c] = (r1[c] + a1 * f[c]) + b1 * g[c]
                r2[c] = (r2[c] + a2 * f[c]) + b2 * g[c]
                r3[c] = (r3[c] + a3 * f[c]) + b3 * g[c]
        for k in range(even, dim):
            for c in range(columns):
                r0[c] += v0[k] * filters[k, c]
                r1[c] += v1[k] * filters[k, c]
                r2[c] += v2[k] * filters[k, c]
                r3[c] += v3[k] * filters[k, c]
    for i in range(blocks, stop):
        vector, row = vectors[used[i]], table[i]
        for k in range(dim):
            for c in range(columns):
                row[c] += vector[k] * filters[k, c]


@njit(cache=True, nogil=True)
def pool(
    tokens: Ints,
    offsets: Ints,
    start: int,
    stop: int,
    table: Floats,
    first: Ints,
    places: Ints,
    best: Floats,
    where: Ints,
) -> None:
    """Find the largest window sum of every map, and where it starts, for documents `start` to `stop`.

    A window may begin at any word; past the end of the document it sees zeros, the table's last row. An empty
    document is one window of zeros. The first of equal windows wins. Columns of the table stand by their place in the
    window (`by_place`), so that all maps are gone through in one loop.
    """
    blank, n_maps = table.shape[0] - 1, best.shape[1]
    sums = np.empty(n_maps, dtype=np.float32)
    for d in range(start, stop):
        low, high = offsets[d], offsets[d + 1]
        top, at = best[d], where[d]
        for m in range(n_maps):
            top[m] = -np.inf
            at[m] = 0
        for t in range(max(high - low, 1)):
            row = table[tokens[low + t]] if low + t < high else table[blank]
            for m in range(n_maps):
                sums[m] = row[m]
            for j in range(1, min(len(places), high - low - t)):
                row = table[tokens[low + t + j]]
                shift = places[j] - first[j]
                for m in range(first[j], n_maps):
                    sums[m] += row[shift + m]
            for m in range(n_maps):
                better = sums[m] > top[m]
                top[m] = sums[m] if better else top[m]
                at[m] = t if better else at[m]


@njit(cache=True, nogil=True, fastmath={"contract"})
def filter_slopes(
    tokens: Ints, offsets: Ints, where: Ints, pooled: Floats, inputs: Floats, widths: Ints, maps: int, slopes: Floats
) -> None:
    """Add up how the loss changes with each filter, from how it changes with each pooled feature.

    Max-pooling hands a map's slope to its winning window, so a filter's is the sum of the words there, each times the
    slope of its document; past the end of a document there are zeros. `slopes` has a row for each filter column.
    """
    for d in range(len(offsets) - 1):
        low, high = offsets[d], offsets[d + 1]
        column = 0
        for w in range(len(widths)):
            for f in range(maps):
                slope = pooled[d, w * maps + f]
                if slope == 0:  # blanked by the ReLU
                    continue
                at = low + where[d, w * maps + f]
                for j in range(min(widths[w], high - at)):
                    word, row = inputs[tokens[at + j]], slopes[column + j * maps + f]
                    for k in range(len(word)):
                        row[k] += slope * word[k]
            column += widths[w] * maps


@njit(cache=True, nogil=True)
def dense_softmax(
    pooled: Floats,
    bias: Floats,
    hidden: Floats,
    hidden_bias: Floats,
    out: Floats,
    out_bias: Floats,
    start: int,
    stop: int,
    proba: Floats,
) -> None:
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


@njit(cache=True, nogil=True)
def attribute(
    tokens: Ints,
    offsets: Ints,
    table: Floats,
    first: Ints,
    places: Ints,
    pooled: Floats,
    where: Ints,
    bias: Ints,
    hidden: Ints,
    hidden_bias: Ints,
    out: Ints,
    out_bias: Ints,
    categories: Ints,
    added: Ints,
    rest: Ints,
) -> None:
    """Share the logit of each document's category, less the mean logit, out among the words of the winning windows."""
    n_maps, n_hidden = hidden.shape
    above = np.empty(out.shape[0], dtype=np.float64)
    slope = np.empty(n_maps, dtype=np.float64)
    for d in range(len(categories)):
        low, high, category = offsets[d], offsets[d + 1], categories[d]
        rest[d] = out_bias[category] - out_bias.mean()
        for h in range(out.shape[0]):
            above[h] = out[h, category] - out[h].mean()
        if n_hidden > 0:
            slope[:] = 0.0
            for h in range(n_hidden):
                inner = hidden_bias[h]
                for m in range(n_maps):
                    inner += max(pooled[d, m] + bias[m], 0.0) * hidden[m, h]
                if inner > 0:
                    rest[d] += hidden_bias[h] * above[h]
                    for m in range(n_maps):
                        slope[m] += hidden[m, h] * above[h]
        else:
            slope[:] = above
        for m in range(n_maps):
            if pooled[d, m] + bias[m] <= 0:
                continue
            rest[d] += bias[m] * slope[m]
            for j in range(len(places)):
                at = low + where[d, m] + j
                if m >= first[j] and at < high:
                    added[at] += table[tokens[at], places[j] - first[j] + m] * slope[m]
