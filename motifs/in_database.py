"""Matching inside Neo4j: the pattern as a Cypher query, its answer as the same table that the joins give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hin.cypher_names import CypherNames
from hin.graph import Csr
from motifs.cypher import to_cypher
from motifs.matching import estimate, match
from motifs.options import MotifOptions
from motifs.table import MotifTable

if TYPE_CHECKING:
    from hin.graph import Graph
    from motifs.pattern import Pattern

__all__ = ["match_in_database"]


def match_in_database(connection: Any, graph: Graph, pattern: Pattern, options: MotifOptions) -> MotifTable:
    """Have the database find and count the instances of a pattern.

    Documents that are left out for having too many candidates are known to the joins only; where there are any, the
    joins do the work.

    Parameters
    ----------
    connection : hin.neo4j_connection.Connection
    graph : Graph
        What the database holds.
    """
    if len(estimate(graph, pattern, options).skipped):
        return match(graph, pattern, options=options)
    query = to_cypher(pattern, CypherNames.of_graph(graph), min_count=options.min_count, with_documents=True)
    tables = [graph.names(kind) for kind in query.fields]
    found: list[tuple[list[int], list[int]]] = []
    for record in connection.stream(query.text, **query.parameters):
        numbers = [table.index(record[f"part{c + 1}"]) for c, table in enumerate(tables)]
        documents = sorted(graph.documents.index(name) for name in record["ids"])
        found.append((pattern.smallest(numbers), documents))
    found.sort()
    parts = np.array([row for row, _ in found], dtype=np.int32).reshape(len(found), len(tables))
    incidence = Csr.from_lists([documents for _, documents in found])
    return MotifTable(pattern, parts, incidence, graph, options.min_count, options.max_per_document)
