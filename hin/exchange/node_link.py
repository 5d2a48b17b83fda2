"""Node-link JSON, as ``networkx.node_link_graph`` reads it."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

from hin.exchange.flat import flat_edges, flat_nodes, graph_head
from hin.exchange.formats import ExportSource, export_format
from hin.graph import Graph


@export_format("networkx", ".json")
def write_node_link(source: ExportSource, path: Path) -> None:
    """Write node-link JSON."""
    with path.open("wb") as file:
        _write(source.graph, file)


def _write(graph: Graph, file: IO[bytes]) -> None:
    import orjson

    texts = [f"text:{name}" for name in graph.texts.fields]
    file.write(
        b'{"directed":true,"multigraph":true,"graph":{"hin":' + orjson.dumps(graph_head(graph)) + b'},\n"nodes":['
    )
    ids: list[list[str]] = []
    separator = b"\n"
    for part in flat_nodes(graph):
        for i, name in enumerate(part.names):
            node: dict[str, Any] = {"id": [part.type, name], "type": part.type, "name": name}
            ids.append(node["id"])
            if part.texts is not None and part.labels is not None:
                if part.labels[i] is not None:
                    node["label"] = part.labels[i]
                node |= {key: column[i] for key, column in zip(texts, part.texts, strict=True)}
            file.write(separator + orjson.dumps(node))
            separator = b",\n"
    file.write(b'],\n"edges":[')
    separator = b"\n"
    for edges in flat_edges(graph):
        for i, (source, target) in enumerate(zip(edges.sources, edges.targets, strict=True)):
            edge = {"source": ids[source], "target": ids[target], "key": edges.type, "type": edges.type}
            if edges.positions is not None:
                edge |= {"count": len(edges.positions[i]), "positions": edges.positions[i]}  # type: ignore[dict-item]
            file.write(separator + orjson.dumps(edge))
            separator = b",\n"
    file.write(b"]}\n")
