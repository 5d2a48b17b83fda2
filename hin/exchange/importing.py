"""Exports back in: GraphML (also packed, as for igraph), node-link JSON, folders of CSV or Parquet tables."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

import numpy as np

from hin.errors import BadInput
from hin.exchange.flat import unflatten
from hin.exchange.heads import check_head
from hin.exchange.xml_text import from_xml_text
from hin.reading.limits import Limits
from hin.text.visible import unguard_cell

if TYPE_CHECKING:
    from hin.graph import Graph

__all__ = ["import_graph", "is_export"]

# What a file raises that is not what `hin export` wrote. Arrow's errors are of these kinds too.
_ODD = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, csv.Error, OSError)
_NO_EXPORT = "only what `hin export` wrote can be loaded as a graph; load the documents instead"


def is_export(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is a graph that `hin export` wrote, rather than documents.

    >>> is_export("papers.graphml"), is_export("papers.jsonl")
    (True, False)
    """
    path = Path(path)
    if path.name.lower().endswith((".graphml", ".graphmlz", ".graphml.gz")):
        return True
    if path.is_dir():
        return (path / "graph.json").is_file() and _tables(path) is not None
    if path.suffix.lower() == ".json" and path.is_file():
        with path.open("rb") as file:
            return re.match(rb'\s*\{\s*"directed"\s*:', file.read(200)) is not None
    return False


def import_graph(path: str | os.PathLike[str], limits: Limits | None = None) -> Graph:
    """Read a graph that `hin.exchange.export.export_graph` wrote.

    Every name, edge and token comes back in its place: the result equals the graph that was exported.

    Parameters
    ----------
    limits : how large a packed file may be once it is unpacked.
    """
    path = Path(path)
    try:
        if path.is_dir():
            return _read_folder(path)
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        if path.suffix.lower() == ".json":
            return _read_node_link(path)
        return _read_graphml(path, packed, limits or Limits())
    except FileNotFoundError as error:
        raise BadInput(f"{error.filename}: no such file", hint="check the name and the folder") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BadInput(f"{path}: the compressed data is damaged ({error})", hint="copy or export it again") from None
    except _ODD as error:
        what = " ".join(str(error).split())[:200] or type(error).__name__
        raise BadInput(f"{path}: not what an export holds ({what})", hint=_NO_EXPORT) from None


class _Parts:
    """Nodes and edges as they are read, in any order, until the graph can be put together."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.head: dict[str, Any] | None = None
        self.names: dict[str, list[str]] = {}
        self.labels: list[str | None] = []
        self.texts: list[list[str]] = []
        self.number: dict[Any, tuple[str, int]] = {}
        self.edges: dict[str, tuple[list[int], list[int]]] = {}
        self.positions: list[list[int]] = []

    def set_head(self, head: Any) -> None:
        fault = check_head(head)
        if fault is not None:
            raise BadInput(f"{self.place}: not an export of this program{fault}", hint=_NO_EXPORT)
        self.head = head
        self.texts = [[] for _ in head["text"]]

    def add_node(self, key: Any, kind: str, name: str, label: str | None, texts: list[str | None]) -> None:
        if not all(isinstance(text, str) for text in (kind, name, label or "", *(text or "" for text in texts))):
            raise BadInput(f"{self.place}: the node {key!r} has a name that is no text", hint=_NO_EXPORT)
        table = self.names.setdefault(kind, [])
        self.number[key] = (kind, len(table))
        table.append(name)
        if kind == "document":
            self.labels.append(label or None)
            for column, text in zip(self.texts, texts, strict=True):
                column.append(text or "")

    def add_edge(self, source: Any, target: Any, kind: str, positions: list[int] | None) -> None:
        try:
            source_type, start = self.number[source]
            target_type, end = self.number[target]
        except KeyError as error:
            raise BadInput(f"{self.place}: an edge to the unknown node {error.args[0]!r}", hint=_NO_EXPORT) from None
        expected = self._ends(kind)
        if (source_type, target_type) != expected:
            what = f"an edge of type {kind!r} joins {source_type} to {target_type}, not {expected[0]} to {expected[1]}"
            raise BadInput(f"{self.place}: {what}", hint=_NO_EXPORT)
        starts, ends = self.edges.setdefault(kind, ([], []))
        starts.append(start)
        ends.append(end)
        if kind == "term":
            self.positions.append(positions or [])

    def _ends(self, kind: str) -> tuple[str, str]:
        head = self.need_head()
        if kind == "term" or kind in head["fields"]:
            return "document", kind
        if kind in head["links"]:
            return "document", "document"
        for name, source, target in head["extra"]:
            if name == kind:
                return source, target
        raise BadInput(f"{self.place}: an edge of the unknown type {kind!r}", hint=_NO_EXPORT)

    def need_head(self) -> dict[str, Any]:
        if self.head is None:
            raise BadInput(f"{self.place}: not an export of this program", hint=_NO_EXPORT)
        return self.head

    def graph(self) -> Graph:
        arrays = {
            kind: (np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64))
            for kind, (starts, ends) in self.edges.items()
        }
        head = self.need_head()
        return unflatten(head, self.names, self.texts, self.labels, arrays, self.positions, self.place)


class _GraphML:
    """Takes the parser's events; nothing but our own keys is looked at."""

    def __init__(self, place: str) -> None:
        self.parts = _Parts(place)
        self.keys: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.here: dict[str, str] = {}
        self.key: str | None = None
        self.text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition("}")[2]
        if tag == "key":
            self.keys[attributes["id"]] = from_xml_text(attributes.get("attr.name", ""))
        elif tag in ("node", "edge"):
            self.here, self.values = attributes, {}
        elif tag == "data":
            self.key = self.keys.get(attributes["key"])
            self.text = []

    def data(self, text: str) -> None:
        if self.key is not None:
            self.text.append(text)

    def end(self, tag: str) -> None:
        tag = tag.rpartition("}")[2]
        if tag == "data" and self.key is not None:
            text = from_xml_text("".join(self.text))
            if self.key == "hin":
                self.parts.set_head(json.loads(text))
            self.values[self.key] = text
            self.key = None
        elif tag == "node":
            values = self.values
            texts = [values.get(f"text:{name}") for name in self.parts.need_head()["text"]]
            key = self.here["id"]
            self.parts.add_node(key, values.get("type", ""), values.get("name", ""), values.get("label"), texts)
        elif tag == "edge":
            positions = self.values.get("positions")
            places = None if positions is None else [int(p) for p in positions.split()]
            self.parts.add_edge(self.here["source"], self.here["target"], self.values.get("type", ""), places)


