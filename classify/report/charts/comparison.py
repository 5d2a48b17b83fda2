"""The chart "comparison": the systems that `hin compare` ran, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.report.charts.base import chart

if TYPE_CHECKING:
    from classify.report.gathering import ChartSource


@chart("comparison", section="comparison")
def comparison(source: ChartSource) -> Any:
    """Return the summary of the runs that `hin compare` stored."""
    return source.inputs.comparison
