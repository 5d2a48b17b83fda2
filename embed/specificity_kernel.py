"""Passes over the document-instance edges that compute specificity and folded documents.

Each works on a range of documents, so that fixed ranges can run on several threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit


@njit(cache=True, nogil=True, fastmath=True)
def fold_documents(first: Any, last: Any, offsets: Any, instances: Any, weights: Any, vectors: Any, out: Any) -> None:
    """Normalise the weighted sum of each document's instance vectors; zero where nothing has weight."""
    width = vectors.shape[1]
    for d in range(first, last):
        for c in range(width):
            out[d, c] = np.float32(0.0)
        for e in range(offsets[d], offsets[d + 1]):
            m = instances[e]
            for c in range(width):
                out[d, c] += weights[m] * vectors[m, c]
        total = np.float32(0.0)
        for c in range(width):
            total += out[d, c] * out[d, c]
        if total > np.float32(0.0):
            scale = np.float32(1.0) / np.sqrt(total)
            for c in range(width):
                out[d, c] *= scale


@njit(cache=True, nogil=True, fastmath=True)
def add_resultants(
    first: Any, last: Any, offsets: Any, instances: Any, units: Any, has_direction: Any, sums: Any, counts: Any
) -> None:
    """Add the unit vectors of the documents to the sums of their instances, and count them."""
    for d in range(first, last):
        if not has_direction[d]:
            continue
        for e in range(offsets[d], offsets[d + 1]):
            m = instances[e]
            counts[m] += 1
            for c in range(units.shape[1]):
                sums[m, c] += units[d, c]


@njit(cache=True, nogil=True, fastmath=True, inline="always")
def _cosine_without(total: Any, weight: Any, vector: Any, centre: Any, direction: Any) -> Any:
    """Compute the cosine between `direction` and ``unit(total - weight * vector) - centre``; 2 if nothing is left.

    `centre` is subtracted after scaling to unit length, as for whole documents.
    """
    rest = np.float32(0.0)
    whole = np.float32(0.0)
    for c in range(total.size):
        left = total[c] - weight * vector[c]
        rest += left * left
        whole += total[c] * total[c]
    if rest <= np.float32(1e-6) * whole or rest <= np.float32(0.0):
        return np.float32(2.0)
    scale = np.float32(1.0) / np.sqrt(rest)
    along = np.float32(0.0)
    length = np.float32(0.0)
    for c in range(total.size):
        left = (total[c] - weight * vector[c]) * scale - centre[c]
        along += left * direction[c]
        length += left * left
    return along / np.sqrt(length) if length > np.float32(0.0) else np.float32(2.0)


@njit(cache=True, nogil=True, fastmath=True)
def add_alignments(
    first: Any,
    last: Any,
    offsets: Any,
    instances: Any,
    term_first: Any,
    term_last: Any,
    weights: Any,
    vectors: Any,
    directions: Any,
    centre: Any,
    text_centre: Any,
    sums: Any,
    counts: Any,
) -> None:
    """Add, for each edge, the cosine between the instance and the document folded without it.

    For terms the document is folded from all its other instances; for every other instance from its text only, if there
    is any, because metadata fields and their combinations are correlated.
    """
    width = vectors.shape[1]
    total = np.empty(width, np.float32)
    text = np.empty(width, np.float32)
    for d in range(first, last):
        for c in range(width):
            total[c] = np.float32(0.0)
            text[c] = np.float32(0.0)
        terms = 0
        for e in range(offsets[d], offsets[d + 1]):
            m = instances[e]
            for c in range(width):
                total[c] += weights[m] * vectors[m, c]
            if term_first <= m < term_last:
                terms += 1
                for c in range(width):
                    text[c] += weights[m] * vectors[m, c]
        for e in range(offsets[d], offsets[d + 1]):
            m = instances[e]
            if term_first <= m < term_last or terms == 0:
                cosine = _cosine_without(total, weights[m], vectors[m], centre, directions[m])
            else:
                cosine = _cosine_without(text, np.float32(0.0), vectors[m], text_centre, directions[m])
            if cosine <= np.float32(1.5):
                sums[m] += cosine
                counts[m] += 1
