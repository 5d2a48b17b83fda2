"""The body of `hin embed`: train the embedding, or show the nearest neighbours of an instance."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from classify.categories.category_file import read_categories
from classify.commands.arguments import EmbedCommand
from classify.commands.opening import open_workspace
from classify.knowledge.options import KnowledgeOptions
from classify.pipeline import Pipeline
from embed.embedding_stage import checkpoint_of, stored_embedding
from hin.engines.local import core_count
from hin.errors import MissingStage
from hin.human import count, duration, plural
from hin.stores.base import open_store
from motifs.default_patterns import default_patterns

if TYPE_CHECKING:
    from hin.console import Console


def run_embed(command: EmbedCommand, console: Console) -> None:
    """Train and store the joint embedding that `hin classify` would train; with `nearest`, show neighbours in it."""
    if command.nearest is not None:
        _show_nearest(command, console)
        return
    start, options, names = time.monotonic(), command.options, command.categories
    # A name that occurs nowhere changes no edge; `hin classify` reports it.
    categories = () if names is None else read_categories(names, several=True, most=command.max_categories)
    with open_workspace(command, console) as (workspace, run):
        store, graph = workspace.store, workspace.graph
        assert store is not None
        if not command.resume and checkpoint_of(store).exists():
            console.note("An unfinished training exists: --resume continues it, this run starts over.")
        if names is None:
            patterns = options.patterns or default_patterns(graph, options.for_graph(graph).motifs.min_count)
            options = replace(options, patterns=patterns, knowledge=KnowledgeOptions("none"))
        before = store.stage("embed")
        run = replace(run, resume=command.resume)
        model = Pipeline(graph, categories, options, workspace=workspace, run=run).embedding
        after = store.stage("embed")
        fresh = before is None or after is None or before.identity != after.identity
    seconds = time.monotonic() - start
    if not fresh:
        console.note("The stored embedding was made with the same patterns, options and seed; nothing to train.")
    report = model.report or {}
    rate = report.get("edges_per_second")
    if console.as_json:
        console.json(
            {
                "seconds": round(seconds, 3),
                "edges": report.get("edges"),
                "edges_per_second": rate,
                "threads": options.embed.threads or core_count(),
                "instances": len(model),
                "documents": len(model.documents),
                "dim": model.dim,
                "patterns": list(model.patterns),
                "trained": fresh,
            }
        )
        return
    done = (
        f"{plural(len(model), 'motif instance')} and {plural(len(model.documents), 'document')}, {model.dim} dimensions"
    )
    speed = f"; {count(report['edges'])} edges, {rate / 1e6:.1f} M/s" if rate else ""
    console.line(f"{done}, in {duration(seconds)}{speed}")
    console.next("`hin embed --nearest 'TERM[...]'`, or `hin classify --categories labels.txt`")


def _show_nearest(command: EmbedCommand, console: Console) -> None:
    model = stored_embedding(open_store(command.graph, command.model))
    if model is None:
        raise MissingStage("there is no embedding yet", hint="run `hin embed` first")
    assert command.nearest is not None
    found = model.nearest(command.nearest, command.top, pattern=command.pattern, min_kappa=command.min_kappa)
    if console.as_json:
        console.json([near._asdict() for near in found])
        return
    rows = [[near.name, near.pattern, near.cosine, near.kappa, near.documents] for near in found]
    console.table(rows, ["instance", "pattern", "cosine", "kappa", "documents"])
