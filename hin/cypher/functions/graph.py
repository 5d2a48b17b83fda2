"""Functions of nodes, relationships and paths."""

from __future__ import annotations

from typing import Any

from hin.cypher.errors import CypherValueError
from hin.cypher.functions.registry import (
    ANY,
    BOOLEAN,
    INTEGER,
    MAP,
    NODE,
    PATH,
    RELATIONSHIP,
    STRING,
    function,
    list_of,
)  # fmt: skip
from hin.cypher.sql_terms import NotPushed, Sql
from hin.cypher.values.elements import Node

_ELEMENT = NODE | RELATIONSHIP

function("labels", NODE >> list_of(STRING))(lambda node: list(node.labels))
function("type", RELATIONSHIP >> STRING)(lambda relationship: relationship.type)
function("startNode", RELATIONSHIP >> NODE)(lambda relationship: relationship.start)
function("endNode", RELATIONSHIP >> NODE)(lambda relationship: relationship.end)
function("nodes", PATH >> list_of(NODE))(lambda path: list(path.nodes))
function("relationships rels", PATH >> list_of(RELATIONSHIP))(lambda path: list(path.relationships))
_LENGTH = "size() gives the length of a string or list"
function("length", PATH >> INTEGER, hint=_LENGTH)(lambda path: len(path.relationships))


@function("keys", (_ELEMENT | MAP) >> list_of(STRING))
def keys(value: Any) -> list[str]:
    """Return the names of the properties."""
    return list(value) if isinstance(value, dict) else sorted(value.properties())


@function("properties", (_ELEMENT | MAP) >> MAP)
def properties(value: Any) -> dict[str, Any]:
    """Return the properties as a map."""
    found: dict[str, Any] = value if isinstance(value, dict) else value.properties()
    return found


def _identity(element: Sql) -> Sql:
    if element.kind not in ("NODE", "RELATIONSHIP"):
        raise NotPushed
    return Sql(f"CAST({element.text} AS BIGINT)", "INTEGER")


@function("id", _ELEMENT >> INTEGER, sql=_identity)
def identity(element: Any) -> int:
    """Return the number of a node or relationship in the folder; Neo4j has numbers of its own."""
    return int(element.id)


@function("elementId", _ELEMENT >> STRING)
def element_id(element: Any) -> str:
    """Return the number of a node or relationship as Neo4j writes it: 4 for nodes, 5 for relationships."""
    return f"{4 if isinstance(element, Node) else 5}:hin:{element.id}"


@function("exists", ANY >> BOOLEAN, strict=False)
def exists(_: Any) -> bool:
    """Raise: Neo4j 5 has no such function any more."""
    raise CypherValueError("exists() is no function any more", hint="write EXISTS { ... }, or x IS NOT NULL")
