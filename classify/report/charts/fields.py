"""The chart "fields": what each metadata field is worth, and whether it was used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.report.charts.base import chart

if TYPE_CHECKING:
    from classify.report.gathering import ChartSource


@chart(
    "fields",
    section="patterns",
    title="What each metadata field is worth",
    hint="The texts alone are labelled, by the names and then by the EM. The bars show the share of both labellings "
    "that a field's values predict on left-out documents. A field that predicts nothing, or much more after the EM, "
    "was set aside.",
)
def fields(source: ChartSource) -> list[dict[str, Any]] | None:
    """Return the worth of the fields as the classification estimated it; None where the user named the patterns."""
    used = source.inputs.settings.get("classify", {}).get("used") or {}
    return used.get("fields") or None
