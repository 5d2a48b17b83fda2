"""The body of `hin compare`: run systems by name on a graph with labels."""

from __future__ import annotations

import re
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from classify.categories.category_file import read_categories
from classify.comparators.parts.sampling import sample_documents, take_documents
from classify.comparators.parts.system import SYSTEMS
from classify.comparators.runs.comparison import Comparison
from classify.comparators.runs.output import show_summary, show_systems
from classify.comparators.runs.runner import compare
from classify.comparators.runs.stored_runs import StoredRuns
from classify.comparators.runs.summary import summarise
from hin.engines.local import core_count
from hin.errors import BadUsage
from hin.human import duration, plural
from hin.stores.base import Store, open_store

if TYPE_CHECKING:
    from classify.commands.arguments import CompareCommand
    from hin.console import Console
    from hin.graph import Graph

#: Names that stand for several systems; `paper` is Table 2 from top to bottom.
GROUPS = {
    "paper": (
        "westclass", "westclass-metadata", "metacat", "meta", "lotclass", "metapath2vec", "hin2vec", "hgt",
        "motifclass-no-higher-order", "motifclass-no-specificity", "motifclass", "supervised-bert",
    ),
}  # fmt: skip


def chosen_systems(asked: list[str]) -> tuple[str, ...]:
    """Return the named systems, each once; those of a group in the order of Table 2.

    >>> chosen_systems(["tf-idf,hin", "tf-idf"])
    ('tf-idf', 'hin')
    """
    names = [name.strip() for text in asked or ["light"] for name in text.split(",") if name.strip()]
    out: list[str] = []
    for name in names:
        if name in ("all", "light", "paper"):
            order = [*(n for n in GROUPS["paper"] if n in SYSTEMS.names())]
            if name != "paper":
                order += [n for n in SYSTEMS.names() if n not in order]
            out += [n for n in order if name != "light" or not SYSTEMS.get(n).about.transformer]
        else:
            SYSTEMS.get(name)
            out.append(name)
    return tuple(dict.fromkeys(out))


def seconds_of(text: str | None) -> float | None:
    """Return a time span such as `90`, `90s`, `10m` or `1.5h` in seconds.

    >>> seconds_of("90"), seconds_of("10m"), seconds_of("1.5h"), seconds_of(None)
    (90.0, 600.0, 5400.0, None)
    """
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(s|m|min|h)?\s*", text)
    if found is None or float(found[1]) <= 0:
        raise BadUsage(f"{text!r} is no time limit", hint="give seconds, or a span such as 10m or 2h")
    return float(found[1]) * {None: 1, "s": 1, "m": 60, "min": 60, "h": 3600}[found[2]]


def run_compare(command: CompareCommand, console: Console) -> None:
    """Run the systems, store every run, show the tables."""
    if command.list_systems:
        show_systems(console)
        return
    models, folder = _models(command.models)
    console.model = folder  # the only part of --model that the suggested command needs
    comparison = _comparison(command, models)
    store = open_store(command.graph, folder)
    whole = store.read_graph()
    rows = sample_documents(len(whole), command.documents)
    graph = take_documents(whole, rows)
    _check_names(graph, comparison)
    if command.tables:
        _tables(graph, comparison, console)
        return
    head = _head(comparison, store, len(rows), len(whole))
    kept = StoredRuns(store, head, command.resume)
    if kept.other:
        console.note("Nothing is resumed: the stored runs are of other documents, categories or patterns.")
    start = time.monotonic()
    with console.progress() as progress:
        runs = compare(graph, comparison, kept, progress)
    table = summarise(runs)
    if console.as_json:
        console.json({**kept.head, "systems": table, "runs": [run.record() for run in runs]})
        return
    show_summary(table, head, console)
    before = f", {len(runs) - kept.added} stored before" if len(runs) > kept.added else ""
    console.line(f"\n{plural(kept.added, 'run')} in {duration(time.monotonic() - start)}{before}")
    console.next("`hin report`")


def _tables(graph: Graph, comparison: Comparison, console: Console) -> None:
    """Show the paper's other tables for the graph."""
    from classify.comparators.runs.tables import paper_tables
    from classify.comparators.runs.tables_output import show_tables
    from classify.evaluation import true_codes

    with console.progress() as progress:
        task = comparison.task(graph, comparison.seeds[0], progress)
        tables = paper_tables(task, true_codes(graph.labels, comparison.names), comparison.seeds)
    if console.as_json:
        console.json({"documents": len(graph), **tables})
        return
    show_tables(tables, console)


def _models(given: list[str]) -> tuple[dict[str, str], str | None]:
    """Return pretrained models by role, and the database's local folder."""
    models, folder = {}, None
    for text in given:
        role, separator, place = text.partition("=")
        if separator and not (role.strip() and place.strip()):
            raise BadUsage(f"--model {text} names no model", hint="write --model bert=FOLDER")
        if separator:
            models[role.strip()] = place.strip()
        else:
            folder = text
    return models, folder


def _comparison(command: CompareCommand, models: dict[str, str]) -> Comparison:
    if command.categories is None:
        raise BadUsage("no categories were named", hint="give --categories labels.txt")
    return Comparison(
        read_categories(command.categories, most=command.max_categories),
        chosen_systems(command.systems),
        tuple(range(command.seed, command.seed + command.seeds)),
        tuple(command.patterns) if command.patterns else None,
        command.min_count,
        seconds_of(command.time_limit),
        command.threads or core_count(),
        models,
    )


def _check_names(graph: Graph, comparison: Comparison) -> None:
    """Raise, before the work, if a name occurs nowhere or there are no labels to compare with."""
    from classify.categories.finding import find_categories, require_found
    from classify.evaluation import true_codes

    true_codes(graph.labels, comparison.names)
    require_found(find_categories(graph, comparison.categories)[0])


def _head(comparison: Comparison, store: Store, documents: int, of_graph: int) -> dict[str, Any]:
    """Return all settings that affect the runs, as the manifest stores them."""
    loaded = store.stage("load")
    shaping = ("patterns", "min_count", "seeds", "systems")
    return {
        "documents": documents,
        "documents_of_graph": of_graph,
        "graph": None if loaded is None else loaded.identity,
        "categories": [asdict(category) for category in comparison.categories],
        **{name: getattr(comparison, name) for name in shaping},
    }
