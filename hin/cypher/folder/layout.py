"""Labels and relationship types of a graph with their columns, each built on first access.

Nodes are numbered consecutively, label after label, and so are relationships: one integer identifies each. A graph is
laid out by adding labels, then types (`hin.stores.layout` does so for a folder).
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from hin.arrays.types import Int64
from hin.cypher.folder.column import Column

T = TypeVar("T", bound="_Table")


class _Table:
    """The common base of labels and types."""

    def __init__(
        self, first: int, count: int, columns: Mapping[str, Column], doubtful: Mapping[str, Any] | None = None
    ) -> None:
        self.first = first
        self.count = count
        #: Its position among the tables of its kind; part of its name in SQL.
        self.index = 0
        #: The names of its columns in SQL, by property or by the expression they are derived from.
        self.aliases: dict[Any, str] = {}
        self._columns = dict(columns)
        #: Columns that may turn out not to exist when they are built.
        self._doubtful: dict[str, Callable[[], Column | None]] = dict(doubtful or {})

    def column(self, name: str) -> Column | None:
        """Return the column of a property, or None."""
        if name in self._doubtful:
            found = self._doubtful.pop(name)()
            if found is not None:
                self._columns[name] = found
        return self._columns.get(name)

    def columns(self) -> dict[str, Column]:
        """Return all properties, in the order in which they were added."""
        for name in list(self._doubtful):
            self.column(name)
        return self._columns

    def names(self) -> list[str]:
        """Return the names of all properties, in alphabetical order."""
        return sorted(self.columns())

    def row(self, index: int) -> dict[str, Any]:
        """Return all properties of one row that have a value."""
        found = {name: self._columns[name].get(index) for name in self.names()}
        return {name: value for name, value in found.items() if value is not None}


class NodeTable(_Table):
    """The nodes of one label: numbers `first` to `first + count`."""

    def __init__(self, label: str, first: int, count: int, columns: Mapping[str, Column]) -> None:
        super().__init__(first, count, columns)
        self.label = label


class RelationshipTable(_Table):
    """The relationships of one type between two labels, ordered by source."""

    def __init__(
        self,
        type: str,
        between: tuple[NodeTable, NodeTable],
        first: int,
        count: int,
        ends: Callable[[], tuple[Any, Any]],
        columns: Mapping[str, Column],
        doubtful: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(first, count, columns, doubtful)
        self.type = type
        self.source, self.target = between
        self._ends = ends

    @cached_property
    def ends(self) -> tuple[Int64, Int64]:
        """The sources and targets, as node numbers."""
        return self.make_ends()

    def make_ends(self, kind: type[np.signedinteger[Any]] = np.int64) -> tuple[Any, Any]:
        """Build the sources and targets anew."""
        sources, targets = self._ends()
        return np.add(sources, self.source.first, dtype=kind), np.add(targets, self.target.first, dtype=kind)

    @cached_property
    def starts(self) -> Int64:
        """The offsets of each source's relationships, which are in the order of their sources."""
        numbers = np.arange(self.source.first, self.source.first + self.source.count + 1)
        return np.searchsorted(self.ends[0], numbers)

    @cached_property
    def by_target(self) -> tuple[Int64, Int64]:
        """The offsets of each target's relationships, and their numbers in the order of their targets."""
        order = np.argsort(self.ends[1], kind="stable")
        numbers = np.arange(self.target.first, self.target.first + self.target.count + 1)
        return np.searchsorted(self.ends[1][order], numbers), order


class Layout:
    """All labels and relationship types of one graph.

    Examples
    --------
    >>> import numpy as np
    >>> layout = Layout()
    >>> author = layout.add_nodes("Author", 2, {"name": Column("STRING", lambda: np.array(["Ann", "Bo"]))})
    >>> layout.add_relationships("KNOWS", "Author", "Author", 1, lambda: (np.array([0]), np.array([1])), {})
    >>> layout.labels(), layout.types(), layout.nodes_of(1).row(1)
    (['Author'], ['KNOWS'], {'name': 'Bo'})
    """

    def __init__(self) -> None:
        self.nodes: list[NodeTable] = []
        self.relationships: list[RelationshipTable] = []

    def add_nodes(self, label: str, count: int, columns: Mapping[str, Column]) -> NodeTable:
        """Append a label."""
        first = self.nodes[-1].first + self.nodes[-1].count if self.nodes else 0
        self.nodes.append(NodeTable(label, first, count, columns))
        self.nodes[-1].index = len(self.nodes)
        return self.nodes[-1]

    def add_relationships(
        self,
        type: str,
        source: str,
        target: str,
        count: int,
        ends: Callable[[], tuple[Any, Any]],
        columns: Mapping[str, Column],
        doubtful: Mapping[str, Any] | None = None,
    ) -> None:
        """Append a type between two labels."""
        last = self.relationships[-1] if self.relationships else None
        first = 0 if last is None else last.first + last.count
        between = self.node_table(source), self.node_table(target)
        self.relationships.append(RelationshipTable(type, between, first, count, ends, columns, doubtful))
        self.relationships[-1].index = len(self.relationships)

    def node_table(self, label: str) -> NodeTable:
        """Return the table of a label."""
        return next(table for table in self.nodes if table.label == label)

    def nodes_of(self, node: int) -> NodeTable:
        """Return the table that a node is in."""
        return self._at(self.nodes, node)

    def relationships_of(self, relationship: int) -> RelationshipTable:
        """Return the table that a relationship is in."""
        return self._at(self.relationships, relationship)

    def _at(self, tables: list[T], number: int) -> T:
        at = bisect.bisect_right(tables, number, key=lambda table: table.first) - 1
        while tables[at].count == 0:  # an empty table starts at the same number as the next one
            at -= 1
        return tables[at]

    def labels(self) -> list[str]:
        """Return all labels."""
        return sorted(table.label for table in self.nodes)

    def types(self) -> list[str]:
        """Return all relationship types."""
        return sorted({table.type for table in self.relationships})

    def properties(self) -> set[str]:
        """Return all names of properties that exist or may exist."""
        return {name for table in self._all() for name in (*table._columns, *table._doubtful)}

    def _all(self) -> Iterator[_Table]:
        yield from self.nodes
        yield from self.relationships
