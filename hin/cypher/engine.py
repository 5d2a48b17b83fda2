"""`prepare`: a query's text, parsed and checked, ready to run on a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hin.cypher.meaning.known import KnownNames
from hin.cypher.meaning.scope import Checker
from hin.cypher.run.budget import Budget
from hin.cypher.run.clauses import Runner
from hin.cypher.run.context import Context
from hin.cypher.syntax import tree
from hin.cypher.syntax.parser import parse
from hin.cypher.values.elements import ReadableGraph

__all__ = ["Prepared", "interpret", "prepare"]


@dataclass(frozen=True)
class Prepared:
    """A checked query and its columns."""

    query: tree.Query
    columns: tuple[str, ...]


def prepare(text: str, known: KnownNames | None = None) -> Prepared:
    """Parse and check a query, against the names of a graph when they are given.

    Examples
    --------
    >>> prepare("UNWIND [1, 2] AS x RETURN x + 1 AS y").columns
    ('y',)
    """
    query = parse(text)
    return Prepared(query, Checker(known).query(query, {}))


def interpret(
    prepared: Prepared, graph: ReadableGraph, parameters: Mapping[str, Any] | None = None, budget: Budget | None = None
) -> Iterator[tuple[Any, ...]]:
    """Run a query row by row."""
    runner = Runner(Context(graph, parameters or {}, budget or Budget()))
    for row in runner.query(prepared.query, {}, prepared.columns):
        yield tuple(row[name] for name in prepared.columns)
