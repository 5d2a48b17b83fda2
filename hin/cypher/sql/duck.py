"""DuckDB in a closed room: it sees the tables that are handed to it, no file, no network, bounded memory and time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.cypher.errors import QueryTooLarge
from hin.cypher.folder.column import Column
from hin.cypher.folder.layout import NodeTable, RelationshipTable
from hin.cypher.run.budget import Budget
from hin.cypher.sql.compiler import Statement
from hin.cypher.sql.terms import NotPushed, Variable
from hin.cypher.values.elements import Node, ReadableGraph, Relationship
from hin.errors import QueryTimeout

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

__all__ = ["connect", "run"]

_BATCH = 2000


def connect(megabytes: int) -> duckdb.DuckDBPyConnection:
    """Return a database in memory that cannot leave it.

    Examples
    --------
    >>> connect(100).execute("SELECT 1").fetchall()
    [(1,)]
    """
    import duckdb

    settings: dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": "",
        "python_enable_replacements": False,
        "threads": 2,
    }
    if megabytes:
        settings["memory_limit"] = f"{megabytes}MB"
    connection = duckdb.connect(":memory:", config=settings)
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def run(statement: Statement, graph: ReadableGraph, budget: Budget, megabytes: int) -> Iterator[dict[str, Any]]:
    """Run a statement and give its rows by variable; `NotPushed` when SQL cannot hold a value, before any row."""
    import duckdb

    connection = connect(megabytes)
    late = threading.Event()

    def stop() -> None:
        late.set()
        connection.interrupt()

    left = budget.remaining()
    timer = threading.Timer(max(left, 0.001), stop) if left is not None else None
    try:
        for table, (name, columns) in statement.tables.items():
            connection.register(name, _arrow(table, columns))
        budget.check()
        if timer is not None:
            timer.daemon = True
            timer.start()
        connection.execute(statement.text, statement.parameters)
        if timer is not None:
            timer.cancel()
        names, variables = list(statement.columns), list(statement.columns.values())
        makers = [_maker(variable, graph) for variable in variables]
        while rows := connection.fetchmany(_BATCH):
            budget.check()
            for row in rows:
                values = zip(names, makers, row, strict=False)
                yield {name: value if make is None else make(value) for name, make, value in values}
    except (duckdb.OutOfRangeException, duckdb.ConversionException):
        raise NotPushed from None  # the interpreter says which value it was, or finds that none was
    except duckdb.InterruptException:
        hint = "give it more with --timeout SECONDS, or ask for less"
        raise QueryTimeout("the query ran out of time", hint=hint) from None
    except duckdb.OutOfMemoryException:
        raise QueryTooLarge("the query needs too much memory") from None
    finally:
        if timer is not None:
            timer.cancel()
        connection.close()


def _arrow(table: NodeTable | RelationshipTable, columns: dict[str, Column]) -> pa.Table:
    import pyarrow as pa

    made: dict[str, Any] = {}
    numbers = np.arange(table.first, table.first + table.count, dtype=np.int64)
    if isinstance(table, NodeTable):
        made["g"] = numbers
    else:
        sources, targets = table.ends
        made |= {"rid": numbers, "s": sources, "t": targets}
    return pa.table(made | {name: column.values for name, column in columns.items()})


def _maker(variable: Variable, graph: ReadableGraph) -> Any:
    kind = variable.sql.kind
    if kind in ("NODE", "RELATIONSHIP"):
        make = Node if kind == "NODE" else Relationship
        return lambda value: None if value is None else make(graph, value)
    if kind in ("NODE[]", "RELATIONSHIP[]"):
        one = Node if kind == "NODE[]" else Relationship
        return lambda value: None if value is None else [one(graph, item) for item in value]
    if variable.sql.zero:
        return lambda value: 0 if value is None else value
    return None
