"""The body of `hin copy`: runs the command and prints its results."""

from __future__ import annotations

import shlex

from hin.commands.arguments import CopyCommand
from hin.console import Console
from hin.human import plural
from hin.stores.base import open_store
from hin.stores.copying import copy


def run_copy(command: CopyCommand, console: Console) -> None:
    """Copy a graph, then report what was copied."""
    with console.progress() as progress:
        copied = copy(command.source, command.target, model=command.model, replace=command.replace, progress=progress)
    target = open_store(command.target).location
    if console.as_json:
        console.json({"documents": len(copied.graph), "stages": list(copied.stages), "target": target})
        return
    more = f", with {', '.join(copied.stages)}" if copied.stages else ""
    console.line(f"copied {plural(len(copied.graph), 'document')} to {target}{more}")
    if copied.missing:
        console.note("vectors stay where they were made; run `hin classify` on the copy to make them there")
    console.next(f"`hin info --graph {shlex.quote(target)}`")
