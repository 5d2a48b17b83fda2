"""The numbers behind the report's charts: bins, quantiles, and the map of the joint space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.paper.tables import project

if TYPE_CHECKING:
    from classify.report.data import ReportInputs

__all__ = ["confidence_bins", "kappa_bins", "map_of", "quantiles"]

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.integer[Any]]


def quantiles(values: Floats) -> list[float] | None:
    """Return the 5th, 25th, 50th, 75th and 95th percentile, or None where there is nothing.

    Examples
    --------
    >>> quantiles(np.arange(101.0))
    [5.0, 25.0, 50.0, 75.0, 95.0]
    """
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None
    return [round(float(value), 3) for value in np.percentile(finite, [5, 25, 50, 75, 95])]


def kappa_bins(
    kappa: Floats | None, pattern_of: Ints, patterns: Sequence[str], selected: Ints, bins: int = 48
) -> dict[str, Any] | None:
    """Return how kappa is spread in each pattern, for all instances and for the selected ones.

    The axis is logarithmic, since kappa runs over orders of magnitude, unless some values are 0 or below.

    Examples
    --------
    >>> found = kappa_bins(np.array([1.0, 10.0, 100.0]), np.zeros(3, int), ["term"], np.array([2]), bins=2)
    >>> found["log"], found["all"], found["selected"]
    (True, [[1, 2]], [[0, 1]])
    """
    if kappa is None or not len(kappa) or not patterns:
        return None
    finite = np.isfinite(kappa)
    values = kappa[finite]
    if not len(values):
        return None
    log = bool((values > 0).all())
    scaled = np.log10(kappa, where=finite & (kappa > 0), out=np.zeros(len(kappa))) if log else np.nan_to_num(kappa)
    # The last half percent on both ends would stretch the axis; it goes into the outermost bins.
    low, high = np.percentile(scaled[finite], [0.5, 99.5])
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, bins + 1)
    place = np.clip(np.searchsorted(edges, scaled, side="right") - 1, 0, bins - 1)
    chosen = np.zeros(len(kappa), dtype=np.bool_)
    chosen[selected] = True

    def counted(mask: npt.NDArray[np.bool_]) -> list[list[int]]:
        return [
            np.bincount(place[mask & finite & (pattern_of == code)], minlength=bins).tolist()
            for code in range(len(patterns))
        ]

    return {
        "log": log,
        "edges": [round(float(edge), 4) for edge in edges],
        "all": counted(np.ones(len(kappa), dtype=np.bool_)),
        "selected": counted(chosen),
    }


def confidence_bins(
    confidence: Floats, predicted: Ints, truth: Ints | None, abstain_below: float | None, bins: int = 50
) -> dict[str, Any]:
    """Return how sure the documents' categories are, apart for right, wrong and unlabelled ones.

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


def map_of(
    inputs: ReportInputs, chosen: Mapping[str, Any], n_categories: int, per_category: int, seed: int
) -> dict[str, Any] | None:
    """Return categories and their strongest instances on a plane (the paper's figure 5).

    Points are `[x, y, category, position]`; position 0 is the category's name.
    """
    vectors = inputs.vectors
    if vectors is None or not n_categories or not len(chosen["motif"]):
        return None
    keep = _heads(chosen["category"], per_category)
    motifs, categories = chosen["motif"][keep], chosen["category"][keep]
    points = np.asarray(vectors[motifs], dtype=np.float64)
    named = inputs.category_vectors
    if named is None:
        named = np.stack([_middle(points[categories == code], points.shape[1]) for code in range(n_categories)])
    plane = project(np.concatenate([named, points]), seed)
    if plane is None:
        return None
    rank = keep - np.searchsorted(chosen["category"], chosen["category"][keep])
    owner = np.concatenate([np.arange(n_categories), categories])
    position = np.concatenate([np.zeros(n_categories, dtype=np.int64), rank + 1])
    rows = zip(plane.tolist(), owner.tolist(), position.tolist(), strict=True)
    return {"points": [[round(x, 3), round(y, 3), c, p] for (x, y), c, p in rows]}


def _heads(groups: Ints, size: int) -> npt.NDArray[np.int64]:
    """Return the positions of the first rows of each group, in groups that lie together."""
    starts = np.searchsorted(groups, groups)
    return np.flatnonzero(np.arange(len(groups)) - starts < size)


def _middle(points: Floats, dim: int) -> Floats:
    return points.mean(axis=0) if len(points) else np.zeros(dim)
