"""`query`: Cypher on a graph, wherever it lives, with the same rows from a folder and from Neo4j.

A query may only read unless it is allowed to write. The embedded engine of a folder cannot write; on Neo4j, the words
and the plan of a query are checked first (`hin.stores.neo4j.read_only`).
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hin.cypher.options import QueryOptions
from hin.cypher.result import QueryResult
from hin.errors import BadUsage
from hin.graph import Graph
from hin.progress import Progress, silent
from hin.stores.base import Store, open_store

if TYPE_CHECKING:
    from hin.cypher.folder_graph import FolderGraph

__all__ = ["QueryOptions", "QueryResult", "open_graph", "query"]


def query(
    location: str | os.PathLike[str] | Graph | None,
    text: str,
    options: QueryOptions | None = None,
    *,
    progress: Progress = silent,
    **parameters: Any,
) -> QueryResult:
    """Run a Cypher query on a graph.

    Parameters
    ----------
    location : path, Bolt URL or Graph
    text : str
        Cypher; labels and relationships as `hin info` lists them.
    options : QueryOptions, optional
    **parameters
        The values of `$name` in the query.

    Returns
    -------
    QueryResult
        With `rows`, `records()`, `arrow()`, `pandas()`, `polars()` and, of the nodes and relationships that were
        returned, `networkx()`.

    Examples
    --------
    >>> import hin, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with open(f"{folder}/papers.jsonl", "w") as file:
    ...     _ = file.write('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> graph = hin.load(f"{folder}/papers.jsonl", graph=f"{folder}/papers.hin")
    >>> query(f"{folder}/papers.hin", "MATCH (d:Document)-[:HAS_VENUE]->(v) RETURN d.id, v.name AS venue").records()
    [{'d.id': 'p1', 'venue': 'KDD'}]
    >>> query(graph, "MATCH (v:Venue {name: $name}) RETURN count(*) AS n", name="KDD").rows
    [(1,)]
    """
    options = options or QueryOptions()
    text = text.removeprefix("\ufeff")  # the byte order mark with which some editors begin a file
    if parameters:
        options = replace(options, parameters={**options.parameters, **parameters})
    if not text.strip():
        raise BadUsage("an empty query", hint="write one, for example: MATCH (d:Document) RETURN count(*)")
    from hin.cypher.query import query_graph

    if isinstance(location, Graph):
        return query_graph(open_graph(location), text, options)
    with open_store(location) as store:
        if store.database is not None:
            from hin.stores.neo4j.query import query_database

            return query_database(store.database, text, options)
        return query_graph(open_graph(store), text, options)


def open_graph(source: Store | Graph) -> FolderGraph:
    """Open a folder, or a graph in memory, for queries; nothing is read before a query needs it."""
    from hin.cypher.folder_graph import FolderGraph
    from hin.stores.answers import AnswerLog
    from hin.stores.findings import Findings
    from hin.stores.layout import layout_of

    if isinstance(source, Graph):
        return FolderGraph(layout_of(source, Findings(), {}))
    load = source.stage("load")
    options = dict(load.options) if load is not None else {}
    graph = source.read_graph()
    found = Findings.of_store(source).with_answers(AnswerLog(source).current(graph), graph)
    return FolderGraph(layout_of(graph, found, options))
