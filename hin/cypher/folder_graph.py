"""`FolderGraph`: a folder's layout as a graph that the row-by-row runner reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hin.cypher.folder.layout import Layout, RelationshipTable
from hin.cypher.meaning.known import KnownNames
from hin.cypher.meaning.notes import notes_on
from hin.cypher.syntax.tree import LabelExpression
from hin.cypher.values.elements import fits

if TYPE_CHECKING:
    from hin.cypher.engine import Prepared
    from hin.cypher.run.budget import Budget
    from hin.cypher.sql.duck import DuckTables

#: How many parsed queries are cached.
_KEPT = 50


class FolderGraph:
    """Nodes and relationships by number, over the columns of a layout.

    Examples
    --------
    >>> import numpy as np
    >>> from hin.cypher.folder.column import Column
    >>> layout = Layout()
    >>> _ = layout.add_nodes("Author", 2, {"name": Column("STRING", lambda: np.array(["Ann", "Bo"]))})
    >>> layout.add_relationships("KNOWS", "Author", "Author", 1, lambda: (np.array([0]), np.array([1])), {})
    >>> graph = FolderGraph(layout)
    >>> [graph.property(other, "name") for _, other in graph.expand(0, "KNOWS", 1)]
    ['Bo']
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._database: DuckTables | None = None
        self._prepared: dict[str, Prepared] = {}

    def database(self, megabytes: int, budget: Budget) -> DuckTables:
        """The graph's tables in DuckDB, within the memory limit of a query."""
        with budget.exclude_allocations():
            from hin.cypher.sql.duck import DuckTables

            if self._database is None or self._database.megabytes != megabytes:
                self._database = DuckTables(megabytes)
        return self._database

    def prepared(self, text: str, budget: Budget) -> Prepared:
        """Parse and check a query; the last ones are cached."""
        from hin.cypher.engine import prepare

        found = self._prepared.pop(text, None)
        if found is None:
            found = prepare(text, self.known(), budget)
            found = replace(found, notes=notes_on(found.query, self.layout))
        self._prepared[text] = found
        while len(self._prepared) > _KEPT:
            self._prepared.pop(next(iter(self._prepared)), None)
        return found

    def known(self) -> KnownNames:
        """Return the names that are in the graph."""
        layout = self.layout
        return KnownNames(tuple(layout.labels()), tuple(layout.types()), tuple(sorted(layout.properties())))

    def nodes(self, labels: LabelExpression | None) -> Iterator[int]:
        """Yield the nodes with a matching label."""
        for table in self.layout.nodes:
            if fits(labels, (table.label,)):
                yield from range(table.first, table.first + table.count)

    def having(self, labels: LabelExpression | None, key: str, value: Any) -> Iterator[int]:
        """Yield the nodes with a matching label whose property has a value, in order."""
        for table in self.layout.nodes:
            column = table.column(key) if fits(labels, (table.label,)) else None
            if column is not None and column.counts and type(value) is int and 0 <= value < table.count:
                yield table.first + value
            elif column is not None and not column.counts:
                yield from (table.first + row for row in column.rows.get(value, ()))

    def labels(self, node: int) -> tuple[str, ...]:
        """Return the label of a node."""
        return (self.layout.nodes_of(node).label,)

    def property(self, node: int, key: str) -> Any:
        """Return a property of a node."""
        table = self.layout.nodes_of(node)
        column = table.column(key)
        return None if column is None else column.get(node - table.first)

    def properties(self, node: int) -> dict[str, Any]:
        """Return all properties of a node."""
        table = self.layout.nodes_of(node)
        return table.row(node - table.first)

    def type(self, relationship: int) -> str:
        """Return the type of a relationship."""
        return self.layout.relationships_of(relationship).type

    def ends(self, relationship: int) -> tuple[int, int]:
        """Return the source and the target of a relationship."""
        table = self.layout.relationships_of(relationship)
        sources, targets = table.ends
        at = relationship - table.first
        return int(sources[at]), int(targets[at])

    def relationship_property(self, relationship: int, key: str) -> Any:
        """Return a property of a relationship."""
        table = self.layout.relationships_of(relationship)
        column = table.column(key)
        return None if column is None else column.get(relationship - table.first)

    def relationship_properties(self, relationship: int) -> dict[str, Any]:
        """Return all properties of a relationship."""
        table = self.layout.relationships_of(relationship)
        return table.row(relationship - table.first)

    def expand(self, node: int, types: LabelExpression | None, direction: int) -> Iterator[tuple[int, int]]:
        """Yield the relationships of a node and the nodes they lead to."""
        here = self.layout.nodes_of(node)
        for table in self.layout.relationships:
            if table.count == 0 or not fits(types, (table.type,)):
                continue
            if direction >= 0 and table.source is here:
                yield from self._outgoing(table, node)
            if direction <= 0 and table.target is here:
                yield from self._incoming(table, node, loops=direction < 0)

    def _outgoing(self, table: RelationshipTable, node: int) -> Iterator[tuple[int, int]]:
        starts = table.starts
        low, high = starts[node - table.source.first : node - table.source.first + 2].tolist()
        yield from zip(range(table.first + low, table.first + high), table.ends[1][low:high].tolist(), strict=True)

    def _incoming(self, table: RelationshipTable, node: int, *, loops: bool) -> Iterator[tuple[int, int]]:
        """Yield the incoming relationships; if the direction is open, without loops, which were yielded before."""
        starts, order = table.by_target
        low, high = starts[node - table.target.first : node - table.target.first + 2].tolist()
        numbers = order[low:high]
        for at, source in zip(numbers.tolist(), table.ends[0][numbers].tolist(), strict=True):
            if loops or source != node:
                yield table.first + at, source
