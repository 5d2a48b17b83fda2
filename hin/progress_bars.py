"""Progress bars on a terminal: one at a time, removed when the work is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hin.progress import Progress


def is_terminal() -> bool:
    """Check whether the standard error is a terminal that can show bars."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Show bars with an estimate of the time left on the standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def show(label: str, done: int, total: int | None, note: str = "") -> None:
            if label not in tasks:
                for task in tasks.values():
                    bars.update(task, visible=False)
                tasks[label] = bars.add_task(label, total=total, note=note)
            bars.update(tasks[label], completed=done, total=total, note=note, visible=True)

        yield show
