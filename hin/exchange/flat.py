"""The graph as a list of nodes and one of edges, complete enough to build it again: what all exports share."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hin.errors import BadInput
from hin.graph import Csr, Dangling, ExtraEdges, Graph, Labels, Texts
from hin.node_names import NameTable

__all__ = ["FORMAT", "FlatEdges", "FlatNodes", "flat_edges", "flat_nodes", "graph_head", "unflatten", "write_head"]

FORMAT = 1
_PART = 1 << 16
Ints = npt.NDArray[np.int64]


@dataclass
class FlatNodes:
    """Some nodes of one type; `texts` and `labels` are there for documents only."""

    type: str
    first: int
    names: list[str]
    texts: list[list[str]] | None = None
    labels: list[str | None] | None = None


@dataclass
class FlatEdges:
    """Some edges of one type; terms have their positions in the document's text, `offsets` cutting them by edge."""

    type: str
    sources: list[int]
    targets: list[int]
    positions: list[list[int]] | None = None


def graph_head(graph: Graph) -> dict[str, Any]:
    """Return what nodes and edges do not tell: the order of the types, the schema, links to unknown documents."""
    return {
        "format": FORMAT,
        "fields": list(graph.fields),
        "links": list(graph.links),
        "text": list(graph.texts.fields),
        "labels": graph.labels is not None,
        "extra": [[name, e.source_type, e.target_type] for name, e in graph.extra.items()],
        "dangling": {name: [d.rows.tolist(), list(d.names)] for name, d in graph.dangling.items()},
        "schema": dict(graph.schema),
        **_several_labels(graph),
    }


def _several_labels(graph: Graph) -> dict[str, Any]:
    """Return the documents with more than one label, where there are any: a node has room for the first."""
    if graph.labels is None or graph.labels.several is None:
        return {}
    rows = enumerate(graph.labels.of_documents(0, len(graph)))
    return {"several_labels": [[row, list(label)] for row, label in rows if isinstance(label, tuple)]}


def write_head(graph: Graph, folder: Path, guarded: bool = False) -> None:
    """Write `graph.json`, by which `hin load` knows an exported folder; `guarded`: cells went through `guard_cell`."""
    head = {**graph_head(graph), **({"guarded": True} if guarded else {})}
    (folder / "graph.json").write_text(json.dumps(head, indent=1) + "\n", encoding="utf-8")


def flat_nodes(graph: Graph) -> Iterator[FlatNodes]:
    """Yield all nodes in one numbering: documents, terms, then field by field."""
    first = 0
    for kind in graph.node_types:
        table = graph.names(kind)
        for start in range(0, len(table), _PART):
            names = table[start : start + _PART]
            part = FlatNodes(kind, first + start, names)
            if kind == "document":
                part.texts = [column.slice(start, _PART).to_pylist() for column in graph.texts.table.columns]
                part.labels = [None] * len(names)
                if graph.labels is not None:
                    codes = graph.labels.codes[start : start + _PART].tolist()
                    part.labels = [graph.labels.names[code] if code >= 0 else None for code in codes]
            yield part
        first += len(table)


def flat_edges(graph: Graph) -> Iterator[FlatEdges]:
    """Yield all edges in the numbering of `flat_nodes`, type by type, document by document."""
    from hin.conversion import edge_arrays

    for name, sources, targets, _ in edge_arrays(graph):
        places = _positions(graph) if name == "term" else None
        for start in range(0, len(sources), _PART):
            stop = min(start + _PART, len(sources))
            part = FlatEdges(name, sources[start:stop].tolist(), targets[start:stop].tolist())
            if places is not None:
                order, offsets, rank = places
                cuts = offsets[rank[start:stop]].tolist(), offsets[rank[start:stop] + 1].tolist()
                part.positions = [order[a:b].tolist() for a, b in zip(*cuts, strict=True)]
            yield part


def _positions(graph: Graph) -> tuple[Ints, Ints, Ints]:
    """For each document–term edge, where in the document the term stands."""
    terms = max(1, len(graph.names("term")))
    tokens, edges = graph.tokens, graph.edges("term")
    places = np.arange(tokens.n_edges) - np.repeat(tokens.offsets[:-1], tokens.degrees())
    keys = tokens.rows().astype(np.int64) * terms + tokens.targets
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(keys[order]) != 0]) if len(order) else np.zeros(0, np.int64)
    offsets = np.r_[starts, len(order)].astype(np.int64)
    rank = np.empty(edges.n_edges, dtype=np.int64)
    rank[np.argsort(edges.rows().astype(np.int64) * terms + edges.targets)] = np.arange(edges.n_edges)
    return places[order], offsets, rank


