"""Guess the mistake of a query without results: a reversed direction, a property of another label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hin.cypher.folder.layout import Layout, NodeTable
from hin.cypher.meaning.walk import parts_of
from hin.cypher.syntax import tree
from hin.cypher.values.elements import fits


def notes_on(query: tree.Query, layout: Layout) -> tuple[str, ...]:
    """Return one line for each probable mistake."""
    paths = [part for part in parts_of(query) if isinstance(part, tree.PathPattern)]
    labels = {
        node.variable: node.labels for path in paths for node in path.nodes if node.variable and node.labels is not None
    }
    found = [note for path in paths for note in _on_steps(path, labels, layout)]
    asked = [part for part in parts_of(query) if isinstance(part, tree.Property)]
    found += [note for part in asked for note in _on_property(part, labels, layout)]
    return tuple(dict.fromkeys(found))


def _tables(node: tree.NodePattern, labels: dict[str, Any], layout: Layout) -> list[NodeTable]:
    wanted = node.labels if node.labels is not None else labels.get(node.variable or "")
    return [table for table in layout.nodes if fits(wanted, (table.label,))]


def _on_steps(path: tree.PathPattern, labels: dict[str, Any], layout: Layout) -> Iterator[str]:
    for i, step in enumerate(path.relationships):
        if step.types is None and step.variable in layout.types():
            yield f"`{step.variable}` is a variable here; a relationship of that type is -[:{step.variable}]-"
        one, other = (_tables(node, labels, layout) for node in path.nodes[i : i + 2])
        if step.direction == 0 or step.length is not None or step.types is None:
            continue
        start, end = (one, other) if step.direction > 0 else (other, one)
        ways = [table for table in layout.relationships if fits(step.types, (table.type,))]
        along = [table for table in ways if table.source in start and table.target in end]
        against = [table for table in ways if table.source in end and table.target in start]
        if along or not ways:
            continue
        if against:
            table = against[0]
            yield f"{table.type} leads from {table.source.label} to {table.target.label}: reverse its arrow"
        elif start and end:
            wanted = " to ".join(" or ".join(table.label for table in tables[:3]) for tables in (start, end))
            there = ", ".join(f"{table.type} from {table.source.label} to {table.target.label}" for table in ways[:5])
            yield f"no such relationship leads from {wanted}; there is {there}"


def _on_property(part: tree.Property, labels: dict[str, Any], layout: Layout) -> Iterator[str]:
    if not isinstance(part.base, tree.Variable) or part.base.name not in labels:
        return
    tables = [table for table in layout.nodes if fits(labels[part.base.name], (table.label,))]
    if tables and all(part.key not in table.names() for table in tables):
        has = ", ".join(sorted({name for table in tables for name in table.names()}))
        where = " or ".join(table.label for table in tables[:3])
        yield f"no {where} has a property `{part.key}`; there are {has}"
