"""DuckDB in a sandbox: registered tables only, no files, no network, bounded memory and time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.cypher.errors import QueryTooLarge
from hin.cypher.folder.column import Column
from hin.cypher.folder.layout import NodeTable, RelationshipTable
from hin.cypher.run.budget import Budget
from hin.cypher.sql.alarm import Alarm
from hin.cypher.sql.compiler import Statement
from hin.cypher.sql.cursors import Cursors
from hin.cypher.sql_terms import NotPushed, SqlVariable
from hin.cypher.values.elements import Node, ReadableGraph, Relationship
from hin.errors import QueryTimeout

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_BATCH = 2000
_ALARM = Alarm()


def connect(megabytes: int) -> duckdb.DuckDBPyConnection:
    """Open an in-memory database without access to files or the network.

    Examples
    --------
    >>> connect(100).execute("SELECT 1").fetchall()
    [(1,)]
    """
    import duckdb
    import pyarrow  # noqa: F401 - loaded before the memory of a query is counted

    settings: dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": "",
        "python_enable_replacements": False,
        "threads": 2,
    }
    if megabytes:
        settings["memory_limit"] = f"{max(1, megabytes * 3 // 4)}MB"  # the rest is for the rows in Python
    connection = duckdb.connect(":memory:", config=settings)
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


class DuckTables:
    """The tables of one graph in DuckDB, each copied when a query first needs it, then cached.

    DuckDB knows how large tables of its own are, and joins the small ones first.
    """

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        self.connection = connect(megabytes)
        self.cursors = Cursors(self.connection)
        self._columns: dict[str, dict[str, Column]] = {}
        self._lock = threading.Lock()

    def renew(self) -> None:
        """Begin again with an empty database."""
        with self._lock:
            self.connection = connect(self.megabytes)
            self.cursors = Cursors(self.connection)
            self._columns = {}

    def load(self, statement: Statement, budget: Budget) -> None:
        """Copy the tables that a statement needs into the database."""
        with self._lock:
            for table, (name, columns) in statement.tables.items():
                there = self._columns.get(name)
                if there is not None and columns.keys() <= there.keys():
                    continue
                budget.check()
                wanted = {**(there or {}), **columns}
                registered = f"given_{name}"
                self.connection.register(registered, _arrow(table, wanted))
                self.connection.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM {registered}")
                self.connection.unregister(registered)
                self._columns[name] = wanted
                budget.check()


def run(statement: Statement, graph: ReadableGraph, database: DuckTables, budget: Budget) -> Iterator[dict[str, Any]]:
    """Run a statement and yield its rows by variable; raise `NotPushed`, before any row, if SQL cannot hold a value."""
    import duckdb

    names = list(statement.columns)
    makers = [_maker(variable, graph) for variable in statement.columns.values()]
    try:
        database.load(statement, budget)
        for rows in _batches(statement, database, budget):
            budget.check()
            for row in rows:
                values = zip(names, makers, row, strict=False)
                yield {name: value if make is None else make(value) for name, make, value in values}
    except (duckdb.OutOfRangeException, duckdb.ConversionException):
        raise NotPushed from None  # the interpreter finds the value at fault, or that there is none
    except duckdb.InterruptException:
        hint = "give it more with `timeout=SECONDS`, or ask for less"
        raise QueryTimeout("the query ran out of time", hint=hint) from None
    except duckdb.OutOfMemoryException:
        raise QueryTooLarge("the query needs too much memory") from None
    except duckdb.Error as error:  # a bug of the compiler: the interpreter computes the rows
        logging.getLogger(__name__).debug("not run as SQL: %s\n%s", error, statement.text)
        database.renew()  # after an internal error, DuckDB refuses all queries
        raise NotPushed from None


def _batches(statement: Statement, database: DuckTables, budget: Budget) -> Iterator[list[tuple[Any, ...]]]:
    with database.cursors.lent() as cursor:
        head = statement.head
        for bound in head.bounds() if head is not None else ():
            assert head is not None
            few = replace(statement, text=head.text, parameters={**statement.parameters, head.parameter: bound})
            with _ALARM.after(budget.remaining(), cursor.duck.interrupt):
                cursor.run(few)
            rows = cursor.duck.fetchall()
            if len(rows) == head.rows:
                yield rows
                return
        with _ALARM.after(budget.remaining(), cursor.duck.interrupt):
            cursor.run(statement)
        while rows := cursor.duck.fetchmany(_BATCH):
            yield rows


def _arrow(table: NodeTable | RelationshipTable, columns: dict[str, Column]) -> pa.Table:
    import pyarrow as pa

    made: dict[str, Any] = {}
    small = np.int32 if table.first + table.count < 2**31 else np.int64
    numbers = np.arange(table.first, table.first + table.count, dtype=small)
    if isinstance(table, NodeTable):
        made["g"] = numbers
    else:
        last = max(end.first + end.count for end in (table.source, table.target))
        sources, targets = table.make_ends(np.int32 if last < 2**31 else np.int64)
        made |= {"rid": numbers, "s": sources, "t": targets}
    return pa.table(made | {name: column.values for name, column in columns.items()})


def _maker(variable: SqlVariable, graph: ReadableGraph) -> Any:
    kind = variable.sql.kind
    if kind in ("NODE", "RELATIONSHIP"):
        make = Node if kind == "NODE" else Relationship
        return lambda value: None if value is None else make(graph, value)
    if kind in ("NODE[]", "RELATIONSHIP[]"):
        one = Node if kind == "NODE[]" else Relationship
        return lambda value: None if value is None else [one(graph, item) for item in value]
    if variable.sql.finish is not None:
        return variable.sql.finish
    if variable.sql.zero:
        return lambda value: 0 if value is None else value
    return None