def _damage(place: str, what: str) -> BadInput:
    return BadInput(f"{place}: {what}", hint="export the graph again, or load its documents instead")


def unflatten(
    head: Mapping[str, Any],
    names: Mapping[str, list[str]],
    texts: list[list[str]],
    labels: list[str | None],
    edges: Mapping[str, tuple[Ints, Ints]],
    positions: list[list[int]],
    place: str,
) -> Graph:
    """Build the graph again from its parts; `positions` belongs to the edges of type `term`.

    Parameters
    ----------
    head : mapping
        As `graph_head` made it.
    names : mapping of lists
        The names of the nodes of each type.
    texts, labels : lists
        One column a text field, one label a document.
    edges : mapping of pairs of arrays
        Sources and targets of each edge type, numbered within their node types (the caller has checked them).
    place : str
        Where it came from, for messages.
    """
    import pyarrow as pa

    if head.get("format", 0) > FORMAT:
        raise BadInput(
            f"{place}: an export of format {head['format']}, this version reads up to {FORMAT}",
            hint="upgrade with `pip install --upgrade hin`",
        )
    documents = names.get("document", [])
    count = len(documents)
    for kind, known in names.items():
        if len(set(known)) != len(known):
            raise _damage(place, f"two nodes of type {kind!r} have one name")

    def rows(name: str) -> Csr:
        sources, targets = edges.get(name, (np.zeros(0, np.int64), np.zeros(0, np.int64)))
        order = np.argsort(sources, kind="stable")
        offsets = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(sources, minlength=count), out=offsets[1:])
        return Csr(offsets, targets[order].astype(np.int32))

    adjacency = {name: rows(name) for name in (*head["fields"], *head["links"])}
    tokens, term_edges = _tokens(edges.get("term"), positions, count, place)
    every: list[str | tuple[str, ...] | None] = list(labels)
    for row, several in head.get("several_labels", []):
        if not 0 <= row < count:
            raise _damage(place, f"labels of the document {row}, which is not there")
        every[row] = tuple(several)
    for where, _ in head["dangling"].values():
        if where and max(where) >= count:
            raise _damage(place, f"links of the document {max(where)}, which is not there")
    extra = {}
    for name, source_type, target_type in head["extra"]:
        ends = edges.get(name, (np.zeros(0, np.int64), np.zeros(0, np.int64)))
        extra[name] = ExtraEdges(source_type, target_type, *(end.astype(np.int32) for end in ends))
    return Graph(
        documents=NameTable.of(documents, "document"),
        fields=tuple(head["fields"]),
        links=tuple(head["links"]),
        nodes={kind: NameTable.of(names.get(kind, []), kind) for kind in ("term", *head["fields"])},
        adjacency={"term": term_edges, **adjacency},
        tokens=tokens,
        texts=Texts(pa.table([pa.array(column, type=pa.large_string()) for column in texts], names=list(head["text"]))),
        labels=Labels.of(every) if head["labels"] else None,
        extra=extra,
        schema=dict(head["schema"]),
        dangling={
            name: Dangling(np.array(where, dtype=np.int32), tuple(targets))
            for name, (where, targets) in head["dangling"].items()
        },
    )


def _tokens(ends: tuple[Ints, Ints] | None, positions: list[list[int]], documents: int, place: str) -> tuple[Csr, Csr]:
    sources, targets = ends if ends is not None else (np.zeros(0, np.int64), np.zeros(0, np.int64))
    if len(positions) != len(sources):
        raise _damage(place, "an edge to a term has no positions")
    counts = np.fromiter(map(len, positions), dtype=np.int64, count=len(positions))
    places = np.fromiter((p for row in positions for p in row), dtype=np.int64, count=int(counts.sum()))
    lengths = np.bincount(np.repeat(sources, counts), minlength=documents)
    offsets = np.r_[0, np.cumsum(lengths)].astype(np.int64)
    where = offsets[np.repeat(sources, counts)] + places
    if len(where) and (not np.array_equal(np.sort(where), np.arange(len(where))) or places.min() < 0):
        raise _damage(place, "the positions of a document's terms have gaps")
    tokens = np.empty(len(where), dtype=np.int32)
    tokens[where] = np.repeat(targets, counts)
    order = np.argsort(sources, kind="stable")
    edge_offsets = np.r_[0, np.cumsum(np.bincount(sources, minlength=documents))].astype(np.int64)
    edges = Csr(edge_offsets, targets[order].astype(np.int32), counts[order].astype(np.int32))
    return Csr(offsets, tokens), edges
