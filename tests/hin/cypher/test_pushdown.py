# ruff: noqa: E501 - queries are read in one line
"""What runs in SQL gives the rows of the interpreter, and what is found by hand is right or refused."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from hin.cypher.engine import prepare, push_down
from hin.cypher.folder.layout import RelationshipTable
from hin.cypher.folder_graph import FolderGraph
from hin.cypher.query import QueryOptions, query_graph
from hin.cypher.run.budget import Budget
from hin.cypher.run.clauses import Runner
from hin.cypher.run.context import Context
from hin.cypher.sql.compiler import compile_prefix
from hin.errors import HinError
from hin.stores.layout import layout_of
from tests.hin.cypher.kit.interpreter import interpret
from tests.neo4j.neo4j_samples import sample_findings, sample_graph
from tests.neo4j.query_family import Family

WHOLE = [
    "MATCH (v:Venue)<-[:HAS_VENUE]-(d)-[:HAS_AUTHOR]->(a) RETURN v.name AS v, d.id AS d, a.name AS a ORDER BY d, a LIMIT 4",
    "MATCH (d:Document) WHERE COUNT { (d)-[:CITES]->() } = 0 RETURN count(*) AS n",
    "MATCH (d:Document) RETURN COUNT { (d)-[:CITES]->() } AS x, count(*) AS n ORDER BY x",
    "MATCH (a:Author)<-[:HAS_AUTHOR]-() MATCH (a)-[r:KNOWS]->(b) WHERE r.number >= 0 RETURN count(*) AS n",
    "MATCH (d:Document)-[:CITES*1..2]->(e) MATCH (e)-[r:HAS_AUTHOR]->(b) WHERE r.position = 1 RETURN count(*) AS n",
    "MATCH (d:Document)-[:HAS_AUTHOR|HAS_VENUE]->(x) RETURN x.number AS n, x.name AS y, count(*) AS c ORDER BY n, y",
    "MATCH (m:Motif)-[:PART]->(x) RETURN DISTINCT x.number AS n, x.name AS y ORDER BY n, y LIMIT 3",
    "MATCH (n) WITH DISTINCT n.number AS x RETURN count(*) AS c",
    "MATCH (n) RETURN count(n.number) AS c, avg(n.number) AS a",
    "MATCH (a:Author)-[r:KNOWS]->(b)<-[:HAS_AUTHOR]-(d) RETURN r, count(d) AS n",
    "MATCH (d:Document) WHERE NOT 'botany' IN [d.label] RETURN count(*) AS n",
    "MATCH (d:Document) RETURN d.id ORDER BY d.id SKIP 4000000000 LIMIT 3",
    "MATCH (m:Motif) WHERE m.documents < 0 RETURN sum(m.kappa) AS s, collect(m.name) AS l, avg(m.kappa) AS a",
    "MATCH (d:Document)-[:CITES]-(e) RETURN d.id AS d, e.id AS e",
    "MATCH (d:Document)-[:CITES*0..2]-(e:Document) RETURN d.id AS d, e.id AS e",
    "MATCH (d:Document) OPTIONAL MATCH (d)-[:HAS_VENUE]->(v) WHERE v.name > 'Venue 1' RETURN d.id AS d, v.name AS v",
    "MATCH (d:Document) OPTIONAL MATCH (d)-[:CITES]->(e) OPTIONAL MATCH (e)-[:CITES]->(f) RETURN d.id AS d, count(f) AS n",
    "MATCH (y:Year) WHERE toInteger(y.name) % 2 = 0 AND toLower(y.name) =~ '2.*' RETURN toInteger(y.name) AS y",
    "MATCH (d:Document {label: 'database'}) WHERE d.number IN [1, 2, null] OR d.id ENDS WITH '3' RETURN d",
    "MATCH (a:Author)<-[:HAS_AUTHOR]-(d) WITH a, count(*) AS n WHERE n > 1 MATCH (a)-[:KNOWS]->(b) RETURN a.name AS a, b.name AS b, n",
    "MATCH (d:Document)-[r]->(x) RETURN type(r) AS t, labels(x) AS l, count(*) AS n",
    "MATCH (d:Document) WHERE d.number / 2 = 3 AND -d.number < 0 XOR d:Document RETURN CASE WHEN d.number > 6 THEN 'x' END AS c",
    "MATCH (d:Document) RETURN sum(d.number * 1.5) AS s, min(d.id) AS a, max(d.number) AS b, count(DISTINCT d.label) AS c",
    "MATCH (d:Document) WHERE (d)-[:CITES]->() AND NOT (d)<-[:CITES]-() RETURN d.id AS d",
    "MATCH (v:Venue)-[:HAS_VENUE]->(d:Document) WHERE d.number > 1 RETURN v.name AS v, d.title AS t",
    "MATCH (v:Venue)-[:HAS_VENUE]->(d:Document) MATCH (a:Author)-[:KNOWS]->(b) RETURN a.name AS a, d.id AS d",
    "MATCH (v:Venue)-[:HAS_VENUE]->(d:Document) RETURN count(*) AS n, sum(d.number) AS s, max(v.name) AS m",
    "MATCH (d:Document)-[:HAS_TERM]->(w) WITH w, sum(CASE WHEN d.number < 3 THEN 1 ELSE 0 END) AS a, count(*) AS n RETURN w.name AS w, n - a AS x",
    "MATCH (a:Author)-[rs:KNOWS|HAS_AUTHOR*1..2]->(b) RETURN count(*) AS n",
    "MATCH (a:Author)-[rs:KNOWS|HAS_AUTHOR*0..2]-(b:Document) WHERE a.number < 3 RETURN a.number AS a, count(*) AS n",
    "MATCH (d:Document) WHERE EXISTS { (d)-[:HAS_AUTHOR|KNOWS*2..3]-(:Author) } RETURN count(*) AS n",
    "MATCH (a)-[:CITES|HAS_AUTHOR*1..2]-(b) MATCH (b:Author)-[:KNOWS|HAS_AUTHOR*1..2]-(c:Document) RETURN labels(a) AS a, count(*) AS n",
    "MATCH (d:Document) OPTIONAL MATCH (d)-[:CITES]->(e) WHERE e.number > 3 RETURN d.number * 1000000000 AS d, e.number AS e",
]  # fmt: skip


@pytest.fixture(scope="module")
def papers() -> FolderGraph:
    graph = sample_graph(16, loops=True)
    return FolderGraph(layout_of(graph, sample_findings(graph), {}))


def _pushed(papers: FolderGraph, text: str) -> bool:
    parts = prepare(text, papers.known()).query.parts
    found = [compile_prefix(part, Runner(Context(papers)), papers.layout, None) for part in parts]
    return all(one is not None and one.clauses == len(part) for one, part in zip(found, parts, strict=True))


def _rows(found: Any) -> Counter[Any]:
    return Counter(tuple(map(_hashable, row)) for row in found)


def _hashable(value: Any) -> Any:
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return ("list", *sorted(repr(_hashable(item)) for item in value))
    return (type(value).__name__, value.id) if hasattr(value, "id") else value


def _both(papers: FolderGraph, text: str) -> tuple[Any, Any]:
    prepared = prepare(text, papers.known())
    answers = []
    for run in (
        lambda: interpret(prepared, papers, {}, Budget(60)),
        lambda: push_down(prepared, papers, {}, Budget(60), 0, 500),
    ):
        try:
            answers.append(_rows(run()))
        except HinError as error:
            answers.append(str(error))
    return answers[0], answers[1]


@pytest.mark.parametrize("text", WHOLE)
def test_whole_queries_in_sql(papers: FolderGraph, text: str, caplog: pytest.LogCaptureFixture) -> None:
    assert _pushed(papers, text)
    with caplog.at_level("DEBUG", "hin.cypher"):
        reference, pushed = _both(papers, text)
    assert pushed == reference
    assert not caplog.records  # no record of a statement that was not SQL


def test_random_queries_are_the_interpreters(papers: FolderGraph) -> None:
    pushed = 0
    for seed in range(1000, 1080):
        text = Family(seed).query()
        try:
            prepare(text, papers.known())
        except HinError:
            continue
        if "LIMIT" in text:
            continue
        reference, found = _both(papers, text)
        assert found == reference, f"seed {seed}: {text}"
        pushed += _pushed(papers, text)
    assert pushed > 50


def test_order_is_kept_through_sql_and_what_follows(papers: FolderGraph) -> None:
    text = "MATCH (d:Document) WITH d ORDER BY d.number DESC LIMIT 5 RETURN [x IN collect(d.number) | x + 1] AS l"
    assert list(push_down(prepare(text), papers, {}, Budget(), 0, 500)) == [([16, 15, 14, 13, 12],)]


def test_overflow_is_left_to_the_interpreter(papers: FolderGraph) -> None:
    text = "MATCH (d:Document) WHERE d.number > 99 AND d.number + 9223372036854775807 > 0 RETURN d.id"
    assert list(push_down(prepare(text), papers, {}, Budget(), 0, 500)) == []
    with pytest.raises(HinError, match="too large"):
        list(push_down(prepare(text.replace("> 99", ">= 0")), papers, {}, Budget(), 0, 500))


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("MATCH (m:Motif)<-[:HAS_MOTIF]-(d)-[:HAS_MOTIF]->(n:Motif) WHERE m.number < n.number RETURN count(*) AS n", 1),
        (
            "MATCH (d:Document)-[r:CITES]->(e)-[q:CITES]->(f) WHERE d <> f AND r.number < q.number RETURN count(*) AS n",
            2,
        ),
        ("MATCH (m:Motif)<-[:HAS_MOTIF]-(d) WHERE m.number = d.number AND m.number > 1 RETURN count(*) AS n", 0),
        ("MATCH (a:Author), (b:Author) WHERE a.name < b.name RETURN count(*) AS n", 0),
    ],
)
def test_what_only_filters_is_no_join(papers: FolderGraph, text: str, filters: int) -> None:
    """DuckDB would take it for a join that leaves next to nothing, and begin there."""
    made = compile_prefix(prepare(text, papers.known()).query.parts[0], Runner(Context(papers)), papers.layout, None)
    assert made is not None and re.search(r"rid <> e", made.text) is None
    assert made.text.count("CASE WHEN") == filters
    mine, theirs = _both(papers, text)
    assert _rows(mine) == _rows(theirs)


def test_motifs_of_documents_are_laid_out_when_asked_for(papers: FolderGraph) -> None:
    """They are as many as the terms: nothing of them is copied for other queries."""
    table = next(table for table in papers.layout.relationships if table.type == "HAS_MOTIF")
    sources, targets = table._ends()
    assert table.count == len(sources) > 0 and sources.dtype == targets.dtype == np.int32


def test_numbers_of_nodes_are_not_looked_up(papers: FolderGraph) -> None:
    text = "MATCH (d:Document)-[:CITES]->(e) WHERE d.number > 1 RETURN e.number AS e"
    made = compile_prefix(prepare(text, papers.known()).query.parts[0], Runner(Context(papers)), papers.layout, None)
    assert made is not None and [type(table) for table in made.tables] == [RelationshipTable]


def test_a_query_that_is_asked_again_is_not_read_again(papers: FolderGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "MATCH (d:Document) WHERE d.number < $n RETURN d.number AS n"
    few, more = (query_graph(papers, text, QueryOptions(parameters={"n": n})).rows for n in (1, 3))
    plain = text.replace("$n", "2")
    first = query_graph(papers, plain, QueryOptions()).rows
    for name in ("hin.cypher.engine.parse", "hin.cypher.sql.compiler.compile_prefix"):
        monkeypatch.setattr(name, None)
    assert query_graph(papers, plain, QueryOptions()).rows == first
    monkeypatch.undo()
    for i in range(60):
        query_graph(papers, f"MATCH (d:Document) RETURN {i} AS x LIMIT 1", QueryOptions())
    assert len(papers._prepared) == 50 and plain not in papers._prepared
    assert query_graph(papers, text, QueryOptions(parameters={"n": 1})).rows == few == [(0,)]
    assert query_graph(papers, text, QueryOptions(parameters={"n": 3})).rows == more == [(0,), (1,), (2,)]


def test_a_plan_that_is_kept_gives_the_same_rows(papers: FolderGraph) -> None:
    text = "MATCH (d:Document)-[:HAS_AUTHOR]->(a) WHERE a.name <> $name RETURN d.id AS d, a.name AS a ORDER BY d, a"
    text = text.replace("$name", "'it\\'s'")
    kept = papers.database(900, Budget())
    first = query_graph(papers, text, QueryOptions(memory=900)).rows
    for more in ("d.label", "a.number", "d.title"):  # tables that grow in between
        assert query_graph(papers, text, QueryOptions(memory=900)).rows == first
        query_graph(papers, f"MATCH (d:Document)-[:HAS_AUTHOR]->(a) RETURN {more} AS x", QueryOptions(memory=900))
    plans = [name for cursor in kept.cursors._free for name in cursor.plans.values() if name is not None]
    assert plans == ["plan0"] and papers.database(900, Budget()) is kept
    for i in range(120):
        query_graph(
            papers, f"MATCH (d:Document) WHERE d.number > {i // 2} RETURN d.number AS x", QueryOptions(memory=900)
        )
    assert [len(cursor.plans) for cursor in kept.cursors._free] == [50]
    kept.renew()
    assert query_graph(papers, text, QueryOptions(memory=900)).rows == first
