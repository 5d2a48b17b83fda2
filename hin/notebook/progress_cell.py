"""Progress in a notebook: one bar under the cell, updated in place, gone when the work is done.

It needs nothing but IPython, which is there where a notebook is; bars of other packages want `ipywidgets` besides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from hin.human import duration
from hin.notebook.html_parts import escaped

#: Seconds until the bar appears, so that short work shows none, and seconds between two updates.
FIRST_AFTER = 0.5
APART = 0.2

Clock = Callable[[], float]


@contextmanager
def progress_cell(clock: Clock = time.monotonic) -> Iterator[_Cell]:
    """Show a bar with an estimate of the time left in the output of the cell that runs."""
    cell = _Cell(clock)
    try:
        yield cell
    finally:
        cell.clear()


class _Cell:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.label = ""
        self.first = 0
        self.since = clock()
        self.shown = self.since + FIRST_AFTER - APART
        self.handle: Any = None

    def __call__(self, label: str, done: int, total: int | None, note: str = "") -> None:
        now = self.clock()
        if label != self.label:
            self.label, self.since, self.first = label, now, done
        if now - self.shown >= APART:
            self.shown = now
            self._show(label, done, total, note, self._left(now, done, total))

    def _left(self, now: float, done: int, total: int | None) -> str:
        """Estimate the time left from the time so far."""
        if not total or done <= self.first or now - self.since < 1:
            return ""
        return f"about {duration((now - self.since) * (total - done) / (done - self.first))} left"

    def _show(self, label: str, done: int, total: int | None, note: str, left: str) -> None:
        share = f' value="{min(done / total, 1):.3f}"' if total else ""
        percent = f"{100 * done / total:.0f} %" if total else ""
        status = " · ".join(filter(None, (escaped(label), percent, left, escaped(note) if note else "")))
        plain = " · ".join(filter(None, (label, percent, left)))
        bundle = {"text/html": f"<progress{share}></progress> {status}", "text/plain": plain}
        if self.handle is None:
            self.handle = import_module("IPython.display").DisplayHandle()
            self.handle.display(bundle, raw=True)
        else:
            self.handle.update(bundle, raw=True)

    def clear(self) -> None:
        """Remove the bar."""
        if self.handle is not None:
            self.handle.update({"text/html": "", "text/plain": ""}, raw=True)
