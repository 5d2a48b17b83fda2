"""Match patterns: from a known node, step by step, no relationship used twice in one MATCH."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hin.cypher.errors import CypherRefused, CypherValueError
from hin.cypher.meaning.walk import free_variables, pattern_variables
from hin.cypher.run.conditions import truth
from hin.cypher.run.context import Context, Evaluate, Row
from hin.cypher.syntax import tree
from hin.cypher.values.arithmetic import type_name
from hin.cypher.values.elements import Node, Path, Relationship, fits
from hin.cypher.values.order import equal

Make = Callable[[tree.Expression], Evaluate]


@dataclass(frozen=True)
class _Step:
    """Take relationship `i` of a path from node `start` to node `end` (positions in the path)."""

    i: int
    start: int
    end: int


class Matcher:
    """The matcher of the paths of one MATCH, given a row.

    Parameters
    ----------
    context : Context
    paths : tuple of tree.PathPattern
    make : function
        Makes the closure of an expression.
    test : tree.Expression, optional
        The WHERE: its conditions on the ends of a shortest path are checked before the path is searched.
    """

    def __init__(
        self, context: Context, paths: tuple[tree.PathPattern, ...], make: Make, test: tree.Expression | None = None
    ) -> None:
        self.context = context
        self.paths = paths
        self.own = pattern_variables(paths)
        self.early: dict[int, Callable[[Any, Row], bool]] = {}
        self.late: list[Callable[[Row], bool]] = []
        #: (names, condition) of a shortest path's ends.
        self.ends: list[tuple[set[str], Evaluate]] = []
        if test is not None and any(path.shortest is not None for path in paths):
            parts = test.items if isinstance(test, tree.Logic) and test.operator == "AND" else (test,)
            self.ends = [(free_variables(part), make(part)) for part in parts]
        #: (property, value, names that the value needs) by which a node can be looked up.
        self.wanted: dict[int, list[tuple[str, Evaluate, set[str]]]] = {}
        for path in paths:
            for part in path.elements():
                self._prepare(part, make)
                if isinstance(part, tree.NodePattern):
                    self.wanted[id(part)] = [(k, make(v), free_variables(v)) for k, v in asked_properties(part, test)]

    def _prepare(self, part: tree.NodePattern | tree.RelationshipPattern, make: Make) -> None:
        """Compile a pattern's properties: those of earlier rows are checked at once, the others at the end."""
        if part.properties is not None:
            assert isinstance(part.properties, tree.MapOf)
            wanted = [(key, make(value)) for key, value in part.properties.entries]
            if free_variables(part.properties) & self.own:
                if part.variable is None or (isinstance(part, tree.RelationshipPattern) and part.length is not None):
                    raise CypherRefused("properties that depend on the same pattern", hint="compare them in WHERE")
                name = part.variable
                self.late.append(lambda row: _has(row[name], wanted, row))
            else:
                self.early[id(part)] = lambda element, row: _has(element, wanted, row)
        if part.test is not None:
            test = make(part.test)
            self.late.append(lambda row: truth(test(row)) is True)

    def rows(self, row: Row) -> Iterator[Row]:
        """Yield all ways to bind the patterns, given a row."""
        for found in self._paths(0, row, frozenset()):
            if all(holds(found) for holds in self.late):
                yield found

    def _paths(self, index: int, row: Row, used: frozenset[int]) -> Iterator[Row]:
        if index == len(self.paths):
            yield row
            return
        for found, more in self._path(self.paths[index], row, used):
            yield from self._paths(index + 1, found, more)

    def _path(self, path: tree.PathPattern, row: Row, used: frozenset[int]) -> Iterator[tuple[Row, frozenset[int]]]:
        if path.shortest is not None:
            from hin.cypher.run.shortest import shortest_rows

            yield from shortest_rows(self, path, row, used)
            return
        first = self._anchor(path, row)
        count = len(path.nodes)
        steps = [_Step(i, i, i + 1) for i in range(first, count - 1)]
        steps += [_Step(i, i + 1, i) for i in range(first - 1, -1, -1)]
        nodes: list[int | None] = [None] * count
        walked: list[Any] = [None] * (count - 1)
        for node in self.candidates(path.nodes[first], row):
            bound = self.bind_node(path.nodes[first], node, row)
            if bound is not None:
                nodes[first] = node
                yield from self._walk(path, steps, 0, bound, used, nodes, walked)

    def _anchor(self, path: tree.PathPattern, row: Row) -> int:
        for i, node in enumerate(path.nodes):
            if node.variable is not None and node.variable in row:
                return i
        for i, step in enumerate(path.relationships):
            if step.variable is not None and step.variable in row:
                return i
        scores = [(node.labels is not None) + 2 * bool(self.wanted.get(id(node))) for node in path.nodes]
        return scores.index(max(scores))

    def candidates(self, node: tree.NodePattern, row: Row) -> Iterator[int]:
        """Yield the candidates for a pattern's node."""
        if node.variable is not None and node.variable in row:
            known = row[node.variable]
            if known is None:
                return
            if not isinstance(known, Node):
                raise CypherValueError(f"`{node.variable}` is {type_name(known)}, not a node", hint="bind a node")
            yield known.id
            return
        for found in self._within(node, row):
            self.context.budget.spend()
            yield found

    def _within(self, node: tree.NodePattern, row: Row) -> Iterable[int]:
        """Return the nodes of the labels, or those among them that have a value which the pattern requires."""
        graph = self.context.graph
        having: Callable[[Any, str, Any], Iterable[int]] | None = getattr(graph, "having", None)
        for key, wanted, needs in self.wanted.get(id(node), ()):
            value = wanted(row) if having is not None and needs <= row.keys() else None
            exact = isinstance(value, str) or (type(value) is int and abs(value) < 2**53)
            if having is not None and exact:
                return having(node.labels, key, value)
        return graph.nodes(node.labels)

    def bind_node(self, node: tree.NodePattern, found: int, row: Row) -> Row | None:
        """Return the row with the node bound, or None if it does not match."""
        graph = self.context.graph
        if node.labels is not None and not fits(node.labels, graph.labels(found)):
            return None
        name = node.variable
        if name is not None and name in row:
            known = row[name]
            if not isinstance(known, Node) or known.id != found:
                if known is not None and not isinstance(known, Node):
                    raise CypherValueError(f"`{name}` is {type_name(known)}, not a node", hint="bind a node")
                return None
        element = Node(graph, found)
        holds = self.early.get(id(node))
        if holds is not None and not holds(element, row):
            return None
        return row if name is None or name in row else {**row, name: element}

    def _walk(
        self,
        path: tree.PathPattern,
        steps: list[_Step],
        at: int,
        row: Row,
        used: frozenset[int],
        nodes: list[Any],
        walked: list[Any],
    ) -> Iterator[tuple[Row, frozenset[int]]]:
        if at == len(steps):
            yield (row if path.variable is None else {**row, path.variable: self.whole(nodes, walked)}), used
            return
        step = steps[at]
        pattern, target = path.relationships[step.i], path.nodes[step.end]
        forward = step.start < step.end
        for relationships, node in self._ways(pattern, nodes[step.start], forward, row, used):
            bound = self._bind_step(pattern, relationships, forward, row)
            bound = None if bound is None else self.bind_node(target, node, bound)
            if bound is None:
                continue
            nodes[step.end] = node
            walked[step.i] = relationships if forward else relationships[::-1]
            yield from self._walk(path, steps, at + 1, bound, used.union(relationships), nodes, walked)

    def _bind_step(
        self, pattern: tree.RelationshipPattern, found: tuple[int, ...], forward: bool, row: Row
    ) -> Row | None:
        if pattern.variable is None:
            return row
        graph = self.context.graph
        elements = [Relationship(graph, r) for r in found]
        if pattern.length is not None:
            return {**row, pattern.variable: elements if forward else elements[::-1]}
        if pattern.variable in row:
            return row if row[pattern.variable] == elements[0] else None
        return {**row, pattern.variable: elements[0]}

    def _ways(
        self, pattern: tree.RelationshipPattern, node: int, forward: bool, row: Row, used: frozenset[int]
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the relationships and the node they lead to."""
        direction = pattern.direction if forward else -pattern.direction
        if pattern.length is None:
            for found, other in self.steps(pattern, node, direction, row):
                if found not in used:
                    yield (found,), other
            return
        low, high = pattern.length
        stack: list[tuple[int, tuple[int, ...]]] = [(node, ())]
        while stack:  # a stack, because paths may exceed Python's recursion limit
            here, taken = stack.pop()
            if len(taken) >= low:
                yield taken, here
            if high is not None and len(taken) >= high:
                continue
            for found, other in self.steps(pattern, here, direction, row):
                if found not in used and found not in taken:
                    stack.append((other, (*taken, found)))

    def steps(
        self, pattern: tree.RelationshipPattern, node: int, direction: int, row: Row
    ) -> Iterator[tuple[int, int]]:
        """Yield the single relationships from a node that match a pattern."""
        graph, holds = self.context.graph, self.early.get(id(pattern))
        for found, other in graph.expand(node, pattern.types, direction):
            self.context.budget.spend()
            if holds is None or holds(Relationship(graph, found), row):
                yield found, other

    def whole(self, nodes: list[int], walked: list[tuple[int, ...]]) -> Path:
        """Return the path, with the nodes in between."""
        graph = self.context.graph
        here = nodes[0]
        found_nodes, found = [Node(graph, here)], []
        for part in walked:
            for relationship in part:
                source, target = graph.ends(relationship)
                here = target if here == source else source
                found.append(Relationship(graph, relationship))
                found_nodes.append(Node(graph, here))
        return Path(tuple(found_nodes), tuple(found))


def asked_properties(node: tree.NodePattern, test: tree.Expression | None) -> Iterator[tuple[str, tree.Expression]]:
    """Yield (property, value) that a node must have, by its braces or by `n.key = value` in WHERE."""
    if isinstance(node.properties, tree.MapOf):
        yield from node.properties.entries
    parts = test.items if isinstance(test, tree.Logic) and test.operator == "AND" else (test,)
    for part in parts if node.variable is not None else ():
        if isinstance(part, tree.Compare) and len(part.rest) == 1 and part.rest[0][0] == "=":
            for one, other in ((part.first, part.rest[0][1]), (part.rest[0][1], part.first)):
                if not isinstance(one, tree.Property) or one.base != tree.Variable(node.variable or ""):
                    continue
                if node.variable not in free_variables(other):
                    yield one.key, other


def _has(element: Any, wanted: list[tuple[str, Evaluate]], row: Row) -> bool:
    return all(equal(element.get(key), value(row)) is True for key, value in wanted)
