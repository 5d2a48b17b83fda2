"""Convert the graph to other libraries' graphs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Int64, Reals
from hin.errors import BadUsage

if TYPE_CHECKING:
    import igraph
    import networkx

    from hin.graph import Graph
    from hin.stores.findings import Findings


def node_offsets(graph: Graph) -> dict[str, int]:
    """Return the offset of each node type when nodes are numbered consecutively; the key "" holds the total."""
    offsets: dict[str, int] = {}
    total = 0
    for node_type in graph.node_types:
        offsets[node_type] = total
        total += len(graph.names(node_type))
    offsets[""] = total
    return offsets


def edge_arrays(graph: Graph) -> Iterator[tuple[str, Int64, Int64, Any]]:
    """Yield every edge type with its sources, its targets (numbered consecutively) and its counts or None."""
    start = node_offsets(graph)
    for name in graph.edge_types:
        edges = graph.edges(name)
        first = start["document"] if name in graph.links else start[name]
        yield name, edges.rows().astype(np.int64), edges.targets.astype(np.int64) + first, edges.counts
    for name, extra in graph.extra.items():
        sources = extra.sources.astype(np.int64) + start[extra.source_type]
        yield name, sources, extra.targets.astype(np.int64) + start[extra.target_type], extra.counts


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


def to_pyg(
    graph: Graph,
    vectors: Reals | Mapping[str, Reals] | None = None,
    findings: Findings | None = None,
    *,
    terms: bool = False,
) -> Any:
    """Convert the graph to a `HeteroData` of PyTorch Geometric; `hin.exchange.pyg.from_pyg` converts it back.

    Every node type has `names`, every edge type `edge_index`, terms also `count`. Documents have `y` (-1 where there is
    no label, names in `label_names`), and `labelled` as a mask. Features are in `x`.

    Parameters
    ----------
    vectors : array or mapping, optional
        A row of features for each document, or for each node of the types that a mapping names.
    terms : bool
        Whether the documents' features are their terms: a sparse matrix of counts, documents x terms.
    findings : Findings, optional
        Results of the stages: motif instances become the node type `motif`, joined to documents (`has_motif`) and to
        their parts (`part`); the documents' categories become `category` and `confidence`, names in `category_names`.
    """
    import torch

    with warnings.catch_warnings():  # importing it uses what PyTorch deprecates
        warnings.simplefilter("ignore")
        from torch_geometric.data import HeteroData

    def index(sources: npt.ArrayLike, targets: npt.ArrayLike) -> Any:
        return torch.from_numpy(np.array([sources, targets], dtype=np.int64).reshape(2, -1))

    data = HeteroData()
    data.fields, data.links = list(graph.fields), list(graph.links)
    data.texts = {name: graph.texts.table.column(name).to_pylist() for name in graph.texts.fields}
    for kind in graph.node_types:
        data[kind].num_nodes, data[kind].names = len(graph.names(kind)), list(graph.names(kind))
    for kind in graph.edge_types:
        edges, target = graph.edges(kind), "document" if kind in graph.links else kind
        data["document", kind, target].edge_index = index(edges.rows(), edges.targets)
        if edges.counts is not None:
            data["document", kind, target].count = torch.from_numpy(np.array(edges.counts))
    for kind, extra in graph.extra.items():
        data[extra.source_type, kind, extra.target_type].edge_index = index(extra.sources, extra.targets)
        if extra.counts is not None:
            data[extra.source_type, kind, extra.target_type].count = torch.from_numpy(np.array(extra.counts))
    document = data["document"]
    document.tokens = torch.from_numpy(np.array(graph.tokens.targets))
    document.token_count = torch.from_numpy(graph.tokens.degrees())
    if graph.labels is not None:
        document.y, data.label_names = torch.from_numpy(graph.labels.codes.astype(np.int64)), list(graph.labels.names)
        document.labelled = document.y >= 0
        if graph.labels.several is not None:
            document.several = torch.from_numpy(np.array(graph.labels.several.targets))
            document.several_count = torch.from_numpy(graph.labels.several.degrees())
    if findings is not None:
        _add_findings(data, graph, findings, index)
    _add_features(data, graph, vectors, terms)
    return data


def _add_features(data: Any, graph: Graph, vectors: Any, terms: bool) -> None:
    import torch

    features = dict(vectors) if isinstance(vectors, Mapping) else {} if vectors is None else {"document": vectors}
    if terms and "document" in features:
        raise BadUsage("documents have vectors and terms for features", hint="choose one of vectors and terms")
    for kind, rows in features.items():
        if kind not in data.node_types or len(rows) != data[kind].num_nodes:
            n = f"{data[kind].num_nodes:,} nodes" if kind in data.node_types else "no nodes"
            raise BadUsage(f"{len(rows):,} vectors for {n} of type {kind}", hint="give one row for each node")
        data[kind].x = torch.from_numpy(np.array(rows, dtype=np.float32))
    if terms:
        tokens, size = graph.tokens, (len(graph), len(graph.names("term")))
        places = torch.from_numpy(np.array([tokens.rows(), tokens.targets], dtype=np.int64))
        ones = torch.ones(tokens.n_edges)  # `coalesce` adds up those of one document and term
        data["document"].x = torch.sparse_coo_tensor(places, ones, size, check_invariants=True).coalesce()


def _add_findings(data: Any, graph: Graph, findings: Findings, index: Any) -> None:
    import torch

    if findings.motifs is not None:
        motifs = findings.motifs
        data["motif"].num_nodes, data["motif"].names = len(motifs), motifs.column("name").to_pylist()
        data["motif"].pattern = motifs.column("pattern").to_pylist()
        if findings.has_motif is not None:
            edges = findings.has_motif
            data["document", "has_motif", "motif"].edge_index = index(edges.rows(), edges.targets)
        types, nodes = (motifs.column(name).to_pylist() for name in ("part_types", "part_nodes"))
        parts: dict[str, list[tuple[int, int]]] = {}
        for motif, (kinds, numbers) in enumerate(zip(types, nodes, strict=True)):
            for kind, node in zip(kinds, numbers, strict=True):
                parts.setdefault(kind, []).append((motif, node))
        for kind, pairs in parts.items():
            data["motif", "part", kind].edge_index = index(*zip(*pairs, strict=True))
    if findings.classified is not None and findings.categories is not None:
        rows = findings.classified.column("document").to_numpy()
        category, confidence = np.full(len(graph), -1, dtype=np.int64), np.zeros(len(graph), dtype=np.float32)
        # the first of several categories is the most confident, and is written last
        category[rows[::-1]] = findings.classified.column("category").to_numpy()[::-1]
        confidence[rows[::-1]] = findings.classified.column("confidence").to_numpy()[::-1]
        data["document"].category, data["document"].confidence = (
            torch.from_numpy(category),
            torch.from_numpy(confidence),
        )
        data.category_names = findings.categories.column("name").to_pylist()
