"""Writing a graph to Neo4j: fast where everything is new, and safe to repeat wherever it was cut off.

Nodes go first, then relationships between the server's own node ids. Each batch is one managed transaction that also
creates the batch's key (see `queries.ONCE`), so plain CREATE cannot write anything twice: not when the driver
retries, not when the load is run again. If an incomplete graph exists already, everything is merged instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any

import numpy as np

from hin.arrays.types import Int64
from hin.engines.base import ranges
from hin.progress import Progress, silent
from hin.stores.neo4j import queries as cypher
from hin.stores.neo4j.connection import Connection
from hin.stores.property_graph import Nodes, PropertyGraph, Relationships

#: Relationships in one transaction; more do not make it faster, and hold locks longer.
BATCH = 10_000
NODES = 5_000
#: The most characters of texts in one batch of documents.
CHARACTERS = 4_000_000
WRITERS = 3
#: Neo4j's range indexes refuse longer values (in bytes).
LONGEST_KEY = 8_000

Ids = dict[str, Int64]


class Writer:
    """Writes the nodes and relationships of one graph.

    Parameters
    ----------
    connection : Connection
    key : str
        The identity of what is written; batches of another identity are not ours.
    merge : bool
        Whether nodes and relationships may exist already.
    """

    def __init__(self, connection: Connection, key: str, *, merge: bool = False, progress: Progress = silent) -> None:
        self.connection = connection
        self.key = key
        self.merge = merge
        self.progress = progress
        self.ids: Ids = {}
        rows = [] if merge else connection.read(cypher.BATCHES_DONE, prefix=f"{key}/")
        self.done = {row["key"] for row in rows}

    def write(self, graph: PropertyGraph) -> None:
        """Write all of it."""
        for nodes in graph.nodes:
            self.write_nodes(nodes)
        self.write_relationships(graph.relationships)

    def write_nodes(self, nodes: Nodes) -> None:
        """Write the nodes of one label."""
        statement = (cypher.merge_nodes if self.merge else cypher.create_nodes)(nodes.label)
        batches = (
            (f"{self.key}/{nodes.label}/{start}", stop - start, _deferred_rows(nodes.table.slice, start, stop - start))
            for start, stop in _node_batches(nodes)
        )
        self._run(f"writing {nodes.label}", len(nodes), statement, batches)

    def write_relationships(self, groups: Iterable[Relationships]) -> None:
        """Write relationships whose nodes are there."""
        for group in groups:
            sources, targets = self._ids(group.source), self._ids(group.target)
            names = list(group.properties)
            parallel = "number" if "number" in names else None
            if self.merge:
                statement = cypher.merge_relationships(group.type, names, parallel)
            else:
                statement = cypher.create_relationships(group.type, names)
            key = f"{self.key}/{group.type}/{group.target}"
            batches = (
                (f"{key}/{start}", stop - start, _deferred_rows(_rows, group, sources, targets, start, stop))
                for start, stop in ranges(len(group), BATCH)
            )
            self._run(f"writing {group.type}", len(group), statement, batches)

    def _ids(self, label: str) -> Int64:
        """Return the server's id of each node of a label, in the order of the numbers."""
        if label not in self.ids:
            total = int(self.connection.read(cypher.count_nodes(label))[0]["n"])
            ids = np.full(total, -1, dtype=np.int64)
            for start, stop in ranges(total, 50_000):
                page = self.connection.read(cypher.node_ids(label), start=start, stop=stop)[0]
                ids[page["numbers"]] = page["ids"]
            self.ids[label] = ids
        return self.ids[label]

    def _run(
        self, label: str, total: int, statement: str, batches: Iterable[tuple[str, int, Callable[[], list[Any]]]]
    ) -> None:
        """Send batches from several threads, a few ahead at a time."""
        finished = 0

        def send(key: str, size: int, rows: Callable[[], list[Any]]) -> int:
            if key not in self.done:
                self.connection.write(statement, key=key, rows=rows())
            return size

        self.progress(label, 0, total)
        waiting = iter(batches)
        with ThreadPoolExecutor(WRITERS, thread_name_prefix="hin-neo4j") as pool:
            running: set[Future[int]] = {pool.submit(send, *batch) for batch in islice(waiting, WRITERS)}
            try:
                while running:
                    ended, running = wait(running, return_when=FIRST_COMPLETED)
                    finished += sum(future.result() for future in ended)
                    self.progress(label, finished, total)
                    running |= {pool.submit(send, *batch) for batch in islice(waiting, len(ended))}
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _deferred_rows(make: Callable[..., Any], *arguments: Any) -> Callable[[], list[Any]]:
    """Return a function that makes rows when they are sent, so that only batches in transit are in memory."""

    def rows() -> list[Any]:
        made = make(*arguments)
        return made if isinstance(made, list) else list(made.to_pylist())

    return rows


def _node_batches(nodes: Nodes) -> list[tuple[int, int]]:
    """Return pieces with not too many nodes and not too many bytes."""
    mean = nodes.table.nbytes / max(1, len(nodes))
    return ranges(len(nodes), max(1, min(NODES, int(CHARACTERS / max(1.0, mean)))))


def _rows(group: Relationships, source_ids: Int64, target_ids: Int64, start: int, stop: int) -> list[Any]:
    """Return one row for each source: its id, the ids of the targets, and the properties, each a list."""
    sources = group.sources[start:stop]
    cuts = np.flatnonzero(np.diff(sources)) + 1
    first = np.r_[0, cuts]
    heads = source_ids[sources[first]].tolist()
    columns = [np.split(target_ids[group.targets[start:stop]], cuts)]
    columns += [np.split(np.asarray(values[start:stop]), cuts) for values in group.properties.values()]
    return [
        [head, *(part.tolist() for part in parts)]
        for head, parts in zip(heads, zip(*columns, strict=True), strict=True)
    ]
