"""Lay out a graph, and its findings, as labelled nodes and typed relationships with properties.

This is the one description that queries on a folder, the Neo4j writer and the bulk import share, so a query means the
same on all of them. A query on a folder builds the columns that it touches, `project` all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from hin.arrays.types import Int64
from hin.cypher.folder.column import Column
from hin.cypher.folder.layout import Layout
from hin.cypher_names import CypherNames
from hin.graph import Csr, Graph
from hin.stores.findings import Findings
from hin.stores.graph_identity import graph_node, terms_are_tokens
from hin.stores.property_graph import Nodes, PropertyGraph, Relationships, name_type, project_findings

_KINDS = ("INTEGER", "FLOAT", "STRING")


def layout_of(graph: Graph, findings: Findings, options: Mapping[str, Any]) -> Layout:
    """Return the labels and relationship types of a graph.

    Examples
    --------
    >>> from hin.reading.records import RecordBatch
    >>> from hin.building.graph_builder import build_graph
    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> layout = layout_of(build_graph([batch], ["text"]), Findings(), {})
    >>> [table.label for table in layout.nodes], [table.type for table in layout.relationships][:2]
    (['Document', 'Term', 'Year', 'Motif', 'Category', 'HinGraph'], ['HAS_TERM', 'HAS_YEAR'])
    """
    layout, names = Layout(), CypherNames.of_graph(graph)
    _add_graph(layout, graph, names)
    _add_findings(layout, findings, names)
    _add_graph_node(layout, graph, findings, options)
    return layout


def project(graph: Graph, findings: Findings | None = None) -> PropertyGraph:
    """Return the nodes and relationships of a graph, and of its findings, with all properties.

    Examples
    --------
    >>> from hin.reading.records import RecordBatch
    >>> from hin.building.graph_builder import build_graph
    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> [(r.type, r.source, r.target, len(r)) for r in project(build_graph([batch], ["text"])).relationships]
    [('HAS_TERM', 'Document', 'Term', 2), ('HAS_YEAR', 'Document', 'Year', 1)]
    """
    import pyarrow as pa

    layout, names = Layout(), CypherNames.of_graph(graph)
    _add_graph(layout, graph, names)
    nodes = [Nodes(table.label, pa.table(_made(table.columns()))) for table in layout.nodes]
    relationships = []
    for table in layout.relationships:
        sources, targets = table.make_ends()
        ends = sources - table.source.first, targets - table.target.first
        kinds = table.type, table.source.label, table.target.label
        relationships.append(Relationships(*kinds, *ends, _made(table.columns())))
    if findings is not None:
        findings.check(graph)
        found_nodes, found_relationships = project_findings(findings, names)
        nodes += found_nodes
        relationships += found_relationships
    return PropertyGraph(tuple(nodes), tuple(relationships))


def _made(columns: Mapping[str, Column]) -> dict[str, Any]:
    return {name: column.make() for name, column in columns.items()}


def _add_graph(layout: Layout, graph: Graph, names: CypherNames) -> None:
    layout.add_nodes("Document", len(graph), _documents(graph, names))
    for node_type in graph.node_types[1:]:
        table = graph.names(node_type)
        named = {"number": _numbers(len(table)), "name": Column("STRING", _constant(table.arrow))}
        layout.add_nodes(names.labels[node_type], len(table), named)
    for edge_type in graph.edge_types:
        edges = graph.edges(edge_type)
        target = "Document" if edge_type in graph.links else names.labels[edge_type]
        position = Column("INTEGER", partial(_positions, edges))
        columns: dict[str, Column] = {"position": position}
        doubtful: dict[str, Callable[[], Column | None]] = {}
        if edge_type == "term":
            columns = {"occurrences": Column("INTEGER", partial(_occurrences, edges))}
            doubtful = {"position": partial(_position_of_terms, graph, position)}
        ends = partial(_ends, edges)
        layout.add_relationships(
            names.relationships[edge_type], "Document", target, edges.n_edges, ends, columns, doubtful
        )
    for name, extra in sorted(graph.extra.items()):
        order = np.argsort(extra.sources, kind="stable")
        pairs = (np.asarray(extra.sources)[order], np.asarray(extra.targets)[order])
        columns = {"number": Column("INTEGER", _constant(order.astype(np.int64)))}
        if extra.counts is not None:
            columns["occurrences"] = Column("INTEGER", _constant(np.asarray(extra.counts)[order].astype(np.int64)))
        layout.add_relationships(
            names.relationships[name],
            names.labels[extra.source_type],
            names.labels[extra.target_type],
            len(order),
            _constant(pairs),
            columns,
        )


def _ends(edges: Csr) -> tuple[Any, Any]:
    return edges.rows(), np.asarray(edges.targets)


def _position_of_terms(graph: Graph, position: Column) -> Column | None:
    """Return the terms' position column, or None if the order of the tokens implies it."""
    return None if terms_are_tokens(graph) else position


