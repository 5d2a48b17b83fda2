"""A graph in Neo4j behind the same interface as the folder.

The database holds the graph, and what the stages found in it. Vectors and the files of the stages live in a local
folder (`--model`), because a database is no place for matrices; a graph that changes makes them stale.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from hin.cypher.quoting import CypherNames
from hin.errors import DamagedGraph, GraphBusy, GraphNotFound, NewerFormat, StoreError
from hin.graph import Graph
from hin.progress import Progress, silent
from hin.stores.findings import Findings
from hin.stores.folder import FolderStore
from hin.stores.neo4j import queries as cypher
from hin.stores.neo4j.connection import Address, Connection, NoServer, QueryTimeout
from hin.stores.neo4j.writer import LONGEST_KEY, Writer
from hin.stores.property_graph import (
    Nodes,
    PropertyGraph,
    describe,
    fingerprint,
    manifest_text,
    project,
    project_findings,
)
from hin.stores.stages import Stage

__all__ = ["Neo4jStore"]

FORMAT = 1
_FOUND = ("Motif", "Category")
#: How long to wait for a writer that cannot be seen, in seconds.
PATIENCE_FOR_LOCK = 20


class Neo4jStore:
    """A graph in a Neo4j database.

    Parameters
    ----------
    location : str
        `neo4j://host:7687/database`; credentials come from NEO4J_USERNAME and NEO4J_PASSWORD.
    model : path, optional
        Where vectors and stages live: by default HIN_MODEL, or a folder named after the server and database.

    Examples
    --------
    >>> store = Neo4jStore("neo4j://localhost:7687/papers")
    >>> store.location, store.model.root.name
    ('neo4j://localhost:7687/papers', 'localhost-7687-papers.model')
    """

    def __init__(self, location: str, model: str | os.PathLike[str] | None = None) -> None:
        self.location = location
        self.connection = Connection(Address.of(location))
        self.model = FolderStore(model or os.environ.get("HIN_MODEL") or _model_folder(self.connection.address))
        self._locked = False
        self._opened: tuple[str, Graph] | None = None

    # Reading

    def exists(self) -> bool:
        """Whether a whole graph is there."""
        node = self._graph_node()
        return node is not None and node["state"] == "complete"

    def read_graph(self, progress: Progress = silent) -> Graph:
        """Open the graph; each part is streamed into memory when it is touched, and kept until the graph changes."""
        node = self._need()
        if self._opened is None or self._opened[0] != node["fingerprint"]:
            self._opened = node["fingerprint"], self._open(node, progress)
        return self._opened[1]

    def _open(self, node: Mapping[str, Any], progress: Progress = silent) -> Graph:
        from hin.stores.neo4j.lazy_graph import Neo4jGraph
        from hin.stores.neo4j.reader import Reader

        connection, written = self.connection, node["fingerprint"]

        def unchanged() -> None:
            rows = connection.read(cypher.READ_GRAPH_NODE)
            if not rows or (rows[0]["fingerprint"], rows[0]["state"]) != (written, "complete"):
                raise GraphBusy(
                    f"the graph in {connection.address} was replaced while it was read",
                    hint="run this again when the other load has ended",
                )

        return Neo4jGraph.of(Reader(connection, _described(node), progress), unchanged)

    def described(self) -> dict[str, Any]:
        """What the database says of its graph: fields, links, sizes, schema, options."""
        return _described(self._need())

    def found(self) -> bool:
        """Whether the database shows what stages have found."""
        return self._need()["found"] is not None

    def stage(self, name: str) -> Stage | None:
        """What a stage left in the model's folder, or None when it belongs to another graph."""
        node = self._graph_node()
        if node is None or node["state"] != "complete":
            return None
        if name == "load":
            options = _described(node)["options"]
            return Stage("load", self.model.root, options, None, node["fingerprint"], {})
        if not self._model_is_current(node["fingerprint"]):
            return None
        return self.model.stage(name)

    def check(self) -> list[str]:
        """Compare what is stored with what was written; one line for each fault."""
        node = self._need()
        described = _described(node)
        graph = self._open(node)  # not the one that is in memory
        try:
            faults = self._missing(project(graph))
            written = describe(graph, described["options"]) == described and fingerprint(graph) == node["fingerprint"]
        except DamagedGraph as error:
            return [error.message]
        if not written:
            faults.append(f"the graph in {self.connection.address} is not what was written")
        return faults

    # Writing

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other writers out, by a transaction that stays open; a dead writer's lock goes with its connection."""
        if self._locked:
            yield
            return
        self.connection.write(cypher.CONSTRAINT_OF_LOCK)
        busy = GraphBusy(
            f"another process is writing to {self.connection.address}",
            hint="wait until it has ended, then run this again",
        )
        try:
            writers = self.connection.read(cypher.WRITERS)[0]["n"]
        except NoServer:
            raise
        except StoreError:  # a user may lack the right to look; then the lock below tells
            writers = 0
        if writers:
            raise busy
        with self.connection.session(write=True) as session:
            try:
                with self.connection.failures(), session.begin_transaction(timeout=PATIENCE_FOR_LOCK) as attempt:
                    attempt.run(cypher.TAKE_LOCK).consume()
                    attempt.rollback()
            except QueryTimeout:
                raise busy from None
            holder = session.begin_transaction(metadata={"hin": "writer"})
            try:
                holder.run(cypher.TAKE_LOCK).consume()
                self._locked = True
                yield
            finally:
                self._locked = False
                # The server may have been restarted meanwhile; then the lock is gone anyway.
                with suppress(Exception):
                    holder.rollback()

    def write_graph(self, graph: Graph, *, options: dict[str, Any], progress: Progress = silent) -> None:
        """Make the database hold this graph and nothing of the one before; cut off, it goes on when repeated."""
        with self.connection.telling(progress), self.lock():
            described = describe(graph, options)
            identity = fingerprint(graph)
            projected = project(graph)
            self.connection.write(cypher.CONSTRAINT_OF_GRAPH)
            self.connection.write(cypher.CONSTRAINT_OF_BATCHES)
            node = self._graph_node()
            if node is not None and (node["fingerprint"] != identity or node["state"] == "removing"):
                self._delete(_labels(_described(node)), progress)
                node = None
            if node is None:
                self._refuse_strangers(projected)
            elif node["found"] is not None:
                self._drop_findings(progress)
            there = node is not None and node["state"] == "complete"
            self._set(state="complete" if there else "loading", fingerprint=identity, manifest=manifest_text(described))
            if not there:
                self._constrain(projected.nodes)
                Writer(self.connection, identity, progress=progress).write(projected)
            if self._missing(projected):
                # Somebody took things away: put them back without doubling the rest.
                self._set(state="loading")
                Writer(self.connection, identity, merge=True, progress=progress).write(projected)
            faults = self._missing(projected)
            if faults:
                raise StoreError(
                    f"{self.connection.address} differs from the graph: {faults[0]}",
                    hint="remove what hin did not write from its labels, then run this again",
                )
            self._set(state="complete")
            self._drain(cypher.FORGET_BATCHES)

    def write_stage(self, name: str, write: Callable[[Path], None], options: dict[str, Any]) -> None:
        """Write a stage to the model's folder, and what it found to the database."""
        node = self._need()
        if not self._model_is_current(node["fingerprint"]):
            source = {"graph": str(self.connection.address), "fingerprint": node["fingerprint"]}
            self.model.write_stage("load", lambda folder: _write_source(folder, source), source)
        self.model.write_stage(name, write, options)
        self.write_findings(Findings.of_store(self.model))

    def write_findings(self, findings: Findings, progress: Progress = silent) -> None:
        """Show motifs, categories, selections and predictions in the database, in place of earlier ones."""
        with self.connection.telling(progress), self.lock():
            node = self._need()
            identity = findings.identity() if findings else None
            if node["found"] == identity:
                return
            if node["found"] != f"writing {identity}":
                self._drop_findings(progress)
            if identity is None:
                return
            described = _described(node)
            names = CypherNames.of(described["fields"], described["links"], (e[0] for e in described["extra"]))
            nodes, relationships = project_findings(findings, names)
            self._set(found=f"writing {identity}")
            self._constrain(nodes)
            Writer(self.connection, f"found-{identity}", progress=progress).write(
                PropertyGraph(tuple(nodes), tuple(relationships))
            )
            self._set(found=identity)
            self._drain(cypher.FORGET_BATCHES)

    def close(self) -> None:
        """Hang up."""
        self.connection.close()

    # Helpers

    def _graph_node(self) -> Mapping[str, Any] | None:
        rows = self.connection.read(cypher.READ_GRAPH_NODE)
        return rows[0] if rows else None

    def _need(self) -> Mapping[str, Any]:
        node = self._graph_node()
        if node is None:
            raise GraphNotFound(
                f"no graph in {self.connection.address}",
                hint="make one with `hin load FILE --graph URL`, or `hin copy FOLDER URL`",
            )
        if node["state"] != "complete":
            raise StoreError(
                f"the load into {self.connection.address} was cut off",
                hint="run the same `hin load` or `hin copy` again: it goes on where it stopped",
            )
        return node

    def _set(self, **properties: Any) -> None:
        self.connection.write(cypher.MERGE_GRAPH_NODE, properties=properties)

    def _model_is_current(self, identity: str) -> bool:
        if not self.model.exists():
            return False
        stage = self.model.stage("load")
        return stage is not None and stage.options.get("fingerprint") == identity

    def _constrain(self, nodes: tuple[Nodes, ...] | list[Nodes]) -> None:
        """Make numbers and names unique; a name too long for an index goes without."""
        for group in nodes:
            self.connection.write(cypher.unique(group.label, "number"))
            name = "id" if group.label == "Document" else "name"
            if group.label == "Motif":  # two patterns may spell an instance alike
                make, drop = cypher.index, cypher.drop_index
            else:
                make, drop = cypher.unique, cypher.drop_constraint
            fits = _longest(group, name) <= LONGEST_KEY
            self.connection.write((make if fits else drop)(group.label, name))
        self.connection.write(cypher.AWAIT_INDEXES)

    def _refuse_strangers(self, projected: PropertyGraph) -> None:
        for label in (*(nodes.label for nodes in projected.nodes), *_FOUND):
            if self.connection.read(cypher.count_nodes(label))[0]["n"]:
                raise StoreError(
                    f"{self.connection.address} has {label} nodes that hin did not write",
                    hint="use an empty database, or remove them first",
                )

    def _missing(self, projected: PropertyGraph) -> list[str]:
        """Where the database has other numbers of nodes or relationships than the graph."""
        expected: dict[tuple[str, str], tuple[str, int]] = {}
        for nodes in projected.nodes:
            expected[nodes.label, ""] = (cypher.count_nodes(nodes.label), len(nodes))
        for group in projected.relationships:
            query = cypher.count_relationships(group.type, group.source)
            before = expected.get((group.type, group.source), ("", 0))[1]
            expected[group.type, group.source] = (query, before + len(group))
        faults = []
        for (what, _), (query, n) in expected.items():
            found = self.connection.read(query)[0]["n"]
            if found != n:
                faults.append(f"{found:,} {what} where {n:,} were written")
        return faults

    def _drop_findings(self, progress: Progress) -> None:
        self._drain(cypher.delete_relationships("HAS_MOTIF"), progress, "removing HAS_MOTIF", limit=20_000)
        for label in _FOUND:
            self._drain(cypher.delete_nodes(label), progress, f"removing {label}", limit=2_000)
        self._drain(cypher.FORGET_BATCHES)
        self._set(found=None)

    def _delete(self, labels: list[str], progress: Progress) -> None:
        """Remove the graph, documents first: they hold most relationships, and few each."""
        self._drop_findings(progress)
        self._set(state="removing")
        for label in labels:
            self._drain(cypher.delete_nodes(label), progress, f"removing {label}", limit=1_000)
            if label not in ("Document", "Term"):
                for property_name in ("number", "name"):
                    self.connection.write(cypher.drop_constraint(label, property_name))
        self.connection.write(cypher.DELETE_GRAPH_NODE)

    def _drain(self, query: str, progress: Progress = silent, label: str = "", **parameters: Any) -> None:
        """Repeat a statement that removes some until there are none."""
        done = 0
        while deleted := self.connection.write(query, **parameters)[0]["deleted"]:
            done += deleted
            progress(label, done, None)


def _model_folder(address: Address) -> str:
    return re.sub(r"[^\w.]+", "-", f"{address.url.split('://')[1]}-{address.database or 'neo4j'}") + ".model"


def _write_source(folder: Path, source: Mapping[str, Any]) -> None:
    (folder / "source.json").write_text(manifest_text(source), encoding="utf-8")


def _described(node: Mapping[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(node["manifest"])
    if described["format"] > FORMAT:
        raise NewerFormat(
            f"the graph has format {described['format']}, this version reads up to {FORMAT}",
            hint="upgrade with `pip install --upgrade hin`",
        )
    return described


def _labels(described: Mapping[str, Any]) -> list[str]:
    names = CypherNames.of(described["fields"], described["links"])
    return list(names.labels.values())


def _longest(nodes: Nodes, column: str) -> int:
    import pyarrow.compute as pc

    longest = pc.max(pc.binary_length(nodes.table.column(column))).as_py()
    return int(longest or 0)
