"""Procedures that describe a graph: `CALL db.labels()` and others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hin.cypher.errors import CypherRefused
from hin.cypher.folder.schema import schema_of
from hin.cypher.syntax.parser import PROCEDURES

Schema = dict[str, list[dict[str, Any]]]


def _keys(schema: Schema) -> list[str]:
    return sorted({name for rows in schema.values() for row in rows for name in row["properties"]})


def _picture(schema: Schema) -> Iterator[tuple[Any, ...]]:
    nodes = [{"name": row["label"], "indexes": [], "constraints": []} for row in schema["labels"]]
    steps = [{"name": row["type"], "from": row["from"], "to": row["to"]} for row in schema["relationships"]]
    yield nodes, steps


def _types(schema: Schema) -> list[tuple[str]]:
    return [(name,) for name in dict.fromkeys(row["type"] for row in schema["relationships"])]


_ROWS: dict[str, Callable[[Schema], Any]] = {
    "db.labels": lambda schema: [(row["label"],) for row in schema["labels"]],
    "db.relationshiptypes": _types,
    "db.propertykeys": lambda schema: [(name,) for name in _keys(schema)],
    "db.schema.visualization": _picture,
}


def procedure_rows(name: str, graph: Any) -> list[dict[str, Any]]:
    """Return the rows of a procedure by column."""
    layout = getattr(graph, "layout", None)
    if layout is None:
        raise CypherRefused(f"CALL {name} on this graph")
    return [dict(zip(PROCEDURES[name], row, strict=True)) for row in _ROWS[name](schema_of(layout))]
