"""Lay out a folder's graph, and its findings, for queries.

The same nodes, relationships and properties as `hin.stores.property_graph.project` lays out for Neo4j (a test holds the
two equal), without the work for columns that a query does not touch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from hin.cypher.folder.column import Column
from hin.cypher.folder.layout import Layout
from hin.cypher_names import CypherNames
from hin.graph import Csr, Graph
from hin.stores.findings import Findings
from hin.stores.graph_identity import graph_node, terms_are_tokens
from hin.stores.property_graph import list_column, positions, project_findings

#: The labels and types of findings, which a graph without findings has too, but empty.
# fmt: off
_FOUND_NODES = {
    "Motif": {
        "number": "INTEGER", "pattern": "STRING", "name": "STRING", "documents": "INTEGER",
        "kappa": "FLOAT", "expected": "FLOAT", "lift": "FLOAT", "q": "FLOAT",
    },
    "Category": {"number": "INTEGER", "name": "STRING", "kappa": "FLOAT"},
}
# fmt: on
_FOUND_RELATIONSHIPS = {
    "HAS_MOTIF": ("Document", "Motif", {}),
    "PART": ("Motif", "Term", {"position": "INTEGER"}),
    "INDICATES": ("Motif", "Category", {"position": "INTEGER", "cosine": "FLOAT"}),
    "CLASSIFIED_AS": ("Document", "Category", {"confidence": "FLOAT"}),
    "LABELLED_AS": ("Document", "Category", {"source": "STRING", "confidence": "FLOAT", "at": "STRING"}),
    "PART_OF": ("Category", "Category", {}),
}


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


def _add_graph(layout: Layout, graph: Graph, names: CypherNames) -> None:
    layout.add_nodes("Document", len(graph), _documents(graph, names))
    for node_type in graph.node_types[1:]:
        table = graph.names(node_type)
        named = {"number": _numbers(len(table)), "name": Column("STRING", _constant(table.arrow))}
        layout.add_nodes(names.labels[node_type], len(table), named)
    for edge_type in graph.edge_types:
        edges = graph.edges(edge_type)
        target = "Document" if edge_type in graph.links else names.labels[edge_type]
        position = Column("INTEGER", partial(positions, edges))
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
    return list_column(np.asarray(several.offsets), names.take(pa.array(np.asarray(several.targets))))


def _tokens(graph: Graph) -> Any:
    import pyarrow as pa

    return list_column(np.asarray(graph.tokens.offsets), pa.array(np.asarray(graph.tokens.targets).astype(np.int64)))


def _missing(graph: Graph, name: str) -> Any:
    import pyarrow as pa

    missing = graph.dangling[name]
    lists = Csr.from_pairs(missing.rows, np.arange(len(missing.rows)), len(graph))
    return list_column(
        lists.offsets, pa.array([missing.names[i] for i in lists.targets.tolist()], type=pa.large_string())
    )


def _add_findings(layout: Layout, findings: Findings, names: CypherNames) -> None:
    """Add the findings of the stages; missing ones are empty tables."""
    has_motif = findings.has_motif if findings.motifs is not None else None
    nodes, relationships = project_findings(replace(findings, has_motif=None), names)
    for table in nodes:
        columns = {
            name: Column(_kind(table.table.schema.field(name).type), _constant(table.table.column(name)))
            for name in table.table.column_names
        }
        layout.add_nodes(table.label, len(table), columns | {"number": _numbers(len(table))})
    for label, kinds in _FOUND_NODES.items():
        if label not in {table.label for table in nodes}:
            layout.add_nodes(label, 0, _empty(kinds))
    if has_motif is not None:  # as many as there are terms, so its ends are built on first access
        layout.add_relationships("HAS_MOTIF", "Document", "Motif", has_motif.n_edges, partial(_ends, has_motif), {})
    for group in relationships:
        columns = {name: _column(values) for name, values in group.properties.items()}
        layout.add_relationships(
            group.type, group.source, group.target, len(group), _constant((group.sources, group.targets)), columns
        )
    for kind, (source, target, kinds) in _FOUND_RELATIONSHIPS.items():
        if kind not in {table.type for table in layout.relationships}:
            none = np.empty(0, np.int64)
            layout.add_relationships(kind, source, target, 0, _constant((none, none)), _empty(kinds))


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def _empty(kinds: Mapping[str, str]) -> dict[str, Column]:
    import pyarrow as pa

    types = {"INTEGER": pa.int64(), "FLOAT": pa.float64(), "STRING": pa.large_string()}
    return {name: Column(kind, _constant(pa.array([], types[kind]))) for name, kind in kinds.items()}


def _kind(kind: Any) -> str:
    import pyarrow as pa

    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _kind(kind.value_type) + "[]"
    return "INTEGER" if pa.types.is_integer(kind) else "FLOAT" if pa.types.is_floating(kind) else "STRING"


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
