"""Graphs without structure, and shuffles that are slow and obvious."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hin.graph import Csr, Graph
from motifs.samples import make_graph

Bools = npt.NDArray[np.bool_]


def random_graph(seed: int, documents: int = 300) -> Graph:
    """One venue (not always known) and year a document, several authors and tags, citations: all independent.

    Edges are drawn with odds x(document) y(value), so that given the degrees every graph is as likely as any other.
    """
    rng = np.random.default_rng(seed)

    def one_of(values: int, known: float = 1.0) -> list[list[int]]:
        drawn = rng.choice(values, documents, p=rng.dirichlet(np.full(values, 3.0)))
        return [[int(v)] if rng.random() < known else [] for v in drawn]

    def some_of(values: int, mean: float) -> list[list[int]]:
        odds = np.outer(rng.gamma(3.0, size=documents), rng.gamma(3.0, size=values)) * mean / values / 9
        drawn = rng.random(odds.shape) < odds / (1 + odds)
        if values == documents:
            np.fill_diagonal(drawn, val=False)
        return [np.flatnonzero(row).tolist() for row in drawn]

    rows = {"venue": one_of(12, 0.8), "year": one_of(10), "author": some_of(80, 3.0), "tag": some_of(50, 2.0)}
    named = {name: [[f"{name}{v}" for v in row] for row in values] for name, values in rows.items()}
    return make_graph(named, links={"cites": some_of(documents, 3.0)})


def dealt(edges: Csr, values: int, rng: np.random.Generator, shuffles: int) -> Bools:
    """Graphs with the same degrees, all as likely: edges dealt anew, those with an edge twice thrown away."""
    rows, found, wanted = edges.rows(), [], shuffles
    while wanted > 0:
        targets = rng.permuted(np.tile(edges.targets, (2 * shuffles, 1)), axis=1)
        keys = np.sort(rows * values + targets, axis=1)
        good = targets[(np.diff(keys, axis=1) > 0).all(axis=1)][:wanted]
        matrix = np.zeros((len(good), len(edges), values), dtype=np.bool_)
        matrix[np.arange(len(good))[:, None], rows, good] = True
        found.append(matrix)
        wanted -= len(good)
    return np.concatenate(found)


def held(graph: Graph, field: str) -> Bools:
    """Which document holds which value, or links to which document."""
    edges, n = graph.edges(field), len(graph) if field in graph.links else len(graph.names(field))
    matrix = np.zeros((len(graph), n), dtype=np.bool_)
    matrix[edges.rows(), edges.targets] = True
    return matrix
