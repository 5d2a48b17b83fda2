"""The body of `hin info`: runs the command and prints its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hin.commands.arguments import InfoCommand
from hin.console import Console
from hin.cypher.folder.schema import schema_of
from hin.errors import BadUsage, DamagedGraph
from hin.info import count_answers, describe, show_info, show_schema
from hin.stores.answers import AnswerLog
from hin.stores.base import Store, open_store
from hin.stores.findings import Findings
from hin.stores.past_classifications import PastClassifications
from hin.stores.querying import open_graph


def run_info(
    command: InfoCommand, console: Console, unreadable: Callable[[Store, str | None], list[str]] = lambda *_: []
) -> None:
    """Describe a graph; with `check`, verify every file first.

    Parameters
    ----------
    unreadable : what is wrong with the stages and a saved model as the later packages read them.
    """
    if command.model is not None and not command.check:
        raise BadUsage("a model is named, but nothing is to be checked", hint="use `check=True` too")
    store = open_store(command.graph)
    if command.check:
        faults = store.check() or unreadable(store, command.model)
        if faults:
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise DamagedGraph(
                f"{store.location}: {faults[0]}{more}", hint="load the documents again with `replace=True`"
            )
        console.note(f"{store.location} is undamaged.")
    if command.schema:
        show_schema(schema_of(open_graph(store).layout), console)
        return
    motifs = Findings.of_store(store).motifs
    patterns = Counter(motifs.column("pattern").to_pylist()) if motifs is not None else {}
    with console.progress() as progress:
        graph = store.read_graph(progress)
        described = describe(graph, command.top, patterns)
    if answers := AnswerLog(store).latest():
        described["answers"] = count_answers(answers, AnswerLog(store).current(graph))
    if past := PastClassifications(store).entries():
        described["classifications"] = [one.as_dict() for one in past]
    show_info(described, console)
