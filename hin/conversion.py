"""The graph as other libraries see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import igraph
    import networkx

    from hin.graph import Graph

__all__ = ["edge_arrays", "node_offsets", "to_igraph", "to_networkx"]


def node_offsets(graph: Graph) -> dict[str, int]:
    """Return the first number of each node type when nodes are numbered consecutively; the key "" holds their total."""
    offsets: dict[str, int] = {}
    total = 0
    for node_type in graph.node_types:
        offsets[node_type] = total
        total += len(graph.names(node_type))
    offsets[""] = total
    return offsets


def edge_arrays(graph: Graph) -> Iterator[tuple[str, npt.NDArray[np.int64], npt.NDArray[np.int64], Any]]:
    """Yield every edge type with its sources, its targets (numbered in one row) and its counts or None."""
    start = node_offsets(graph)
    for name in graph.edge_types:
        edges = graph.edges(name)
        first = start["document"] if name in graph.links else start[name]
        yield name, edges.rows().astype(np.int64), edges.targets.astype(np.int64) + first, edges.counts
    for name, extra in graph.extra.items():
        sources = extra.sources.astype(np.int64) + start[extra.source_type]
        yield name, sources, extra.targets.astype(np.int64) + start[extra.target_type], None


def to_igraph(graph: Graph) -> igraph.Graph:
    """Return a directed igraph: vertices have `type` and `name`, edges `type` and (terms) `count`."""
    import igraph

    out = igraph.Graph(n=node_offsets(graph)[""], directed=True)
    out.vs["type"] = [t for t in graph.node_types for _ in range(len(graph.names(t)))]
    out.vs["name"] = [name for t in graph.node_types for name in graph.names(t)]
    kinds: list[str] = []
    counts: list[int | None] = []
    pairs = []
    for name, sources, targets, count in edge_arrays(graph):
        pairs.append(np.column_stack((sources, targets)))
        kinds += [name] * len(sources)
        counts += [None] * len(sources) if count is None else count.tolist()
    out.add_edges(np.concatenate(pairs))
    out.es["type"] = kinds
    out.es["count"] = counts
    return out


def to_networkx(graph: Graph) -> networkx.MultiDiGraph:
    """Return a networkx multigraph: nodes are `(type, name)`, edges are keyed by their type."""
    import networkx

    nodes = [(t, name) for t in graph.node_types for name in graph.names(t)]
    out = networkx.MultiDiGraph()
    out.add_nodes_from((node, {"type": node[0], "name": node[1]}) for node in nodes)
    for name, sources, targets, count in edge_arrays(graph):
        attributes = (
            [{"type": name}] * len(sources) if count is None else [{"type": name, "count": c} for c in count.tolist()]
        )
        rows = zip(sources.tolist(), targets.tolist(), attributes, strict=True)
        out.add_edges_from((nodes[a], nodes[b], name, dict(data)) for a, b, data in rows)
    return out
