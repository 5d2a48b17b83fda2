"""Cypher on a folder: an embedded database made from the folder's tables, and made anew when they change.

The database is a projection and never the only copy: removing it costs nothing but the time to build it. It lives in
the graph's folder, or in the user's cache where that cannot be written to.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.cypher.quoting import CypherNames, quote
from hin.cypher.reworded.types import FLOAT, INT, STRING, Type, ViewSchema, list_of
from hin.errors import NoSpace, StoreError
from hin.graph import Graph
from hin.progress import Progress, silent
from hin.stores.base import Store
from hin.stores.findings import Findings
from hin.stores.graph_identity import graph_node
from hin.stores.property_graph import Nodes, PropertyGraph, Relationships, project
from hin.stores.stages import LATER

if TYPE_CHECKING:
    import ladybug
    import pyarrow as pa

__all__ = ["CypherView", "open_view"]

#: Part of the view's identity: a change of the layout makes old views stale.
LAYOUT = 2
MEMORY = 1 << 30


class CypherView:
    """An embedded database, opened for reading only.

    Parameters
    ----------
    path : Path
        The folder that `open_view` made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.schema = _read_schema(path / "schema.json")
        self._database: ladybug.Database | None = None

    @property
    def database(self) -> ladybug.Database:
        """The engine, read-only by its own doing: it has no way to write."""
        if self._database is None:
            import ladybug

            self._database = ladybug.Database(str(self.path / "database"), read_only=True, buffer_pool_size=MEMORY)
        return self._database

    def close(self) -> None:
        """Close the engine."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def __enter__(self) -> CypherView:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_view(store: Store, progress: Progress = silent) -> CypherView:
    """Open the Cypher view of a folder, building it first if its tables have changed since.

    Parameters
    ----------
    store : Store
    """
    from filelock import FileLock

    load = store.stage("load")
    stages = [store.stage(name) for name in LATER]
    identity = _identity([stage.identity if stage is not None else "" for stage in (load, *stages)])
    home = _home(store)
    path = home / identity
    if not (path / "schema.json").exists():
        with FileLock(home / ".lock"):
            if not (path / "schema.json").exists():
                for old in home.iterdir():
                    if old.is_dir():
                        shutil.rmtree(old, ignore_errors=True)
                graph, findings = store.read_graph(), Findings.of_store(store)
                _build(path, graph, findings, dict(load.options) if load is not None else {}, progress)
    return CypherView(path)


def _identity(parts: list[str]) -> str:
    from importlib.metadata import version

    text = json.dumps([LAYOUT, version("ladybug"), *parts])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _home(store: Store) -> Path:
    """Where views of a folder live; in the user's cache if the folder is for reading only."""
    inside = store.workspace / ".cypher"
    try:
        inside.mkdir(exist_ok=True)
        if os.access(inside, os.W_OK):
            return inside
    except OSError:
        pass
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hin" / "cypher"
    name = hashlib.sha256(str(store.workspace.resolve()).encode()).hexdigest()[:16]
    (cache / name).mkdir(parents=True, exist_ok=True)
    return cache / name


def _build(path: Path, graph: Graph, findings: Findings, options: Mapping[str, Any], progress: Progress) -> None:
    """Build into a temporary folder, then give it its name: a killed build leaves no half view."""
    import ladybug

    staging = Path(tempfile.mkdtemp(prefix="building-", dir=path.parent))
    try:
        progress("building the Cypher view", 0, None)
        projected = _with_graph_node(project(graph, findings), graph, findings, options)
        database = ladybug.Database(str(staging / "database"), buffer_pool_size=2 * MEMORY)
        try:
            connection = ladybug.Connection(database)
            schema = _load(connection, projected, CypherNames.of_graph(graph), progress)
            connection.close()
        finally:
            database.close()
        (staging / "schema.json").write_text(json.dumps(schema, ensure_ascii=False), encoding="utf-8")
        staging.rename(path)
    except OSError as error:
        raise NoSpace(f"cannot build the Cypher view in {path.parent}: {error}", hint="free some space") from None
    except RuntimeError as error:
        if "space" in str(error).lower():
            raise NoSpace(f"no space for the Cypher view in {path.parent}", hint="free some, then ask again") from None
        raise StoreError(f"cannot build the Cypher view: {error}", hint=f"remove {path.parent} and ask again") from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _with_graph_node(
    projected: PropertyGraph, graph: Graph, findings: Findings, options: Mapping[str, Any]
) -> PropertyGraph:
    import pyarrow as pa

    node = graph_node(graph, findings, options)
    table = pa.table({"number": pa.array([0], pa.int64()), **{k: pa.array([v], pa.string()) for k, v in node.items()}})
    return PropertyGraph((*projected.nodes, Nodes("HinGraph", table)), projected.relationships)


