"""The bodies of `hin load`, `hin info`, `hin export`: what they do and what they say."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from textwrap import wrap

from hin.commands.arguments import ExportCommand, InfoCommand, LoadCommand
from hin.console import Console
from hin.errors import DamagedGraph
from hin.graph import Graph
from hin.human import duration, plural
from hin.loading import load_into
from hin.stores.base import is_bolt, name_of, open_store

__all__ = ["run_export", "run_info", "run_load"]


def run_load(command: LoadCommand, console: Console) -> None:
    """Load, then say what came in."""
    location = open_store(command.graph).location
    start = time.monotonic()
    with console.progress() as progress:
        result = load_into(location, command.files, command.options, progress=progress)
    graph, seconds = result.graph, time.monotonic() - start
    for name, what in result.skipped_fields.items():
        console.note(f"The field {name} was left out: it holds {what}.")
    for name, missing in graph.dangling.items():
        console.note(f"{plural(len(missing.rows), 'link')} of {name} lead to documents that are not in the graph.")
    if result.rejected:
        console.note(f"{plural(result.rejected, 'bad record')} skipped, see {result.side_file}.")
    if console.as_json:
        console.json(
            {
                "graph": location,
                "documents": len(graph),
                "added": result.added,
                "updated": result.updated,
                "rejected": result.rejected,
                "rejected_file": str(result.side_file) if result.side_file else None,
                "nodes": {name: len(graph.names(name)) for name in graph.node_types},
                "seconds": round(seconds, 3),
            }
        )
        return
    done = f"{plural(result.added, 'document')} added"
    done += f", {result.updated:,} updated" if result.updated else ""
    done += f" in {duration(seconds)}"
    console.line(f"{location}: {done}" + (f"; {plural(len(graph), 'document')} now" if command.options.append else ""))
    for line in _came_in(graph):
        console.line(line)
    console.next("`hin info`, or `hin classify --categories labels.txt`")


def _came_in(graph: Graph) -> list[str]:
    """Which field became what: whoever did not say so wants to see it."""
    fields = ", ".join(plural(len(graph.names(name)), name, name) for name in graph.fields) or "none"
    rows = [
        f"text: {', '.join(graph.texts.fields)} ({plural(len(graph.names('term')), 'term')})",
        f"metadata: {fields}",
        *([f"links: {', '.join(graph.links)}"] if graph.links else []),
        *(
            [f"labels: {plural(len(graph.labels.names), 'category', 'categories')}{_several(graph)}, only to evaluate"]
            if graph.labels
            else []
        ),
    ]
    return [line for row in rows for line in wrap(row, 80, initial_indent="  ", subsequent_indent="    ")]


def _several(graph: Graph) -> str:
    if graph.labels is None or graph.labels.several is None:
        return ""
    return f", {graph.labels.several.n_edges / max(1, (graph.labels.codes >= 0).sum()):.1f} a document"


def run_info(command: InfoCommand, console: Console) -> None:
    """Show what is in a graph; with `check`, verify every file first."""
    from hin.info import describe, show_info
    from hin.stores.findings import Findings

    store = open_store(command.graph)
    if command.check:
        faults = store.check()
        if faults:
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise DamagedGraph(f"{store.location}: {faults[0]}{more}", hint="load the documents again with --replace")
        console.note(f"{store.location} is whole.")
    motifs = Findings.of_store(store).motifs
    patterns = Counter(motifs.column("pattern").to_pylist()) if motifs is not None else {}
    with console.progress() as progress:
        described = describe(store.read_graph(progress), command.top, patterns)
    show_info(described, console)


def run_export(command: ExportCommand, console: Console) -> None:
    """Write a graph for another tool."""
    from hin.exchange.export import ENDINGS, export_graph
    from hin.stores.findings import Findings
    from hin.stores.neo4j.bulk_import import export_neo4j_import

    store, format = open_store(command.graph), command.chosen
    name = name_of(store.location) if is_bolt(store.location) else Path(store.location).stem
    target = command.out or Path(name + ENDINGS.get(format, f"-{format}"))
    with console.progress() as progress:
        opened = store.read_graph(progress)
        if format == "neo4j-import":
            loaded = store.stage("load")
            written = export_neo4j_import(
                opened,
                target,
                findings=Findings.of_store(store),
                options=loaded.options if loaded is not None else None,
                progress=progress,
            )
        else:
            written = export_graph(opened, target, format, progress)
    if console.as_json:
        console.json({"format": format, "file": str(written)})
    else:
        console.line(str(written))
