"""The interpreter alone, beside which what runs in SQL is held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hin.cypher.engine import Prepared
from hin.cypher.run.budget import Budget
from hin.cypher.run.clauses import Runner
from hin.cypher.run.context import Context
from hin.cypher.values.elements import ReadableGraph


def interpret(
    prepared: Prepared, graph: ReadableGraph, parameters: Mapping[str, Any] | None = None, budget: Budget | None = None
) -> Iterator[tuple[Any, ...]]:
    """Run a query row by row."""
    runner = Runner(Context(graph, parameters or {}, budget or Budget()))
    for row in runner.query(prepared.query, {}, prepared.columns):
        yield tuple(row[name] for name in prepared.columns)
