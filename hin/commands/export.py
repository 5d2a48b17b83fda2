"""The body of `hin export`: runs the command and prints its results."""

from __future__ import annotations

from hin.commands.arguments import ExportCommand
from hin.console import Console
from hin.exchange.export import export


def run_export(command: ExportCommand, console: Console) -> None:
    """Write a graph for another tool, then report its path."""
    with console.progress() as progress:
        written = export(
            command.graph, command.chosen, command.out, csv_formulas=command.csv_formulas, progress=progress
        )
    if console.as_json:
        console.json({"format": command.chosen, "file": str(written)})
    else:
        console.line(str(written))
