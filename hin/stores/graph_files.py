"""The graph as files: names as Arrow, numbers as .npy, both read by memory mapping."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.graph import Csr, Dangling, ExtraEdges, Graph, Labels, Texts
from hin.node_names import NameTable
from hin.spill import TEXT_BATCH, cut_out, is_scratch, same_file, save_array

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["read_arrow", "read_graph", "write_arrow", "write_graph"]

# Field names are the user's and may hold anything, so files are numbered and `graph.json` says which is which.


def write_arrow(path: Path, table: pa.Table) -> None:
    """Write a table in Arrow's file format, uncompressed, so that it can be mapped."""
    import pyarrow as pa

    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def read_arrow(path: Path) -> pa.Table:
    """Map a table that `write_arrow` wrote."""
    import pyarrow as pa

    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


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
        np.save(folder / f"extra{i}.npy", np.stack((extra.sources, extra.targets)))
    for i, missing in enumerate(graph.dangling.values()):
        table = pa.table({"row": missing.rows, "name": pa.array(missing.names, type=pa.large_string())})
        write_arrow(folder / f"dangling{i}.arrow", table)
    if graph.labels is not None:
        np.save(folder / "labels.npy", graph.labels.codes)
        if graph.labels.several is not None:
            _write_csr(folder, "labels", graph.labels.several)


def read_graph(folder: Path) -> Graph:
    """Open a folder that `write_graph` filled; nothing is read before it is touched."""

    def names(file: str, what: str) -> NameTable:
        column = read_arrow(folder / f"{file}.arrow").column("name")
        return NameTable(column.chunk(0) if column.num_chunks == 1 else column.combine_chunks(), what)

    layout = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
    nodes = {"term": names("terms", "term")}
    adjacency = {"term": _read_csr(folder, "terms")}
    for i, name in enumerate(layout["fields"]):
        nodes[name] = names(f"field{i}", name)
        adjacency[name] = _read_csr(folder, f"field{i}")
    for i, name in enumerate(layout["links"]):
        adjacency[name] = _read_csr(folder, f"link{i}")
    extra = {}
    for i, (name, source, target) in enumerate(layout["extra"]):
        ends = np.load(folder / f"extra{i}.npy", mmap_mode="r")
        extra[name] = ExtraEdges(source, target, ends[0], ends[1])
    dangling = {}
    for i, name in enumerate(layout["dangling"]):
        table = read_arrow(folder / f"dangling{i}.arrow")
        dangling[name] = Dangling(table.column("row").to_numpy(), tuple(table.column("name").to_pylist()))
    labels = None
    if layout["labels"] is not None:
        several = _read_csr(folder, "labels") if (folder / "labels.offsets.npy").exists() else None
        labels = Labels(tuple(layout["labels"]), np.load(folder / "labels.npy", mmap_mode="r"), several)
    return Graph(
        documents=names("documents", "document"),
        fields=tuple(layout["fields"]),
        links=tuple(layout["links"]),
        nodes=nodes,
        adjacency=adjacency,
        tokens=_read_csr(folder, "tokens"),
        texts=Texts(read_arrow(folder / "texts.arrow"), folder / "texts.arrow"),
        labels=labels,
        extra=extra,
        schema=layout["schema"],
        dangling=dangling,
    )


def _write_texts(path: Path, texts: Texts) -> None:
    if texts.path is not None and is_scratch(texts.path):
        same_file(texts.path, path)
        return
    # Batches of one size, however the columns are cut in memory: equal texts are equal files.
    import pyarrow as pa

    table = texts.table.combine_chunks()
    columns = [column.combine_chunks() for column in table.columns]
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        for start in range(0, table.num_rows, TEXT_BATCH):
            cut = [cut_out(column, start) for column in columns]
            writer.write_batch(pa.RecordBatch.from_arrays(cut, schema=table.schema))


def _write_csr(folder: Path, file: str, edges: Csr) -> None:
    save_array(folder / f"{file}.offsets.npy", edges.offsets)
    save_array(folder / f"{file}.targets.npy", edges.targets)
    if edges.counts is not None:
        save_array(folder / f"{file}.counts.npy", edges.counts)


def _read_csr(folder: Path, file: str) -> Csr:
    def load(part: str) -> Any:
        return np.load(folder / f"{file}.{part}.npy", mmap_mode="r")

    counts = load("counts") if (folder / f"{file}.counts.npy").exists() else None
    return Csr(load("offsets"), load("targets"), counts)
