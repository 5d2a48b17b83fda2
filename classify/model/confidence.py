"""Confidence without labels: how sure scores may be made to sound.

Views that are wrong in different documents agree as often as both are right: the root of their agreement is how often
one of them is right. The final labels are right about as often as they agree with a view that is. The temperature is
chosen so that the mean confidence is that share.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.score_rows import softmax

__all__ = ["expected_accuracy", "temperature_for"]


def expected_accuracy(
    labels: npt.NDArray[np.integer[Any]], views: Sequence[npt.NDArray[np.integer[Any]]], n_categories: int
) -> float:
    """Estimate how many labels are right: agreement with the views times the root of the agreement between them.

    >>> first, second = np.array([0, 1, 1, 1]), np.array([0, 1, 0, 0])
    >>> round(expected_accuracy(np.array([0, 1, 1, 0]), [first, second], 2), 3)  # .75 · √.5
    0.53
    """
    if not len(labels) or not views:
        return 1.0
    with_views = float(np.mean([np.mean(labels == view) for view in views]))
    between = [float(np.mean(one == other)) for one, other in combinations(views, 2)]
    estimate = with_views * float(np.sqrt(np.mean(between))) if between else with_views
    return float(np.clip(estimate, 1.0 / n_categories, 0.99))


def temperature_for(scores: npt.NDArray[np.floating[Any]], accuracy: float) -> float:
    """Return the temperature at which the mean of the highest probability is the expected accuracy.

    >>> scores = np.log(np.array([[0.8, 0.2], [0.4, 0.6]]))
    >>> round(temperature_for(scores, 0.7), 3)
    1.0
    """
    low, high = 0.02, 50.0
    if not len(scores):
        return 1.0

    def sure(temperature: float) -> float:
        return float(softmax(scores / temperature).max(axis=1).mean())

    for _ in range(50):  # the mean falls as the temperature rises
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if sure(middle) > accuracy else (low, middle)
    return float(np.sqrt(low * high))
