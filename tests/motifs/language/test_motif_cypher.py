"""Patterns as Cypher: same instances and counts as the joins, values only as parameters.

Here on the embedded engine, which needs no server; the same strategies run against Neo4j in tests/neo4j.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from hin.cypher.folder_graph import FolderGraph
from hin.cypher.query import QueryOptions, query_graph
from hin.cypher_names import CypherNames, quote
from hin.graph import Graph
from hin.stores.findings import Findings
from hin.stores.layout import layout_of
from motifs import Pattern, match
from motifs.language.to_cypher import to_cypher
from motifs.samples import make_graph

PATTERNS = [
    "venue",
    "term",
    "author-author",
    "author-venue",
    "author-author-venue",
    "(d)-[:cites]->(e:document)-[:author]->(a)",
    "(d)-[:cites]-(e:document), (d)-[:author]->(a)<-[:author]-(e)",
    "(d)-[:cites]->(e:document)-[:cites]->(d), (d)-[:author]->(a)<-[:author]-(e)",
    "(d)-[:cites]->(e:document)-[:author]->(a), (d)-[:cites]->(f:document)-[:author]->(b:author)",
    "(d)-[:author]->(a)-[:knows]-(b:author)<-[:author]-(d)",
    "(d)-[:author]->(a:author)-[:based]->(v:venue)<-[:venue]-(d)",
]


@pytest.fixture(scope="module")
def graph() -> Graph:
    return make_graph(
        {
            "author": [["Ann", "Bob"], ["Bob", "Ann", "Cy"], ["Ann", "Bob", "O'X`\"\\]"], ["Cy"], ["Dee", "Cy"]],
            "venue": [["KDD"], ["KDD"], ["KDD", ""], ["WWW"], []],
        },
        terms=[["data", "mining"], ["data", "web", "data"], ["mining"], ["web"], ["web", "data"]],
        links={"cites": [[1], [0, 3], [0, 1], [1], [3, 0]]},
        extra={
            "knows": ("author", "author", [("Ann", "Bob"), ("Cy", "Bob"), ("Bob", "Ann")]),
            "based": ("author", "venue", [("Ann", "KDD"), ("Bob", "KDD"), ("Cy", "WWW")]),
        },
    )


@pytest.fixture(scope="module")
def connection(graph: Graph) -> FolderGraph:
    return FolderGraph(layout_of(graph, Findings(), {}))


def _rows(connection: FolderGraph, *args: Any, **options: Any) -> list[list[Any]]:
    query = to_cypher(*args, **options)
    found = query_graph(connection, query.text, QueryOptions(parameters=query.parameters, limit=0))
    return [list(row) for row in found.rows]


@pytest.mark.parametrize("min_count", [1, 2])
@pytest.mark.parametrize("text", PATTERNS)
def test_cypher_and_joins_agree(graph: Graph, connection: Any, text: str, min_count: int) -> None:
    names = CypherNames.of_graph(graph)
    table = match(graph, text, min_count=min_count)
    rows = _rows(connection, text, names, min_count=min_count)
    values = table.values_of(list(range(len(table))))
    assert {tuple(row[:-1]): row[-1] for row in rows} == dict(zip(values, table.documents.tolist(), strict=True))
    assert len(rows) == len(table), "no instance twice"
    numbered = _rows(connection, text, names, min_count=min_count, numbers=True)
    found = sorted((table.pattern.smallest(row[:-2]), row[-2], sorted(row[-1])) for row in numbered)
    assert found == [
        (parts, int(table.documents[i]), table.incidence.row(i).tolist())
        for i, parts in enumerate(table.parts.tolist())
    ]
    assert len(table) > 0 or min_count > 1


def test_filters(graph: Graph, connection: Any) -> None:
    names = CypherNames.of_graph(graph)
    rows = _rows(connection, "author-author", names, min_count=1, contains="ANN", document="doc1", top=1)
    assert rows == [["Ann", "Bob", 3]]
    assert _rows(connection, "author", names, min_count=1, contains="o'x`\"\\]") == [["O'X`\"\\]", 1]]


def test_values_are_parameters_and_identifiers_are_quoted() -> None:
    hostile = "x` RETURN 1 //"
    query = to_cypher(
        Pattern(f"(d)-[:`{hostile.replace('`', '``')}`]->(v)"), document="d'1", contains="'; DROP", top=3, min_count=2
    )
    assert query.parameters == {"min_count": 2, "document": "d'1", "contains": "'; DROP", "top": 3}
    assert "DROP" not in query.text
    assert "d'1" not in query.text
    assert "RETURN 1" not in query.text.replace(quote("XRETURN1"), "")
    assert query.fields == (hostile,)
    assert json.dumps(query.parameters)
