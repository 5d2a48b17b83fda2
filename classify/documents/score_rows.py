"""Rows of scores: softmax, taking the mean off, and one scale for all."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["centred", "in_units", "log_softmax", "softmax"]


def log_softmax(scores: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Return log probabilities of rows of scores.

    >>> np.exp(log_softmax(np.array([[0.0, 0.0]]))).tolist()
    [[0.5, 0.5]]
    """
    shifted = np.asarray(scores, dtype=np.float64) - scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def softmax(scores: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Return probabilities of rows of scores.

    >>> softmax(np.array([[0.0, np.log(3)]])).round(2).tolist()
    [[0.25, 0.75]]
    """
    return np.asarray(np.exp(log_softmax(scores)))


def centred(scores: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Return rows with their mean taken off.

    >>> centred(np.array([[1.0, 3.0]])).tolist()
    [[-1.0, 1.0]]
    """
    values = np.asarray(scores, dtype=np.float64)
    return np.asarray(values - values.mean(axis=1, keepdims=True))


def in_units(scores: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float32]:
    """Return scores in units of their spread, so that opinions of different scales can be added.

    >>> float(in_units(np.array([[2.0, -2.0]])).max())
    1.0
    """
    return np.asarray(scores / max(float(scores.std(dtype=np.float64)), 1e-12), dtype=np.float32)
