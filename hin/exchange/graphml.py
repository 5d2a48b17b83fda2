"""GraphML, plain and compressed (as igraph reads it)."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import IO

from hin.exchange.flat import FlatEdges, FlatNodes, flat_edges, flat_nodes, graph_head
from hin.exchange.formats import ExportSource, export_format
from hin.exchange.xml_text import to_xml_text
from hin.graph import Graph

_START = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'


@export_format("graphml", ".graphml")
def write_graphml(source: ExportSource, path: Path) -> None:
    """Write GraphML."""
    with path.open("wb") as file:
        _write(source.graph, file)


@export_format("igraph", ".graphmlz")
def write_igraph(source: ExportSource, path: Path) -> None:
    """Write compressed GraphML for ``igraph.Graph.Read_GraphMLz``."""
    # No time stamp and no name inside: the same graph gives the same bytes.
    with (
        path.open("wb") as file,
        gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=6, mtime=0) as packed,
    ):
        _write(source.graph, packed)  # type: ignore[arg-type]


def _write(graph: Graph, file: IO[bytes]) -> None:
    out = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=False)
    texts = [f"text:{name}" for name in graph.texts.fields]
    keys = [("node", "type", "string"), ("node", "name", "string"), ("node", "label", "string")]
    keys += [("node", name, "string") for name in texts]
    keys += [("edge", "type", "string"), ("edge", "count", "int"), ("edge", "positions", "string")]
    keys += [("graph", "hin", "string")]
    key = {(where, name): f"k{i}" for i, (where, name, _) in enumerate(keys)}
    out.write(_START)
    for where, name, kind in keys:
        attribute = to_xml_text(name).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
        out.write(f'<key id="{key[where, name]}" for="{where}" attr.name="{attribute}" attr.type="{kind}"/>\n')
    head = to_xml_text(json.dumps(graph_head(graph)))
    out.write(f'<graph id="hin" edgedefault="directed">\n<data key="{key["graph", "hin"]}">{head}</data>\n')
    for part in flat_nodes(graph):
        _write_nodes(part, key, texts, out)
    for edges in flat_edges(graph):
        _write_edges(edges, key, out)
    out.write("</graph>\n</graphml>\n")
    out.flush()
    out.detach()


def _write_nodes(part: FlatNodes, key: dict[tuple[str, str], str], texts: list[str], out: IO[str]) -> None:
    write = out.write
    type_key, name_key, label_key = (key["node", name] for name in ("type", "name", "label"))
    text_keys = [key["node", name] for name in texts]
    shown = f'<data key="{type_key}">{to_xml_text(part.type)}</data>'
    for i, name in enumerate(part.names):
        write(f'<node id="n{part.first + i}">{shown}<data key="{name_key}">{to_xml_text(name)}</data>')
        if part.texts is not None and part.labels is not None:
            label = part.labels[i]
            if label is not None:
                write(f'<data key="{label_key}">{to_xml_text(label)}</data>')
            for text_key, column in zip(text_keys, part.texts, strict=True):
                write(f'<data key="{text_key}">{to_xml_text(column[i])}</data>')
        write("</node>\n")


def _write_edges(edges: FlatEdges, key: dict[tuple[str, str], str], out: IO[str]) -> None:
    type_key, count_key, positions_key = (key["edge", name] for name in ("type", "count", "positions"))
    shown = f'<data key="{type_key}">{to_xml_text(edges.type)}</data>'
    for i, (source, target) in enumerate(zip(edges.sources, edges.targets, strict=True)):
        more = ""
        if edges.positions is not None:
            places = edges.positions[i]
            more = f'<data key="{count_key}">{len(places)}</data>'
            more += f'<data key="{positions_key}">{" ".join(map(str, places))}</data>'
        out.write(f'<edge source="n{source}" target="n{target}">{shown}{more}</edge>\n')
