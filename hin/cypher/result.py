"""The result of a query: rows, also as Arrow, pandas, polars, or a graph of the returned nodes."""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx
    import pyarrow as pa


@dataclass
class Subgraph:
    """The nodes and relationships in the rows, each once.

    Attributes
    ----------
    nodes : dict
        By identity: (labels, properties).
    relationships : dict
        By identity: (type, identity of the source, identity of the target, properties).
    """

    nodes: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = field(default_factory=dict)
    relationships: dict[str, tuple[str, str, str, dict[str, Any]]] = field(default_factory=dict)

    def add_node(self, node: Any) -> str:
        """Add a node of a folder or of the driver."""
        name = _identity(node)
        if name not in self.nodes:
            self.nodes[name] = (tuple(node.labels), plain(node))
        return name

    def add_relationship(self, relationship: Any) -> None:
        """Add a relationship and its two nodes."""
        name = _identity(relationship)
        if name not in self.relationships:
            ends = (relationship.start, relationship.end) if hasattr(relationship, "end") else relationship.nodes
            source, target = (self.add_node(node) for node in ends)
            self.relationships[name] = (relationship.type, source, target, plain(relationship))

    def add(self, value: Any, spend: Callable[[], None] = lambda: None) -> None:
        """Add all nodes and relationships inside a value."""
        spend()
        if isinstance(value, (list, tuple, dict)):
            for item in value.values() if isinstance(value, dict) else value:
                self.add(item, spend)
        elif hasattr(value, "relationships") and hasattr(value, "nodes"):
            for node in value.nodes:
                self.add_node(node)
            for relationship in value.relationships:
                self.add_relationship(relationship)
        elif hasattr(value, "labels"):
            self.add_node(value)
        elif hasattr(value, "type") and not isinstance(value, type):
            self.add_relationship(value)


@dataclass(frozen=True)
class QueryResult:
    """Rows under the names of their columns; `cut` when there were more than the limit.

    `notes` are the server's remarks, such as on a label that no node has; `graph` holds the nodes and relationships
    that were returned.

    Examples
    --------
    >>> found = QueryResult(("n", "l"), [(1, [1, 2])])
    >>> found.records()
    [{'n': 1, 'l': [1, 2]}]
    >>> found.arrow().column("l").to_pylist()
    [[1, 2]]
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    cut: bool = False
    notes: tuple[str, ...] = ()
    graph: Subgraph = field(default_factory=Subgraph, compare=False)
    #: The rows with nodes, relationships, paths, NaN and Infinity as they are, for tables.
    values: list[Sequence[Any]] = field(default_factory=list, compare=False, repr=False)

    def records(self) -> list[dict[str, Any]]:
        """Return each row as a dictionary by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def arrow(self) -> pa.Table:
        """Convert to an Arrow table; a column of several types, or of maps that differ, becomes JSON."""
        import pyarrow as pa

        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        return pa.table([_array(list(column)) for column in columns], names=list(self.columns))

    def pandas(self) -> Any:
        """Convert to a pandas DataFrame (pandas must be installed)."""
        return self.arrow().to_pandas()

    def polars(self) -> Any:
        """Convert to a polars DataFrame (polars must be installed)."""
        return importlib.import_module("polars").from_arrow(self.arrow())

    def networkx(self) -> networkx.MultiDiGraph:
        """Convert the nodes and relationships in the rows to a networkx graph."""
        import networkx

        made = networkx.MultiDiGraph()
        for name, (labels, properties) in self.graph.nodes.items():
            made.add_node(name, labels=list(labels), **_apart(properties, "labels"))
        for name, (kind, source, target, properties) in self.graph.relationships.items():
            made.add_edge(source, target, key=name, type=kind, **_apart(properties, "type"))
        return made


def _identity(thing: Any) -> str:
    """Return the identity of a node or relationship; the driver warns if its own `id` is used."""
    return str(thing.element_id if hasattr(thing, "element_id") else getattr(thing, "id", ""))


def _apart(properties: dict[str, Any], own: str) -> dict[str, Any]:
    """Rename the properties whose names collide with the attribute that the graph itself uses."""
    return {f"{key}_" if key == own else key: value for key, value in properties.items()}


def _array(values: list[Any]) -> pa.Array:
    import pyarrow as pa

    kinds = {type(value) for value in values} - {type(None)}
    try:
        if not kinds & {dict} and (len(kinds) <= 1 or kinds == {int, float}):
            return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        pass
    return pa.array([None if value is None else json.dumps(value, ensure_ascii=False) for value in values], pa.string())


def collected(
    columns: tuple[str, ...], rows: Iterable[Sequence[Any]], limit: int, spend: Callable[[], None] = lambda: None
) -> QueryResult:
    """Return rows up to a limit, as plain values; 0 for all. `spend` is called for each value and may raise."""
    kept: list[tuple[Any, ...]] = []
    values: list[Sequence[Any]] = []
    graph = Subgraph()
    for row in rows:
        if limit and len(kept) == limit:
            return QueryResult(columns, kept, cut=True, graph=graph, values=values)
        graph.add(tuple(row), spend)
        kept.append(tuple(plain(value, spend) for value in row))
        values.append(row)
    return QueryResult(columns, kept, graph=graph, values=values)


def plain(value: Any, spend: Callable[[], None] = lambda: None) -> Any:
    """Convert a value to JSON's types: a node or relationship becomes its properties, a path its nodes.

    >>> plain([1, float("nan"), {"a": (1, 2)}])
    [1, None, {'a': [1, 2]}]
    """
    spend()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {k: plain(v, spend) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, spend) for item in value]
    if value is None or isinstance(value, (str, int, bool)):
        return value
    if hasattr(value, "nodes") and hasattr(value, "relationships"):  # a path
        return [plain(node, spend) for node in value.nodes]
    if hasattr(value, "properties"):  # the folder's nodes and relationships
        return {k: plain(v, spend) for k, v in sorted(value.properties().items())}
    if hasattr(value, "items"):  # the driver's nodes and relationships
        return {k: plain(v, spend) for k, v in sorted(value.items())}
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
