"""shortestPath and allShortestPaths between two nodes, breadth first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hin.cypher.errors import CypherRefused
from hin.cypher.run.conditions import truth
from hin.cypher.run.context import Row
from hin.cypher.syntax import tree
from hin.cypher.values.elements import Relationship

if TYPE_CHECKING:
    from hin.cypher.run.matching import Matcher


def shortest_rows(
    matcher: Matcher, path: tree.PathPattern, row: Row, used: frozenset[int]
) -> Iterator[tuple[Row, frozenset[int]]]:
    """Bind a path pattern to its shortest paths, for every pair of ends."""
    pattern = path.relationships[0]
    low, high = pattern.length or (1, 1)
    if low > 1 or path.shortest == "one" and high is not None and high < 1:
        raise CypherRefused("shortestPath with a smallest length above 1", hint="leave out the smallest length")
    for start in matcher.candidates(path.nodes[0], row):
        one = matcher.bind_node(path.nodes[0], start, row)
        if one is None:
            continue
        for end in matcher.candidates(path.nodes[1], one):
            both = matcher.bind_node(path.nodes[1], end, one)
            if both is None or any(
                names <= both.keys() and truth(test(both)) is not True for names, test in matcher.ends
            ):
                continue
            if start == end:
                raise CypherRefused("shortestPath from a node to itself", hint="add WHERE a <> b, or name two nodes")
            for walked in _between(matcher, pattern, start, end, high, both):
                graph = matcher.context.graph
                bound = both
                if pattern.variable is not None:
                    found = [Relationship(graph, r) for r in walked]
                    bound = {**bound, pattern.variable: found if pattern.length is not None else found[0]}
                if path.variable is not None:
                    bound = {**bound, path.variable: matcher.whole([start], [walked])}
                yield bound, used.union(walked)
                if path.shortest == "one":
                    break


def _between(
    matcher: Matcher, pattern: tree.RelationshipPattern, start: int, end: int, high: int | None, row: Row
) -> Iterator[tuple[int, ...]]:
    """Yield the shortest walks, breadth first from both ends: the side with fewer nodes takes the next step."""
    # For each side and each node reached: (relationship, node before) of every shortest way to it.
    sides: tuple[_Reached, _Reached] = ({start: []}, {end: []})
    fringes = [[start], [end]]
    length = 0
    while fringes[0] and fringes[1] and (high is None or length < high):
        length += 1
        way = 0 if len(fringes[0]) <= len(fringes[1]) else 1
        here, there = sides[way], sides[1 - way]
        following: _Reached = {}
        for node in fringes[way]:
            for found, other in matcher.steps(pattern, node, pattern.direction * (1 - 2 * way), row):
                if other not in here:
                    following.setdefault(other, []).append((found, node))
        here.update(following)
        fringes[way] = list(following)
        meeting = [node for node in following if node in there]
        if meeting:
            for node in sorted(meeting):
                for first in _walks(sides[0], node):
                    for last in _walks(sides[1], node):
                        yield first[::-1] + last
            return


_Reached = dict[int, list[tuple[int, int]]]


def _walks(reached: _Reached, node: int) -> Iterator[tuple[int, ...]]:
    """Yield the relationships of every shortest way from a node back to where its side began."""
    stack: list[tuple[int, tuple[int, ...]]] = [(node, ())]
    while stack:
        here, walked = stack.pop()
        if not reached[here]:
            yield walked
        stack += [(before, (*walked, found)) for found, before in reversed(reached[here])]
