"""Run Cypher on an open graph: its first clauses in SQL as far as possible, the rest row by row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hin.cypher.options import QueryOptions
from hin.cypher.result import QueryResult, collected

if TYPE_CHECKING:
    from hin.cypher.folder_graph import FolderGraph

__all__ = ["QueryOptions", "QueryResult", "query_graph"]


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
    rows = options.limit + 1 if options.limit else 0  # one more row shows whether there were more
    found = push_down(prepared, graph, options.parameters, budget, rows, options.memory)
    return replace(collected(prepared.columns, found, options.limit, budget.spend), notes=prepared.notes)
