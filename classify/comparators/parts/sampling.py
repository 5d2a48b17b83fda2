"""The subgraph of some documents, and the split of the documents for supervised systems."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from hin.arrays.types import Int32, Int64, Ints
from hin.graph import Csr, Graph, Labels, Texts
from hin.node_names import NameTable


class Split(NamedTuple):
    """The rows for training, validation and test."""

    train: Int64
    dev: Int64
    test: Int64


def sample_documents(n: int, size: int | None) -> Int64:
    """Return the rows of a random sample, always the same, in the graph's order; all rows where it is not smaller.

    >>> sample_documents(5, None).tolist(), len(sample_documents(100, 10))
    ([0, 1, 2, 3, 4], 10)
    """
    if size is None or size >= n:
        return np.arange(n, dtype=np.int64)
    return np.sort(np.random.default_rng([0, 0x5A11]).permutation(n)[:size]).astype(np.int64)


def split_documents(truth: Ints, rng: np.random.Generator) -> Split:
    """Return a random 80/10/10 split of the documents with a known category (section 4.1).

    >>> [len(part) for part in split_documents(np.zeros(50, dtype=int), np.random.default_rng(0))]
    [40, 5, 5]
    """
    known = np.flatnonzero(np.asarray(truth) >= 0)
    order = known[rng.permutation(len(known))]
    tenth = max(1, round(len(order) / 10))
    return Split(np.sort(order[2 * tenth :]), np.sort(order[tenth : 2 * tenth]), np.sort(order[:tenth]))


def take_documents(graph: Graph, rows: Int64) -> Graph:
    """Return the subgraph of some documents: their terms, metadata and the links among them, and no other nodes.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> part = take_documents(tiny_graph(), np.array([0, 2]))
    >>> part.documents.tolist() == tiny_graph().documents.take([0, 2])
    True
    """
    if len(rows) == len(graph):
        return graph
    import pyarrow as pa

    nodes: dict[str, NameTable] = {}
    adjacency: dict[str, Csr] = {}
    new_term = np.empty(0, np.int32)
    for name in ("term", *graph.fields):
        edges = graph.edges(name).take(rows)
        used, place = _used_nodes(edges.targets, len(graph.names(name)))
        table = graph.names(name)
        nodes[name] = type(table)(table.arrow.take(pa.array(used)), table.what)
        adjacency[name] = Csr(edges.offsets, place[edges.targets], edges.counts)
        if name == "term":
            new_term = place
    tokens = graph.tokens.take(rows)
    place = np.full(len(graph), -1, np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    for name in graph.links:
        edges = graph.edges(name).take(rows)
        source, target = edges.rows(), place[edges.targets]
        adjacency[name] = Csr.from_pairs(source[target >= 0], target[target >= 0], len(rows))
    documents = type(graph.documents)(graph.documents.arrow.take(pa.array(rows)), graph.documents.what)
    labels = None if graph.labels is None else Labels(graph.labels.names, np.asarray(graph.labels.codes)[rows])
    return replace(
        graph,
        documents=documents,
        nodes={name: nodes[name] for name in graph.nodes if name in nodes},
        adjacency=adjacency,
        tokens=Csr(tokens.offsets, new_term[tokens.targets]),
        texts=Texts(graph.texts.table.take(pa.array(rows))),
        labels=labels,
        extra={},
        dangling={},
    )


def _used_nodes(targets: Int32, n: int) -> tuple[Int64, Int32]:
    """Return the nodes that still have an edge, and each node's new number (-1 for the others)."""
    has_edge = np.zeros(n, dtype=np.bool_)
    has_edge[targets] = True
    used = np.flatnonzero(has_edge)
    place = np.full(n, -1, dtype=np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    return used, place
