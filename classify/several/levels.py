"""A shift of each document's logits, with which its probabilities add up to the expected number of categories."""

from __future__ import annotations

import numpy as np

from hin.arrays.types import Doubles, Reals


def sigmoid(values: Reals) -> Doubles:
    """Return the probabilities of logits."""
    from scipy.special import expit

    return np.asarray(expit(np.asarray(values, dtype=np.float64)))


def levelled(logits: Reals, expected: float) -> Doubles:
    """Shift the logits of each row so that the row's probabilities add up to `expected`.

    >>> moved = levelled(np.array([[3.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), 1.5)
    >>> (1 / (1 + np.exp(-moved))).sum(axis=1).round(6).tolist(), (moved[0] - moved[0, 2]).round(6).tolist()
    ([1.5, 1.5], [3.0, 1.0, 0.0])
    """
    values = np.asarray(logits, dtype=np.float64)
    n = values.shape[1]
    if expected >= n:  # every category of every document; 36 is the largest whole logit whose sigmoid is below 1
        return np.full(values.shape, 36.0)
    # Bounds of the bisection: with the larger shift every category has at least expected / n, with the smaller at most.
    even = np.log(expected / (n - expected))
    low, high = even - values.max(axis=1), even - values.min(axis=1)
    for _ in range(50):
        middle = (low + high) / 2
        few = sigmoid(values + middle[:, None]).sum(axis=1) < expected
        low, high = np.where(few, middle, low), np.where(few, high, middle)
    return np.asarray(values + ((low + high) / 2)[:, None])


def probabilities_of_sets(logits: Reals, expected: float) -> Doubles:
    """Return the separate probability of each category; those of each row add up to `expected`.

    >>> probabilities_of_sets(np.array([[1.0, 1.0, 1.0, 1.0]]), 2.0).round(6).tolist()
    [[0.5, 0.5, 0.5, 0.5]]
    """
    return sigmoid(levelled(logits, expected))


def log_of_sets(logits: Reals, expected: float) -> Doubles:
    """Return the logarithms of `probabilities_of_sets`.

    Without the shift, long documents, which have more evidence, would get all categories and short ones none.
    """
    return np.asarray(np.log(np.maximum(probabilities_of_sets(logits, expected), 1e-12)))
