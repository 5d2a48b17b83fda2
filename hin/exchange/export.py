"""Graphs for other tools: GraphML, igraph, networkx, CSV, Parquet, and the documents themselves."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from hin.errors import BadUsage
from hin.exchange.flat import flat_edges, flat_nodes, graph_head
from hin.exchange.xml_text import to_xml_text
from hin.graph_builder import batches_of
from hin.progress import Progress, silent
from hin.reading.fields import FieldSpec
from hin.reading.options import ReadOptions

if TYPE_CHECKING:
    from hin.graph import Graph

__all__ = ["ENDINGS", "FORMATS", "export_graph", "reading_options"]


def export_graph(graph: Graph, path: str | os.PathLike[str], format: str, progress: Progress = silent) -> Path:
    """Write a graph in another tool's format; `hin load` reads each of them back to an equal graph.

    Parameters
    ----------
    graph : Graph
        The graph.
    path : path
        A file, or for csv and parquet a folder. It is there whole or not at all.
    format : {"graphml", "igraph", "networkx", "csv", "parquet", "jsonl"}
        igraph: compressed GraphML for ``igraph.Graph.Read_GraphMLz``; networkx: node-link JSON for
        ``networkx.node_link_graph``; jsonl: the documents as `hin load` reads them.

    Examples
    --------
    >>> from hin.graph_builder import build_graph
    >>> from hin.exchange.importing import import_graph
    >>> from hin.reading.records import RecordBatch
    >>> import tempfile
    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> graph = build_graph([batch], ["text"])
    >>> path = export_graph(graph, tempfile.mkdtemp() + "/papers.graphml", "graphml")
    >>> import_graph(path).equals(graph)
    True
    """
    if format not in FORMATS:
        raise BadUsage(f"unknown format {format!r}", hint=f"use {', '.join(FORMATS)}")
    target = Path(path)
    progress("exporting", 0, None)
    if format in ("csv", "parquet"):
        with _whole_folder(target) as folder:
            FORMATS[format](graph, folder)
    else:
        if target.is_dir():
            raise BadUsage(f"{target} is a folder, {format} is written to a file", hint="name a file with --out")
        with _whole_file(target) as file:
            FORMATS[format](graph, file)
    return target


@contextmanager
def _whole_file(target: Path) -> Iterator[IO[bytes]]:
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _whole_folder(target: Path) -> Iterator[Path]:
    ours = (target / "graph.json").is_file()
    if target.exists() and not ours and (not target.is_dir() or any(target.iterdir())):
        raise BadUsage(f"{target} is there and is no export", hint="name a new or an empty folder with --out")
    temporary = target.with_name(f".{target.name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir(parents=True)
        yield temporary
        if target.exists():
            shutil.rmtree(target)
        temporary.rename(target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _text(file: IO[bytes]) -> io.TextIOWrapper:
    return io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=False)


def _write_graphml(graph: Graph, file: IO[bytes]) -> None:
    out = _text(file)
    texts = [f"text:{name}" for name in graph.texts.fields]
    keys = [("node", "type", "string"), ("node", "name", "string"), ("node", "label", "string")]
    keys += [("node", name, "string") for name in texts]
    keys += [("edge", "type", "string"), ("edge", "count", "int"), ("edge", "positions", "string")]
    keys += [("graph", "hin", "string")]
    key = {(where, name): f"k{i}" for i, (where, name, _) in enumerate(keys)}
    write = out.write
    write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for where, name, kind in keys:
        attribute = to_xml_text(name).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
        write(f'<key id="{key[where, name]}" for="{where}" attr.name="{attribute}" attr.type="{kind}"/>\n')
    head = to_xml_text(json.dumps(graph_head(graph)))
    write(f'<graph id="hin" edgedefault="directed">\n<data key="{key["graph", "hin"]}">{head}</data>\n')
    type_key, name_key, label_key = (key["node", name] for name in ("type", "name", "label"))
    text_keys = [key["node", name] for name in texts]
    for part in flat_nodes(graph):
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
    type_key, count_key, positions_key = (key["edge", name] for name in ("type", "count", "positions"))
    for edges in flat_edges(graph):
        shown = f'<data key="{type_key}">{to_xml_text(edges.type)}</data>'
        for i, (source, target) in enumerate(zip(edges.sources, edges.targets, strict=True)):
            more = ""
            if edges.positions is not None:
                places = edges.positions[i]
                more = f'<data key="{count_key}">{len(places)}</data>'
                more += f'<data key="{positions_key}">{" ".join(map(str, places))}</data>'
            write(f'<edge source="n{source}" target="n{target}">{shown}{more}</edge>\n')
    write("</graph>\n</graphml>\n")
    out.flush()
    out.detach()


def _write_igraph(graph: Graph, file: IO[bytes]) -> None:
    # No time stamp and no name inside: the same graph gives the same bytes.
    with gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=6, mtime=0) as packed:
        _write_graphml(graph, packed)  # type: ignore[arg-type]


def _write_networkx(graph: Graph, file: IO[bytes]) -> None:
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


def _write_csv(graph: Graph, folder: Path) -> None:
    texts = [f"text:{name}" for name in graph.texts.fields]
    with (folder / "nodes.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["node", "type", "name", "label", *texts])
        for part in flat_nodes(graph):
            for i, name in enumerate(part.names):
                more: list[Any] = [None] * (1 + len(texts))
                if part.texts is not None and part.labels is not None:
                    more = [part.labels[i], *(column[i] for column in part.texts)]
                writer.writerow([part.first + i, part.type, name, *more])
    with (folder / "edges.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["source", "target", "type", "count", "positions"])
        for edges in flat_edges(graph):
            ends = zip(edges.sources, edges.targets, strict=True)
            if edges.positions is None:
                writer.writerows([source, target, edges.type, None, None] for source, target in ends)
            else:
                rows = zip(ends, edges.positions, strict=True)
                writer.writerows([*end, edges.type, len(p), " ".join(map(str, p))] for end, p in rows)
    _write_head(graph, folder)


def _write_parquet(graph: Graph, folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = [f"text:{name}" for name in graph.texts.fields]
    strings = pa.large_string()
    node_schema = pa.schema(
        [("node", pa.int64()), ("type", strings), ("name", strings), ("label", strings), *((t, strings) for t in texts)]
    )
    with pq.ParquetWriter(folder / "nodes.parquet", node_schema) as writer:
        for part in flat_nodes(graph):
            count = len(part.names)
            columns: list[Any] = [range(part.first, part.first + count), [part.type] * count, part.names]
            nothing: list[Any] = [None] * count
            columns += [part.labels or nothing, *(part.texts or [nothing] * len(texts))]
            arrays = [pa.array(column, field.type) for column, field in zip(columns, node_schema, strict=True)]
            writer.write_table(pa.table(arrays, schema=node_schema))
    edge_schema = pa.schema(
        {
            "source": pa.int64(),
            "target": pa.int64(),
            "type": strings,
            "count": pa.int32(),
            "positions": pa.list_(pa.int32()),
        }
    )
    with pq.ParquetWriter(folder / "edges.parquet", edge_schema) as writer:
        for edges in flat_edges(graph):
            count = len(edges.sources)
            counts = [None] * count if edges.positions is None else [len(p) for p in edges.positions]
            columns = [edges.sources, edges.targets, [edges.type] * count, counts, edges.positions or [None] * count]
            arrays = [pa.array(column, field.type) for column, field in zip(columns, edge_schema, strict=True)]
            writer.write_table(pa.table(arrays, schema=edge_schema))
    _write_head(graph, folder)


def _write_head(graph: Graph, folder: Path) -> None:
    (folder / "graph.json").write_text(json.dumps(graph_head(graph), indent=1) + "\n", encoding="utf-8")


def reading_options(graph: Graph) -> ReadOptions:
    """The options that read a graph's exported documents back to the same fields.

    Every field keeps its name; only where two would share one does the id, a text field or the label get another.

    Examples
    --------
    >>> from hin.graph_builder import build_graph
    >>> from hin.reading.records import RecordBatch
    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> reading_options(build_graph([batch], ["text"])).id
    'document'
    """
    taken = {*graph.fields, *graph.links}

    def free(wish: str) -> str:
        name = wish
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    return ReadOptions(
        id=free("document"),
        text=tuple(FieldSpec(name, free(name)) for name in graph.texts.fields),
        metadata=tuple(FieldSpec(name, name) for name in graph.fields),
        label=free("label") if graph.labels is not None else "",
        links=tuple(FieldSpec(name, name) for name in graph.links),
    )


def _write_jsonl(graph: Graph, file: IO[bytes]) -> None:
    import orjson

    reading = reading_options(graph)
    kinds = graph.schema.get("kinds", {})
    integers = {name for name in graph.fields if kinds.get(name) == "integer"}
    single = {name for name in graph.fields if len(graph) and graph.edges(name).degrees().max() <= 1}
    for batch in batches_of(graph):
        for record in batch.records():
            row: dict[str, Any] = {str(reading.id): record.id}
            row |= {spec.source: text for spec, text in zip(reading.text or (), record.texts, strict=True)}
            for name, found in record.metadata.items():
                values: list[Any] = [int(value) for value in found] if name in integers else found
                row[name] = values if name not in single else values[0] if values else None
            row |= record.links
            if reading.label and record.label is not None:
                row[reading.label] = record.label
            file.write(orjson.dumps(row) + b"\n")


#: How a file (or folder) of each format is named when the user does not say.
ENDINGS = {
    "graphml": ".graphml",
    "igraph": ".graphmlz",
    "networkx": ".json",
    "csv": "-csv",
    "parquet": "-parquet",
    "jsonl": ".jsonl",
}
FORMATS: dict[str, Callable[[Graph, Any], None]] = {
    "graphml": _write_graphml,
    "igraph": _write_igraph,
    "networkx": _write_networkx,
    "csv": _write_csv,
    "parquet": _write_parquet,
    "jsonl": _write_jsonl,
}
