"""The graph as lists of nodes and edges from which it can be rebuilt: shared by all exports."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.types import Int64
from hin.errors import BadInput
from hin.graph import Csr, Dangling, ExtraEdges, Graph, Labels, Texts
from hin.node_names import NameTable

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1
_PART = 1 << 16
#: Arrow arrays of one length, by name.
Columns = Mapping[str, Any]
NO_EXPORT = "only what `hin export` wrote can be loaded as a graph; load the documents instead"
_NO_EDGES = (np.zeros(0, np.int64), np.zeros(0, np.int64))


@dataclass
class FlatNodes:
    """Some nodes of one type; only documents have `texts` and `labels`."""

    type: str
    first: int
    names: list[str]
    texts: list[list[str]] | None = None
    labels: list[str | None] | None = None


@dataclass
class FlatEdges:
    """Some edges of one type; terms have their positions in the document's text, split by `offsets` into edges."""

    type: str
    sources: list[int]
    targets: list[int]
    positions: list[list[int]] | None = None


def graph_head(graph: Graph) -> dict[str, Any]:
    """Return the head of an export: the order of the types, the schema, links to unknown documents."""
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
        **_weights(graph),
    }


def _weights(graph: Graph) -> dict[str, Any]:
    """Return the weights of edges that have one, in the order of the edges."""
    weights = {name: e.counts.tolist() for name, e in graph.extra.items() if e.counts is not None}
    return {"weights": weights} if weights else {}


def _several_labels(graph: Graph) -> dict[str, Any]:
    """Return the documents with more than one label, if there are any: a node stores the first only."""
    if graph.labels is None or graph.labels.several is None:
        return {}
    rows = enumerate(graph.labels.of_documents(0, len(graph)))
    return {"several_labels": [[row, list(label)] for row, label in rows if isinstance(label, tuple)]}


def write_head(graph: Graph, folder: Path, guarded: bool = False) -> None:
    """Write `graph.json`, by which `hin load` recognises an export; `guarded`: cells went through `guard_cell`."""
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


def _positions(graph: Graph) -> tuple[Int64, Int64, Int64]:
    """Return, for each document–term edge, the positions of the term in the document."""
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


