"""The identity of a graph, and the description that a database holds of its graph."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from hin.graph import Csr, Graph
from hin.stores.findings import Findings


def graph_node(graph: Graph, findings: Findings | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of the one `HinGraph` node."""
    return {
        "name": "graph",
        "state": "complete",
        "fingerprint": fingerprint(graph),
        "found": findings.identity() if findings else None,
        "manifest": manifest_text(describe(graph, options)),
    }


def manifest_text(described: Mapping[str, Any]) -> str:
    """Serialise a description with its keys in their order, so that a schema is read back unchanged, to the byte.

    >>> manifest_text({"b": 1, "a": "é"})
    '{"b": 1, "a": "é"}'
    """
    return json.dumps(described, ensure_ascii=False)


def describe(graph: Graph, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the properties of the `HinGraph` node: what nodes and relationships cannot express.

    Examples
    --------
    >>> from hin.reading.records import RecordBatch
    >>> from hin.building.graph_builder import build_graph
    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> describe(build_graph([batch], ["text"]))["fields"]
    ['year']
    """
    return {
        "format": 1,
        "fields": list(graph.fields),
        "links": list(graph.links),
        "texts": list(graph.texts.fields),
        "labels": None if graph.labels is None else list(graph.labels.names),
        "extra": [[name, e.source_type, e.target_type, len(e.sources)] for name, e in sorted(graph.extra.items())],
        "dangling": list(graph.dangling),
        "nodes": {name: len(graph.names(name)) for name in graph.node_types},
        "terms_follow_tokens": terms_are_tokens(graph),
        "schema": dict(graph.schema),
        "options": dict(options or {}),
        # Absent where a document has one label at most, so that the identity of such graphs stays what it was.
        **({"several_labels": True} if graph.labels is not None and graph.labels.several is not None else {}),
    }


def terms_are_tokens(graph: Graph) -> bool:
    """Check whether no document repeats a token, so that its tokens also say which terms it has, in which order."""
    tokens = graph.tokens
    return graph.edges("term").equals(Csr(tokens.offsets, tokens.targets, np.ones(tokens.n_edges, np.int32)))


def fingerprint(graph: Graph) -> str:
    """Return the identity of a graph's content.

    Examples
    --------
    >>> from hin.reading.records import RecordBatch
    >>> from hin.building.graph_builder import build_graph
    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> len(fingerprint(build_graph([batch], ["text"])))
    32
    """
    import pyarrow as pa

    digest = hashlib.sha256()

    class Sink:
        closed = False

        def write(self, data: Any) -> int:
            digest.update(data)
            return len(data)

        def flush(self) -> None: ...
        def close(self) -> None: ...

    def add(**columns: Any) -> None:
        table = pa.table(columns).combine_chunks()
        with pa.ipc.new_stream(pa.PythonFile(Sink(), mode="w"), table.schema) as writer:
            writer.write_table(table)

    described = describe(graph)
    digest.update(json.dumps(described, sort_keys=True).encode())
    for name in graph.node_types:
        add(name=graph.names(name).arrow)
    for edges in (graph.tokens, *(graph.edges(name) for name in graph.edge_types)):
        add(offsets=np.asarray(edges.offsets))
        add(targets=np.asarray(edges.targets))
        if edges.counts is not None:
            add(counts=np.asarray(edges.counts))
    for _, extra in sorted(graph.extra.items()):
        add(sources=np.asarray(extra.sources), targets=np.asarray(extra.targets))
        if extra.counts is not None:
            add(counts=np.asarray(extra.counts))
    for _, missing in sorted(graph.dangling.items()):
        add(rows=np.asarray(missing.rows), names=pa.array(missing.names, type=pa.large_string()))
    for column in graph.texts.table.columns:
        add(text=column)
    if graph.labels is not None:
        add(codes=np.asarray(graph.labels.codes))
        if graph.labels.several is not None:
            add(offsets=np.asarray(graph.labels.several.offsets))
            add(targets=np.asarray(graph.labels.several.targets))
    return digest.hexdigest()[:32]
