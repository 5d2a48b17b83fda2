"""The body of `hin explore`: open the graph, serve the page, stop with Ctrl-C."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from classify.categories.category_file import read_categories
from classify.commands.arguments import ClassifyCommand, ExploreCommand
from hin.human import plural
from hin.stores.base import open_store

if TYPE_CHECKING:
    from hin.console import Console


def run_explore(command: ExploreCommand, console: Console) -> None:
    """Serve the workbench until the user stops it."""
    from classify.explore.server import Workbench
    from classify.explore.session import Session

    categories = None
    if command.categories is not None:
        categories = read_categories(command.categories, most=command.max_categories)
    with _load(command, console) as place:
        with console.progress() as progress:
            progress("opening the graph", 0, None)
            session = Session(open_store(place, command.model), categories, read_only=command.read_only)
        session.began_with_file = command.file is not None
        bench = Workbench(session, command.port)

        def started() -> None:
            if console.as_json:
                console.json({"address": bench.address, "documents": len(session.graph)})
            else:
                console.line(bench.address)
            console.note(f"{plural(len(session.graph), 'document')} of {session.store.location}. Ctrl-C ends it.")
            if command.browser:
                webbrowser.open(bench.address)

        with suppress(KeyboardInterrupt):
            bench.serve(started)
        console.note("Stopped. All changes are stored with the graph.")


@contextmanager
def _load(command: ExploreCommand, console: Console) -> Iterator[str | None]:
    """Load the file into a graph of its own, as `hin classify FILE` does; yield the graph's location."""
    if command.file is None:
        yield command.graph
        return
    from classify.commands.own_graph import with_own_graph
    from classify.explore.session import FOLDER
    from classify.explore.source_file import PLAN
    from hin.reading.columns.plan import apply_plan

    given = ClassifyCommand(Path("-"), file=command.file, graph=command.graph, model=command.model)
    plan = Path(command.graph or f"{command.file}.hin") / FOLDER / PLAN
    if plan.is_file():  # its columns were corrected in the workbench
        given = replace(given, reading=apply_plan(replace(given.reading, columns=str(plan))))
    with with_own_graph(given, console) as loaded:
        yield loaded.graph
