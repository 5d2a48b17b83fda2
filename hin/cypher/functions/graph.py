"""Functions of nodes, relationships and paths."""

from __future__ import annotations

from typing import Any

from hin.cypher.errors import CypherRefused, CypherValueError
from hin.cypher.functions.registry import Functions
from hin.cypher.values.arithmetic import type_name
from hin.cypher.values.elements import Node, Path, Relationship

__all__ = ["GRAPH"]

GRAPH = Functions()


def _wrong(function: str, wanted: str, value: Any) -> CypherValueError:
    return CypherValueError(f"{function}() needs {wanted}, not {type_name(value)}", hint="give it one")


@GRAPH.add("labels", 1)
def labels(node: Any) -> list[str]:
    """Return the labels of a node."""
    if isinstance(node, Node):
        return list(node.labels)
    raise _wrong("labels", "a node", node)


@GRAPH.add("type", 1)
def type_(relationship: Any) -> str:
    """Return the type of a relationship."""
    if isinstance(relationship, Relationship):
        return relationship.type
    raise _wrong("type", "a relationship", relationship)


@GRAPH.add("keys", 1)
def keys(value: Any) -> list[str]:
    """Return the names of the properties."""
    if isinstance(value, (Node, Relationship)):
        return sorted(value.properties())
    if isinstance(value, dict):
        return list(value)
    raise _wrong("keys", "a node, relationship or map", value)


@GRAPH.add("properties", 1)
def properties(value: Any) -> dict[str, Any]:
    """Return the properties as a map."""
    if isinstance(value, (Node, Relationship)):
        return value.properties()
    if isinstance(value, dict):
        return value
    raise _wrong("properties", "a node, relationship or map", value)


@GRAPH.add("startnode", 1)
def start_node(relationship: Any) -> Node:
    """Return where a relationship starts."""
    if isinstance(relationship, Relationship):
        return relationship.start
    raise _wrong("startNode", "a relationship", relationship)


@GRAPH.add("endnode", 1)
def end_node(relationship: Any) -> Node:
    """Return where a relationship ends."""
    if isinstance(relationship, Relationship):
        return relationship.end
    raise _wrong("endNode", "a relationship", relationship)


@GRAPH.add("nodes", 1)
def nodes(path: Any) -> list[Node]:
    """Return the nodes of a path."""
    if isinstance(path, Path):
        return list(path.nodes)
    raise _wrong("nodes", "a path", path)


@GRAPH.add("relationships rels", 1)
def relationships(path: Any) -> list[Relationship]:
    """Return the relationships of a path."""
    if isinstance(path, Path):
        return list(path.relationships)
    raise _wrong("relationships", "a path", path)


@GRAPH.add("length", 1)
def length(path: Any) -> int:
    """Return the number of relationships of a path."""
    if isinstance(path, Path):
        return len(path.relationships)
    raise _wrong("length", "a path", path)


@GRAPH.add("id elementid", 1)
def identity(_: Any) -> int:
    """Refused: Neo4j's own numbers are not kept in a folder."""
    raise CypherRefused("id() and elementId(): Neo4j's own numbers", hint="use the property `number`")


@GRAPH.add("exists", 1, strict=False)
def exists(_: Any) -> bool:
    """Refused: Neo4j 5 has no such function any more."""
    raise CypherValueError("exists() is no function any more", hint="write EXISTS { ... }, or x IS NOT NULL")
