"""The chart "kappa": how specific the instances of each pattern are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.report.charts.base import chart
from hin.arrays.types import Bools, Ints, Reals

if TYPE_CHECKING:
    from classify.report.gathering import ChartSource


@chart(
    "kappa",
    section="patterns",
    title="How specific the instances are",
    hint="Kappa measures how tightly an instance's documents lie together: the further right, the fewer subjects it "
    "stands for. Pale: all instances of the pattern. Strong: those chosen for a category. Each row and each shade is "
    "drawn to its own height.",
)
def kappa(source: ChartSource) -> dict[str, Any] | None:
    """Return the histograms of all patterns."""
    motifs = source.motifs
    return kappa_bins(
        source.inputs.findings.kappa, motifs.pattern_of, motifs.patterns, np.unique(source.chosen["motif"])
    )


def kappa_bins(
    kappa: Reals | None, pattern_of: Ints, patterns: Sequence[str], selected: Ints, bins: int = 48
) -> dict[str, Any] | None:
    """Count instances by kappa for each pattern, all of them and the selected ones.

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
    # The outermost half percent on both ends would stretch the axis; it goes into the outermost bins.
    low, high = np.percentile(scaled[finite], [0.5, 99.5])
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, bins + 1)
    place = np.clip(np.searchsorted(edges, scaled, side="right") - 1, 0, bins - 1)
    chosen = np.zeros(len(kappa), dtype=np.bool_)
    chosen[selected] = True

    def counted(mask: Bools) -> list[list[int]]:
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