def unflatten(head: Mapping[str, Any], nodes: Columns, edges: Columns, place: str) -> Graph:
    """Rebuild the graph from the columns of its nodes and edges.

    Parameters
    ----------
    head : mapping
        As `graph_head` made it, checked.
    nodes : dict of Arrow arrays
        `node` (a key of any kind), `type`, `name`, `label` and one `text:FIELD` for each text field.
    edges : dict of Arrow arrays
        `source` and `target` (keys of nodes), `type`, and `positions`: lists, or numbers with spaces between them.
    place : str
        The path of the export, for messages.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if head["format"] > FORMAT:
        raise BadInput(
            f"{place}: an export of format {head['format']}, this version reads up to {FORMAT}",
            hint="upgrade with `pip install --upgrade hin-toolkit`",
        )
    if nodes["type"].null_count or nodes["name"].null_count:
        raise BadInput(f"{place}: a node has a name that is not text", hint=NO_EXPORT)
    types = ["document", "term", *head["fields"]]
    type_of = pc.fill_null(pc.index_in(nodes["type"], pa.array(types, nodes["type"].type)), -1).to_numpy()
    number = np.zeros(len(type_of), dtype=np.int64)  # of each node, within its type
    names = {}
    for position, kind in enumerate(types):
        rows = np.flatnonzero(type_of == position)
        number[rows] = np.arange(len(rows))
        names[kind] = nodes["name"].take(rows)
        if pc.count_distinct(names[kind]).as_py() != len(rows):
            raise _damage(place, f"two nodes of type {kind!r} have one name")
    documents = np.flatnonzero(type_of == 0)
    count = len(documents)
    ends, term_rows = _ends(head, nodes, edges, number, place)

    def adjacent(name: str) -> Csr:
        sources, targets = ends.get(name, _NO_EDGES)
        order = np.argsort(sources, kind="stable")
        return Csr.from_lengths(np.bincount(sources, minlength=count), targets[order].astype(np.int32))

    tokens, term_edges = _tokens(ends.get("term", _NO_EDGES), edges["positions"].take(term_rows), count, place)
    labels: list[Any] = [label or None for label in nodes["label"].take(documents).to_pylist()]
    for row, several in head.get("several_labels", []):
        if row >= count:
            raise _damage(place, f"labels of the document {row}, which is not there")
        labels[row] = tuple(several)
    for where, _ in head["dangling"].values():
        if where and max(where) >= count:
            raise _damage(place, f"links of the document {max(where)}, which is not there")
    texts = [pc.fill_null(nodes[f"text:{name}"].take(documents), "") for name in head["text"]]
    return Graph(
        documents=NameTable(names.pop("document"), "document"),
        fields=tuple(head["fields"]),
        links=tuple(head["links"]),
        nodes={kind: NameTable(column, kind) for kind, column in names.items()},
        adjacency={"term": term_edges, **{name: adjacent(name) for name in (*head["fields"], *head["links"])}},
        tokens=tokens,
        texts=Texts(pa.table(texts, names=list(head["text"]))),
        labels=Labels.of(labels) if head["labels"] else None,
        extra=_extra(head, ends, place),
        schema=dict(head["schema"]),
        dangling={
            name: Dangling(np.array(where, dtype=np.int32), tuple(targets))
            for name, (where, targets) in head["dangling"].items()
        },
    )


def _ends(
    head: Mapping[str, Any], nodes: Columns, edges: Columns, number: Int64, place: str
) -> tuple[dict[str, tuple[Int64, Int64]], Int64]:
    """Return the sources and targets of each edge type, numbered within their types, and the rows of edges to terms."""
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = []
    for end in ("source", "target"):
        found = pc.index_in(edges[end], nodes["node"])
        if found.null_count:
            unknown = edges[end].filter(pc.is_null(found))[0].as_py()
            raise BadInput(f"{place}: an edge to the unknown node {unknown!r}", hint=NO_EXPORT)
        rows.append(found.to_numpy())
    joined = {name: (source, target) for name, source, target in head["extra"]}
    joined |= dict.fromkeys(head["links"], ("document", "document"))
    joined |= {name: ("document", name) for name in ("term", *head["fields"])}
    ends: dict[str, tuple[Int64, Int64]] = {}
    term_rows = np.zeros(0, dtype=np.int64)
    for name in pc.unique(edges["type"]).to_pylist():
        if name not in joined:
            raise BadInput(f"{place}: an edge of the unknown type {name!r}", hint=NO_EXPORT)
        mine = np.flatnonzero(pc.equal(edges["type"], name).to_numpy(zero_copy_only=False))
        sources, targets = (side[mine] for side in rows)
        found = pa.table([nodes["type"].take(sources), nodes["type"].take(targets)], ["source", "target"])
        source, target = joined[name]
        wrong = found.filter((pc.field("source") != source) | (pc.field("target") != target)).slice(0, 1).to_pylist()
        if wrong:
            what = f"an edge of type {name!r} joins {' to '.join(wrong[0].values())}, not {source} to {target}"
            raise BadInput(f"{place}: {what}", hint=NO_EXPORT)
        ends[name] = number[sources], number[targets]
        term_rows = mine if name == "term" else term_rows
    return ends, term_rows


def _tokens(ends: tuple[Int64, Int64], positions: pa.Array, documents: int, place: str) -> tuple[Csr, Csr]:
    import pyarrow as pa
    import pyarrow.compute as pc

    sources, targets = ends
    if pa.types.is_large_string(positions.type):
        positions = pc.split_pattern(positions, " ")
    if positions.null_count:
        raise _damage(place, "an edge to a term has no positions")
    counts = pc.list_value_length(positions).to_numpy().astype(np.int64)
    places = pc.list_flatten(positions).cast(pa.int64()).to_numpy()
    lengths = np.bincount(np.repeat(sources, counts), minlength=documents)
    offsets = np.r_[0, np.cumsum(lengths)].astype(np.int64)
    where = offsets[np.repeat(sources, counts)] + places
    if len(where) and (not np.array_equal(np.sort(where), np.arange(len(where))) or places.min() < 0):
        raise _damage(place, "the positions of a document's terms have gaps")
    tokens = np.empty(len(where), dtype=np.int32)
    tokens[where] = np.repeat(targets, counts)
    order = np.argsort(sources, kind="stable")
    degrees = np.bincount(sources, minlength=documents)
    edges = Csr.from_lengths(degrees, targets[order].astype(np.int32), counts[order].astype(np.int32))
    return Csr(offsets, tokens), edges


def _extra(head: Mapping[str, Any], ends: Mapping[str, tuple[Int64, Int64]], place: str) -> dict[str, ExtraEdges]:
    """Return the edges between other nodes than documents and their fields, with their weights where they have one."""
    extra = {}
    for name, source, target in head["extra"]:
        sources, targets = (end.astype(np.int32) for end in ends.get(name, _NO_EDGES))
        weights = head.get("weights", {}).get(name)
        if weights is not None and len(weights) != len(sources):
            raise _damage(place, f"{len(weights)} weights of {len(sources)} edges")
        counts = None if weights is None else np.array(weights, dtype=np.int32)
        extra[name] = ExtraEdges(source, target, sources, targets, counts)
    return extra
