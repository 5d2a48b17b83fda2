"""Find the instances of patterns in a graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hin.graph import Graph
from hin.notebook.watching import shows_progress
from hin.progress import Progress, silent
from motifs.joins.compile_plan import compile_plan
from motifs.joins.join_plan import Estimate
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import Pattern
from motifs.motif_set import MotifSet
from motifs.options import MotifOptions
from motifs.table import MotifTable


@shows_progress
def match(
    graph: Graph,
    pattern: Pattern | str,
    min_count: int | None = None,
    max_per_document: int | None = None,
    *,
    options: MotifOptions | None = None,
    columns: Columns | None = None,
    progress: Progress | None = None,
) -> MotifTable:
    """Find the instances of one pattern, each with its distinct anchor documents (section 3.1).

    Parameters
    ----------
    graph : Graph
        The graph to search.
    pattern : Pattern or str
        The pattern to find.
    min_count, max_per_document : int, optional
        Override the options.
    options : MotifOptions, optional
        Default: the paper's.
    columns : Columns, optional
        The graph's sorted arrays, to share them between calls.
    progress : callable, optional
        Called with the progress of a long join.

    Returns
    -------
    MotifTable

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> table = match(tiny_graph(), "venue-year", min_count=2)
    >>> dict(zip(table.names(), table.documents.tolist()))
    {'VENUE[KDD]-YEAR[2008]': 2}
    """
    chosen = _options(options, min_count, max_per_document)
    found = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    matched = compile_plan(found, columns or Columns(graph), chosen).run(progress or silent)
    limits = (chosen.min_count, chosen.max_per_document)
    return MotifTable(found, matched.parts, matched.incidence, graph, *limits, matched.skipped)


@shows_progress
def match_all(
    graph: Graph,
    patterns: Iterable[Pattern | str],
    min_count: int | None = None,
    max_per_document: int | None = None,
    *,
    options: MotifOptions | None = None,
    columns: Columns | None = None,
    progress: Progress | None = None,
) -> MotifSet:
    """Find the instances of several patterns; their order and duplicates do not matter.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> motifs = match_all(tiny_graph(), ["year-venue", "term", "venue-year"], min_count=2)
    >>> [(table.pattern.name, len(table)) for table in motifs.tables]
    [('term', 3), ('venue-year', 1)]
    """
    chosen = _options(options, min_count, max_per_document)
    distinct = sorted({p if isinstance(p, Pattern) else Pattern(p) for p in patterns}, key=pattern_order)
    for pattern in distinct:
        pattern.check(graph)  # report a bad one before the first one costs time
    shared = columns or Columns(graph)
    progress, tables = progress or silent, []
    for done, pattern in enumerate(distinct):
        progress("matching", done, len(distinct), pattern.name)
        tables.append(match(graph, pattern, options=chosen, columns=shared, progress=progress))
    progress("matching", len(distinct), len(distinct))
    return MotifSet(tuple(tables), graph)


def estimate(
    graph: Graph, pattern: Pattern | str, options: MotifOptions | None = None, columns: Columns | None = None
) -> Estimate:
    """Estimate the candidates of a pattern and the documents that would be left out, without matching.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> estimate(tiny_graph(), "author-author", MotifOptions(min_count=1)).candidates
    6.0
    """
    found = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    return compile_plan(found, columns or Columns(graph), options or MotifOptions()).estimate()


def _options(options: MotifOptions | None, min_count: int | None, max_per_document: int | None) -> MotifOptions:
    chosen = options or MotifOptions()
    if min_count is not None:
        chosen = replace(chosen, min_count=min_count)
    if max_per_document is not None:
        chosen = replace(chosen, max_per_document=max_per_document)
    return chosen


def pattern_order(pattern: Pattern) -> tuple[int, str]:
    """Return the sort key of tables in a motif set: small patterns first, then by name."""
    return len(pattern.fields), pattern.name
