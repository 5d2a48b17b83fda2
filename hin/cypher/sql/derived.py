"""Columns that the interpreter computes for all nodes of a label, where SQL cannot."""

from __future__ import annotations

from functools import partial
from typing import Any

from hin.cypher.folder.column import Column
from hin.cypher.folder.layout import NodeTable
from hin.cypher.run.clauses import Runner
from hin.cypher.sql_terms import NotPushed, kind_of_value
from hin.cypher.syntax import tree
from hin.cypher.values.elements import Node

#: Not done for more nodes than this: the rows may use few of them.
MOST = 50_000


def derived_columns(
    runner: Runner, expression: tree.Expression, name: str, tables: tuple[NodeTable, ...]
) -> tuple[dict[NodeTable, Column], str]:
    """Return the value of an expression for every node of some labels, and the one kind they all have."""
    import pyarrow as pa

    if sum(table.count for table in tables) > MOST:
        raise NotPushed
    make = runner.make(expression)
    graph = runner.context.graph
    values: dict[NodeTable, list[Any]] = {}
    kinds = set()
    for table in tables:
        found = []
        for number in range(table.first, table.first + table.count):
            runner.context.budget.spend()
            value = make({name: Node(graph, number)})
            kinds.add(kind_of_value(value))
            found.append(value)
        values[table] = found
    kinds.discard("NULL")
    if len(kinds) != 1 or "[]" in str(kinds):
        raise NotPushed
    kind = kinds.pop()
    types = {"INTEGER": pa.int64(), "FLOAT": pa.float64(), "STRING": pa.large_string(), "BOOLEAN": pa.bool_()}
    if kind not in types:
        raise NotPushed
    made = {table: pa.array(found, types[kind]) for table, found in values.items()}
    return {table: Column(kind, partial(_same, array)) for table, array in made.items()}, kind


def _same(array: Any) -> Any:
    return array
