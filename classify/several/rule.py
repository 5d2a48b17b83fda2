"""From scores to sets of categories: calibrated probabilities and a threshold, both without labels.

Two conditions determine the probabilities sigmoid(scale · score + level): the mean probability of the best category is
the expected accuracy of a single label (`classify.model.confidence`), and the probabilities add up to the expected
number of categories. With the threshold, documents get that number on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classify.several.levels import sigmoid
from classify.several.options import SeveralOptions
from hin.arrays.types import Bools, Doubles, Reals

#: The fields and types of a stored rule.
SETS = {"scale": float, "level": float, "threshold": float, "at_most?": (None, int), "expected?": float}


@dataclass(frozen=True)
class SetRule:
    """The conversion of scores to probabilities, and of probabilities to sets.

    Attributes
    ----------
    scale, level : a category's probability is sigmoid(scale · score + level).
    threshold : the least probability of a given category; the best is always given if `expected` is at least 1.
    at_most : the most categories of a document; None for no limit.
    expected : the mean number of categories of a document that was assumed.
    """

    scale: float
    level: float
    threshold: float
    at_most: int | None = None
    expected: float = 1.0

    def probabilities(self, scores: Reals) -> Doubles:
        """Return the separate probability of each category."""
        return sigmoid(self.scale * np.asarray(scores, dtype=np.float64) + self.level)

    def chosen(self, probabilities: Reals) -> Bools:
        """Return the mask of each document's categories: those above the threshold, and the best one in any case.

        If fewer than one is expected, the best has to reach the threshold too, so that a document may have none. If all
        probabilities are equal, there was no evidence, and none is given.

        Examples
        --------
        >>> rule = SetRule(1.0, 0.0, threshold=0.5, at_most=2)
        >>> rule.chosen(np.array([[0.9, 0.8, 0.7], [0.1, 0.3, 0.2], [0.6, 0.6, 0.6]])).astype(int).tolist()
        [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
        """
        values = np.asarray(probabilities)
        given = values >= self.threshold
        if values.shape[1] == 0 or not len(values):
            return given
        if self.expected >= 1:
            given[np.arange(len(values)), values.argmax(axis=1)] = True
        if self.at_most is not None and self.at_most < values.shape[1]:
            order = np.argsort(-values, axis=1, kind="stable")
            np.put_along_axis(given, order[:, self.at_most :], values=False, axis=1)
        given[values.max(axis=1) <= values.min(axis=1)] = False
        return given


def set_rule(scores: Reals, expected: float, accuracy: float, options: SeveralOptions | None = None) -> SetRule:
    """Fit the rule to documents with these scores.

    Parameters
    ----------
    expected : the mean number of categories of a document.
    accuracy : the expected accuracy of the best category.

    Examples
    --------
    >>> scores = np.array([[2.0, 1.0, -3.0], [1.0, -2.0, 1.0], [-1.0, 3.0, -2.0], [0.0, 1.0, -1.0]])
    >>> rule = set_rule(scores, 1.5, 0.8)
    >>> found = rule.probabilities(scores)
    >>> found.sum(axis=1).mean().round(3).item(), found.max(axis=1).mean().round(3).item()
    (1.5, 0.8)
    >>> rule.chosen(found).sum().item()
    6
    """
    options = options or SeveralOptions(several=True)
    values = np.asarray(scores, dtype=np.float64)
    n_categories = values.shape[1]
    expected = float(np.clip(expected, 1.0 / max(len(values), 1), n_categories))
    low, high = 1e-3, 1e3
    for _ in range(40 if len(values) else 0):  # the best category's probability rises with the scale
        scale = float(np.sqrt(low * high))
        found = sigmoid(scale * values + _level(scale * values, expected))
        low, high = (scale, high) if found.max(axis=1).mean() < accuracy else (low, scale)
    scale = float(np.sqrt(low * high))
    rule = SetRule(scale, _level(scale * values, expected), 0.5, options.at_most, expected)
    threshold = options.threshold
    if threshold is None:
        found = rule.probabilities(values)
        threshold = float(np.quantile(found, 1 - expected / n_categories, method="higher")) if len(values) else 0.5
        threshold = float(np.floor(threshold * 1e6) / 1e6)  # probabilities are written with six digits
    return SetRule(rule.scale, rule.level, threshold, options.at_most, expected)


def set_offsets(scores: Reals, shares: Sequence[float | None], expected: float) -> Doubles:
    """Return offsets of the scores with which each category with a share is given to that share of the documents.

    >>> scores = np.array([[3.0, 0.0], [2.0, 1.0], [1.0, 2.0], [0.0, 3.0]])
    >>> moved = scores + set_offsets(scores, [0.75, None], 1.0)
    >>> (moved >= np.quantile(scores, 0.5, method="higher")).sum(axis=0).tolist()
    [3, 2]
    """
    values = np.asarray(scores, dtype=np.float64)
    offsets = np.zeros(values.shape[1])
    if not len(values):
        return offsets
    border = np.quantile(values, 1 - min(expected / values.shape[1], 1.0), method="higher")
    for column, share in enumerate(shares):
        if share is not None:
            offsets[column] = border - np.quantile(values[:, column], 1 - share, method="higher")
    return offsets


def _level(logits: Doubles, expected: float) -> float:
    """Return the shift of all logits with which a document's probabilities add up to `expected` on average."""
    n_categories = logits.shape[1]
    if not logits.size or expected >= n_categories:
        return 36.0 - float(logits.min()) if logits.size else 0.0
    even = np.log(expected / (n_categories - expected))
    low, high = float(even - logits.max()), float(even - logits.min())
    for _ in range(60):
        middle = (low + high) / 2
        few = float(sigmoid(logits + middle).sum()) < expected * len(logits)
        low, high = (middle, high) if few else (low, middle)
    return (low + high) / 2
