"""Store the motifs: matched once, written by the first stage that needs them, read by the later ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from hin.progress import Progress, silent
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import Pattern
from motifs.matching import match, pattern_order
from motifs.motif_set import MotifSet
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.stores.base import Store
    from motifs.table import MotifTable


def stored_motifs(store: Store, graph: Graph) -> MotifSet | None:
    """Open the instances that were matched on this graph before, None if there are none."""
    stage = store.stage("motifs")
    return None if stage is None else MotifSet.open(stage.path, graph)


def motifs_of(
    store: Store,
    graph: Graph,
    patterns: Iterable[Pattern | str],
    options: MotifOptions | None = None,
    progress: Progress = silent,
    matcher: Callable[[Pattern], MotifTable] | None = None,
    write: Callable[[Store, MotifSet], None] | None = None,
) -> MotifSet:
    """Return the instances of some patterns: stored ones if the limits are the same, else matched and stored.

    Parameters
    ----------
    store : the store of the graph.
    graph : the graph of the store, as it is there.
    matcher : the function that matches one pattern; default: joins in memory.
    write : the function that stores the tables; default: without the findings for queries, which the embedding adds.
    """
    options = options or MotifOptions()
    distinct = sorted({p if isinstance(p, Pattern) else Pattern(p) for p in patterns}, key=pattern_order)
    for pattern in distinct:
        pattern.check(graph)  # report a bad one before the first one costs time
    stored = stored_motifs(store, graph)
    tables: dict[Pattern, MotifTable] = {table.pattern: table for table in stored} if stored else {}
    limits = (options.min_count, options.max_per_document)
    columns, fresh = Columns(graph), False
    for done, pattern in enumerate(distinct):
        progress("matching", done, len(distinct), pattern.name)
        have = tables.get(pattern)
        if have is None or (have.min_count, have.max_per_document) != limits:
            if matcher is not None:
                tables[pattern] = matcher(pattern)
            else:
                tables[pattern] = match(graph, pattern, options=options, columns=columns, progress=progress)
            fresh = True
    progress("matching", len(distinct), len(distinct))
    if fresh:
        every = sorted(tables.values(), key=lambda table: pattern_order(table.pattern))
        (write or write_motifs)(store, MotifSet(tuple(every), graph))
    return MotifSet(tuple(tables[pattern] for pattern in distinct), graph)


def write_motifs(store: Store, motifs: MotifSet, shown: bool = False) -> None:
    """Store the tables; with `shown` also as findings for queries, which an embedding does anyway."""

    def write(folder: Path) -> None:
        motifs.save(folder)
        if shown:
            motifs.findings().save(folder)

    described = {
        table.pattern.name: {"min_count": table.min_count, "max_per_document": table.max_per_document}
        for table in motifs
    }
    store.write_stage("motifs", write, {"patterns": described})
