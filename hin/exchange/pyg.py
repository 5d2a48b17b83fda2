"""Write graphs as PyTorch Geometric's `HeteroData`, and read them back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from hin.errors import BadUsage
from hin.exchange.formats import ExportSource, export_format
from hin.graph import Csr, ExtraEdges, Graph, Labels, Texts
from hin.node_names import NameTable

_MISSING = "install it with `pip install 'hin-toolkit[compare]'`"


@export_format("pyg", ".pt")
def write_pyg(source: ExportSource, path: Path) -> None:
    """Write the graph, the findings of its stages and the vectors of its embedding as the dictionary of a `HeteroData`.

    Only numbers, texts, lists and tensors: `torch.load` needs no pickled code for it.
    """
    try:
        import torch

        data = source.graph.to_pyg(source.vectors, source.findings)
    except ModuleNotFoundError as error:
        raise BadUsage("PyTorch Geometric is not installed", hint=_MISSING) from error
    with path.open("wb") as file:  # given a path, torch would write its name into the bytes
        torch.save(data.to_dict(), file)


def read_pyg(path: str | os.PathLike[str]) -> Any:
    """Read the `HeteroData` that `hin export pyg` wrote."""
    import torch
    from torch_geometric.data import HeteroData

    return HeteroData.from_dict(torch.load(path, weights_only=True))


def from_pyg(data: Any) -> Graph:
    """Convert a `HeteroData` with the node type `document` to a graph.

    Every other node type but `motif` becomes a metadata field, or the terms; edges from documents to a node type of
    the same name become its edges, those between documents links, all others edges of their own. In data from
    elsewhere, the first edges between documents and a node type are its edges, whatever their name and direction.
    Nodes without `names` are called by their numbers; edges that `ToUndirected` added (`rev_...`) are left out.

    Examples
    --------
    >>> import torch
    >>> from torch_geometric.data import HeteroData
    >>> data = HeteroData()
    >>> data["document"].num_nodes, data["venue"].names = 2, ["KDD"]
    >>> data["venue"].num_nodes = 1
    >>> data["document", "venue", "venue"].edge_index = torch.tensor([[0, 1], [0, 0]])
    >>> graph = from_pyg(data)
    >>> graph, graph.edges("venue").degrees().tolist()
    (Graph(2 document, 0 term, 1 venue), [1, 1])
    """
    import pyarrow as pa

    if "document" not in data.node_types:
        raise BadUsage("the HeteroData has no nodes of type 'document'", hint="name the type that is classified so")
    n = int(data["document"].num_nodes)
    kinds = [kind for kind in data.node_types if kind not in ("document", "term", "motif")]
    fields = tuple(_given(data, "fields", kinds))
    nodes = {kind: _names(data, kind) for kind in ("term", *fields)}
    adjacency = {kind: Csr(np.zeros(n + 1, dtype=np.int64), np.empty(0, dtype=np.int32)) for kind in nodes}
    extra: dict[str, ExtraEdges] = {}
    links: list[str] = []
    foreign, with_edges = "fields" not in data._global_store, set[str]()
    # edges that are named as their node type come before others of the same ends
    for source, kind, target in sorted(data.edge_types, key=lambda edge: edge[1] != edge[2]):
        if "motif" in (source, target) or kind.startswith("rev_"):
            continue
        store = data[source, kind, target]
        sources, targets = store.edge_index.cpu().numpy().astype(np.int32)
        other, ends = (target, (sources, targets)) if source == "document" else (source, (targets, sources))
        if source == target == "document":
            links.append(kind)
            adjacency[kind] = _rows(sources, targets, store.get("count"), n)
        elif "document" in (source, target) and other not in with_edges and (kind == target or foreign):
            with_edges.add(other)
            adjacency[other] = _rows(ends[0], ends[1], store.get("count"), n)
        elif not (foreign and target == "document" and _same(adjacency[other], _rows(ends[0], ends[1], None, n))):
            # not the same edges in the other direction
            weight = store.get("count")
            counts = None if weight is None else weight.cpu().numpy().astype(np.int32)
            name = f"{source}_{kind}_{target}" if kind in (*extra, *adjacency) else kind
            extra[name] = ExtraEdges(source, target, sources, targets, counts)
    texts = _given(data, "texts", None) or {"text": [""] * n}
    return Graph(
        documents=_names(data, "document"),
        fields=fields,
        links=tuple(_given(data, "links", links)),
        nodes=nodes,
        adjacency=adjacency,
        tokens=_tokens(data["document"], adjacency["term"]),
        texts=Texts(pa.table({name: pa.array(column, pa.large_string()) for name, column in texts.items()})),
        labels=_labels(data),
        extra=extra,
    )


def _given(data: Any, name: str, other: Any) -> Any:
    """Return an attribute of the whole `HeteroData`, or a default if it has none."""
    return getattr(data, name) if name in data._global_store else other


def _names(data: Any, kind: str) -> NameTable:
    if kind not in data.node_types:
        return NameTable.of([], what=kind)
    names = data[kind].get("names") or [str(i) for i in range(int(data[kind].num_nodes))]
    return NameTable.of(names, what=kind)


def _rows(sources: Any, targets: Any, counts: Any, n: int) -> Csr:
    order = np.argsort(sources, kind="stable")  # stable: the nodes of a document stay in their order
    ordered = None if counts is None else counts.cpu().numpy().astype(np.int32)[order]
    return Csr.from_lengths(np.bincount(sources, minlength=n), targets[order], ordered)


def _same(one: Csr, other: Csr) -> bool:
    """Whether both have the same edges, in any order."""
    keys = [np.sort((edges.rows().astype(np.int64) << 32) | edges.targets) for edges in (one, other)]
    return np.array_equal(keys[0], keys[1])


def _tokens(document: Any, terms: Csr) -> Csr:
    """Return the exported tokens; for a foreign graph, each term as often as it occurs, in the order of the edges."""
    if "tokens" in document:
        return Csr.from_lengths(document.token_count.cpu().numpy(), document.tokens.cpu().numpy().astype(np.int32))
    counts = np.ones(terms.n_edges, dtype=np.int64) if terms.counts is None else terms.counts
    ends = np.concatenate([[0], np.cumsum(counts)])[terms.offsets]
    return Csr(ends.astype(np.int64), np.repeat(terms.targets, counts))


def _labels(data: Any) -> Labels | None:
    if "y" not in data["document"]:
        return None
    codes = data["document"].y.cpu().numpy().astype(np.int32)
    names = _given(data, "label_names", [str(i) for i in range(int(codes.max(initial=-1)) + 1)])
    several = None
    if "several" in data["document"]:
        counts = data["document"].several_count.cpu().numpy()
        several = Csr.from_lengths(counts, data["document"].several.cpu().numpy())
    return Labels(tuple(names), codes, several)
