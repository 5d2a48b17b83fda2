"""The body of `hin load`: runs the command and prints its results."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hin.commands.arguments import LoadCommand
from hin.console import Console
from hin.errors import in_options
from hin.files.atomic import atomic_file, check_outputs
from hin.graph import Graph
from hin.human import duration, plural
from hin.loading import load_into, plan_columns
from hin.reading.columns.plan import HEADINGS, PlannedColumn, plan_text
from hin.stores.base import open_store
from hin.text.segments import segmentation_of

#: How many of the most frequent terms are shown, as a sample of how text without spaces was segmented.
_TERMS = 5_000
#: Japanese texts with fewer characters on average are headlines, whose words repeat too rarely.
_HEADLINE, _SAMPLE = 50, 1_000
#: How many columns are shown on a terminal.
_SHORT = 20


def run_load(command: LoadCommand, console: Console) -> None:
    """Load documents, then report what was loaded."""
    if command.dry_run:
        _show_plan(command, console)
        return
    location = open_store(command.graph).location
    start = time.monotonic()
    with console.progress() as progress:
        result = load_into(location, command.files, command.options, progress=progress)
    graph, seconds = result.graph, time.monotonic() - start
    for note in result.notes:
        console.note(in_options(as_sentence(note)))
    if result.duplicates:
        console.note(_duplicates(result.duplicates, command.options.drop_duplicates))
    script, segmented = segmentation_of(graph.names("term").tolist()[:_TERMS]) or ("", True)
    if not segmented and _segmenter_would_help(script, graph):
        console.note(
            f"Text without spaces ({script}) was cut into characters; "
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
                "columns": list(map(_as_dict, result.columns)),
                "seconds": round(seconds, 3),
            }
        )
        return
    if console.quiet:
        return
    done = f"{plural(result.added, 'document')} added"
    done += f", {result.updated:,} updated" if result.updated else ""
    done += f" in {duration(seconds)}, {plural(len(graph.names('term')), 'term')}"
    console.line(f"{location}: {done}" + (f"; {plural(len(graph), 'document')} now" if command.options.append else ""))
    show_columns(result.columns, console)
    console.next("`hin info`, or `hin classify --categories labels.txt`")


def _segmenter_would_help(script: str, graph: Graph) -> bool:
    """Check whether a segmenter is worth installing: not for Chinese nor for headlines (docs/experiments/text.md)."""
    if script == "japanese":
        rows = [graph.texts.table.column(name).slice(0, _SAMPLE).to_pylist() for name in graph.texts.fields]
        return sum(len(text or "") for column in rows for text in column) >= _HEADLINE * min(_SAMPLE, len(graph))
    return script != "chinese"


def _show_plan(command: LoadCommand, console: Console) -> None:
    """Show the planned use of each column, and write it if `--columns` names a TOML file."""
    options, named = command.options, command.options.columns
    place = Path(named) if isinstance(named, str) and named.endswith(".toml") else None
    if place is not None:
        options = replace(options, columns=None)
        check_outputs([place], command.files)
    with console.progress() as progress:
        rows, notes = plan_columns(command.files, options, progress)
    for note in notes:
        console.note(in_options(as_sentence(note)))
    if place is not None:
        with atomic_file(place) as file:
            file.write_text(plan_text(rows), encoding="utf-8")
    if console.as_json:
        console.json(list(map(_as_dict, rows)))
        return
    console.table([row.cells() for row in rows], HEADINGS, wrapped=HEADINGS[-1:])


def show_columns(columns: Sequence[PlannedColumn], console: Console, *, as_message: bool = False) -> None:
    """Show the use of each column: all of them in a file or a log, some on a terminal, the texts among them.

    Parameters
    ----------
    as_message : print the table as a message, because the command's result is something else.
    """
    short = as_message or sys.stdout.isatty()
    shown = _first_shown(columns) if short and len(columns) > _SHORT + 1 else columns
    if shown:
        console.table([row.cells() for row in shown], HEADINGS, as_message=as_message, wrapped=HEADINGS[-1:])
    if len(shown) < len(columns):
        console.note(
            f"... and {plural(len(columns) - len(shown), 'column')} more: `hin load FILE --dry-run` lists them"
        )


def _first_shown(columns: Sequence[PlannedColumn]) -> list[PlannedColumn]:
    """Return the columns to show of many: those with a use of their own before metadata and what is left out."""
    ranked = sorted(range(len(columns)), key=lambda i: columns[i].kind.startswith(("metadata", "left out")))
    return [columns[i] for i in sorted(ranked[:_SHORT])]


def as_sentence(note: str) -> str:
    """Return a note with a capital letter, unless it begins with the name of a file.

    >>> as_sentence("a.csv: read as cp1252"), as_sentence("merged two values")
    ('a.csv: read as cp1252', 'Merged two values')
    """
    return note if note.split(maxsplit=1)[0].endswith(":") else note[0].upper() + note[1:]


def _as_dict(row: PlannedColumn) -> dict[str, Any]:
    return {**row._asdict(), "why": in_options(row.why), "change": in_options(row.change)}


def _duplicates(count: int, dropped: bool) -> str:
    if dropped:
        return f"{plural(count, 'document')} with the text of an earlier one left out."
    have = "documents have" if count > 1 else "document has"
    return f"{count:,} {have} the text of an earlier one; --drop-duplicates drops them"
