"""The body of `hin load`: what it does and what it says."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from pathlib import Path
from textwrap import wrap

from hin.commands.arguments import LoadCommand
from hin.console import Console
from hin.errors import in_options
from hin.files.atomic import check_outputs, whole_file
from hin.graph import Graph
from hin.human import duration, plural
from hin.loading import load_into, plan_columns
from hin.reading.columns.choose import ColumnChoice
from hin.reading.columns.plan import PlannedColumn, plan_text
from hin.stores.base import open_store
from hin.text.segments import how_cut
from hin.visible import visible

__all__ = ["run_load"]

#: So many of the most frequent terms show how text without spaces was cut.
_TERMS = 5_000


def run_load(command: LoadCommand, console: Console) -> None:
    """Load, then say what came in."""
    if command.dry_run:
        _show_plan(command, console)
        return
    location = open_store(command.graph).location
    start = time.monotonic()
    with console.progress() as progress:
        result = load_into(location, command.files, command.options, progress=progress)
    graph, seconds = result.graph, time.monotonic() - start
    for name, what in result.skipped_fields.items():
        console.note(f"The field {name} was left out: it holds {what}.")
    for note in result.notes:
        console.note(in_options(note[0].upper() + note[1:]))
    if result.duplicates:
        console.note(_duplicates(result.duplicates, command.options.drop_duplicates))
    cut = how_cut(graph.names("term").tolist()[:_TERMS])
    if cut is not None and not cut[1]:
        console.note(
            f"Text without spaces ({cut[0]}) was cut into characters; "
            "with `pip install 'hin-toolkit[cjk]'` it has words."
        )
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
                "duplicates": result.duplicates,
                "columns": [
                    {**asdict(decision), "change": in_options(decision.change)} for decision in result.decisions
                ],
                "seconds": round(seconds, 3),
            }
        )
        return
    if console.quiet:
        return
    done = f"{plural(result.added, 'document')} added"
    done += f", {result.updated:,} updated" if result.updated else ""
    done += f" in {duration(seconds)}"
    console.line(f"{location}: {done}" + (f"; {plural(len(graph), 'document')} now" if command.options.append else ""))
    for line in (*_came_in(graph), *_decided(result.decisions)):
        console.line(line)
    console.next("`hin info`, or `hin classify --categories labels.txt`")


def _show_plan(command: LoadCommand, console: Console) -> None:
    """Show what would become of each column, and write it where `--columns` names a TOML file."""
    options, named = command.options, command.options.columns
    place = Path(named) if isinstance(named, str) and named.endswith(".toml") else None
    if place is not None:
        options = replace(options, columns=None)
        check_outputs([place], command.files)
    with console.progress() as progress:
        rows = plan_columns(command.files, options, progress)
    if place is not None:
        with whole_file(place) as file:
            file.write_text(plan_text(rows), encoding="utf-8")
    if console.as_json:
        console.json([row._asdict() for row in rows])
        return
    console.table([(*row[:3], row.example[:30], row.why) for row in rows], PlannedColumn._fields)


def _came_in(graph: Graph) -> list[str]:
    """Return lines that say which field became what, since most users let hin decide."""
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
    return [
        line for row in rows for line in wrap(visible(row, True), 80, initial_indent="  ", subsequent_indent="    ")
    ]


def _duplicates(count: int, dropped: bool) -> str:
    if dropped:
        return f"{plural(count, 'document')} with the text of an earlier one left out."
    have = "documents have" if count > 1 else "document has"
    return f"{count:,} {have} the text of an earlier one; --drop-duplicates drops them"


def _decided(decisions: list[ColumnChoice]) -> list[str]:
    """Return what became of the columns that the user did not name, why, and what changes it."""
    rows = [str(replace(decision, change=in_options(decision.change))) for decision in decisions]
    return [
        line for row in rows for line in wrap(visible(row, True), 100, initial_indent="  ", subsequent_indent="    ")
    ]


def _several(graph: Graph) -> str:
    if graph.labels is None or graph.labels.several is None:
        return ""
    return f", {graph.labels.several.n_edges / max(1, (graph.labels.codes >= 0).sum()):.1f} a document"
