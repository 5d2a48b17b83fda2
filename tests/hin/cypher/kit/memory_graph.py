"""A small graph in memory that CREATE fills: what the test kit's set-ups need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hin.cypher.errors import CypherRefused
from hin.cypher.run.clauses import Runner
from hin.cypher.run.context import Context, Row
from hin.cypher.syntax import tree
from hin.cypher.syntax.parser import parse
from hin.cypher.values.elements import Node, Relationship, fits


class MemoryGraph:
    """Nodes and relationships in lists."""

    def __init__(self) -> None:
        self._nodes: list[tuple[tuple[str, ...], dict[str, Any]]] = []
        self._relationships: list[tuple[str, int, int, dict[str, Any]]] = []
        self._around: list[list[tuple[int, int, int]]] = []

    def nodes(self, labels: tree.LabelExpression | None) -> Iterator[int]:
        return (i for i, (has, _) in enumerate(self._nodes) if fits(labels, has))

    def labels(self, node: int) -> tuple[str, ...]:
        return self._nodes[node][0]

    def property(self, node: int, key: str) -> Any:
        return self._nodes[node][1].get(key)

    def properties(self, node: int) -> dict[str, Any]:
        return dict(self._nodes[node][1])

    def type(self, relationship: int) -> str:
        return self._relationships[relationship][0]

    def ends(self, relationship: int) -> tuple[int, int]:
        return self._relationships[relationship][1:3]

    def relationship_property(self, relationship: int, key: str) -> Any:
        return self._relationships[relationship][3].get(key)

    def relationship_properties(self, relationship: int) -> dict[str, Any]:
        return dict(self._relationships[relationship][3])

    def expand(self, node: int, types: tree.LabelExpression | None, direction: int) -> Iterator[tuple[int, int]]:
        for relationship, other, way in self._around[node]:
            if way * direction >= 0 and fits(types, (self._relationships[relationship][0],)):
                yield relationship, other

    def add_node(self, labels: tuple[str, ...], properties: dict[str, Any]) -> Node:
        self._nodes.append((labels, {k: v for k, v in properties.items() if v is not None}))
        self._around.append([])
        return Node(self, len(self._nodes) - 1)

    def add_relationship(self, kind: str, source: int, target: int, properties: dict[str, Any]) -> Relationship:
        index = len(self._relationships)
        self._relationships.append((kind, source, target, {k: v for k, v in properties.items() if v is not None}))
        if source == target:
            self._around[source].append((index, target, 0))  # a loop is found once, whatever the direction
        else:
            self._around[source].append((index, target, 1))
            self._around[target].append((index, source, -1))
        return Relationship(self, index)

    def fill(self, text: str, parameters: dict[str, Any]) -> None:
        """Run a set-up: clauses that read, and CREATE."""
        query = parse(text)
        runner = Runner(Context(self, parameters))
        for part in query.parts:
            rows: list[Row] = [{}]
            for clause in part:
                if isinstance(clause, tree.Create):
                    rows = [self._create(clause, row, runner) for row in rows]
                elif isinstance(clause, tree.Refused):
                    raise CypherRefused(f"{clause.what} in a set-up")
                else:
                    rows = list(runner.clause(clause, iter(rows), {}))

    def _create(self, clause: tree.Create, row: Row, runner: Runner) -> Row:
        row = dict(row)

        def properties(part: Any) -> dict[str, Any]:
            return {} if part.properties is None else runner.make(part.properties)(row)

        for path in clause.paths:
            ends = []
            for node in path.nodes:
                if node.variable is None or node.variable not in row:
                    labels = (
                        ()
                        if node.labels is None
                        else (node.labels,)
                        if isinstance(node.labels, str)
                        else node.labels[1:]
                    )
                    made = self.add_node(tuple(labels), properties(node))
                    if node.variable is not None:
                        row[node.variable] = made
                else:
                    made = row[node.variable]
                ends.append(made.id)
            for i, step in enumerate(path.relationships):
                source, target = (ends[i], ends[i + 1]) if step.direction >= 0 else (ends[i + 1], ends[i])
                assert isinstance(step.types, str)
                made_step = self.add_relationship(step.types, source, target, properties(step))
                if step.variable is not None:
                    row[step.variable] = made_step
        return row
