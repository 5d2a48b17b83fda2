"""Match patterns inside Neo4j: by a Cypher query, whose answer becomes the same table that the joins give."""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.cypher_names import CypherNames
from hin.graph import Csr, Graph
from hin.stores.neo4j.queries import most_relationships
from motifs.language.to_cypher import to_cypher
from motifs.matching import match
from motifs.options import MotifOptions
from motifs.table import MotifTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hin.console import Console
    from hin.progress import Progress
    from motifs.language.pattern import Pattern


def match_in_database(
    connection: Any,
    graph: Graph,
    pattern: Pattern,
    options: MotifOptions,
    console: Console | None = None,
    progress: Progress | None = None,
) -> MotifTable:
    """Let the database find and count the instances of a pattern; only those are transferred, as node numbers.

    Only the joins know which documents have too many candidates and are left out; if the database says that there may
    be any, the joins are used.

    Parameters
    ----------
    connection : hin.neo4j_connection.Connection
    graph : Graph
        The graph in the database; it is not fetched unless the joins are used.
    console : Console, optional
        Prints the query with --verbose.
    """
    names = CypherNames.of_graph(graph)
    if _most_candidates(connection, pattern, names) > options.max_per_document:
        if console is not None:
            console.detail(f"{pattern.name}: some documents may have too many candidates, so it is matched here")
        return match(graph, pattern, options=options)
    query = to_cypher(pattern, names, min_count=options.min_count, numbers=True)
    if console is not None:
        console.detail(f"{pattern.name}: counted in the database by")
        for line in query.text.splitlines():
            console.detail(line)
    columns = [f"part{c + 1}" for c in range(len(query.fields))]
    found: list[tuple[list[int], list[int]]] = []
    for record in connection.stream(query.text, **query.parameters):
        found.append((pattern.smallest([record[column] for column in columns]), sorted(record["ids"])))
        if progress is not None and not len(found) % 1000:
            progress(f"counting {pattern.name} in the database", len(found), None)
    found.sort()
    parts = np.array([row for row, _ in found], dtype=np.int32).reshape(len(found), len(columns))
    incidence = Csr.from_lists([documents for _, documents in found])
    return MotifTable(pattern, parts, incidence, graph, options.min_count, options.max_per_document)


def _most_candidates(connection: Any, pattern: Pattern, names: CypherNames) -> int:
    """Return an upper bound of the candidates of any document, from the largest numbers of relationships."""

    def most(start: int, edge: Any) -> int:
        way = "any" if not edge.directed else "out" if edge.source == start else "in"
        query = most_relationships(names.labels[pattern.types[start]], names.relationships[edge.type], way)
        return int(connection.read(query)[0]["most"] or 0)

    if pattern.is_star:
        chosen = {edge.type: edge for edge in pattern.edges}
        return prod(comb(most(0, edge), pattern.fields.count(kind)) for kind, edge in chosen.items())
    return prod(max(1, *(most(start, edge) for start in starts)) for edge, starts in _directed_edges(pattern))


def _directed_edges(pattern: Pattern) -> Iterator[tuple[Any, list[int]]]:
    """Yield each edge and the ends it may be followed from.

    An edge is followed away from the anchor; if the pattern has a cycle, from either end.
    """
    if len(pattern.edges) >= len(pattern.types):
        yield from ((edge, [edge.source, edge.target]) for edge in pattern.edges)
        return
    left, reached = list(pattern.edges), {0}
    while left:
        edge = next(edge for edge in left if edge.source in reached or edge.target in reached)
        left.remove(edge)
        yield edge, [edge.source if edge.source in reached else edge.target]
        reached |= {edge.source, edge.target}
