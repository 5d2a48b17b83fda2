"""The graph's arrays in the orders that joins need, built once and shared by all patterns of a run."""

from __future__ import annotations

import numpy as np

from hin.arrays.types import Int32, Int64
from hin.graph import Csr, Graph
from motifs.joins.arrays import changes, frequent_rows, transpose


class Columns:
    """Sorted and pruned views of a graph's edges.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> columns = Columns(tiny_graph())
    >>> columns.documents_of("venue", 2).row(0).tolist()
    [0, 1, 2]
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._documents: dict[tuple[str, int], Csr] = {}
        self._degrees: dict[str, Int64] = {}
        self._rows: dict[tuple[str, int], Csr] = {}
        self._walks: dict[tuple[str, str], Csr] = {}

    def n_nodes(self, node_type: str) -> int:
        """Count the nodes of a type."""
        return len(self.graph.names(node_type))

    def degrees(self, field: str) -> Int64:
        """Count the documents of each node of a field."""
        if field not in self._degrees:
            self._degrees[field] = self.graph.edges(field).in_degrees(self.n_nodes(field))
        return self._degrees[field]

    def documents_of(self, field: str, min_count: int) -> Csr:
        """Return the documents of each node, sorted; nodes in fewer than `min_count` documents have an empty row."""
        key = (field, min_count)
        if key not in self._documents:
            keep = self.degrees(field) >= min_count
            self._documents[key] = transpose(self.graph.edges(field), self.n_nodes(field), keep)
        return self._documents[key]

    def rows(self, field: str, min_count: int) -> Csr:
        """Return the nodes of each document, without nodes in fewer than `min_count` documents."""
        key = (field, min_count)
        if key not in self._rows:
            self._rows[key] = frequent_rows(self.graph.edges(field), self.degrees(field), min_count)
        return self._rows[key]

    def walk(self, edge_type: str, way: str) -> Csr:
        """Return an edge type as rows without duplicates: `out` along the arrow, `in` against it, `any` either."""
        key = (edge_type, way)
        if key not in self._walks:
            graph = self.graph
            if way == "any":
                out, back = self.walk(edge_type, "out"), self.walk(edge_type, "in")
                sources = np.concatenate([out.rows(), back.rows()])
                walk = _distinct(sources, np.concatenate([out.targets, back.targets]), len(out))
            elif edge_type in graph.extra:
                extra = graph.extra[edge_type]
                ends, kind = (extra.sources, extra.targets), extra.source_type
                if way == "in":
                    ends, kind = ends[::-1], extra.target_type
                walk = _distinct(*ends, self.n_nodes(kind))
            elif edge_type in graph.links:
                edges = graph.edges(edge_type)
                ends = (edges.rows(), edges.targets) if way == "out" else (edges.targets, edges.rows())
                walk = _distinct(*ends, len(graph))
            elif way == "in":
                walk = self.documents_of(edge_type, 1)
            else:
                walk = self.rows(edge_type, 1)
            self._walks[key] = walk
        return self._walks[key]


def _distinct(sources: Int32, targets: Int32, n_rows: int) -> Csr:
    """Build rows from pairs, each pair once, targets sorted."""
    edges = Csr.from_pairs(sources, targets, n_rows)
    rows = edges.rows()
    fresh = changes(rows, edges.targets)
    return Csr.from_lengths(np.bincount(rows[fresh], minlength=n_rows), edges.targets[fresh])
