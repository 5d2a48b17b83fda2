"""Help for the next query: notes on probable mistakes, the schema, tables that distinguish values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hin.cypher.errors import CypherError, CypherRefused
from hin.cypher.folder_graph import FolderGraph
from hin.cypher.functions.registry import FUNCTIONS, INTEGER, STRING, function
from hin.cypher.query import QueryOptions, query_graph
from hin.cypher.show import format_value
from hin.stores.folder import FolderStore
from hin.stores.layout import layout_of
from tests.neo4j.neo4j_samples import sample_findings, sample_graph


@pytest.fixture(scope="module")
def papers() -> FolderGraph:
    graph = sample_graph(16, loops=True)
    return FolderGraph(layout_of(graph, sample_findings(graph), {}))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("papers") / "papers.hin"
    FolderStore(home).write_graph(sample_graph(16), options={})
    return home


def _ask(papers: FolderGraph, text: str) -> Any:
    return query_graph(papers, text, QueryOptions())


#: Queries and what their note says.
PROBABLE = {
    "MATCH (a:Author)-[:HAS_AUTHOR]->(d) RETURN d": "HAS_AUTHOR leads from Document to Author: reverse its arrow",
    "MATCH (d:Document)<-[:HAS_AUTHOR]-(a:Author) RETURN d": "reverse its arrow",
    "MATCH (d:Document)-[:HAS_VENUE]->(a:Author) RETURN d": (
        "no such relationship leads from Document to Author; there is HAS_VENUE from Document to Venue"
    ),
    "MATCH (d:Document) RETURN d.name": "no Document has a property `name`; there are abstract, id, label",
    "MATCH (d:Document)-[HAS_AUTHOR]->() RETURN count(*)": "a relationship of that type is -[:HAS_AUTHOR]-",
}
MEANT = [
    "MATCH (d:Document)-[:HAS_AUTHOR]->(a:Author)-[:KNOWS]-(b) RETURN d.id, a.name, b.name",
    "MATCH (a:Author)<-[r:HAS_AUTHOR]-(d:Document|Motif) WHERE d.title IS NULL RETURN r.position, {name: 1}.name",
]


@pytest.mark.parametrize(("text", "note"), PROBABLE.items())
def test_a_probable_mistake_is_named(papers: FolderGraph, text: str, note: str) -> None:
    assert any(note in said for said in _ask(papers, text).notes)


@pytest.mark.parametrize("text", MEANT)
def test_what_is_meant_is_not_remarked_on(papers: FolderGraph, text: str) -> None:
    assert _ask(papers, text).notes == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MTACH (d) RETURN d", "did you mean MATCH?"),
        ("MATCH (d:Document)\nRETRUN d", "did you mean RETURN?"),
        ("MATCH (d:Documnt) RETURN d", "no label 'Documnt' at line 1, column 10"),
        ("MATCH (d:Document)\n-[:HAS_AUTOR]-() RETURN d", "no relationship 'HAS_AUTOR' at line 2, column 4"),
        ("MATCH (d:Document) RETURN d.titel", "no property 'titel' at line 1, column 29"),
        ("MATCH (d:Document) RETURN foo(d.id)", "no function foo() at line 1, column 27; did you mean"),
        ("MATCH (d:Document) RETURN e", "`e` is not defined at line 1, column 27"),
    ],
)
def test_an_error_has_a_place_and_a_remedy(papers: FolderGraph, text: str, said: str) -> None:
    with pytest.raises(CypherError) as caught:
        _ask(papers, text)
    assert said in str(caught.value)


def test_procedures_say_what_is_in_the_graph(papers: FolderGraph) -> None:
    labels = _ask(papers, "CALL db.labels()")
    assert labels.columns == ("label",) and ("Author",) in labels.rows
    assert ("KNOWS",) in _ask(papers, "CALL db.relationshipTypes()").rows
    assert ("title",) in _ask(papers, "CALL db.propertyKeys() YIELD propertyKey AS k RETURN k").rows
    found = _ask(papers, "CALL db.labels() YIELD label WHERE label STARTS WITH 'A' RETURN label, size(label) AS n")
    assert found.rows == [("Author", 6)]
    nodes, steps = _ask(papers, "CALL db.schema.visualization()").rows[0]
    assert {"name": "KNOWS", "from": "Author", "to": "Author"} in steps and nodes[0]["name"] == "Document"
    with pytest.raises(CypherRefused, match="procedure apoc.help on a folder"):
        _ask(papers, "CALL apoc.help('x')")
    with pytest.raises(CypherError, match="no column `name`; it has label"):
        _ask(papers, "CALL db.labels() YIELD name RETURN name")


def test_the_schema_is_shown(place: Path, hin: Any) -> None:
    shown = hin("info", "--schema", "--graph", str(place))
    assert "HAS_AUTHOR  Document  Author" in shown.out and "name (string), number (integer)" in shown.out
    schema = json.loads(hin("info", "--schema", "--json", "--graph", str(place)).out)
    assert {key: schema["labels"][0][key] for key in ("label", "nodes")} == {"label": "Document", "nodes": 16}


def test_a_table_distinguishes_values(place: Path, hin: Any) -> None:
    text = "RETURN null AS a, '' AS b, true AS c, 0.0004 AS d, 1e300 AS e, NaN AS f, -INF AS g, [1, null] AS h, 2 AS i"
    cells = hin("query", text, "--graph", str(place)).out.splitlines()[-1].split()
    assert cells == ["null", "''", "true", "0.0004", "1e+300", "NaN", "-Infinity", "[1,", "null]", "2"]
    lines = hin("query", text, "--graph", str(place), "--format", "csv").out.splitlines()
    assert lines[-1] == ',,true,0.0004,1e+300,,,"[1, null]",2'
    text = "MATCH p = (d:Document {number: 1})-[r:HAS_YEAR]->(y) RETURN y, r, p"
    shown = hin("query", text, "--graph", str(place)).out
    assert '(:Year {name: "200' in shown and "[:HAS_YEAR {position: 1}]" in shown
    assert "}]->(:Year " in shown and "(:Document {" in shown


def test_a_path_shows_its_directions(papers: FolderGraph) -> None:
    class Thing:
        def __init__(self, **has: Any) -> None:
            self.__dict__.update(has)

        def items(self) -> Any:
            return ()

    one, two = (Thing(labels=frozenset({name})) for name in ("A", "B"))
    step = Thing(type="T", nodes=(two, one))
    assert format_value(Thing(nodes=(one, two), relationships=(step,))) == "(:A)<-[:T]-(:B)"


def test_a_query_may_begin_with_a_mark(place: Path, hin: Any) -> None:
    assert hin("query", "\ufeffRETURN 1 AS x", "--graph", str(place), "--format", "json").json == [{"x": 1}]


def test_a_function_is_one_entry(papers: FolderGraph) -> None:
    try:
        function("twiceAsLong", STRING >> INTEGER, sql="(2 * length({0}))")(lambda text: 2 * len(text))
        text = "MATCH (v:Venue) RETURN twiceAsLong(v.name) AS n, 1 AS x LIMIT 1"
        assert _ask(papers, text).rows == [(14, 1)]
        assert _ask(papers, "RETURN twiceaslong('ab') AS n, twiceAsLong(null) AS m").rows == [(4, None)]
        steps = _ask(papers, "EXPLAIN " + text).rows
        assert any("2 * length(" in detail for _, _, detail in steps)
        for wrong in ("RETURN twiceAsLong(1) AS n", "RETURN twiceAsLong() AS n"):
            with pytest.raises(CypherError, match="it takes"):
                _ask(papers, wrong)
        with pytest.raises(CypherError, match=r"twiceAsLong\(\) needs a string, not an integer"):
            _ask(papers, "WITH {a: 1} AS x RETURN twiceAsLong(x.a) AS n")
    finally:
        del FUNCTIONS["twiceaslong"]
