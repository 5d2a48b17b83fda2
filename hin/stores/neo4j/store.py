"""A graph in Neo4j behind the same interface as the folder.

The database holds the graph and the findings of the stages. Vectors and the files of the stages are in a local
folder (`--model`), because a database is no place for matrices; they become stale when the graph changes.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hin.cypher_names import CypherNames
from hin.errors import DamagedGraph, GraphBusy, GraphChanged, GraphNotFound, NewerFormat, StoreError
from hin.graph import Graph
from hin.progress import Progress, silent
from hin.stages import Stage
from hin.stores.answers import AnswerLog
from hin.stores.base import Store
from hin.stores.findings import Findings
from hin.stores.folder import FolderStore
from hin.stores.graph_identity import describe, fingerprint, manifest_text
from hin.stores.layout import project
from hin.stores.neo4j import queries as cypher
from hin.stores.neo4j.connection import Address, Connection
from hin.stores.neo4j.contents import (
    constrain,
    delete_in_batches,
    differences,
    refuse_foreign_nodes,
    remove_findings,
    remove_graph,
    set_state,
)
from hin.stores.neo4j.lock import writer_lock
from hin.stores.neo4j.writer import Writer
from hin.stores.property_graph import PropertyGraph, project_findings

FORMAT = 1
_LOG = logging.getLogger(__name__)


class Neo4jStore(Store):
    """A graph in a Neo4j database.

    Parameters
    ----------
    location : str
        `neo4j://host:7687/database`; credentials come from NEO4J_USERNAME and NEO4J_PASSWORD.
    model : path, optional
        Where vectors and stages live: by default HIN_MODEL, or a folder of the user's data named after the database.

    Examples
    --------
    >>> store = Neo4jStore("neo4j://localhost:7687/papers")
    >>> store.location, store.model.root.name
    ('neo4j://localhost:7687/papers', 'papers@localhost-7687')
    """

    def __init__(self, location: str, model: str | os.PathLike[str] | None = None) -> None:
        self.location = location
        self.connection = self.database = Connection(Address.of(location))
        chosen = model or os.environ.get("HIN_MODEL")
        self.model = FolderStore(chosen or self.connection.address.model_folder)
        self._default_folder = not chosen
        self._locked = False
        self._opened: tuple[str, Graph] | None = None
        #: The hash of the graph that this object read or wrote: the input of what it writes.
        self._read: str | None = None

    @property
    def name(self) -> str:
        """The database's name."""
        return self.connection.address.database or "neo4j"

    @property
    def workspace(self) -> Path:
        """The folder of the model."""
        return self.model.root

    def beside(self, ending: str) -> str:
        """Return a name in the current folder: a database has no place for files."""
        return f"{self.name}{ending}"

    # Reading

    def exists(self) -> bool:
        """Check whether a complete graph is stored."""
        node = self._graph_node()
        return node is not None and node["state"] == "complete"

    def read_graph(self, progress: Progress = silent) -> Graph:
        """Open the graph; each part is streamed into memory on first access, and cached until the graph changes."""
        node = self._require_node()
        if self._opened is None or self._opened[0] != node["fingerprint"]:
            self._opened = node["fingerprint"], self._open(node, progress)
        self._read = node["fingerprint"]
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

    def shows_findings(self) -> bool:
        """Check whether the database shows findings of stages."""
        return self._require_node()["found"] is not None

    def stage(self, name: str) -> Stage | None:
        """Return a stage's result from the model's folder, or None when it belongs to another graph."""
        node = self._graph_node()
        if node is None or node["state"] != "complete":
            return None
        if name == "load":
            options = _described(node)["options"]
            return Stage("load", self.model.root, options, None, node["fingerprint"], {})
        self._check_unchanged(node)
        if not self._model_is_current(node["fingerprint"]):
            return None
        return self.model.stage(name)

    def _check_unchanged(self, node: Mapping[str, Any]) -> None:
        """Raise if the database holds another graph than the one this object read."""
        if self._read is not None and node["fingerprint"] != self._read:
            raise GraphChanged(
                f"the graph in {self.connection.address} was replaced by another process, whose version stays",
                hint="run this again",
            )

    def check(self) -> list[str]:
        """Compare the stored graph with what was written; return one line for each fault."""
        node = self._require_node()
        described = _described(node)
        graph = self._open(node)  # read from the database, not from memory
        try:
            faults = differences(self.connection, project(graph))
            written = describe(graph, described["options"]) == described and fingerprint(graph) == node["fingerprint"]
        except DamagedGraph as error:
            return [error.message]
        if not written:
            faults.append(f"the graph in {self.connection.address} is not what was written")
        return faults

    # Writing

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other writers out; may be taken again while it is held."""
        if self._locked:
            yield
            return
        with writer_lock(self.connection):
            self._locked = True
            try:
                yield
            finally:
                self._locked = False

    def write_graph(self, graph: Graph, *, options: dict[str, Any], progress: Progress = silent) -> Graph:
        """Replace the graph in the database; after an interruption, calling it again continues."""
        with self.connection.reporting_to(progress), self.lock():
            described = describe(graph, options)
            identity = fingerprint(graph)
            projected = project(graph)
            self.connection.write(cypher.CONSTRAINT_OF_GRAPH)
            self.connection.write(cypher.CONSTRAINT_OF_BATCHES)
            node = self._graph_node()
            if node is not None and (node["fingerprint"] != identity or node["state"] == "removing"):
                remove_graph(self.connection, _labels(_described(node)), progress)
                node = None
            if node is None:
                refuse_foreign_nodes(self.connection, projected)
            elif node["found"] is not None:
                remove_findings(self.connection, progress)
            there = node is not None and node["state"] == "complete"
            state = "complete" if there else "loading"
            set_state(self.connection, state=state, fingerprint=identity, manifest=manifest_text(described))
            if not there:
                constrain(self.connection, projected.nodes)
                Writer(self.connection, identity, progress=progress).write(projected)
            if differences(self.connection, projected):
                # Some nodes or relationships were removed: add them again without duplicating the rest.
                set_state(self.connection, state="loading")
                Writer(self.connection, identity, merge=True, progress=progress).write(projected)
            faults = differences(self.connection, projected)
            if faults:
                raise StoreError(
                    f"{self.connection.address} differs from the graph: {faults[0]}",
                    hint="remove what hin did not write from its labels, then run this again",
                )
            set_state(self.connection, state="complete")
            delete_in_batches(self.connection, cypher.FORGET_BATCHES)
            self._read = identity
            return graph

    def write_stage(self, name: str, write: Callable[[Path], None], options: dict[str, Any]) -> None:
        """Write a stage to the model's folder, and its findings to the database."""
        with self.lock():  # no other process may replace the graph between the check and the write
            node = self._require_node()
            self._check_unchanged(node)
            if not self._model_is_current(node["fingerprint"]):
                if self._default_folder and not self.model.exists():
                    _LOG.info("vectors of %s go to %s (--model names another folder)", self.location, self.workspace)
                source = {"graph": str(self.connection.address), "fingerprint": node["fingerprint"]}
                self.model.write_stage("load", lambda folder: _write_source(folder, source), source)
            self.model.write_stage(name, write, options)
            self.write_findings(Findings.of_store(self.model))

    def write_findings(self, findings: Findings, progress: Progress = silent) -> None:
        """Write motifs, categories, selections and predictions to the database, replacing earlier ones."""
        with self.connection.reporting_to(progress), self.lock():
            node = self._require_node()
            identity = findings.identity() if findings else None
            if node["found"] == identity:
                return
            if node["found"] != f"writing {identity}":
                remove_findings(self.connection, progress)
            if identity is None:
                return
            described = _described(node)
            names = CypherNames.of(described["fields"], described["links"], (e[0] for e in described["extra"]))
            nodes, relationships = project_findings(findings, names)
            set_state(self.connection, found=f"writing {identity}")
            constrain(self.connection, nodes)
            Writer(self.connection, f"found-{identity}", progress=progress).write(
                PropertyGraph(tuple(nodes), tuple(relationships))
            )
            set_state(self.connection, found=identity)
            delete_in_batches(self.connection, cypher.FORGET_BATCHES)
            self.show_answers()

    def show_answers(self) -> None:
        """Write a `LABELLED_AS` relationship for each answer of the log, and remove all others."""
        answers = AnswerLog(self)
        if not answers.path.exists():
            return
        with self.lock():
            graph = self.read_graph()
            stages = (
                Findings.of_store(self.model)
                if self._model_is_current(self._require_node()["fingerprint"])
                else Findings()
            )
            found = stages.with_answers(answers.current(graph), graph)
            known = 0 if stages.categories is None else len(stages.categories)
            rows = [] if found.labelled is None else found.labelled.to_pylist()
            names = [] if found.categories is None else found.categories.column("name").to_pylist()
            delete_in_batches(self.connection, cypher.delete_relationships("LABELLED_AS"), limit=20_000)
            self.connection.write(cypher.DELETE_CATEGORIES_FROM, first=known)
            self.connection.write(cypher.WRITE_ANSWERS, rows=[{**row, "name": names[row["category"]]} for row in rows])

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    # Helpers

    def _graph_node(self) -> Mapping[str, Any] | None:
        rows = self.connection.read(cypher.READ_GRAPH_NODE)
        return rows[0] if rows else None

    def _require_node(self) -> Mapping[str, Any]:
        node = self._graph_node()
        if node is None:
            raise GraphNotFound(
                f"no graph in {self.connection.address}",
                hint="make one with `hin load FILE --graph URL`, or `hin copy FOLDER URL`",
            )
        if node["state"] != "complete":
            raise StoreError(
                f"the load into {self.connection.address} was cut off",
                hint="run the same `hin load` or `hin copy` again: it continues where it stopped",
            )
        return node

    def _model_is_current(self, identity: str) -> bool:
        if not self.model.exists():
            return False
        stage = self.model.stage("load")
        return stage is not None and stage.options.get("fingerprint") == identity


def _write_source(folder: Path, source: Mapping[str, Any]) -> None:
    (folder / "source.json").write_text(manifest_text(source), encoding="utf-8")


def _described(node: Mapping[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(node["manifest"])
    if described["format"] > FORMAT:
        raise NewerFormat(
            f"the graph has format {described['format']}, this version reads up to {FORMAT}",
            hint="upgrade with `pip install --upgrade hin-toolkit`",
        )
    return described


def _labels(described: Mapping[str, Any]) -> list[str]:
    names = CypherNames.of(described["fields"], described["links"])
    return list(names.labels.values())
