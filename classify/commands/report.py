"""The body of `hin report`."""

from __future__ import annotations

import time

from classify.commands.arguments import ReportCommand
from classify.report.page import write_report
from classify.report.sources import inputs_of
from hin.console import Console
from hin.engines.base import closing_engine
from hin.errors import BadUsage
from hin.files.atomic import check_outputs
from hin.human import duration, plural, size
from hin.stores.base import open_store

__all__ = ["ReportCommand", "run_report"]


def run_report(command: ReportCommand, console: Console) -> None:
    """Write the report, then say what is in it."""
    if command.out.is_dir():
        raise BadUsage(f"{command.out} is a folder", hint=f"name a file, such as {command.out / 'report.html'}")
    check_outputs([command.out], [])
    store = open_store(command.graph, command.model)
    start = time.monotonic()
    with console.progress() as progress, closing_engine(command.engine) as engine:
        progress("reading the findings", 0, None)
        inputs = inputs_of(store, command.reasons, progress, engine)
        progress("writing the report", 0, None)
        made = write_report(command.out, inputs, command)
    seconds = time.monotonic() - start
    if inputs.findings.categories is None:
        console.note("No categories yet: the report shows the graph only. `hin classify` adds the rest.")
    if console.as_json:
        console.json({"report": str(command.out), **made, "seconds": round(seconds, 3)})
        return
    shown = plural(made["documents"], "document")
    if made["shown"] < made["documents"]:
        shown = f"{made['shown']:,} of {shown}"
    console.line(f"{command.out}: {shown}, {size(made['bytes'])}, in {duration(seconds)}")
    console.next(f"open {command.out} in a browser")
