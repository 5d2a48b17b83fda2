"""`hin query` on a folder: it follows the tables, reads only, and refuses what would differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hin.commands.query import parse_parameters
from hin.cypher.errors import CypherRefused
from hin.cypher.query import QueryOptions, query_graph
from hin.errors import BadUsage, GraphNotFound, HinError, QueryTimeout
from hin.stores.folder import FolderStore
from hin.stores.querying import open_graph, query
from tests.neo4j.neo4j_samples import hostile_graph, sample_findings, sample_graph


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> str:
    store = FolderStore(tmp_path_factory.mktemp("view") / "papers.hin")
    graph = sample_graph(loops=True)
    store.write_graph(graph, options={})
    store.write_stage("motifs", sample_findings(graph).save, {})
    return store.location


@pytest.fixture(scope="module")
def view(papers: str) -> Any:
    return open_graph(FolderStore(papers))


REFUSED = {
    "MATCH (d:Document) RETURN shortestPath((d)-[:CITES]->(d))": "MATCH p = shortestPath",
    "CALL apoc.help()": "hin info",
    "RETURN date('2020-01-01')": "temporal",
    "RETURN '\\u0027'": "the character itself",
    "RETURN toInteger('\u0663')": "WHERE",
    "MATCH (n:Document) RETURN (n)-[:CITES]->() AS x": "EXISTS { (a)-->(b) }",
    "RETURN [1, 2, 3][..] AS x": "[0..]",
    "MATCH ((a:Author)-[:KNOWS]->(b)){1,3} RETURN a": "[:TYPE*1..3]",
    "RETURN 'a' =~ '(?=a).'": "CONTAINS",
    "RETURN 'a' =~ 'a++'": "CONTAINS",
    "RETURN 9007199254740993 = 9007199254740992.0": "toFloat()",
    "MATCH (a:Author)-[:KNOWS|KNOWS]->(b) RETURN b": "each type once",
    "MATCH p = shortestPath((a:Author {number: 1})-[:KNOWS*]-(b {number: 2})) WHERE length(p) > 1 RETURN p": "WITH",
    "MATCH (d:Document) WHERE size((d)-[:CITES]->()) > 1 RETURN d": "COUNT {",
    "MATCH (d:Document) RETURN length(d.title)": "size()",
    "MATCH (d:Document) WHERE d.id != 'p1' RETURN d": "<>",
    "MATCH (d:Document) WHERE d.id NOT IN ['p1'] RETURN d": "NOT x IN",
    "MATCH (d:Document) WHERE d.id LIKE 'p%' RETURN d": "CONTAINS",
    "MATCH (d:Document) RETURN d.label, count(*) GROUP BY d.label": "leave GROUP BY away",
    "SELECT id FROM documents": "MATCH (d:Document)",
    "UNWIND [1] AS x CALL { WITH x + 1 AS y RETURN y } RETURN y": "CALL (x)",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_would_differ_is_refused_with_what_to_write_instead(view: Any, text: str) -> None:
    with pytest.raises(HinError) as caught:
        query_graph(view, text, QueryOptions())
    assert REFUSED[text] in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MATCH (d:document) RETURN d", "no label 'document' at line 1, column 10; there are Author, Category"),
        ("MATCH (d:Document)-[:cites]->(e) RETURN d", "no relationship 'cites'"),
        ("MATCH (d:Document) RETURN d.ID", "no property 'ID'"),
        ("MATCH (d:Document) RETURN D.id", "`D` is not defined"),
        ("MATCH (d:Document RETURN d", "line 1, column 19, near 'RETURN'"),
        ("MATCH (d:Document)", "returns nothing"),
        ("MATCH (d:Document) RETURN d.id = $x", "--param x=VALUE"),
        ("RETURN 1 AS a, 2 AS a", "two columns"),
        ("MATCH (d:Document) WITH d.id RETURN 1", "needs a name"),
        ("RETURN 9223372036854775808", "too large"),
        ("   ", "empty query"),
    ],
)
def test_mistakes_are_one_line(papers: str, text: str, said: str) -> None:
    with pytest.raises(BadUsage) as caught:
        query(papers, text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (:Author {name: 'x'})",
        "MATCH (d:Document) SET d.id = 'x'",
        "MATCH (d) DETACH DELETE d",
        "MERGE (a:Author {name: 'x'})",
    ],
)
def test_a_folder_is_not_written_to(papers: str, text: str) -> None:
    for write in (False, True):
        with pytest.raises(BadUsage, match="cannot be written to.*hin copy"):
            query(papers, text, QueryOptions(write=write))


def test_values_are_parameters(view: Any) -> None:
    for value in ["'", "\\", "') RETURN 1 //", "$p0", "`", "\0", "x" * 10_000, "\\u0027"]:
        found = query_graph(view, "RETURN $v AS v, [$v] AS l", QueryOptions(parameters={"v": value}))
        assert found.rows == [(value, [value])]
    assert query_graph(view, "RETURN 'it\\'s \\u0041\\n' AS v", QueryOptions()).rows == [("it's A\n",)]


def test_hostile_names_as_values_and_fields(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "hostile.hin")
    graph = hostile_graph()
    store.write_graph(graph, options={})
    assert query(store.location, "MATCH (d:Document) RETURN count(d) AS n").rows == [(len(graph),)]
    found = query(store.location, "MATCH (d:Document) RETURN d.id AS id ORDER BY d.number").rows
    assert [row[0] for row in found] == graph.documents.tolist()
    for name in graph.documents:
        rows = query(
            store.location, "MATCH (d:Document {id: $id}) RETURN d.id", QueryOptions(parameters={"id": name})
        ).rows
        assert rows == [(name,)]
        break


def test_time_and_rows_are_limited(view: Any) -> None:
    result = query_graph(view, "MATCH (d:Document) RETURN d.id", QueryOptions(limit=3))
    assert len(result.rows) == 3
    assert result.cut
    assert not query_graph(view, "MATCH (d:Document) RETURN d.id", QueryOptions(limit=0)).cut
    terms = ", ".join(f"({name}:Term)" for name in "abcdefgh")
    slow = f"MATCH {terms} RETURN sum(a.number + h.number) AS s"
    with pytest.raises(QueryTimeout, match="timeout=SECONDS"):
        query_graph(view, slow, QueryOptions(timeout=0.2))
    with pytest.raises(BadUsage):
        QueryOptions(limit=-1)


def test_queries_follow_the_tables(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "papers.hin")
    count = "MATCH (d:Document) RETURN count(d) AS n"
    with pytest.raises(GraphNotFound):
        query(store.location, count)
    graph = sample_graph(10)
    store.write_graph(graph, options={})
    assert query(store.location, count).rows == [(10,)]
    assert query(store.location, "MATCH (m:Motif) RETURN count(m) AS n").rows == [(0,)]
    store.write_stage("motifs", sample_findings(graph).save, {})
    assert query(store.location, "MATCH (m:Motif) RETURN count(m) AS n").rows[0][0] > 0
    store.write_graph(sample_graph(4), options={})
    assert query(store.location, count).rows == [(4,)]


def test_mistakes_of_values_are_loud(view: Any) -> None:
    with pytest.raises(BadUsage, match="division by zero"):
        query_graph(view, "MATCH (d:Document) RETURN 1 / d.number", QueryOptions())
    with pytest.raises(BadUsage, match="too large"):
        query_graph(view, "RETURN 9223372036854775807 + 1", QueryOptions())
    with pytest.raises(BadUsage, match="too large"):
        query_graph(view, "RETURN $x", QueryOptions(parameters={"x": 2**63}))
    assert query_graph(view, "RETURN toLower($x) AS x", QueryOptions(parameters={"x": "İ Straße ΟΔΟΣ"})).rows == [
        ("i̇ straße οδος",)
    ]


def test_parameters_from_the_command_line() -> None:
    assert parse_parameters(["a=1", "b=x=y", 'c="1"', "d=[1]", "e="]) == {
        "a": 1,
        "b": "x=y",
        "c": "1",
        "d": [1],
        "e": "",
    }
    for bad in ("a", "=1"):
        with pytest.raises(BadUsage, match="--param name=value"):
            parse_parameters([bad])


def test_refusals_are_bad_usage() -> None:
    assert CypherRefused("x").exit_code == 2