def _positions(edges: Csr) -> Int64:
    """Return the position of each edge among those of its row, counted from 1."""
    starts = np.repeat(np.asarray(edges.offsets[:-1], dtype=np.int64), edges.degrees())
    return np.arange(edges.n_edges, dtype=np.int64) - starts + 1


def _numbers(count: int) -> Column:
    return Column("INTEGER", lambda: np.arange(count, dtype=np.int64), counts=True)


def _occurrences(edges: Csr) -> Any:
    return np.ones(edges.n_edges, np.int64) if edges.counts is None else np.asarray(edges.counts).astype(np.int64)


def _documents(graph: Graph, names: CypherNames) -> dict[str, Column]:
    columns = {"number": _numbers(len(graph)), "id": Column("STRING", lambda: graph.documents.arrow)}
    if graph.labels is not None:
        columns["label"] = Column("STRING", lambda: _labels(graph))
        if graph.labels.several is not None:
            columns["labels"] = Column("STRING[]", lambda: _several_labels(graph))
    columns["tokens"] = Column("INTEGER[]", lambda: _tokens(graph))
    for name in graph.texts.fields:
        columns[names.properties[name]] = Column("STRING", partial(graph.texts.table.column, name))
    for name in graph.dangling:
        columns[names.unresolved[name]] = Column("STRING[]", partial(_missing, graph, name))
    return columns


def _labels(graph: Graph) -> Any:
    import pyarrow as pa

    assert graph.labels is not None
    codes = np.asarray(graph.labels.codes)
    return pa.array(graph.labels.names, type=pa.large_string()).take(pa.array(codes, mask=codes < 0))


def _several_labels(graph: Graph) -> Any:
    import pyarrow as pa

    assert graph.labels is not None and graph.labels.several is not None
    several = graph.labels.several
    names = pa.array(graph.labels.names, type=pa.large_string())
    return _lists(np.asarray(several.offsets), names.take(pa.array(np.asarray(several.targets))))


def _tokens(graph: Graph) -> Any:
    import pyarrow as pa

    return _lists(np.asarray(graph.tokens.offsets), pa.array(np.asarray(graph.tokens.targets).astype(np.int64)))


def _missing(graph: Graph, name: str) -> Any:
    import pyarrow as pa

    missing = graph.dangling[name]
    lists = Csr.from_pairs(missing.rows, np.arange(len(missing.rows)), len(graph))
    return _lists(lists.offsets, pa.array([missing.names[i] for i in lists.targets.tolist()], type=pa.large_string()))


def _lists(offsets: Int64, values: Any) -> Any:
    """Return one list per row; an empty one is absent, because the bulk import does not distinguish the two."""
    import pyarrow as pa

    return pa.LargeListArray.from_arrays(pa.array(offsets), values, mask=pa.array(np.diff(offsets) == 0))


def _add_findings(layout: Layout, findings: Findings, names: CypherNames) -> None:
    """Add the findings of the stages; missing ones are empty tables."""
    has_motif = findings.has_motif
    if findings.motifs is None:  # what was found about earlier motifs
        findings, has_motif = replace(findings, kappa=None, chance=None, indicates=None), None
    nodes, relationships = project_findings(replace(findings, has_motif=None).filled(), names)
    for table in nodes:
        columns = {
            entry.name: Column(name_type(entry.type, *_KINDS), _constant(table.table.column(entry.name)))
            for entry in table.table.schema
        }
        layout.add_nodes(table.label, len(table), columns | {"number": _numbers(len(table))})
    none = np.empty(0, np.int64)
    # As many as there are terms, so its ends are built on first access.
    edges = Csr.from_lengths(none, none.astype(np.int32)) if has_motif is None else has_motif
    layout.add_relationships("HAS_MOTIF", "Document", "Motif", edges.n_edges, partial(_ends, edges), {})
    if not any(group.type == "PART" for group in relationships):
        relationships.append(Relationships("PART", "Motif", "Term", none, none, {"position": none}))
    for group in relationships:
        columns = {name: _column(values) for name, values in group.properties.items()}
        layout.add_relationships(
            group.type, group.source, group.target, len(group), _constant((group.sources, group.targets)), columns
        )


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def _column(values: Any) -> Column:
    """Return a property of relationships; NaN is an absent number."""
    import pyarrow as pa

    if values.dtype.kind == "O":
        return Column("STRING", _constant(pa.array(values, pa.large_string())))
    kind = "INTEGER" if np.issubdtype(values.dtype, np.integer) else "FLOAT"
    return Column(kind, _constant(pa.array(values, from_pandas=True)))


def _add_graph_node(layout: Layout, graph: Graph, findings: Findings, options: Mapping[str, Any]) -> None:
    """Add the one node that describes the graph; its fingerprint is computed on first access."""
    import pyarrow as pa

    @cache
    def node() -> dict[str, Any]:
        return graph_node(graph, findings, options)

    def one(name: str) -> Any:
        return pa.array([node()[name]], pa.large_string())

    columns = {
        name: Column("STRING", partial(one, name)) for name in ("name", "state", "fingerprint", "found", "manifest")
    }
    layout.add_nodes("HinGraph", 1, columns)
