"""Templates compiled to Cypher and counted inside Neo4j give what the joins give."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from hin.cypher_names import CypherNames
from hin.stores.folder import FolderStore
from hin.stores.neo4j.store import Neo4jStore
from motifs import MotifOptions, Pattern, add_pattern_edges, match
from motifs.in_database import match_in_database
from motifs.language.to_cypher import to_cypher
from tests.motifs.strategies import graphs, templates
from tests.neo4j.conftest import empty
from tests.neo4j.neo4j_samples import sample_graph

pytestmark = pytest.mark.neo4j

SEVEN = ["venue", "year", "author", "venue-year", "author-author", "venue-author", "venue-author-author"]


def counted_by_joins(graph: Any, pattern: str, min_count: int) -> dict[tuple[str, ...], int]:
    table = match(graph, pattern, min_count=min_count)
    rows = zip(table.parts.tolist(), table.documents.tolist(), strict=True)
    return {
        _key(table.fields, [graph.names(f)[node] for f, node in zip(table.fields, parts, strict=True)]): n
        for parts, n in rows
    }


def counted_in_neo4j(store: Neo4jStore, graph: Any, pattern: str, min_count: int) -> dict[tuple[str, ...], int]:
    query = to_cypher(pattern, CypherNames.of_graph(graph), min_count=min_count)
    found = {}
    for record in store.connection.stream(query.text, **query.parameters):
        parts = [record[f"part{i + 1}"] for i in range(len(query.fields))]
        found[_key(query.fields, parts)] = record["documents"]
    return found


def _key(fields: Any, names: list[str]) -> tuple[str, ...]:
    # Two equal-typed parts are ordered by their numbers in one and by their names in the other.
    return tuple(sorted(f"{field}={name}" for field, name in zip(fields, names, strict=True)))


def test_the_seven_patterns_of_the_paper(neo4j_server: Any) -> None:
    graph = sample_graph(80)
    store = Neo4jStore(neo4j_server.url)
    store.write_graph(graph, options={})
    for pattern in SEVEN:
        joined = counted_by_joins(graph, pattern, 2)
        assert counted_in_neo4j(store, graph, pattern, 2) == joined
        assert joined or pattern == "venue-author-author"
        same_table(store, graph, pattern, 2)
    store.close()


def same_table(store: Neo4jStore, graph: Any, pattern: str, min_count: int) -> None:
    inside = match_in_database(store.connection, graph, Pattern(pattern), MotifOptions(min_count=min_count))
    joins = match(graph, pattern, min_count=min_count)
    assert inside.parts.tolist() == joins.parts.tolist()
    assert inside.incidence.equals(joins.incidence)


def test_hin_motifs_counts_in_the_database_and_shows_what_it_found(neo4j_server: Any, hin: Any, papers: Any) -> None:
    assert hin("load", papers, "--graph", neo4j_server.url, "--quiet").code == 0
    assert hin("load", papers, "--graph", "papers.hin", "--quiet").code == 0
    ask = ["motifs", "--pattern", "author-author", "--pattern", "venue-year", "--min-count", 1, "--json"]
    there = hin(*ask, "--graph", neo4j_server.url)
    here = hin(*ask, "--graph", "papers.hin")
    assert there.code == here.code == 0, there.err
    assert there.json == here.json
    assert hin("info", "--graph", neo4j_server.url, "--json").json["motifs"] == {"author-author": 2, "venue-year": 3}
    shown = "MATCH (m:Motif)-[:PART]->(a:Author) RETURN m.name AS motif, a.name AS author ORDER BY motif, author"
    answers = [hin("query", shown, "--json", "--graph", place) for place in (neo4j_server.url, "papers.hin")]
    assert answers[0].json == answers[1].json
    assert len(answers[0].json) == 4
    assert hin("copy", neo4j_server.url, "back.hin", "--quiet").code == 0
    back = hin("query", shown, "--json", "--graph", "back.hin")
    assert back.json == answers[0].json


def test_random_templates_on_random_graphs(neo4j_server: Any) -> None:
    store = Neo4jStore(neo4j_server.url)

    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True)
    @given(graph=graphs(), drawn=templates())
    def check(graph: Any, drawn: Any) -> None:
        store.write_graph(graph, options={})
        assert counted_in_neo4j(store, graph, drawn.text, 1) == counted_by_joins(graph, drawn.text, 1), drawn.text
        same_table(store, graph, drawn.text, 1)

    try:
        check()
    finally:
        store.close()
        empty(neo4j_server)


def test_a_pattern_becomes_edges_with_a_weight(neo4j_server: Any, hin: Any) -> None:
    graph = sample_graph(80)
    with Neo4jStore(neo4j_server.url) as store:
        store.write_graph(graph, options={})
    arguments = ("motifs", "--graph", neo4j_server.url, "-p", "author-author", "--min-count", 2)
    made = hin(*arguments, "--as-edges", "coauthor")
    assert made.code == 0, made.err
    wanted = add_pattern_edges(graph, "author-author", "coauthor", options=MotifOptions(min_count=2))
    with Neo4jStore(neo4j_server.url) as store:
        edges = store.read_graph().extra["coauthor"]
        assert edges.equals(wanted.extra["coauthor"])
        asked = "MATCH (:Author)-[r:COAUTHOR]->(:Author) RETURN sum(r.occurrences) AS n"
        counts = wanted.extra["coauthor"].counts
        assert counts is not None
        assert store.connection.read(asked)[0]["n"] == int(counts.sum())
    again = hin(*arguments, "--as-edges", "coauthor")
    assert again.code == 2
    assert "cannot name the edges" in again.err


def test_what_chance_would_give_is_the_same_on_both_stores(neo4j_server: Any, hin: Any, tmp_path: Any) -> None:
    graph, folder = sample_graph(80), tmp_path / "g.hin"
    asked = "MATCH (m:Motif) RETURN m.name AS name, m.expected AS expected, m.lift AS lift, m.q AS q ORDER BY m.name"
    with Neo4jStore(neo4j_server.url) as store:
        store.write_graph(graph, options={})
    FolderStore(folder).write_graph(graph, options={})
    printed, found = [], []
    for place in (neo4j_server.url, folder):
        arguments = ("--graph", place, "-p", "venue-year", "-p", "author-author", "--min-count", 2)
        printed.append(hin("motifs", *arguments, "--json").out)
        found.append(json.loads(hin("query", asked, "--graph", place, "--format", "json").out))
    assert printed[0] == printed[1]
    assert found[0] == found[1]
    assert any(row["q"] < 1 < row["lift"] for row in found[0])
