"""The graph as files: names as Arrow, numbers as .npy, both read by memory mapping."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.spill import TEXT_BATCH, copy_batch, is_scratch, link_or_copy, save_array
from hin.files.checked import check_range, check_text, damaged, load_array, read_json, read_table
from hin.graph import Csr, Dangling, ExtraEdges, Graph, Labels, Texts
from hin.node_names import NameTable
from hin.stores.edge_files import read_edges

if TYPE_CHECKING:
    import pyarrow as pa

#: The shape of a graph's schema, here and in exports.
SCHEMA = {
    "id?": (None, str),
    "label?": (None, str),
    "text?": (None, [str]),
    "renames?": {str: str},
    "kinds?": {str: str},
    "left_out?": [str],
    "html?": [str],
}
_LAYOUT = {
    "fields": [str],
    "links": [str],
    "labels": (None, [str]),
    "extra": [[str]],
    "dangling": [str],
    "schema": SCHEMA,
}

# Field names are the user's and may contain anything, so files are numbered and `graph.json` maps them.


def write_arrow(path: Path, table: pa.Table) -> None:
    """Write a table in Arrow's file format, uncompressed, so that it can be mapped."""
    import pyarrow as pa

    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def write_graph(graph: Graph, folder: Path) -> None:
    """Write every table of the graph into an empty folder."""
    import pyarrow as pa

    def names(file: str, table: NameTable) -> None:
        write_arrow(folder / f"{file}.arrow", pa.table({"name": table.arrow}))

    layout: dict[str, Any] = {
        "fields": list(graph.fields),
        "links": list(graph.links),
        "labels": None if graph.labels is None else list(graph.labels.names),
        "extra": [[name, e.source_type, e.target_type] for name, e in graph.extra.items()],
        "dangling": list(graph.dangling),
        "schema": dict(graph.schema),
    }
    (folder / "graph.json").write_text(json.dumps(layout, indent=1, ensure_ascii=False), encoding="utf-8")
    names("documents", graph.documents)
    names("terms", graph.names("term"))
    _write_texts(folder / "texts.arrow", graph.texts)
    _write_csr(folder, "tokens", graph.tokens)
    _write_csr(folder, "terms", graph.edges("term"))
    for i, name in enumerate(graph.fields):
        names(f"field{i}", graph.names(name))
        _write_csr(folder, f"field{i}", graph.edges(name))
    for i, name in enumerate(graph.links):
        _write_csr(folder, f"link{i}", graph.edges(name))
    for i, extra in enumerate(graph.extra.values()):
        columns = (extra.sources, extra.targets, *(() if extra.counts is None else (extra.counts,)))
        np.save(folder / f"extra{i}.npy", np.stack(columns))
    for i, missing in enumerate(graph.dangling.values()):
        table = pa.table({"row": missing.rows, "name": pa.array(missing.names, type=pa.large_string())})
        write_arrow(folder / f"dangling{i}.arrow", table)
    if graph.labels is not None:
        np.save(folder / "labels.npy", graph.labels.codes)
        if graph.labels.several is not None:
            _write_csr(folder, "labels", graph.labels.several)


def read_graph(folder: Path) -> Graph:
    """Open a folder that `write_graph` filled, memory-mapped, and check that its parts fit together."""
    path = folder / "graph.json"
    layout = read_json(path, _LAYOUT)
    try:
        return _read_parts(folder, layout)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise damaged(path, f"it is not the layout of a graph ({type(error).__name__}: {error})") from None


def _read_parts(folder: Path, layout: dict[str, Any]) -> Graph:
    documents = _read_names(folder, "documents", "document")
    n = len(documents)
    nodes = {"term": _read_names(folder, "terms", "term")}
    adjacency = {"term": read_edges(folder, "terms", n, len(nodes["term"]))}
    for i, name in enumerate(layout["fields"]):
        nodes[name] = _read_names(folder, f"field{i}", name)
        adjacency[name] = read_edges(folder, f"field{i}", n, len(nodes[name]))
    for i, name in enumerate(layout["links"]):
        adjacency[name] = read_edges(folder, f"link{i}", n, n)
    sizes = {"document": n, **{name: len(table) for name, table in nodes.items()}}
    return Graph(
        documents=documents,
        fields=tuple(layout["fields"]),
        links=tuple(layout["links"]),
        nodes=nodes,
        adjacency=adjacency,
        tokens=read_edges(folder, "tokens", n, len(nodes["term"])),
        texts=Texts(read_table(folder / "texts.arrow", rows=n), folder / "texts.arrow"),
        labels=_read_labels(folder, layout["labels"], n),
        extra=_read_extra(folder, layout["extra"], sizes),
        schema=dict(layout["schema"]),
        dangling=_read_dangling(folder, layout["dangling"], n),
    )


def _read_names(folder: Path, file: str, what: str) -> NameTable:
    path = folder / f"{file}.arrow"
    column = read_table(path, {"name": "large_string"}).column("name")
    names = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if names.null_count:
        raise damaged(path, "a name is missing")
    return NameTable(names, what, partial(check_text, path, names))


def _read_labels(folder: Path, names: list[str] | None, n: int) -> Labels | None:
    if names is None:
        return None
    path = folder / "labels.npy"
    codes = load_array(path, "int32", (n,))
    check_range(path, codes, len(names), low=-1)
    several = read_edges(folder, "labels", n, len(names)) if (folder / "labels.offsets.npy").exists() else None
    return Labels(tuple(map(str, names)), codes, several)


def _read_extra(folder: Path, described: list[Any], sizes: dict[str, int]) -> dict[str, ExtraEdges]:
    extra = {}
    for i, (name, source, target) in enumerate(described):
        path = folder / f"extra{i}.npy"
        ends = load_array(path, "int32 int64", (None, None))
        if len(ends) not in (2, 3):
            raise damaged(path, "it holds other columns than sources, targets and counts")
        check_range(path, ends[0], sizes[source])
        check_range(path, ends[1], sizes[target])
        extra[name] = ExtraEdges(source, target, *ends)
    return extra


def _read_dangling(folder: Path, names: list[str], n: int) -> dict[str, Dangling]:
    dangling = {}
    for i, name in enumerate(names):
        path = folder / f"dangling{i}.arrow"
        table = read_table(path)
        if table.column_names != ["row", "name"]:
            raise damaged(path, "it has other columns than were written")
        rows = table.column("row").to_numpy()
        check_range(path, rows, n)
        try:
            texts = tuple(table.column("name").to_pylist())
        except UnicodeDecodeError as error:
            raise damaged(path, str(error)) from None
        dangling[name] = Dangling(rows, texts)
    return dangling


def _write_texts(path: Path, texts: Texts) -> None:
    if texts.path is not None and is_scratch(texts.path):
        link_or_copy(texts.path, path)
        return
    # Batches of one size, however the columns are cut in memory: equal texts are equal files.
    import pyarrow as pa

    table = texts.table.combine_chunks()
    columns = [column.combine_chunks() for column in table.columns]
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        for start in range(0, table.num_rows, TEXT_BATCH):
            cut = [copy_batch(column, start) for column in columns]
            writer.write_batch(pa.RecordBatch.from_arrays(cut, schema=table.schema))


def _write_csr(folder: Path, file: str, edges: Csr) -> None:
    save_array(folder / f"{file}.offsets.npy", edges.offsets)
    save_array(folder / f"{file}.targets.npy", edges.targets)
    if edges.counts is not None:
        save_array(folder / f"{file}.counts.npy", edges.counts)
