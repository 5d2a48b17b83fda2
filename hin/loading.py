"""`load`: files of documents into a graph, in memory or into a store."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hin.errors import BadUsage, GraphExists
from hin.graph import ExtraEdges, Graph
from hin.graph_builder import BuildOptions, GraphBuilder, batches_of
from hin.progress import Progress, silent
from hin.reading.documents import BatchReader
from hin.reading.fields import FieldSpec, ReadOptions, parse_fields
from hin.reading.formats import matching
from hin.reading.records import RecordBatch
from hin.stores.base import Store, is_bolt, open_store

__all__ = ["LoadResult", "Mode", "load", "load_into"]

Mode = Literal["create", "replace", "append"]
Fields = str | Iterable[str] | Mapping[str, str] | None
Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


@dataclass
class LoadResult:
    """The graph, and what happened on the way."""

    graph: Graph
    added: int
    updated: int = 0
    rejected: int = 0
    side_file: Path | None = None
    skipped_fields: dict[str, str] = field(default_factory=dict)


def load(
    paths: Paths,
    *,
    id: str | None = None,
    text: Fields = None,
    metadata: Fields = None,
    label: str | None = None,
    links: Fields = None,
    separator: str | None = None,
    format: str | None = None,
    phrases: bool = True,
    min_count: int = 1,
    graph: str | os.PathLike[str] | None = None,
    mode: Mode = "create",
    progress: Progress = silent,
) -> Graph:
    """Load documents with their metadata into a heterogeneous graph.

    Parameters
    ----------
    paths : path or several
        JSONL, JSON, CSV, TSV or Parquet, plain or .gz/.xz/.zst; patterns; `-` for the standard input. Or one graph
        that `hin export` wrote.
    id, text, metadata, label, links : field names
        What is what; left out, the usual names are looked for. `kind=category` renames a field.
    phrases : bool
        Join frequent collocations into one term.
    min_count : int
        Leave terms out that occur in fewer documents.
    graph : path or Bolt URL, optional
        Also save it there.
    mode : {"create", "replace", "append"}
        What to do when a graph is there already.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "papers.jsonl"
    >>> _ = path.write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> load(path)
    Graph(1 document, 2 term, 1 venue)
    """
    reading = ReadOptions.of(id, text, metadata, label, links, separator, format)
    building = BuildOptions(phrases=phrases, min_count=min_count)
    if graph is not None:
        return load_into(graph, paths, reading, building, mode=mode, progress=progress).graph
    if exports := _exports(paths):
        from hin.exchange.importing import import_graph

        return import_graph(exports[0])
    reader = BatchReader(paths, reading, progress=progress)
    return _build(reader, reader, building, progress)


def load_into(
    location: str | os.PathLike[str],
    paths: Paths,
    reading: ReadOptions,
    building: BuildOptions,
    *,
    mode: Mode = "create",
    update: bool = False,
    on_error: Literal["stop", "skip"] = "stop",
    rejected: str | os.PathLike[str] | None = None,
    edges: Paths | None = None,
    progress: Progress = silent,
) -> LoadResult:
    """Load documents into a store: all of them, or nothing.

    Parameters
    ----------
    update : bool
        With `append`: a document whose id is known replaces the old one, in its place.
    on_error, rejected
        Whether bad records stop the load, and where they go if not (default: `<graph>.rejected.jsonl`).
    edges : path or several, optional
        More edges between any two nodes, see `hin.reading.extra_edges`.
    """
    store = open_store(location)
    if update and mode != "append":
        raise BadUsage("--update changes documents of a graph that is there", hint="use it with --append")
    if mode == "create" and store.exists():
        raise GraphExists(f"there is a graph at {store.location}", hint="use --replace or --append, or name another")
    exports = _exports(paths)
    if exports:
        return _imported(store, exports, mode, progress)
    if rejected is None and on_error == "skip":
        rejected = "graph.rejected.jsonl" if is_bolt(store.location) else store.location.rstrip("/") + ".rejected.jsonl"
    with store.lock():
        old = store.read_graph() if mode == "append" and store.exists() else None
        known = frozenset() if old is None or update else frozenset(old.documents)
        before: list[dict[str, Any]] = []
        asked = reading
        if old is not None:
            previous = _options_of(store)
            reading = _like(old, reading, previous.get("read", {}))
            before = list(previous.get("inputs", []))
        side_file = None if rejected is None else Path(rejected)
        fields = () if old is None else old.fields
        reader = BatchReader(paths, reading, on_error, side_file, known, progress, required=asked, known_fields=fields)
        updated: set[str] = set()
        batches: Iterable[RecordBatch] = reader if old is None else _appended(old, reader, update, updated)
        graph = _build(batches, reader, building, progress, old)
        if edges is not None:
            from hin.reading.extra_edges import add_edges

            graph = add_edges(graph, edges)
        options = {"read": _plain(reading), "build": building.as_dict(), "inputs": before + _named(reader.inputs)}
        store.write_graph(graph, options=options, progress=progress)
    return LoadResult(
        graph=store.read_graph() if not is_bolt(store.location) else graph,
        added=reader.documents - len(updated),
        updated=len(updated),
        rejected=reader.rejected,
        side_file=side_file if reader.rejected else None,
        skipped_fields=reader.skipped_fields,
    )


def _exports(paths: Paths) -> list[str]:
    """The paths, when they are exports of graphs rather than documents."""
    from hin.exchange.importing import is_export

    named = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    given = [found for path in named for found in matching(os.fspath(path))]
    exports = [path for path in given if is_export(path)]
    if exports and len(given) > 1:
        raise BadUsage(f"{exports[0]} is a whole graph", hint="load it alone")
    return exports


def _imported(store: Store, exports: list[str], mode: Mode, progress: Progress) -> LoadResult:
    from hin.exchange.importing import import_graph

    if mode == "append":
        raise BadUsage(f"{exports[0]} is a whole graph", hint="load it without --append, or append documents")
    progress("reading", 0, None)
    graph = import_graph(exports[0])
    store.write_graph(graph, options={"export": os.path.basename(exports[0])}, progress=progress)
    return LoadResult(graph=graph, added=len(graph))


def _build(
    batches: Iterable[RecordBatch],
    reader: BatchReader,
    building: BuildOptions,
    progress: Progress,
    old: Graph | None = None,
) -> Graph:
    builder = GraphBuilder(building)
    for batch in batches:
        builder.add(batch)
    schema = reader.schema()
    if old is not None:
        schema = _merged_schema(dict(old.schema), schema)
    links = [spec.name for spec in reader.options.links]
    graph = builder.finish(schema["text"], schema, links=links, progress=progress)
    return graph if old is None else replace(graph, extra=_carried(old, graph))


def _carried(old: Graph, new: Graph) -> dict[str, ExtraEdges]:
    """The edges that were added from files, between the same names: more documents number the nodes anew."""

    def numbers(node_type: str, ids: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        known = old.names(node_type)
        table = new.names(node_type) if node_type in new.node_types else None
        found = (table.get(known[i]) if table is not None else None for i in ids.tolist())
        return np.array([-1 if number is None else number for number in found], dtype=np.int32)

    extra = {}
    for name, edges in old.extra.items():
        sources, targets = numbers(edges.source_type, edges.sources), numbers(edges.target_type, edges.targets)
        both = (sources >= 0) & (targets >= 0)
        extra[name] = ExtraEdges(edges.source_type, edges.target_type, sources[both], targets[both])
    return extra


def _like(old: Graph, reading: ReadOptions, previous: Mapping[str, Any]) -> ReadOptions:
    """Read new documents as the old ones were read, where the user does not say otherwise."""
    names = tuple(old.texts.fields)
    renames = old.schema.get("renames", {})
    given = reading.text or tuple(FieldSpec(name, renames.get(name, name)) for name in names)
    if tuple(spec.name for spec in given) != names:
        raise BadUsage(
            f"the graph's text is made of {', '.join(names)}",
            hint="name the same text fields, or load all with --replace",
        )
    links = reading.links or tuple(FieldSpec(name, renames.get(name, name)) for name in old.links)
    return ReadOptions(
        id=reading.id or old.schema.get("id"), text=given,
        metadata=parse_fields(previous.get("metadata")) if reading.metadata is None else reading.metadata,
        label=reading.label if reading.label is not None else previous.get("label"),
        links=links, separator=reading.separator or previous.get("separator"), format=reading.format,
    )  # fmt: skip


def _appended(old: Graph, reader: BatchReader, update: bool, updated: set[str]) -> Iterator[RecordBatch]:
    if not update:
        yield from batches_of(old)
        yield from reader
        return
    fresh = {record.id: record for batch in reader for record in batch.records()}
    known = set(old.documents)
    updated.update(known & fresh.keys())
    kept = (fresh.get(record.id, record) for batch in batches_of(old) for record in batch.records())
    added = (record for record in fresh.values() if record.id not in known)
    yield RecordBatch.of([*kept, *added])


def _merged_schema(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    kinds = dict(old.get("kinds", {}))
    for name, kind in new.get("kinds", {}).items():
        kinds[name] = kind if kinds.get(name, kind) == kind else "string"
    return {**new, "id": old.get("id"), "renames": {**old.get("renames", {}), **new.get("renames", {})}, "kinds": kinds}


def _plain(reading: ReadOptions) -> dict[str, Any]:
    return {
        "id": reading.id,
        "text": None if reading.text is None else [str(spec) for spec in reading.text],
        "metadata": None if reading.metadata is None else [str(spec) for spec in reading.metadata],
        "label": reading.label,
        "links": [str(spec) for spec in reading.links],
        "separator": reading.separator,
        "format": reading.format,
    }


def _options_of(store: Any) -> dict[str, Any]:
    stage = store.stage("load")
    return dict(stage.options) if stage is not None else {}


def _named(inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Inputs by their own names: where a file lay says nothing of the graph."""
    return [{**entry, "file": os.path.basename(entry["file"])} for entry in inputs]
