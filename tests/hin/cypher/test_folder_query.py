"""`hin query` on a folder: the view follows the tables, reads only, and refuses what would differ."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hin.commands.query import parse_parameters
from hin.cypher.query import QueryOptions, query, query_view
from hin.cypher.reworded.types import CypherDiffers
from hin.cypher.reworded.view import open_view
from hin.errors import BadUsage, GraphNotFound, HinError, QueryTimeout
from hin.stores.folder import FolderStore
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
    with open_view(FolderStore(papers)) as opened:
        yield opened


REFUSED = {
    "MATCH (a:Author) RETURN id(a)": "use the property `number`",
    "MATCH (a:Author) RETURN elementId(a)": "use the property `number`",
    "MATCH p = (d:Document)-[:CITES]->(e) RETURN p": "name the nodes",
    "MATCH (d:Document) RETURN [x IN d.tokens | x]": "UNWIND",
    "MATCH (d:Document) WHERE d.number = '1' RETURN d": "one type",
    "MATCH (d:Document) WHERE d.id = 1 RETURN d": "one type",
    "MATCH (d:Document) WHERE d.id = null RETURN d": "IS NULL",
    "MATCH (d:Document {id: 1}) RETURN d": "same type",
    "MATCH (d:Document) WHERE d.id IN [1, 2] RETURN d": "one type",
    "MATCH (d:Document) RETURN 1 IN [1, null]": "without null",
    "MATCH (d:Document) WITH d ORDER BY d.id LIMIT 3 RETURN count(*)": "two queries",
    "MATCH (d:Document) WITH d ORDER BY d.id RETURN d.id": "at the end",
    "MATCH (d:Document) WITH d ORDER BY d.id LIMIT 3 WHERE d.number > 1 RETURN d": "second WITH",
    "MATCH (d:Document)-[:CITES]-(e) RETURN d.id": "write the direction",
    "MATCH (d:Document)-[:CITES*]->(e) RETURN d.id": "bounds",
    "MATCH (d:Document)-[:CITES*1..99]->(e) RETURN d.id": "bounds",
    "MATCH (d:Document)-[:HAS_AUTHOR*2]-(e) RETURN d.id": "one by one",
    "MATCH (d:Document)-[:CITES*1..2]->(e)-[:CITES]->(f) RETURN d.id": "MATCH of its own",
    "MATCH (e:Document)<-[:HAS_TERM]-(f) RETURN f": "directions",
    "MATCH (d:Document) RETURN round(d.number)": "floor",
    "MATCH (d:Document) RETURN shortestPath((d)-[:CITES]->(d))": "Neo4j",
    "MATCH (d:Document) RETURN d.number < 1 < 2": "AND",
    "MATCH (d:Document) RETURN d.number ^ 2": "multiply",
    "MATCH (d:Document) RETURN d.id + 1": "one type",
    "MATCH (d:Document) RETURN CASE WHEN d.number > 1 THEN 1 ELSE 'a' END": "same type",
    "MATCH (d:Document) RETURN d.number + count(*)": "WITH first",
    "MATCH (d:Document) RETURN {a: 1}": "columns",
    "CALL db.labels()": "Neo4j",
    "MATCH (d:Document:Author) RETURN d": "one label",
    "MATCH (d:Document) OPTIONAL MATCH (d)-[r:CITES]->(e) RETURN type(r)": "property",
    "UNWIND [1, 2] AS x MATCH (d)-[r:CITES]->(e) WHERE r.position = x RETURN d": "first MATCH",
    "RETURN 0x1F": "decimals",
    "MATCH (d:Document) RETURN collect(d.tokens)": "single values",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_would_differ_is_refused_with_what_to_write_instead(view: Any, text: str) -> None:
    with pytest.raises(HinError) as caught:
        query_view(view, text, QueryOptions())
    assert REFUSED[text] in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MATCH (d:document) RETURN d", "no label 'document'; there are Author, Category, Document"),
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


def test_the_engine_itself_is_read_only(view: Any) -> None:
    import ladybug

    connection = ladybug.Connection(view.database)
    with pytest.raises(RuntimeError, match="read-only"):
        connection.execute("CREATE (:Author {number: 999, name: 'x'})")
    connection.close()


def test_values_are_parameters(view: Any) -> None:
    for value in ["'", "\\", "') RETURN 1 //", "$p0", "`", "\0", "x" * 10_000, "\\u0027"]:
        found = query_view(view, "RETURN $v AS v, [$v] AS l", QueryOptions(parameters={"v": value}))
        assert found.rows == [(value, [value])]
    assert query_view(view, "RETURN 'it\\'s \\u0041\\n' AS v", QueryOptions()).rows == [("it's A\n",)]


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
    result = query_view(view, "MATCH (d:Document) RETURN d.id", QueryOptions(limit=3))
    assert len(result.rows) == 3
    assert result.cut
    assert not query_view(view, "MATCH (d:Document) RETURN d.id", QueryOptions(limit=0)).cut
    terms = ", ".join(f"({name}:Term)" for name in "abcdefgh")
    slow = f"MATCH {terms} RETURN sum(a.number + h.number) AS s"
    with pytest.raises(QueryTimeout, match="--timeout"):
        query_view(view, slow, QueryOptions(timeout=0.2))
    with pytest.raises(BadUsage):
        QueryOptions(limit=-1)


def test_the_view_is_made_anew_when_the_tables_change(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "papers.hin")
    count = "MATCH (d:Document) RETURN count(d) AS n"
    with pytest.raises(GraphNotFound):
        query(store.location, count)
    graph = sample_graph(10)
    store.write_graph(graph, options={})
    assert query(store.location, count).rows == [(10,)]
    first = open_view(store)
    assert open_view(store).path == first.path
    assert query(store.location, "MATCH (m:Motif) RETURN count(m) AS n").rows == [(0,)]
    store.write_stage("motifs", sample_findings(graph).save, {})
    assert query(store.location, "MATCH (m:Motif) RETURN count(m) AS n").rows[0][0] > 0
    store.write_graph(sample_graph(4), options={})
    assert query(store.location, count).rows == [(4,)]
    assert not first.path.exists()


def test_a_folder_that_is_only_for_reading_has_its_view_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0:
        monkeypatch.setattr("hin.cypher.reworded.view.os.access", lambda *_: False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    store = FolderStore(tmp_path / "papers.hin")
    store.write_graph(sample_graph(5), options={})
    assert query(store.location, "MATCH (d:Document) RETURN count(d) AS n").rows == [(5,)]
    assert list((tmp_path / "cache" / "hin" / "cypher").iterdir())


def test_guards_are_loud(view: Any) -> None:
    with pytest.raises(BadUsage, match="division by zero"):
        query_view(view, "MATCH (d:Document) RETURN 1.0 / d.number", QueryOptions())
    with pytest.raises(BadUsage, match="treat differently"):
        query_view(view, "RETURN toLower($x) AS x", QueryOptions(parameters={"x": "ΟΔΟΣ"}))
    with pytest.raises(BadUsage, match="plain integer"):
        query_view(view, "UNWIND $x AS x RETURN toInteger(x)", QueryOptions(parameters={"x": ["1", "2.5"]}))
    assert query_view(view, "RETURN toLower($x) AS x", QueryOptions(parameters={"x": "İ Straße"})).rows == [
        ("i̇ straße",)
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
    assert CypherDiffers("x").exit_code == 2
