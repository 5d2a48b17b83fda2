"""Confidence without labels: how sure scores may be made to sound, and when to say nothing.

Two things tell how many labels will be right: how clear the names' scores were before anything was learned from them,
and how much of each opinion (the corpus's, knowledge's) is left in the labels. The temperature is chosen so that the
mean confidence is that share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.several.levels import probabilities_of_sets
from hin.arrays.score_rows import best
from hin.arrays.stored_rows import passing

__all__ = ["decided", "expected_accuracy", "temperature_for"]

#: Chosen on whole corpora (decision 0081), for names alone and for names with known documents (decision 0062).
_SCALE = 1.23
_SCALE_KNOWN = 1.1


def expected_accuracy(
    labels: npt.NDArray[np.integer[Any]],
    start: npt.NDArray[np.floating[Any]],
    opinions: Mapping[str, npt.NDArray[np.integer[Any]]],
    weights: Mapping[str, float],
    temperature: float = 2.0,
    expected: float | None = None,
    taught: bool = False,
) -> float:
    """Estimate how many labels are right: the start's clearness times the agreement with the opinions.

    Where known documents have corrected the opinions, the start is what the labels are compared with.

    Parameters
    ----------
    labels : the final ones.
    start : the scores that naive Bayes started from.
    opinions : the labels of each, and `weights` how much it counted.
    expected : how many categories a document has, where it may have several; then this is how often the best is right.
    taught : whether the start holds what known documents taught.

    Examples
    --------
    >>> start = np.log(np.array([[0.8, 0.2], [0.2, 0.8]])) / 2
    >>> given = {"corpus": np.array([0, 0]), "knowledge": np.array([0, 1])}
    >>> weights = {"corpus": 1.0, "knowledge": 1.0}
    >>> round(expected_accuracy(np.array([0, 1]), start, given, weights), 3)  # 1.23 · .8 · .75
    0.738
    """
    if not len(labels) or not opinions:
        return 1.0
    if expected is None:
        clear = _mean_highest(start, 1 / temperature)
    else:
        scaled = temperature * np.asarray(start, dtype=np.float64)
        clear = float(probabilities_of_sets(scaled, expected).max(axis=1).mean())
    if taught:
        opinions, weights = {"start": best(start)}, {"start": 1.0}
    total = sum(weights[name] for name in opinions)
    left = sum(weights[name] * float(np.mean(labels == theirs)) for name, theirs in opinions.items()) / total
    scale = _SCALE_KNOWN if taught else _SCALE
    return float(np.clip(scale * clear * left, 1.0 / start.shape[1], 0.97))


def temperature_for(scores: npt.NDArray[np.floating[Any]], accuracy: float) -> float:
    """Return the temperature at which the mean of the highest probability is the expected accuracy.

    >>> scores = np.log(np.array([[0.8, 0.2], [0.4, 0.6]]))
    >>> round(temperature_for(scores, 0.7), 3)
    1.0
    """
    low, high = 0.02, 50.0
    if not len(scores):
        return 1.0
    for _ in range(50):  # the mean falls as the temperature rises
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if _mean_highest(scores, middle) > accuracy else (low, middle)
    return float(np.sqrt(low * high))


def _mean_highest(scores: npt.NDArray[np.floating[Any]], temperature: float) -> float:
    """Return the mean of the highest probabilities, some documents at a time."""
    total = 0.0
    for here in passing(scores):
        part = np.asarray(scores[here], dtype=np.float64) / temperature
        total += float((1 / np.exp(part - part.max(axis=1, keepdims=True)).sum(axis=1)).sum())
    return total / len(scores)


def decided(probabilities: npt.NDArray[np.floating[Any]], abstain_below: float | None = None) -> npt.NDArray[np.bool_]:
    """Which documents get a category: those with something to go on, and a confidence that is high enough.

    A document without a known word or value has the same probability for every category.

    >>> decided(np.array([[0.5, 0.5], [0.6, 0.4]])).tolist(), decided(np.array([[0.6, 0.4]]), 0.7).tolist()
    ([False, True], [False])
    """
    found = np.zeros(len(probabilities), dtype=np.bool_)
    for here in passing(probabilities):
        sure = probabilities[here].max(axis=1)
        found[here] = (sure >= (abstain_below or 0.0)) & (sure > probabilities[here].min(axis=1))
    return found
