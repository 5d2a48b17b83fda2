"""Infer the possible labels and relationship tables of a pattern: every node narrows its neighbours, to a fixpoint."""

from __future__ import annotations

from dataclasses import dataclass, field

from hin.cypher.folder.layout import Layout, NodeTable, RelationshipTable
from hin.cypher.sql.block import Block
from hin.cypher.sql_terms import NotPushed
from hin.cypher.syntax import tree
from hin.cypher.values.elements import fits

Way = tuple[RelationshipTable, bool]


@dataclass
class PatternStep:
    """A relationship of a pattern: the keys of its two nodes, and the ways it can go."""

    pattern: tree.RelationshipPattern
    start: str
    end: str
    ways: list[Way]


@dataclass
class Shape:
    """The patterns of one MATCH: nodes by key (their name, or a made-up one), and steps between them."""

    nodes: dict[str, list[NodeTable]] = field(default_factory=dict)
    patterns: dict[str, list[tree.NodePattern]] = field(default_factory=dict)
    steps: list[PatternStep] = field(default_factory=list)
    #: (property, value) that a node must have, by key; values that are the same for every row.
    asked: dict[str, list[tuple[str, tree.Expression]]] = field(default_factory=dict)

    def components(self) -> dict[str, str]:
        """Return for each variable a node of the connected pattern that it is in, the same for all of them."""
        roots = {key: key for key in self.nodes}
        for step in self.steps:
            one, other = roots[step.start], roots[step.end]
            roots = {key: one if root == other else root for key, root in roots.items()}
        for step in self.steps:
            if step.pattern.variable is not None:
                roots[step.pattern.variable] = roots[step.start]
        return roots


def infer(layout: Layout, paths: tuple[tree.PathPattern, ...], block: Block) -> Shape:
    """Resolve patterns against the graph's tables."""
    shape = Shape()
    for path in paths:
        if path.variable is not None or path.shortest is not None:
            raise NotPushed
        keys = []
        for node in path.nodes:
            key = node.variable or " " + block.tables.fresh("x")
            if key not in shape.nodes:
                shape.nodes[key] = _candidates(layout, key, block)
                shape.patterns[key] = []
            shape.nodes[key] = [table for table in shape.nodes[key] if fits(node.labels, (table.label,))]
            shape.patterns[key].append(node)
            keys.append(key)
        for i, pattern in enumerate(path.relationships):
            shape.steps.append(PatternStep(pattern, keys[i], keys[i + 1], _ways(layout, pattern)))
    _narrow(shape)
    return shape


def _candidates(layout: Layout, key: str, block: Block) -> list[NodeTable]:
    if key in block.variables:
        variable = block.variables[key]
        if variable.sql.kind != "NODE":
            raise NotPushed
        return list(variable.nodes)
    return list(layout.nodes)


def _ways(layout: Layout, pattern: tree.RelationshipPattern) -> list[Way]:
    tables = [table for table in layout.relationships if fits(pattern.types, (table.type,))]
    forward = [(table, True) for table in tables] if pattern.direction >= 0 else []
    return forward + ([(table, False) for table in tables] if pattern.direction <= 0 else [])


def ends_of(way: Way) -> tuple[NodeTable, NodeTable]:
    """Return the labels that a way leads from and to."""
    table, forward = way
    return (table.source, table.target) if forward else (table.target, table.source)


def _narrow(shape: Shape) -> None:
    changed = True
    while changed:
        changed = False
        for step in shape.steps:
            starts, ends = shape.nodes[step.start], shape.nodes[step.end]
            if step.pattern.length is None:
                kept = [way for way in step.ways if ends_of(way)[0] in starts and ends_of(way)[1] in ends]
                changed |= len(kept) < len(step.ways)
                step.ways = kept
            first = {ends_of(way)[0] for way in step.ways}
            last = {ends_of(way)[1] for way in step.ways}
            if step.pattern.length is not None and step.pattern.length[0] == 0:
                continue  # a path without steps joins a node of any label to itself
            for key, allowed in ((step.start, first), (step.end, last)):
                kept_nodes = [table for table in shape.nodes[key] if table in allowed]
                changed |= len(kept_nodes) < len(shape.nodes[key])
                shape.nodes[key] = kept_nodes
