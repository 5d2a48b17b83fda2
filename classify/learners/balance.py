"""Balance of small and large categories: weights of the documents, and balanced samples."""

from __future__ import annotations

import numpy as np

from hin.arrays.score_rows import best
from hin.arrays.stored_rows import passing
from hin.arrays.types import Doubles, Int64, Reals


def balance_weights(posterior: Reals, power: float) -> Doubles:
    """Return the weights of the documents, with mean 1: those of small categories are higher.

    >>> balance_weights(np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 1.0).round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """
    sizes, weights = np.zeros(posterior.shape[1]), np.zeros(len(posterior))
    for here in passing(posterior):
        sizes += posterior[here].sum(axis=0, dtype=np.float64)
    sizes = np.maximum(sizes, 1.0)
    for here in passing(posterior):
        weights[here] = posterior[here] @ (sizes.mean() / sizes) ** power
    return np.asarray(weights / weights.mean())


def balanced_sample(posterior: Reals, size: int, rng: np.random.Generator) -> Int64:
    """Draw at most `size` documents, as evenly from the predicted categories as possible, in input order.

    >>> posterior = np.array([[0.9, 0.1]] * 8 + [[0.2, 0.8]] * 2)
    >>> balanced_sample(posterior, 4, np.random.default_rng(0))[2:].tolist()
    [8, 9]
    """
    if len(posterior) <= size:
        return np.arange(len(posterior), dtype=np.int64)
    label = best(posterior)
    groups = [rng.permutation(np.flatnonzero(label == category)) for category in range(posterior.shape[1])]
    taken: list[Int64] = []
    left = size
    # Small groups first: the rest of their quota goes to the larger ones.
    for number, group in enumerate(sorted(groups, key=len)):
        quota = left // (len(groups) - number)
        taken.append(group[:quota])
        left -= len(taken[-1])
    return np.sort(np.concatenate(taken)).astype(np.int64)