def _load(connection: Any, projected: PropertyGraph, names: CypherNames, progress: Progress) -> dict[str, Any]:
    """Make the tables and fill them; returns the view's schema."""
    schema: dict[str, Any] = {"nodes": {}, "relationships": {}, "pairs": {}, "loops": [], "parallel": []}
    total = sum(map(len, projected.nodes)) + sum(map(len, projected.relationships))
    done = 0
    tables = {nodes.label: nodes.table for nodes in projected.nodes}
    for label, table in {**_empty_tables(), **tables}.items():
        properties = {column.name: _type(column.type) for column in table.schema}
        # The engine wants a key; in Neo4j the one HinGraph node has no number.
        columns = ", ".join(f"{quote(name)} {kind.engine}" for name, kind in properties.items())
        connection.execute(f"CREATE NODE TABLE {quote(label)}({columns}, PRIMARY KEY(`number`))")
        if table.num_rows:
            connection.execute(f"COPY {quote(label)} FROM $rows", {"rows": table})
        if label == "HinGraph":
            properties.pop("number")
        schema["nodes"][label] = {name: _spelled(kind) for name, kind in properties.items()}
        done += table.num_rows
        progress("building the Cypher view", done, total)
    types = projected.types()
    for kind, groups in {**_empty_relationships(names, types), **types}.items():
        ends = dict.fromkeys((group.source, group.target) for group in groups)
        properties = {name: _type_of_array(column) for name, column in groups[0].properties.items()}
        pairs = ", ".join(f"FROM {quote(source)} TO {quote(target)}" for source, target in ends)
        columns = "".join(f", {quote(name)} {t.engine}" for name, t in properties.items())
        connection.execute(f"CREATE REL TABLE {quote(kind)}({pairs}{columns})")
        for group in groups:
            if len(group):
                _copy(connection, group, several=len(ends) > 1)
            if group.source == group.target and bool((group.sources == group.targets).any()):
                schema["loops"].append(kind)
            if "number" in group.properties and _has_parallel(group):
                schema["parallel"].append(kind)
            done += len(group)
            progress("building the Cypher view", done, total)
        schema["relationships"][kind] = {name: _spelled(t) for name, t in properties.items()}
        schema["pairs"][kind] = list(ends)
    return schema


def _has_parallel(group: Relationships) -> bool:
    """Whether two nodes are joined twice; only edges from a file can be."""
    return len(np.unique(np.stack((group.sources, group.targets)), axis=1).T) < len(group)


def _copy(connection: Any, group: Relationships, *, several: bool) -> None:
    import pyarrow as pa

    table = pa.table({"from": group.sources, "to": group.targets, **group.properties})
    ends = f" (from={_string(group.source)}, to={_string(group.target)})" if several else ""
    connection.execute(f"COPY {quote(group.type)} FROM $rows{ends}", {"rows": table})


def _string(label: str) -> str:
    """A label as a string; labels have letters, digits and `_` only, see `cypher_names`."""
    assert label.replace("_", "").isalnum()
    return f"'{label}'"


def _empty_tables() -> dict[str, pa.Table]:
    """Labels that are there before anything was found, so that a query finds nothing instead of failing."""
    import pyarrow as pa

    number, text, real = ("number", pa.int64()), pa.large_string(), pa.float64()
    motif = [number, ("pattern", text), ("name", text), ("documents", pa.int64()), ("kappa", real)]
    category = [number, ("name", text), ("kappa", real)]
    return {"Motif": pa.schema(motif).empty_table(), "Category": pa.schema(category).empty_table()}


def _empty_relationships(names: CypherNames, types: Mapping[str, Any]) -> dict[str, list[Relationships]]:
    none, numbers, reals = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    parts = [label for node_type, label in names.labels.items() if node_type != "document"]
    made = {
        "HAS_MOTIF": [Relationships("HAS_MOTIF", "Document", "Motif", none, none)],
        "INDICATES": [
            Relationships("INDICATES", "Motif", "Category", none, none, {"position": numbers, "cosine": reals})
        ],
        "CLASSIFIED_AS": [Relationships("CLASSIFIED_AS", "Document", "Category", none, none, {"confidence": reals})],
        "PART": [Relationships("PART", "Motif", label, none, none, {"position": numbers}) for label in parts],
    }
    return {kind: groups for kind, groups in made.items() if kind not in types}


def _type(kind: pa.DataType) -> Type:
    import pyarrow as pa

    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return list_of(_type(kind.value_type))
    if pa.types.is_integer(kind):
        return INT
    return FLOAT if pa.types.is_floating(kind) else STRING


def _type_of_array(column: np.ndarray[Any, Any]) -> Type:
    return INT if np.issubdtype(column.dtype, np.integer) else FLOAT


def _spelled(kind: Type) -> str:
    return f"LIST {kind.item.kind}" if kind.item is not None else kind.kind


def _read_schema(path: Path) -> ViewSchema:
    kept = json.loads(path.read_text(encoding="utf-8"))

    def types(properties: dict[str, str]) -> dict[str, Type]:
        return {
            name: list_of(Type(kind.removeprefix("LIST "))) if kind.startswith("LIST ") else Type(kind)
            for name, kind in properties.items()
        }

    return ViewSchema(
        {label: types(properties) for label, properties in kept["nodes"].items()},
        {kind: types(properties) for kind, properties in kept["relationships"].items()},
        {kind: tuple((source, target) for source, target in pairs) for kind, pairs in kept["pairs"].items()},
        frozenset(kept["loops"]),
        frozenset(kept["parallel"]),
    )
