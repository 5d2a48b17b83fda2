"""Nodes, relationships and paths as values, and the interface of a graph that can be queried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from hin.cypher.syntax.tree import LabelExpression


class ReadableGraph(Protocol):
    """A graph that queries can read: nodes and relationships are numbered from 0."""

    def nodes(self, labels: LabelExpression | None) -> Iterable[int]:
        """Return the nodes whose labels fit, in order."""
        ...

    def labels(self, node: int) -> tuple[str, ...]:
        """Return the labels of a node."""
        ...

    def property(self, node: int, key: str) -> Any:
        """Return a property of a node, or None."""
        ...

    def properties(self, node: int) -> dict[str, Any]:
        """Return all properties of a node that have a value."""
        ...

    def type(self, relationship: int) -> str:
        """Return the type of a relationship."""
        ...

    def ends(self, relationship: int) -> tuple[int, int]:
        """Source and target."""
        ...

    def relationship_property(self, relationship: int, key: str) -> Any:
        """Return a property of a relationship, or None."""
        ...

    def relationship_properties(self, relationship: int) -> dict[str, Any]:
        """Return all properties of a relationship that have a value."""
        ...

    def expand(self, node: int, types: LabelExpression | None, direction: int) -> Iterator[tuple[int, int]]:
        """(relationship, node at its other end) of each relationship that fits; a loop comes once."""
        ...


def fits(labels: LabelExpression | None, has: Iterable[str]) -> bool:
    """Check whether labels (or one type) match a label expression.

    Examples
    --------
    >>> fits(("|", "A", ("&", "B", ("!", "C"))), ["B"]), fits(("%",), []), fits(None, [])
    (True, False, True)
    """
    if labels is None:
        return True
    if isinstance(labels, str):
        return labels in has
    operator, *parts = labels
    if operator == "!":
        return not fits(parts[0], has)
    if operator == "%":
        return bool(has)
    return (all if operator == "&" else any)(fits(part, has) for part in parts)


@dataclass(slots=True, unsafe_hash=True, repr=False)
class Node:
    """A node of a graph; equal to itself only."""

    graph: ReadableGraph = field(compare=False)
    id: int

    @property
    def labels(self) -> tuple[str, ...]:
        """Its labels."""
        return self.graph.labels(self.id)

    def get(self, key: str) -> Any:
        """Return a property, or None."""
        return self.graph.property(self.id, key)

    def properties(self) -> dict[str, Any]:
        """Return all properties."""
        return self.graph.properties(self.id)


@dataclass(slots=True, unsafe_hash=True, repr=False)
class Relationship:
    """A relationship of a graph; equal to itself only."""

    graph: ReadableGraph = field(compare=False)
    id: int

    @property
    def type(self) -> str:
        """Its type."""
        return self.graph.type(self.id)

    @property
    def start(self) -> Node:
        """The node it starts from."""
        return Node(self.graph, self.graph.ends(self.id)[0])

    @property
    def end(self) -> Node:
        """The node it ends in."""
        return Node(self.graph, self.graph.ends(self.id)[1])

    def get(self, key: str) -> Any:
        """Return a property, or None."""
        return self.graph.relationship_property(self.id, key)

    def properties(self) -> dict[str, Any]:
        """Return all properties."""
        return self.graph.relationship_properties(self.id)


@dataclass(slots=True, unsafe_hash=True, repr=False)
class Path:
    """Nodes joined by relationships, in the order they were walked."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]