class _Unpacked:
    """The bytes of a packed file, as many as a limit allows."""

    def __init__(self, file: Any, limits: Limits, name: str) -> None:
        self.file, self.limits, self.name = file, limits, name
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        data: bytes = self.file.read(size)
        self.count += len(data)
        self.limits.check_unpacked(self.count, self.name)
        return data


def _read_graphml(path: Path, packed: bool, limits: Limits) -> Graph:
    handler = _GraphML(str(path))
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.data

    def refuse(*_: Any) -> None:
        raise BadInput(f"{path}: a document type declaration", hint="remove it: exports have none")

    parser.StartDoctypeDeclHandler = refuse  # no entities, so no entity bombs
    try:
        with gzip.open(path) if packed else path.open("rb") as file:
            parser.ParseFile(_Unpacked(file, limits, str(path)) if packed else file)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise BadInput(f"{path}, line {error.lineno}: not valid XML ({what})", hint="export the graph again") from None
    except (KeyError, ValueError) as error:
        where = f"{path}, line {parser.CurrentLineNumber}"
        raise BadInput(f"{where}: not what an export holds ({error})", hint=_NO_EXPORT) from None
    return handler.parts.graph()


def _read_node_link(path: Path) -> Graph:
    import orjson

    parts = _Parts(str(path))
    try:
        data = orjson.loads(path.read_bytes())
        parts.set_head(data.get("graph", {}).get("hin"))
        texts = [f"text:{name}" for name in parts.need_head()["text"]]
        for node in data["nodes"]:
            key = tuple(node["id"])
            parts.add_node(key, node["type"], node["name"], node.get("label"), [node.get(name) for name in texts])
        for edge in data["edges"] if "edges" in data else data["links"]:
            parts.add_edge(tuple(edge["source"]), tuple(edge["target"]), edge["type"], edge.get("positions"))
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{path}: not node-link JSON of an export ({error})", hint=_NO_EXPORT) from None
    return parts.graph()


def _tables(folder: Path) -> str | None:
    kinds = ("parquet", "csv")
    return next((kind for kind in kinds if (folder / f"nodes.{kind}").is_file()), None)


def _read_folder(folder: Path) -> Graph:
    parts = _Parts(str(folder))
    kind = _tables(folder)
    if kind is None:
        raise BadInput(f"{folder}: not an export of this program", hint=_NO_EXPORT)
    try:
        parts.set_head(json.loads((folder / "graph.json").read_text(encoding="utf-8")))
        guarded = parts.need_head().get("guarded") is True
        rows = _parquet_table if kind == "parquet" else _guarded_table if guarded else _csv_table
        texts = [f"text:{name}" for name in parts.need_head()["text"]]
        for node in rows(folder / f"nodes.{kind}"):
            shown = [node[name] for name in texts]
            parts.add_node(int(node["node"]), node["type"], node["name"], node["label"], shown)
        for edge in rows(folder / f"edges.{kind}"):
            places = edge["positions"]
            if isinstance(places, str):
                places = [int(p) for p in places.split()]
            parts.add_edge(int(edge["source"]), int(edge["target"]), edge["type"], places)
    except (ValueError, KeyError, TypeError, csv.Error) as error:
        raise BadInput(f"{folder}: not what an export holds ({error})", hint=_NO_EXPORT) from None
    return parts.graph()


def _csv_table(path: Path) -> Iterable[dict[str, Any]]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, strict=True)
        columns = next(reader, [])
        for row in reader:
            yield dict(zip(columns, row, strict=True))


def _guarded_table(path: Path) -> Iterable[dict[str, Any]]:
    for row in _csv_table(path):
        yield {name: unguard_cell(cell) for name, cell in row.items()}


def _parquet_table(path: Path) -> Iterable[dict[str, Any]]:
    import pyarrow.parquet as pq

    for part in pq.ParquetFile(path).iter_batches():
        yield from part.to_pylist()
