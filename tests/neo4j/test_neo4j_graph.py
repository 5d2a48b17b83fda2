"""A graph in Neo4j is fetched part by part, each when it is touched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hin.errors import GraphBusy
from hin.stores.neo4j.connection import Connection
from hin.stores.neo4j.store import Neo4jStore
from tests.neo4j.neo4j_samples import sample_graph

pytestmark = pytest.mark.neo4j


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What was fetched of the graph: labels of names, relationship types, properties of documents."""
    found: set[str] = set()
    real = Connection.read

    def read(self: Connection, query: str, **parameters: Any) -> list[Any]:
        if "start" in parameters:  # a page
            found.update(re.findall(r"n\.`(\w+)`\] AS row", query))
            found.update(re.findall(r"^MATCH \(n:`(\w+)`\)", query))
            found.update(re.findall(r"-\[r:`(\w+)`\]->", query))
        return real(self, query, **parameters)

    monkeypatch.setattr(Connection, "read", read)
    return found


@pytest.fixture
def store(neo4j_server: Any) -> Any:
    opened = Neo4jStore(neo4j_server.url)
    opened.write_graph(sample_graph(60), options={})
    yield opened
    opened.close()


def test_only_what_is_touched_is_fetched(store: Neo4jStore, fetched: set[str]) -> None:
    graph = store.read_graph()
    assert len(graph) == 60
    assert graph.node_types == ("document", "term", "author", "venue", "year")
    assert graph.texts.fields == ("title", "abstract")
    assert "knows" in graph.extra
    assert not fetched
    assert len(graph.names("venue")) == 3
    assert fetched == {"Venue"}
    assert graph.edges("year").n_edges == 60
    assert fetched == {"Venue", "HAS_YEAR"}
    assert graph.tokens.n_edges
    assert fetched == {"Venue", "HAS_YEAR", "tokens"}
    fetched.clear()
    assert store.read_graph().names("venue")[0]
    assert not fetched, "what is in memory is not fetched again"
    assert sample_graph(60).equals(graph)
    assert sample_graph(60).equals(replace(graph, schema={}))


def test_parts_of_two_graphs_are_not_mixed(store: Neo4jStore, neo4j_server: Any) -> None:
    graph = store.read_graph()
    assert len(graph.names("author"))
    Neo4jStore(neo4j_server.url).write_graph(sample_graph(60, seed=4), options={})
    with pytest.raises(GraphBusy, match="was replaced while it was read; run this again"):
        graph.edges("author")
    assert sample_graph(60, seed=4).equals(store.read_graph())


def test_hin_motifs_counts_in_the_database_without_fetching_the_graph(
    store: Neo4jStore, fetched: set[str], hin: Callable
) -> None:
    ask = ["motifs", "-p", "venue-author", "-p", "year", "--min-count", 2, "--graph", store.location]
    shown = hin(*ask, "--verbose")
    assert shown.code == 0, shown.err
    assert "author-venue: counted in the database by" in shown.err
    assert "MATCH (d:`Document`)-[:`HAS_AUTHOR`]->(a1:`Author`), (d)-[:`HAS_VENUE`]->" in shown.err
    assert shown.err.rstrip().splitlines()[-1].startswith("Next: `hin classify")
    # Names for the instances, the server's ids to write what was found, and for the comparison with chance the edges
    # of the patterns' own fields: no tokens, texts or other edges.
    named, compared = {"Author", "Venue", "Year", "Document", "Motif"}, {"HAS_AUTHOR", "HAS_VENUE", "HAS_YEAR"}
    assert fetched == named | compared


@pytest.mark.parametrize("pattern", ["author-author", "(d)-[:cites]->(e:document)-[:author]->(a)"])
def test_documents_with_too_many_candidates_are_left_out_as_in_a_folder(
    store: Neo4jStore, hin: Callable, tmp_path: Path, pattern: str
) -> None:
    assert hin("copy", store.location, "papers.hin", "-q").code == 0
    ask = ["motifs", "-p", pattern, "--min-count", 1, "--max-per-document", 2, "--json"]
    there, here = (hin(*ask, "--graph", place) for place in (store.location, "papers.hin"))
    assert there.json == here.json
    assert "left out" in there.err
    assert "left out" in here.err
