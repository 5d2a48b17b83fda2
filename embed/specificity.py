"""Estimate the specificity of each motif instance, in closed form from its documents.

Section 3.1.1 models the documents of an instance as drawn from a von Mises-Fisher distribution around the instance's
vector; kappa follows from the mean cosine between the two. The same weights fold instances into documents.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from embed.edges import Edges
from embed.vectors import centred_units, mean_direction
from hin.arrays.types import Doubles, Floats, Int32, Int64
from hin.engines.local import core_count

#: The prior's weight in documents, so that a chance agreement of a few does not look specific.
SHRINK_DOCUMENTS = 5.0
#: Fixed ranges of documents, whatever the number of threads, so that sums are reproducible.
_RANGES = 8


@dataclass(frozen=True, eq=False)
class Specificity:
    """The specificity of the instances, estimated from the documents.

    Attributes
    ----------
    kappa : float32[instances]
        Concentration of the instance's documents around it, at least 0.
    weights : float32[instances]
        The weight of the instance when a document is folded from its instances: the squared mean cosine.
    documents : float32[documents, dim]
        Unit vectors folded with these weights.
    """

    kappa: Floats
    weights: Floats
    documents: Floats


def estimate_specificity(edges: Edges, vectors: Floats, documents: Floats, threads: int | None = None) -> Specificity:
    """Estimate every kappa from the documents, without labels and without SGD.

    1. A first weight of each instance: the mean cosine between the learned vectors of its documents.
    2. Documents folded from their instances with these weights.
    3. The mean cosine between the instance and its documents, each folded without the instance itself.

    Parameters
    ----------
    edges : Edges
    vectors : float32[instances, dim]
        Of unit length.
    documents : float32[documents, dim]
        As learned.
    threads : int, optional
    """
    counts = edges.instance_degrees()
    first = shrink_to_mean(mean_cosines(edges, documents, threads), counts)
    weights = np.maximum(first, 1e-3).astype(np.float32)
    alignments = _mean_alignments(edges, vectors, weights, threads)
    length = np.clip(shrink_to_mean(alignments, counts), 0.0, 1.0)
    weights = np.maximum(length**2, 1e-3).astype(np.float32)
    kappa = concentration(length**2, vectors.shape[1]).astype(np.float32)
    return Specificity(kappa, weights, fold(edges.instance_offsets, edges.instances, weights, vectors, threads))


def concentration(squared_length: Doubles, dim: int) -> Doubles:
    """Return the von Mises-Fisher kappa of a squared mean resultant length: R (p - R^2) / (1 - R^2).

    Examples
    --------
    >>> concentration(np.array([-0.1, 0.0, 0.25]), 100).round(1).tolist()
    [0.0, 0.0, 66.5]
    """
    square = np.clip(squared_length, 0.0, 0.999)
    return np.asarray(np.sqrt(square) * (dim - square) / (1.0 - square))


def mean_cosines(edges: Edges, documents: Floats, threads: int | None = None) -> Doubles:
    """Compute the mean cosine between the centred vectors of two documents of each instance; nan if there is only one.

    It is (|sum d|^2 - n) / (n (n - 1)): the squared mean resultant length without its bias.
    """
    from embed.specificity_kernel import add_resultants

    units = centred_units(documents)
    present = np.any(units != 0, axis=1)
    sums = np.zeros((edges.n_instances, units.shape[1]), np.float32)
    counts = np.zeros(edges.n_instances, np.int64)
    add_resultants(0, edges.n_documents, edges.instance_offsets, edges.instances, units, present, sums, counts)
    squared = np.einsum("ij,ij->i", sums, sums, dtype=np.float64)
    n = counts.astype(np.float64)
    return np.where(n > 1, (squared - n) / np.maximum(n * (n - 1), 1.0), np.nan)


def fold(
    offsets: Int64,
    instances: Int32,
    weights: Floats,
    vectors: Floats,
    threads: int | None = None,
) -> Floats:
    """Compute unit vectors of documents: the weighted mean direction of their instances.

    With weights kappa it is the most likely document under the paper's p(d|m); the squared mean cosine, which decays
    faster for unspecific instances, gives better results.

    Examples
    --------
    >>> vectors = np.eye(2, dtype=np.float32)
    >>> fold(np.array([0, 2]), np.array([0, 1], np.int32), np.array([3, 4], np.float32), vectors).round(1).tolist()
    [[0.6000000238418579, 0.800000011920929]]
    """
    from embed.specificity_kernel import fold_documents

    out = np.empty((len(offsets) - 1, vectors.shape[1]), np.float32)
    given = (offsets, instances, weights, vectors, out)
    _over_ranges(len(offsets) - 1, threads, lambda _, a, b: fold_documents(a, b, *given))
    return out


def _mean_alignments(edges: Edges, vectors: Floats, weights: Floats, threads: int | None) -> Doubles:
    """Compute the mean cosine between each instance and its documents folded without it; nan if no document is left."""
    from embed.specificity_kernel import add_alignments

    offsets, instances = edges.instance_offsets, edges.instances
    term_first, term_last = edges.term_offset, edges.term_offset + edges.n_terms
    text_weights = np.zeros_like(weights)
    text_weights[term_first:term_last] = weights[term_first:term_last]
    centre = mean_direction(fold(offsets, instances, weights, vectors, threads))
    text_centre = mean_direction(fold(offsets, instances, text_weights, vectors, threads))
    directions = centred_units(vectors)
    sums = np.zeros((_RANGES, edges.n_instances), np.float64)
    counts = np.zeros((_RANGES, edges.n_instances), np.int64)
    given = (offsets, instances, term_first, term_last, weights, vectors, directions, centre, text_centre)
    _over_ranges(edges.n_documents, threads, lambda k, a, b: add_alignments(a, b, *given, sums[k], counts[k]))
    total, n = sums.sum(axis=0), counts.sum(axis=0)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)


def shrink_to_mean(values: Doubles, counts: Int64) -> Doubles:
    """Shrink the values of instances in few documents towards the mean."""
    known = np.isfinite(values)
    usual = float(np.average(values[known], weights=counts[known])) if known.any() else 0.0
    weight = np.where(known, counts, 0)
    return (weight * np.where(known, values, 0.0) + SHRINK_DOCUMENTS * usual) / (weight + SHRINK_DOCUMENTS)


def _over_ranges(n: int, threads: int | None, work: Callable[[int, int, int], None]) -> None:
    """Run ``work(k, first, last)`` over fixed ranges of documents."""
    bounds = [n * k // _RANGES for k in range(_RANGES + 1)]
    with ThreadPoolExecutor(min(threads or core_count(), _RANGES)) as pool:
        for done in [pool.submit(work, k, bounds[k], bounds[k + 1]) for k in range(_RANGES)]:
            done.result()
