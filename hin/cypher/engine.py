"""`prepare`: parse and check a query, ready to run on a graph."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hin.cypher.errors import CypherError, CypherSyntaxError
from hin.cypher.meaning.known import KnownNames
from hin.cypher.meaning.scope import Checker
from hin.cypher.run.budget import Budget
from hin.cypher.run.clauses import Runner
from hin.cypher.run.context import Context, Row
from hin.cypher.syntax import tree
from hin.cypher.syntax.lexer import place, tokens_of
from hin.cypher.syntax.parser import parse

if TYPE_CHECKING:
    from hin.cypher.folder_graph import FolderGraph
    from hin.cypher.sql.compiler import Statement


@dataclass(frozen=True)
class Prepared:
    """A checked query and its columns; for a query without parameters also the cached SQL of its parts."""

    query: tree.Query
    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()
    statements: dict[tuple[int, int | None], Statement | None] = field(default_factory=dict, compare=False)


def prepare(text: str, known: KnownNames | None = None, budget: Budget | None = None) -> Prepared:
    """Parse and check a query, against the names of a graph when they are given, within a budget.

    Examples
    --------
    >>> prepare("UNWIND [1, 2] AS x RETURN x + 1 AS y").columns
    ('y',)
    """
    try:
        spend = (budget or Budget()).spend
        query = parse(text, spend)
        return Prepared(query, _checked(query, text, known, spend))
    except RecursionError:
        raise CypherSyntaxError("the query is nested too deeply", hint="split it with WITH") from None


def _checked(query: tree.Query, text: str, known: KnownNames | None, spend: Callable[[], None]) -> tuple[str, ...]:
    """Check a query and return its columns; an error about a name includes its position."""
    try:
        return Checker(known, spend).query(query, {})
    except CypherError as error:
        named = re.search(r"['`]([^'`]+)['`]|no function (\w+)", error.message)
        tokens = tokens_of(text) if named and " at line " not in error.message else []
        where = next((token.start for token in tokens if named and token.value == (named[1] or named[2])), None)
        if where is None:
            raise
        raise type(error)(f"{error.message} at {place(text, where)}", hint=error.hint) from None


def push_down(
    prepared: Prepared, graph: FolderGraph, parameters: Mapping[str, Any], budget: Budget, rows: int, megabytes: int
) -> Iterator[tuple[Any, ...]]:
    """Run a query on a folder: its first clauses in SQL as far as possible, the rest row by row.

    `rows` is the number of rows that the caller will read; 0 for all.
    """
    runner = Runner(Context(graph, parameters, budget))
    parts = prepared.query.parts
    most = rows if rows and len(parts) == 1 else None
    made = (_part(prepared, i, runner, graph, most, megabytes) for i in range(len(parts)))
    found: Iterator[Row] = itertools.chain.from_iterable(made)
    if not prepared.query.keep_all:
        found = runner.distinct(found, prepared.columns)
    for row in found:
        yield tuple(row[name] for name in prepared.columns)


def compiled(
    prepared: Prepared, number: int, runner: Runner, graph: FolderGraph, rows: int | None = None
) -> Statement | None:
    """Return the SQL of a part's first clauses, cached for a query without parameters."""
    from hin.cypher.sql.compiler import compile_prefix

    if (number, rows) in prepared.statements:
        return prepared.statements[number, rows]
    statement = compile_prefix(prepared.query.parts[number], runner, graph.layout, rows)
    if not runner.context.parameters:
        prepared.statements[number, rows] = statement
    return statement


def _part(
    prepared: Prepared, number: int, runner: Runner, graph: FolderGraph, rows: int | None, megabytes: int
) -> Iterator[Row]:
    from hin.cypher.sql.duck import run
    from hin.cypher.sql_terms import NotPushed

    clauses = prepared.query.parts[number]
    statement = compiled(prepared, number, runner, graph, rows)
    if statement is not None:
        try:
            started = run(statement, graph, graph.database(megabytes, runner.context.budget), runner.context.budget)
            first = list(itertools.islice(started, 1))  # SQL fails before its first row, or not at all
            yield from runner.part(statement.rest(clauses), itertools.chain(first, started), {})
            return
        except NotPushed:
            pass
    yield from runner.part(clauses, iter([{}]), {})
