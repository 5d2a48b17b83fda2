"""Write a pattern with two ends as a new edge type of the graph: a meta-path as an edge."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from hin.errors import BadUsage
from hin.graph import ExtraEdges, Graph
from hin.human import plural
from hin.progress import Progress, silent
from motifs.language.pattern import Pattern
from motifs.matching import match
from motifs.options import MotifOptions
from motifs.table import MotifTable


def add_pattern_edges(
    graph: Graph,
    pattern: Pattern | str,
    name: str,
    *,
    options: MotifOptions | None = None,
    progress: Progress | None = None,
) -> Graph:
    """Return the graph with a new edge type between the two ends of a pattern, weighted by documents.

    Parameters
    ----------
    pattern : Pattern or str
        One with two parts that are not documents; the first is the source of the edges.
    name : str
        The name of the edge type; no node or edge type may have it.
    options : MotifOptions, optional
        Only instances in at least `min_count` documents become edges.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> graph = add_pattern_edges(tiny_graph(), "author-author", "coauthor", options=MotifOptions(min_count=1))
    >>> edges = graph.extra["coauthor"]
    >>> edges.sources.tolist(), edges.targets.tolist(), edges.counts.tolist()
    ([0, 0, 1, 2], [1, 2, 2, 3], [3, 1, 1, 1])
    """
    wanted = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    check_edge_name(graph, wanted, name)
    return with_edges(graph, match(graph, wanted, options=options, progress=progress or silent), name)


def check_edge_name(graph: Graph, pattern: Pattern, name: str) -> None:
    """Raise unless the pattern has two ends and the name is free."""
    if len(pattern.fields) != 2:
        ends = ", ".join(pattern.fields) or "none"
        hint = "edges need a pattern with two ends, such as author-author"
        raise BadUsage(f"{pattern.name} has {plural(len(pattern.fields), 'end')} ({ends})", hint=hint)
    taken = {one.casefold() for one in (*graph.node_types, *graph.edge_types, *graph.extra)}
    if not name.strip() or name.casefold() in taken:
        raise BadUsage(f"{name!r} cannot name the edges", hint="choose a name that no node or edge type has")


def with_edges(graph: Graph, table: MotifTable, name: str) -> Graph:
    """Return the graph with the instances of a table as edges, all in memory, so that it can replace the stored one."""
    sources, targets = (np.ascontiguousarray(table.parts[:, c]) for c in (0, 1))
    edges = ExtraEdges(table.fields[0], table.fields[1], sources, targets, table.documents)
    whole = Graph(**{one.name: getattr(graph, one.name) for one in fields(Graph) if one.init})
    return replace(
        whole,
        nodes={kind: graph.nodes[kind] for kind in graph.nodes},
        adjacency={kind: graph.adjacency[kind] for kind in graph.adjacency},
        extra={**{kind: graph.extra[kind] for kind in graph.extra}, name: edges},
        dangling={kind: graph.dangling[kind] for kind in graph.dangling},
    )
