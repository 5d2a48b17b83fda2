"""EXPLAIN and PROFILE on a folder: which clauses run in SQL, which row by row, and how long they take."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hin.cypher.engine import Prepared, compiled, push_down
from hin.cypher.result import QueryResult
from hin.cypher.run.budget import Budget
from hin.cypher.run.clauses import Runner
from hin.cypher.run.context import Context
from hin.cypher.sql.compiler import Statement
from hin.cypher.syntax import tree

if TYPE_CHECKING:
    from hin.cypher.folder_graph import FolderGraph

COLUMNS = ("step", "runs", "detail")


def explain(
    prepared: Prepared, graph: FolderGraph, parameters: Mapping[str, Any], budget: Budget, megabytes: int
) -> QueryResult:
    """Return the plan of a query, one step per row; PROFILE runs it as well and adds rows and seconds."""
    runner = Runner(Context(graph, parameters, budget))
    rows: list[tuple[Any, ...]] = []
    for number, clauses in enumerate(prepared.query.parts):
        start = time.perf_counter()
        statement = compiled(prepared, number, runner, graph)
        planned = time.perf_counter() - start
        pushed = 0 if statement is None else statement.clauses
        if number:
            rows.append(("UNION ALL" if prepared.query.keep_all else "UNION", "row by row", ""))
        for i, clause in enumerate(clauses):
            rows.append((_name(clause), "SQL" if i < pushed else "row by row", _detail(clause)))
        if statement is not None:
            rows.append(("statement", "SQL", statement.text.strip()))
            rows.append(("tables", "SQL", _tables(statement)))
        if prepared.query.mode == "PROFILE":
            rows.append(("planning", "", f"{planned:.4f} s"))
    if prepared.query.mode == "PROFILE":
        start = time.perf_counter()
        count = sum(1 for _ in push_down(prepared, graph, parameters, budget, 0, megabytes))
        rows.append(("run", "", f"{count} rows in {time.perf_counter() - start:.4f} s"))
    return QueryResult(COLUMNS, rows)


def _name(clause: tree.Clause) -> str:
    if isinstance(clause, tree.Match):
        return "OPTIONAL MATCH" if clause.optional else "MATCH"
    if isinstance(clause, tree.Projection):
        return "RETURN" if clause.final else "WITH"
    names = {"Unwind": "UNWIND", "CallQuery": "CALL", "CallProcedure": "CALL"}
    return names.get(type(clause).__name__, type(clause).__name__)


def _detail(clause: tree.Clause) -> str:
    if isinstance(clause, tree.Match):
        steps = sum(len(path.relationships) for path in clause.paths)
        return f"{len(clause.paths)} paths, {steps} relationships{', filter' if clause.test is not None else ''}"
    if isinstance(clause, tree.Projection):
        names = ", ".join(item.name for item in clause.items) or "*"
        return names + (", ordered" if clause.order else "") + (", distinct" if clause.distinct else "")
    return clause.variable if isinstance(clause, tree.Unwind) else ""


def _tables(statement: Statement) -> str:
    named = [
        f"{name} = {getattr(table, 'label', None) or getattr(table, 'type', '')}"
        for table, (name, _) in statement.tables.items()
    ]
    return ", ".join(named)
