"""Micro- and macro-F1 of the labels from a few answers and all probabilities, with 95 % intervals.

The counts behind F1 (right, given and true documents of each category) are prediction-powered: the sum of the
probabilities over all documents, corrected by the answers' weighted differences from them (Angelopoulos et al. 2023).
Calibrated probabilities make the correction small; wrong ones cost width, not bias. The interval is from the rescaled
bootstrap within the strata of the draw (Rao and Wu 1988), which strata of two answers need. The macro-F1 of categories
about which hardly anybody answered would be that of their probabilities, whose errors no answer shows: it is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hin.arrays.types import Doubles, Ints, Reals

_DRAWS = 400
#: With fewer answers per category macro-F1 is not estimated.
PER_CATEGORY = 5
#: The normal quantile of a 95 % interval.
_Z = 1.959964


class MeasuredFigure(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        """Return the figure as a record for machines."""
        return {name: round(value, 4) for name, value in self._asdict().items()}


def estimate_f1(
    labels: Ints,
    probabilities: Reals,
    rows: Ints,
    truth: Ints,
    strata: Sequence[int],
    sizes: Sequence[int],
) -> dict[str, MeasuredFigure]:
    """Estimate micro-F1 and, from enough answers, macro-F1.

    Parameters
    ----------
    labels : the category of every document, -1 for none.
    probabilities : float[documents, categories].
    rows, truth, strata : of each answered document: its row, its true category (-1 for none) and its stratum.
    sizes : how many documents each stratum has.
    """
    n_categories, home = probabilities.shape[1], np.asarray(strata)
    given = np.bincount(labels[labels >= 0], minlength=n_categories).astype(np.float64)
    sure = np.zeros(n_categories)
    decided = np.flatnonzero(labels >= 0)
    np.add.at(sure, labels[decided], np.asarray(probabilities[decided, labels[decided]], dtype=np.float64))
    likely = np.asarray(probabilities, dtype=np.float64).sum(axis=0)
    columns = np.arange(n_categories)
    expected = np.asarray(probabilities[rows], dtype=np.float64)
    real, mine = truth[:, None] == columns, labels[rows][:, None] == columns
    right, true = mine * (real - expected), real - expected
    here = [np.flatnonzero(home == number) for number in np.unique(home).tolist()]
    total = len(labels) / sum(sizes[home[group[0]]] for group in here)

    def figures(weights: Doubles) -> tuple[Doubles, Doubles]:
        """Return micro- and macro-F1 for each row of weights."""
        hits = np.maximum(sure + weights @ right, 0.0)
        there = np.maximum(likely + weights @ true, hits)
        each = 2 * hits / np.maximum(given + there, 1e-9)
        micro = 2 * hits.sum(axis=1) / np.maximum(given.sum() + there.sum(axis=1), 1e-9)
        return np.minimum(micro, 1.0), np.minimum(each, 1.0).mean(axis=1)

    weights, drawn = np.zeros((1, len(rows))), np.zeros((_DRAWS, len(rows)))
    rng = np.random.default_rng([len(rows), 0xF1])
    for group in here:
        size, n = total * sizes[home[group[0]]], len(group)
        weights[0, group] = size / n
        drawn[:, group] = rng.multinomial(max(1, n - 1), np.full(n, 1 / n), _DRAWS) * size / max(1, n - 1)
    found = {}
    for name, value, spread in zip(("micro_f1", "macro_f1"), figures(weights), figures(drawn), strict=True):
        half = _Z * float(np.std(spread))
        found[name] = MeasuredFigure(
            float(value[0]), max(0.0, float(value[0]) - half), min(1.0, float(value[0]) + half)
        )
    if len(rows) < PER_CATEGORY * n_categories:
        del found["macro_f1"]
    return found
