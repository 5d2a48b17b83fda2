"""A pattern with two ends as edges: in the store, in patterns, in Cypher, in exports."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hin
from hin.errors import BadUsage
from motifs import BadPattern, MotifOptions, add_pattern_edges, match
from motifs.samples import tiny_graph
from tests.conftest import Run

COAUTHORS = "(d:document)-[:author]->(a:author)-[:coauthor]->(b:author)"
#: Who wrote with whom, and in how many papers.
EDGES = [("Ann", "Bob", 3), ("Ann", "Cy", 1), ("Bob", "Cy", 1)]


@pytest.fixture
def papers(tmp_path: Path, hin: Callable[..., Run]) -> str:
    authors = [["Ann", "Bob"], ["Ann", "Bob", "Cy"], ["Ann", "Bob"], ["Cy"]]
    rows = [{"id": f"p{i}", "text": "data mining", "author": row} for i, row in enumerate(authors)]
    source = tmp_path / "papers.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    folder = str(tmp_path / "papers.hin")
    assert hin("load", source, "--graph", folder, "--metadata", "author").code == 0
    return folder


def triples(graph: hin.Graph) -> list[tuple[str, str, int]]:
    edges, names = graph.extra["coauthor"], graph.names("author")
    assert edges.counts is not None
    ends = zip(edges.sources.tolist(), edges.targets.tolist(), edges.counts.tolist(), strict=True)
    return sorted((*sorted((names[a], names[b])), n) for a, b, n in ends)


def test_edges_are_usable_in_patterns_queries_and_exports(papers: str, hin: Callable[..., Run], tmp_path: Path) -> None:
    import hin as package

    made = hin("motifs", "--graph", papers, "-p", "author-author", "--min-count", 1, "--as-edges", "coauthor")
    assert made.code == 0
    assert "3 edges of type coauthor added" in made.err
    assert triples(package.open(papers)) == EDGES
    asked = "MATCH (a:Author)-[r:COAUTHOR]-(b:Author {name: 'Bob'}) RETURN a.name, r.occurrences ORDER BY a.name"
    rows = json.loads(hin("query", asked, "--graph", papers, "--format", "json").out)
    assert rows == [{"a.name": "Ann", "r.occurrences": 3}, {"a.name": "Cy", "r.occurrences": 1}]
    found = json.loads(hin("motifs", "--graph", papers, "-p", COAUTHORS, "--min-count", 1, "--json").out)
    assert {row["documents"] for row in found if row["instance"] == "AUTHOR[Ann]-AUTHOR[Bob]"} == {3}
    for name, file in {"graphml": "a.graphml", "csv": "csv", "parquet": "parquet", "networkx": "a.json"}.items():
        target, back = tmp_path / file, tmp_path / f"{name}.hin"
        assert hin("export", name, "--graph", papers, "--out", target).code == 0
        assert hin("load", target, "--graph", back).code == 0, name
        assert triples(package.open(str(back))) == EDGES, name
    assert max(c for c in package.open(papers).to_igraph().es.select(type="coauthor")["count"]) == 3
    more = {"id": "p9", "text": "web", "author": ["Dee"]}
    (tmp_path / "more.jsonl").write_text(json.dumps(more) + "\n", encoding="utf-8")
    assert hin("load", tmp_path / "more.jsonl", "--append", "--graph", papers).code == 0
    assert triples(package.open(papers)) == EDGES, "weights stay with their edges"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-p", "author", "--as-edges", "coauthor"), "has 1 end (author)"),
        (("-p", "author-author", "--as-edges", "Author"), "cannot name the edges"),
        (("-p", "author-author", "--as-edges", ""), "cannot name the edges"),
        (("--as-edges", "coauthor"), "needs one --pattern"),
        (("-p", "author", "-p", "author-author", "--as-edges", "x"), "needs one --pattern"),
    ],
)
def test_what_cannot_be_edges_is_one_line(
    papers: str, hin: Callable[..., Run], options: tuple[str, ...], message: str
) -> None:
    wrong = hin("motifs", "--graph", papers, *options)
    assert wrong.code == 2
    assert message in wrong.err
    assert "Traceback" not in wrong.err


def test_python_adds_them_to_a_graph_in_memory() -> None:
    graph = add_pattern_edges(tiny_graph(), "author-author", "coauthor", options=MotifOptions(min_count=1))
    assert "AUTHOR[Ann]-AUTHOR[Bob]" in match(graph, COAUTHORS, min_count=1).names()
    with pytest.raises(BadPattern, match=r"as in \(x:author\)-\[:coauthor\]->\(y:author\)"):
        match(graph, "(d)-[:author]->(a)-[:coauthor]->(b)")
    with pytest.raises(BadUsage, match="cannot name"):
        add_pattern_edges(graph, "author-author", "coauthor")
