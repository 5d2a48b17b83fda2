"""A chart of the report in one pair of files: how long the documents are; `chart_lengths.js` beside it draws it."""

from __future__ import annotations

from typing import Any

import numpy as np

from classify.report.charts.base import chart
from classify.report.gathering import ChartSource

BINS = 20


@chart("lengths", section="quality", title="How long the documents are", hint="Documents by their number of words.")
def lengths(source: ChartSource) -> dict[str, Any] | None:
    """Count the documents by their number of words; None where none has any."""
    words = source.inputs.graph.tokens.degrees()
    if not words.any():
        return None
    counts, edges = np.histogram(words, bins=BINS)
    return {"counts": counts.tolist(), "edges": edges.round().astype(int).tolist()}
