"""The chart "confidence": the confidence of the documents' categories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from classify.report.charts.base import chart
from hin.arrays.types import Ints, Reals

if TYPE_CHECKING:
    from classify.report.gathering import ChartSource


@chart(
    "confidence",
    section="quality",
    title="How sure the categories are",
    hint="Documents by the confidence of their category. The line is where a document would rather get no category; "
    "move it to see what that costs.",
)
def confidence(source: ChartSource) -> dict[str, Any] | None:
    """Return the histogram of all documents; those without a category count with their likeliest one."""
    inputs, ranked = source.inputs, source.ranked
    if not (ranked.best >= 0).any():
        return None
    truth = None if inputs.decision is not None and inputs.decision.sets is not None else inputs.truth
    bins = confidence_bins(ranked.confidence, ranked.best, truth, inputs.abstain_below)
    return bins | {"without": int((source.predicted < 0).sum())}


def confidence_bins(
    confidence: Reals, predicted: Ints, truth: Ints | None, abstain_below: float | None, bins: int = 50
) -> dict[str, Any]:
    """Count documents by confidence, separately for right, wrong and unlabelled ones.

    Examples
    --------
    >>> found = confidence_bins(np.array([0.1, 0.9]), np.array([0, 1]), np.array([1, 1]), 0.4, bins=2)
    >>> found["right"], found["wrong"], found["unknown"], found["abstain"]
    ([0, 1], [1, 0], [0, 0], 0.4)
    """
    place = np.clip((np.asarray(confidence) * bins).astype(np.int64), 0, bins - 1)
    known = np.zeros(len(place), dtype=np.bool_) if truth is None else np.asarray(truth) >= 0
    right = known & (predicted == truth) if truth is not None else known
    has = predicted >= 0
    groups = {"right": has & right, "wrong": has & known & ~right, "unknown": has & ~known}
    counts = {name: np.bincount(place[mask], minlength=bins).tolist() for name, mask in groups.items()}
    return counts | {"bins": bins, "abstain": abstain_below, "without": int((~has).sum())}
