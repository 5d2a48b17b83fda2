"""Types of Cypher expressions, and what the embedded view knows about its labels and relationships.

Neo4j compares any two values; the embedded engine silently converts one to the other's type first (`1 = '1'` is true
there). So every expression is typed before it is handed over, and what mixes types is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hin.errors import BadUsage

__all__ = ["BOOL", "FLOAT", "INT", "NODE", "NULL", "REL", "STRING", "CypherDiffers", "Type", "ViewSchema", "list_of"]


class CypherDiffers(BadUsage):
    """A query that the embedded engine would answer differently from Neo4j, or not at all."""


@dataclass(frozen=True)
class Type:
    """The type of an expression; `item` is that of a list's elements.

    Examples
    --------
    >>> list_of(INT).name, INT.numeric
    ('list of integers', True)
    """

    kind: str
    item: Type | None = None

    @property
    def numeric(self) -> bool:
        """Whether it is a number."""
        return self.kind in ("INT", "FLOAT")

    @property
    def name(self) -> str:
        """As it is called in messages."""
        names = {"INT": "integer", "FLOAT": "float", "STRING": "string", "BOOL": "boolean", "REL": "relationship"}
        if self.kind == "LIST":
            return f"list of {self.item.name}s" if self.item else "list"
        return names.get(self.kind, self.kind.lower())

    @property
    def engine(self) -> str:
        """The embedded engine's name for it."""
        if self.kind == "LIST":
            return f"{self.item.engine if self.item else 'STRING'}[]"
        return {"INT": "INT64", "FLOAT": "DOUBLE"}.get(self.kind, self.kind)


INT, FLOAT, STRING, BOOL = Type("INT"), Type("FLOAT"), Type("STRING"), Type("BOOL")
NODE, REL, NULL = Type("NODE"), Type("REL"), Type("NULL")


def list_of(item: Type | None) -> Type:
    """The type of a list; None for an empty one.

    >>> list_of(STRING).engine
    'STRING[]'
    """
    return Type("LIST", item)


@dataclass(frozen=True)
class ViewSchema:
    """The labels, relationships and properties that a view has.

    Attributes
    ----------
    nodes, relationships : mapping
        Label, or relationship type, to its properties and their types.
    pairs : mapping
        Relationship type to the (source, target) labels that it joins.
    loops, parallel : frozenset of str
        The relationship types in which some node is joined to itself, or two nodes are joined twice.
    """

    nodes: Mapping[str, Mapping[str, Type]]
    relationships: Mapping[str, Mapping[str, Type]]
    pairs: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    loops: frozenset[str] = field(default_factory=frozenset)
    parallel: frozenset[str] = field(default_factory=frozenset)

    def ends(self, kind: str) -> tuple[tuple[str, str], ...]:
        """The labels that a relationship type joins."""
        return self.pairs[kind]
