"""The body of `hin embed`: train, or look at what is near to an instance."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from embed.arguments import EmbedCommand
from embed.embedding_stage import checkpoint_of, embedding_of, stored_embedding
from hin.engines.base import closing_engine
from hin.engines.local import core_count
from hin.errors import MissingStage
from hin.human import count, duration, plural
from hin.progress import Progress
from hin.stores.base import open_store

if TYPE_CHECKING:
    from hin.console import Console
    from hin.graph import Graph
    from hin.stores.base import Store
    from motifs import MotifSet

__all__ = ["run_embed"]


#: Finds category names in a store's graph and makes phrases terms: the graph, and its motifs. A package to the right
#: of this one brings it.
Namer = Callable[["Store", EmbedCommand, Progress], tuple["Graph", "MotifSet"]]


def run_embed(command: EmbedCommand, console: Console, namer: Namer | None = None) -> None:
    """Train the joint embedding and keep it; with `nearest`, show neighbours in the stored one."""
    if command.nearest is not None:
        _show_nearest(command, console)
        return
    from motifs.default_patterns import default_patterns
    from motifs.motif_stage import motifs_of

    store = open_store(command.graph, command.model)
    start = time.monotonic()
    with console.progress() as progress, closing_engine(command.engine) as engine:
        engine.check([store.workspace] if store.workspace.exists() else [])  # what is wrong is told before the work
        if command.categories is not None and namer is not None:
            graph, motif_set = namer(store, command, progress)
        else:
            graph = store.read_graph(progress)
            patterns = command.patterns or default_patterns(graph, command.motifs.min_count)
            motif_set = motifs_of(store, graph, ["term", *patterns], command.motifs, progress)
        if not command.resume and checkpoint_of(store).exists():
            console.note("An unfinished training is there; --resume goes on with it, this run starts anew.")
        model, fresh = embedding_of(store, graph, motif_set, command.embed, command.resume, progress, engine)
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
                "threads": command.embed.threads or core_count(),
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
