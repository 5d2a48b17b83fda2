"""The registry of the report's charts.

A new chart is two files of the same name in this folder (or in another package, by the entry points `hin.charts`):
`mine.py` with the numbers, and beside it `mine.js`, which draws them.

    @chart("mine", section="quality", title="Mine", hint="What it shows.")
    def mine(source: ChartSource) -> dict[str, Any] | None: ...

    drawings.mine = (numbers, data) => chart("mine-chart", 300, width => ({ ... ECharts options ... }));
"""

from __future__ import annotations

import html
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hin.registry import Registry

if TYPE_CHECKING:
    from classify.report.gathering import ChartSource

#: A function from a report's source to the numbers of a chart, as JSON; None where there is nothing to draw.
Numbers = Callable[["ChartSource"], Any]


@dataclass(frozen=True)
class Chart:
    """A chart of the report.

    Attributes
    ----------
    section : the id of the page's section that holds it.
    title : its heading; empty where the section's own heading is enough.
    hint : an explanation for the reader.
    drawing : the file of its JavaScript, which sets `drawings.NAME`.
    """

    numbers: Numbers
    section: str
    title: str
    hint: str
    drawing: Path

    def block(self, name: str) -> str:
        """Return its HTML element, hidden until there is something to draw."""
        heading = f'<h3 id="{name}-title">{html.escape(self.title)}</h3>' if self.title else ""
        label = f"{name if self.title else self.section}-title"
        return (
            f'<div id="{name}-block" hidden>{heading}<p id="{name}-hint" class="hint">{html.escape(self.hint)}</p>'
            f'<div id="{name}-controls"></div>'
            f'<div id="{name}-chart" class="panel chart" role="img" aria-labelledby="{label}"></div>'
            f'<div id="{name}-after"></div></div>'
        )


CHARTS: Registry[Chart] = Registry("chart", package="classify.report.charts", group="hin.charts")
"""The charts of the report, by name."""


def chart(name: str, section: str, title: str = "", hint: str = "") -> Callable[[Numbers], Numbers]:
    """Register a function that returns a chart's numbers; the drawing is the JavaScript file beside it."""

    def register(numbers: Numbers) -> Numbers:
        drawing = Path(inspect.getfile(numbers)).with_suffix(".js")
        CHARTS.register(name)(Chart(numbers, section, title, hint, drawing))
        return numbers

    return register
