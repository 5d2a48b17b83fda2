"""`query`: Cypher on a graph, wherever it lives, with the same rows from a folder and from Neo4j.

Reading is all a query may do unless it is allowed to write. On a folder there is nothing that could write; on Neo4j
the server's access mode sees to it.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hin.cypher.options import QueryOptions
from hin.errors import BadUsage
from hin.progress import Progress, silent
from hin.stores.base import open_store

if TYPE_CHECKING:
    from hin.cypher.folder.graph import FolderGraph
    from hin.stores.base import Database, Store

__all__ = ["QueryOptions", "QueryResult", "query"]


@dataclass(frozen=True)
class QueryResult:
    """Rows under the names of their columns; `cut` when there were more than the limit.

    `notes` say what the server found odd, such as a label that no node has.

    Examples
    --------
    >>> QueryResult(("n",), [(1,)]).records()
    [{'n': 1}]
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    cut: bool = False
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """Return each row by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def query(
    location: str | os.PathLike[str] | None,
    text: str,
    options: QueryOptions | None = None,
    *,
    progress: Progress = silent,
) -> QueryResult:
    """Run a Cypher query on the graph at a location.

    Parameters
    ----------
    location : path or Bolt URL
    text : str
        Cypher; labels and relationships as `hin info` lists them.
    options : QueryOptions, optional

    Examples
    --------
    >>> import hin, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with open(f"{folder}/papers.jsonl", "w") as file:
    ...     _ = file.write('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> graph = hin.load(f"{folder}/papers.jsonl", graph=f"{folder}/papers.hin")
    >>> query(f"{folder}/papers.hin", "MATCH (d:Document)-[:HAS_VENUE]->(v) RETURN d.id, v.name AS venue").records()
    [{'d.id': 'p1', 'venue': 'KDD'}]
    """
    options = options or QueryOptions()
    if not text.strip():
        raise BadUsage("an empty query", hint="write one, for example: MATCH (d:Document) RETURN count(*)")
    with open_store(location) as store:
        if store.database is not None:
            return query_database(store.database, text, options)
        return query_folder(store, text, options)


def query_folder(store: Store, text: str, options: QueryOptions) -> QueryResult:
    """Run a query on a folder."""
    from hin.cypher.folder.graph import open_graph

    return query_graph(open_graph(store), text, options)


def query_graph(graph: FolderGraph, text: str, options: QueryOptions) -> QueryResult:
    """Run a query on an open folder."""
    from hin.cypher.engine import prepare, push_down
    from hin.cypher.run.budget import Budget

    budget = Budget(options.timeout, options.memory * 1_000_000)
    prepared = prepare(text, graph.known())
    rows = options.limit + 1 if options.limit else 0  # one more tells whether there were more
    found = push_down(prepared, graph, options.parameters, budget, rows, options.memory)
    return _capped(prepared.columns, found, options.limit)


def query_database(database: Database, text: str, options: QueryOptions) -> QueryResult:
    """Run a query on a Neo4j database."""
    with database.session(write=options.write, notes=True) as session:
        timeout = options.timeout or None
        with session.begin_transaction(timeout=timeout) as transaction:
            answer = transaction.run(text, dict(options.parameters))
            result = _capped(tuple(answer.keys()), (record.values() for record in answer), options.limit)
            summary = answer.consume()
            if options.write:
                transaction.commit()
            found = [(status.gql_status, status.status_description) for status in summary.gql_status_objects]
            return replace(result, notes=_unknown_names(found))


def _unknown_names(statuses: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return what a query asks for and the database has not: Neo4j finds no rows where the embedded engine says so.

    >>> _unknown_names([("01N50", "warn: label does not exist. The label `Venu` does not exist. ...")])
    ("the database has no label 'Venu'",)
    """
    kinds = {"01N50": "label", "01N51": "relationship", "01N52": "property"}
    found = [(kinds[code], re.search(r"`(.*)`", said, re.DOTALL)) for code, said in statuses if code in kinds]
    return tuple(dict.fromkeys(f"the database has no {kind} {name[1]!r}" for kind, name in found if name))


def _capped(columns: tuple[str, ...], rows: Iterable[Sequence[Any]], limit: int) -> QueryResult:
    kept: list[tuple[Any, ...]] = []
    for row in rows:
        if limit and len(kept) == limit:
            return QueryResult(columns, kept, cut=True)
        kept.append(tuple(_plain(value) for value in row))
    return QueryResult(columns, kept)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: a node or relationship is its properties, a path its nodes.

    >>> _plain([1, float("nan"), {"a": (1, 2)}])
    [1, None, {'a': [1, 2]}]
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (str, int, bool)):
        return value
    if hasattr(value, "nodes") and hasattr(value, "relationships"):  # a path
        return [_plain(node) for node in value.nodes]
    if hasattr(value, "properties"):  # the folder's nodes and relationships
        return {k: _plain(v) for k, v in sorted(value.properties().items())}
    if hasattr(value, "items"):  # the driver's nodes and relationships
        return {k: _plain(v) for k, v in sorted(value.items())}
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
