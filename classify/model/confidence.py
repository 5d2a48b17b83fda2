"""Confidence without labels: the expected accuracy, the temperature that fits it, and when to abstain.

Two things predict how many labels are right: how clear the names' scores were before anything was learned from them,
and how much of each opinion (the corpus's, knowledge's) is left in the labels. The estimate is corrected by what the EM
keeps of a pretrained model's labels, which err in other documents than the corpus's views.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.several.levels import probabilities_of_sets
from hin.arrays.score_rows import best
from hin.arrays.stored_rows import passing

__all__ = ["accuracy_signals", "corrected_accuracy", "decided", "expected_accuracy", "temperature_for"]

#: Chosen on whole corpora (decision 0081), for names alone and for names with known documents (decision 0062).
_SCALE = 1.23
_SCALE_KNOWN = 1.1
#: From `accuracy_signals` to the log odds of a label's being right: a constant and a factor for each, as
#: `python -m benchmarks.confidence --fit` prints them (docs/experiments/confidence.md says on which runs).
CORRECTION = (-1.8, 0.87, 1.814, 0.13)
#: What the EM keeps on the mean, where no pretrained model is asked.
_USUALLY_KEPT = 0.77


def expected_accuracy(
    labels: npt.NDArray[np.integer[Any]],
    start: npt.NDArray[np.floating[Any]],
    opinions: Mapping[str, npt.NDArray[np.integer[Any]]],
    weights: Mapping[str, float],
    sharpness: float = 2.0,
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
        clear = _mean_highest(start, 1 / sharpness)
    else:
        scaled = sharpness * np.asarray(start, dtype=np.float64)
        clear = float(probabilities_of_sets(scaled, expected).max(axis=1).mean())
    if taught:
        opinions, weights = {"start": best(start)}, {"start": 1.0}
    total = sum(weights[name] for name in opinions)
    left = sum(weights[name] * float(np.mean(labels == theirs)) for name, theirs in opinions.items()) / total
    scale = _SCALE_KNOWN if taught else _SCALE
    return float(np.clip(scale * clear * left, 1.0 / start.shape[1], 0.97))


def corrected_accuracy(estimate: float, kept: Mapping[str, float], n_categories: int) -> float:
    """Correct the expected accuracy by what the EM keeps of pretrained models' labels, and by the number of categories.

    Parameters
    ----------
    kept : the macro-F1 of the EM's labels against those of each opinion; the corpus's own opinion does not count.

    Examples
    --------
    >>> corrected_accuracy(0.6, {"corpus": 0.9, "knowledge": 0.9}, 5) > corrected_accuracy(0.6, {"knowledge": 0.5}, 5)
    True
    """
    if n_categories < 2:
        return estimate
    signals = accuracy_signals(estimate, kept, n_categories)
    log_odds = CORRECTION[0] + sum(factor * one for factor, one in zip(CORRECTION[1:], signals, strict=True))
    return float(np.clip(1 / (1 + np.exp(-log_odds)), 1.0 / n_categories, 0.97))


def accuracy_signals(estimate: float, kept: Mapping[str, float], n_categories: int) -> list[float]:
    """Return what the corrected accuracy is computed from: the estimate's log odds, what is kept, ln(categories)."""
    held = float(np.clip(estimate, 0.01, 0.99))
    outside = max((share for name, share in kept.items() if name != "corpus"), default=_USUALLY_KEPT)
    return [float(np.log(held / (1 - held))), outside, float(np.log(n_categories))]


def temperature_for(scores: npt.NDArray[np.floating[Any]], accuracy: float) -> float:
    """Return the temperature at which the mean of the documents' highest probabilities is the expected accuracy.

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
    """Return the mean of the documents' highest probabilities, computed in blocks."""
    total = 0.0
    for here in passing(scores):
        part = np.asarray(scores[here], dtype=np.float64) / temperature
        total += float((1 / np.exp(part - part.max(axis=1, keepdims=True)).sum(axis=1)).sum())
    return total / len(scores)


def decided(probabilities: npt.NDArray[np.floating[Any]], abstain_below: float | None = None) -> npt.NDArray[np.bool_]:
    """Return the mask of documents that get a category: those with evidence and with a high enough confidence.

    A document without a known word or value has the same probability for every category.

    >>> decided(np.array([[0.5, 0.5], [0.6, 0.4]])).tolist(), decided(np.array([[0.6, 0.4]]), 0.7).tolist()
    ([False, True], [False])
    """
    found = np.zeros(len(probabilities), dtype=np.bool_)
    for here in passing(probabilities):
        sure = probabilities[here].max(axis=1)
        found[here] = (sure >= (abstain_below or 0.0)) & (sure > probabilities[here].min(axis=1))
    return found
