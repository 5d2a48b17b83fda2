"""Rows of scores (documents × categories): softmax, centring, scaling, some thousand rows at a time.

One number per document and category takes much memory, so large arrays of scores are memory-mapped files
(`hin.files.mapped`), made and read in passes that release the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hin.arrays.stored_rows import passing
from hin.arrays.types import Array, Doubles, Floats, Int64, Reals
from hin.files.mapped import mapped_zeros


def by_rows(work: Callable[[Any], Any], rows: Array, kind: npt.DTypeLike = np.float64) -> Array:
    """Apply a function of single rows to all rows, some thousand at a time.

    >>> by_rows(np.exp, np.zeros((1, 2)), np.float32).tolist()
    [[1.0, 1.0]]
    """
    found = mapped_zeros(rows.shape, kind)
    for here in passing(rows, found):
        found[here] = work(rows[here])
    return found


def best(scores: Reals) -> Int64:
    """Return the category with the highest score of each row.

    >>> best(np.array([[0.2, 0.8], [0.6, 0.4]])).tolist()
    [1, 0]
    """
    found = np.zeros(len(scores), dtype=np.int64)
    for here in passing(scores):
        found[here] = scores[here].argmax(axis=1)
    return found


def weighted_sum(several: Sequence[Floats], weights: Sequence[float] | None = None) -> Floats:
    """Return the sum of scores, each times its weight (by default 1).

    >>> weighted_sum([np.ones((1, 2), np.float32), np.ones((1, 2), np.float32)], [1.0, 0.5]).tolist()
    [[1.5, 1.5]]
    """
    total = mapped_zeros(several[0].shape, np.float32)
    for here in passing(total, *several):
        for scores, weight in zip(several, weights or [1.0] * len(several), strict=True):
            total[here] += np.float32(weight) * scores[here]
    return total


def log_softmax(scores: Reals) -> Doubles:
    """Return log probabilities of rows of scores.

    >>> np.exp(log_softmax(np.array([[0.0, 0.0]]))).tolist()
    [[0.5, 0.5]]
    """
    shifted = np.asarray(scores, dtype=np.float64) - scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def softmax(scores: Reals) -> Doubles:
    """Return probabilities of rows of scores.

    >>> softmax(np.array([[0.0, np.log(3)]])).round(2).tolist()
    [[0.25, 0.75]]
    """
    return np.asarray(np.exp(log_softmax(scores)))


def centred(scores: Reals) -> Doubles:
    """Subtract each row's mean.

    >>> centred(np.array([[1.0, 3.0]])).tolist()
    [[-1.0, 1.0]]
    """
    values = np.asarray(scores, dtype=np.float64)
    return np.asarray(values - values.mean(axis=1, keepdims=True))


def in_units(scores: Reals) -> Floats:
    """Divide scores by their standard deviation, so that scores of different scales can be added.

    >>> float(in_units(np.array([[2.0, -2.0]])).max())
    1.0
    """
    unit = max(_deviation(scores), 1e-12)
    return by_rows(lambda rows: rows / unit, scores, np.float32)


def _deviation(scores: Reals) -> float:
    """Return the standard deviation of all scores."""
    if not scores.size:
        return 0.0
    mean = sum(float(scores[here].sum(dtype=np.float64)) for here in passing(scores)) / scores.size
    squares = (float(np.square(scores[here] - np.float64(mean)).sum()) for here in passing(scores))
    return float(np.sqrt(sum(squares) / scores.size))


def best_two(start: Reals) -> Floats:
    """Return the highest and the second highest score of each document.

    Parameters
    ----------
    start : float[documents, categories], the names' scores of all views together.

    Examples
    --------
    >>> best_two(np.array([[6.0, 2.0, 1.0], [1.0, 0.0, 1.0]])).tolist()
    [[6.0, 2.0], [1.0, 1.0]]
    """
    if start.shape[1] < 2:
        return np.repeat(start, 2, axis=1).astype(np.float32)
    found = np.zeros((len(start), 2), dtype=np.float32)
    for here in passing(start):
        found[here] = np.partition(start[here], -2, axis=1)[:, [-1, -2]]
    return found
