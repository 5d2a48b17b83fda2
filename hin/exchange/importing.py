"""Import exported graphs: GraphML (also compressed, for igraph), node-link JSON, folders of CSV or Parquet tables."""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
import zlib
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from hin.errors import BadInput
from hin.exchange.flat import NO_EXPORT, unflatten
from hin.exchange.heads import check_head
from hin.exchange.xml_text import from_xml_text
from hin.reading.limits import Limits
from hin.visible import unguard_cell

if TYPE_CHECKING:
    import pyarrow as pa

    from hin.graph import Graph

_EDGE_COLUMNS = ("source", "target", "type", "positions")

# The exceptions raised by files that `hin export` did not write. Arrow's errors are subclasses of these.
_ODD = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, OSError)


def is_export(path: str | os.PathLike[str]) -> bool:
    """Check whether a path is a graph that `hin export` wrote, rather than documents.

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
    """Read a graph that `hin export` wrote.

    Every name, edge and token comes back in its place: the result equals the graph that was exported.

    Parameters
    ----------
    limits : the limit on the size of a compressed file after decompression.
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
        raise BadInput(f"{path}: not the content of an export ({what})", hint=NO_EXPORT) from None


def _checked(head: Any, place: Path) -> dict[str, Any]:
    fault = check_head(head)
    if fault is not None:
        raise BadInput(f"{place}: not an export of this program{fault}", hint=NO_EXPORT)
    checked: dict[str, Any] = head
    return checked


def _node_columns(head: dict[str, Any]) -> list[str]:
    return ["node", "type", "name", "label", *(f"text:{name}" for name in head["text"])]


def _strings(columns: dict[str, list[Any]]) -> dict[str, pa.Array]:
    """Convert columns to Arrow; the lists are emptied on the way, so that nothing is in memory twice."""
    import pyarrow as pa

    return {name: pa.array(columns.pop(name), pa.large_string()) for name in list(columns)}


class _GraphML:
    """Collect columns from the parser's events; keys that are not ours are ignored."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.head: dict[str, Any] | None = None
        self.keys: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.key: str | None = None
        self.text: list[str] = []
        self.rows: dict[str, int] = {}
        self.sources, self.targets = array("q"), array("q")
        self.columns: dict[str, dict[str, list[str | None]]] = {"edge": {"type": [], "positions": []}}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition("}")[2]
        if tag == "key":
            self.keys[attributes["id"]] = from_xml_text(attributes.get("attr.name", ""))
        elif tag == "node":
            self.rows[attributes["id"]] = len(self.rows)
            self.values = {"type": "", "name": ""}
        elif tag == "edge":
            self.sources.append(self.rows[attributes["source"]])
            self.targets.append(self.rows[attributes["target"]])
            self.values = {"type": ""}
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
                self.head = _checked(json.loads(text), self.place)
                self.columns["node"] = {name: [] for name in _node_columns(self.head)[1:]}
            self.values[self.key] = sys.intern(text) if self.key == "type" else text
            self.key = None
        elif tag in ("node", "edge"):
            if self.head is None:
                _checked(None, self.place)
            for name, column in self.columns[tag].items():
                column.append(self.values.get(name))

    def graph(self) -> Graph:
        import pyarrow as pa

        head = _checked(self.head, self.place)
        nodes = {**_strings(self.columns["node"]), "node": pa.array(range(len(self.rows)))}
        ends = {"source": pa.array(self.sources), "target": pa.array(self.targets)}
        return unflatten(head, nodes, {**_strings(self.columns["edge"]), **ends}, str(self.place))


class _Unpacked:
    """The decompressed bytes of a file, up to a limit."""

    def __init__(self, file: Any, limits: Limits, name: str) -> None:
        self.file, self.limits, self.name = file, limits, name
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        data: bytes = self.file.read(size)
        self.count += len(data)
        self.limits.check_unpacked(self.count, self.name)
        return data


def _read_graphml(path: Path, packed: bool, limits: Limits) -> Graph:
    handler = _GraphML(path)
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
        raise BadInput(f"{where}: not the content of an export ({error})", hint=NO_EXPORT) from None
    return handler.graph()


def _read_node_link(path: Path) -> Graph:
    import orjson
    import pyarrow as pa

    data = orjson.loads(path.read_bytes())
    head = _checked(data.get("graph", {}).get("hin"), path)
    rows = {"nodes": data["nodes"], "edges": data["edges"] if "edges" in data else data["links"]}

    def keys(kind: str, name: str) -> list[str]:
        return [orjson.dumps(row[name]).decode() for row in rows[kind]]

    nodes = _strings({name: [row.get(name) for row in rows["nodes"]] for name in _node_columns(head)[1:]})
    nodes |= _strings({"node": keys("nodes", "id")})
    edges = _strings({end: keys("edges", end) for end in ("source", "target")})
    edges |= _strings({"type": [row["type"] for row in rows["edges"]]})
    edges["positions"] = pa.array([row.get("positions") for row in rows["edges"]], pa.list_(pa.int64()))
    return unflatten(head, nodes, edges, str(path))


def _tables(folder: Path) -> str | None:
    return next((kind for kind in ("parquet", "csv") if (folder / f"nodes.{kind}").is_file()), None)


def _read_folder(folder: Path) -> Graph:
    kind = _tables(folder)
    if kind is None:
        raise BadInput(f"{folder}: not an export of this program", hint=NO_EXPORT)
    head = _checked(json.loads((folder / "graph.json").read_text(encoding="utf-8")), folder)
    read = _parquet_columns if kind == "parquet" else _guarded_columns if head.get("guarded") is True else _csv_columns
    nodes, edges = read(folder / f"nodes.{kind}", _node_columns(head)), read(folder / f"edges.{kind}", _EDGE_COLUMNS)
    return unflatten(head, nodes, edges, str(folder))


def _parquet_columns(path: Path, names: Sequence[str]) -> dict[str, pa.Array]:
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=list(names))
    return {name: table[name].combine_chunks() for name in names}


def _csv_columns(path: Path, names: Sequence[str]) -> dict[str, pa.Array]:
    import pyarrow as pa
    from pyarrow import csv

    kinds = {name: pa.int64() if name in ("node", "source", "target") else pa.large_string() for name in names}
    table = csv.read_csv(
        path,
        csv.ReadOptions(block_size=min(max(path.stat().st_size, 1), 2**31 - 1)),  # a row may be as long as the file
        csv.ParseOptions(newlines_in_values=True),
        csv.ConvertOptions(include_columns=list(names), column_types=kinds),
    )
    return {name: table[name].combine_chunks() for name in names}


def _guarded_columns(path: Path, names: Sequence[str]) -> dict[str, pa.Array]:
    """Undo `guard_cell` in the cells that begin with a quote."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = _csv_columns(path, names)
    for name, column in columns.items():
        if pa.types.is_large_string(column.type):
            quoted = pc.starts_with(column, "'")
            bare = _strings({name: list(map(unguard_cell, column.filter(quoted).to_pylist()))})
            columns[name] = pc.replace_with_mask(column, quoted, bare[name])
    return columns
