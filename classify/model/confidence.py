"""Confidence without labels: the expected accuracy, the temperature that fits it, and when to abstain.

Two things predict how many labels are right: how clear the names' scores were before anything was learned from them,
and how much of each opinion (the corpus's, knowledge's) is left in the labels. How far opinions and views agree
more than by chance corrects the estimate: among three categories much agreement is chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.several.levels import probabilities_of_sets
from hin.arrays.score_rows import best
from hin.arrays.stored_rows import passing

__all__ = ["beyond_chance", "corrected_accuracy", "decided", "expected_accuracy", "temperature_for"]

#: Chosen on whole corpora (decision 0081), for names alone and for names with known documents (decision 0062).
_SCALE = 1.23
_SCALE_KNOWN = 1.1
#: From the estimate's log odds, the opinions' agreement and the views' to the log odds of a label's being right:
#: a constant and a factor for each, printed by `python -m benchmarks.confidence --fit`.
CORRECTION = (-0.08, 1.04, 1.378, -1.513)


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


def corrected_accuracy(
    estimate: float,
    opinions: Sequence[npt.NDArray[np.integer[Any]]],
    views: Sequence[npt.NDArray[np.integer[Any]]],
    n_categories: int,
) -> float:
    """Correct the expected accuracy by how far the opinions, and the views, agree more than by chance.

    Parameters
    ----------
    opinions, views : the labels of each; where there is one opinion, the views' agreement counts for the opinions'.

    Examples
    --------
    >>> one, other = np.array([0, 1, 2, 0]), np.array([0, 1, 2, 1])
    >>> corrected_accuracy(0.6, [one, one], [one, other], 3) > corrected_accuracy(0.6, [one, other], [one, other], 3)
    True
    """
    if n_categories < 2:
        return estimate
    between = beyond_chance(views, n_categories)
    held = float(np.clip(estimate, 0.01, 0.99))
    parts = (np.log(held / (1 - held)), beyond_chance(opinions, n_categories, between), between)
    log_odds = CORRECTION[0] + sum(factor * part for factor, part in zip(CORRECTION[1:], parts, strict=True))
    return float(np.clip(1 / (1 + np.exp(-log_odds)), 1.0 / n_categories, 0.97))


def beyond_chance(
    labellings: Sequence[npt.NDArray[np.integer[Any]]], n_categories: int, otherwise: float = 0.5
) -> float:
    """Return the mean agreement of pairs of labellings: 0 by chance, 1 on all documents; `otherwise` for a single one.

    >>> beyond_chance([np.array([0, 1]), np.array([0, 0])], 2), beyond_chance([np.array([0])], 2)
    (0.0, 0.5)
    """
    shares = [float(np.mean(one == other)) for one, other in combinations(labellings, 2) if len(one)]
    return (float(np.mean(shares)) - 1 / n_categories) / (1 - 1 / n_categories) if shares else otherwise


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
