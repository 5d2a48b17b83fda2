"""`query`: Cypher on a graph, wherever it lives, with the same rows from a folder and from Neo4j.

Reading is all a query may do unless it is allowed to write. On a folder there is nothing that could write; on Neo4j
the query's words are read first (`read_only`), and the server's access mode is the second wall.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hin.cypher.options import QueryOptions
from hin.cypher.result import QueryResult, collected
from hin.errors import BadUsage
from hin.graph import Graph
from hin.progress import Progress, silent
from hin.stores.base import open_store

if TYPE_CHECKING:
    from hin.cypher.folder.graph import FolderGraph
    from hin.stores.base import Database, Store

__all__ = ["QueryOptions", "QueryResult", "query"]


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
    if parameters:
        options = replace(options, parameters={**options.parameters, **parameters})
    if not text.strip():
        raise BadUsage("an empty query", hint="write one, for example: MATCH (d:Document) RETURN count(*)")
    if isinstance(location, Graph):
        return _query_loaded(location, text, options)
    with open_store(location) as store:
        if store.database is not None:
            return query_database(store.database, text, options)
        return query_folder(store, text, options)


def _query_loaded(graph: Graph, text: str, options: QueryOptions) -> QueryResult:
    from hin.cypher.folder.graph import FolderGraph
    from hin.cypher.folder.layout import Layout
    from hin.stores.findings import Findings

    return query_graph(FolderGraph(Layout(graph, Findings(), {})), text, options)


def query_folder(store: Store, text: str, options: QueryOptions) -> QueryResult:
    """Run a query on a folder."""
    from hin.cypher.folder.graph import open_graph

    return query_graph(open_graph(store), text, options)


def query_graph(graph: FolderGraph, text: str, options: QueryOptions) -> QueryResult:
    """Run a query on an open folder."""
    from hin.cypher.errors import CypherSyntaxError

    try:
        return _run(graph, text, options)
    except RecursionError:
        raise CypherSyntaxError("the query is nested too deeply", hint="split it with WITH") from None


def _run(graph: FolderGraph, text: str, options: QueryOptions) -> QueryResult:
    from hin.cypher.engine import push_down
    from hin.cypher.run.budget import Budget

    budget = Budget(options.timeout, options.memory * 1_000_000)
    prepared = graph.prepared(text, budget)
    if prepared.query.mode is not None:
        from hin.cypher.explain import explain

        return explain(prepared, graph, options.parameters, budget, options.memory)
    rows = options.limit + 1 if options.limit else 0  # one more tells whether there were more
    found = push_down(prepared, graph, options.parameters, budget, rows, options.memory)
    return collected(prepared.columns, found, options.limit)


def query_database(database: Database, text: str, options: QueryOptions) -> QueryResult:
    """Run a query on a Neo4j database."""
    from hin.cypher.read_only import check_read_only

    if not options.write:
        check_read_only(text)
    parameters = {name: _sendable(name, value) for name, value in options.parameters.items()}
    with database.session(write=options.write, notes=True) as session:
        timeout = options.timeout or None
        with session.begin_transaction(timeout=timeout) as transaction:
            answer = transaction.run(text, parameters)
            result = collected(tuple(answer.keys()), (record.values() for record in answer), options.limit)
            summary = answer.consume()
            if options.write:
                transaction.commit()
            found = [(status.gql_status, status.status_description) for status in summary.gql_status_objects]
            if not result.columns and summary.plan is not None:  # EXPLAIN gives no rows, only a plan
                result = QueryResult(("step", "runs", "detail"), list(_plan_rows(summary.plan)))
            return replace(result, notes=_unknown_names(found))


def _plan_rows(plan: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[str, str, str]]:
    """A server's plan, one operator a row, those that feed it below and further in."""
    yield "  " * depth + str(plan.get("operatorType", "")), "server", str(plan.get("args", {}).get("Details", ""))
    for child in plan.get("children", ()):
        yield from _plan_rows(child, depth + 1)


def _sendable(name: str, value: Any) -> Any:
    """A parameter that the driver can pack.

    >>> _sendable("x", [1, "a"])
    [1, 'a']
    """
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise BadUsage(f"the parameter ${name} is too large an integer", hint="integers end at 9223372036854775807")
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadUsage(f"the parameter ${name} is not valid Unicode", hint="give it in UTF-8") from None
    if isinstance(value, (list, tuple)):
        return [_sendable(name, item) for item in value]
    if isinstance(value, dict):
        return {key: _sendable(name, item) for key, item in value.items()}
    return value


def _unknown_names(statuses: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return what a query asks for and the database has not: Neo4j finds no rows where the embedded engine says so.

    >>> _unknown_names([("01N50", "warn: label does not exist. The label `Venu` does not exist. ...")])
    ("the database has no label 'Venu'",)
    """
    kinds = {"01N50": "label", "01N51": "relationship", "01N52": "property"}
    found = [(kinds[code], re.search(r"`(.*)`", said, re.DOTALL)) for code, said in statuses if code in kinds]
    return tuple(dict.fromkeys(f"the database has no {kind} {name[1]!r}" for kind, name in found if name))
