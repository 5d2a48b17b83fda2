"""Shares that mean what they say: what is added to each category's score so that as many documents get it as asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["share_offsets"]

#: Near enough: half a point.
_NEAR = 0.005


def share_offsets(
    scores: npt.NDArray[np.floating[Any]], shares: Sequence[float], rounds: int = 300
) -> npt.NDArray[np.float64]:
    """Offsets after which the highest scores fall into the categories in these shares, as nearly as was found.

    >>> scores = np.array([[3.0, 0.0], [2.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> offsets = share_offsets(scores, [0.25, 0.75])
    >>> (scores + offsets).argmax(axis=1).tolist()
    [0, 1, 1, 1]
    """
    asked = np.asarray(shares, dtype=np.float64)
    values = np.asarray(scores, dtype=np.float64)
    offsets = np.zeros(len(asked))
    best, least = offsets, np.inf
    step = max(float(values.std()), 1e-12)
    for done in range(rounds if len(values) else 0):
        found = np.bincount((values + offsets).argmax(axis=1), minlength=len(asked)) / len(values)
        error = float(np.abs(found - asked).max())
        if error < least:
            best, least = offsets, error
        if error <= _NEAR:
            break
        # Steps that shrink slowly: large ones first, fine ones at the end.
        offsets = offsets + step * (1 - done / rounds) * np.log((asked + _NEAR) / (found + _NEAR)) / 2
    return np.asarray(best - best.mean())
