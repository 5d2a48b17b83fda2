"""Rows in every shape: Arrow, pandas, polars, networkx, files, a picture; and plans."""

from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hin
from cli import app
from hin.cypher.picture import picture
from hin.errors import BadUsage
from hin.stores.folder import FolderStore
from hin.stores.querying import query
from tests.neo4j.neo4j_samples import sample_findings, sample_graph

PATHS = "MATCH (a:Author)-[r:KNOWS]->(b) RETURN a, r, b ORDER BY a.name LIMIT 5"


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> str:
    store = FolderStore(tmp_path_factory.mktemp("results") / "papers.hin")
    graph = sample_graph()
    store.write_graph(graph, options={})
    store.write_stage("motifs", sample_findings(graph).save, {})
    return store.location


def test_parameters_by_name_and_tables(papers: str) -> None:
    found = hin.query(
        papers, "MATCH (d:Document) WHERE d.number < $most RETURN d.id AS id, d.number AS n ORDER BY n", most=3
    )
    assert found.arrow().to_pydict() == {"id": ["p0", "p1", "p2"], "n": [0, 1, 2]}
    pytest.importorskip("pandas")
    assert found.pandas()["n"].tolist() == [0, 1, 2]


def test_polars(papers: str) -> None:
    pytest.importorskip("polars")
    assert hin.query(papers, "UNWIND [1, 2] AS x RETURN x").polars()["x"].to_list() == [1, 2]


def test_a_graph_in_memory() -> None:
    assert hin.query(sample_graph(5), "MATCH (d:Document) RETURN count(*) AS n").rows == [(5,)]


def test_mixed_columns_become_json(papers: str) -> None:
    table = query(papers, "UNWIND [1, 'a', {b: 2}, null] AS x RETURN x").arrow()
    assert table.column("x").to_pylist() == ["1", '"a"', '{"b": 2}', None]


def test_the_graph_of_what_was_returned(papers: str) -> None:
    graph = query(papers, PATHS).networkx()
    assert graph.number_of_edges() == 5
    assert all(data["type"] == "KNOWS" for *_, data in graph.edges(data=True))
    assert {label for _, data in graph.nodes(data=True) for label in data["labels"]} == {"Author"}
    path = query(papers, "MATCH p = (a:Author)-[:KNOWS]->(b) RETURN p LIMIT 1").networkx()
    assert (path.number_of_nodes(), path.number_of_edges()) == (2, 1)


def test_a_picture_is_one_page_and_says_when_it_cannot_be_drawn(papers: str) -> None:
    page = picture(query(papers, PATHS), "who <knows> whom")
    assert page == picture(query(papers, PATHS), "who <knows> whom")
    assert page.count("KNOWS") == 5
    assert "<knows>" not in page
    assert "http" not in page
    with pytest.raises(BadUsage, match="RETURN d, r, a"):
        picture(query(papers, "RETURN 1"), "nothing")


@pytest.mark.parametrize("shape", ["json", "csv", "graph", "html", "arrow", "parquet"])
def test_files_of_every_shape(papers: str, tmp_path: Path, shape: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = tmp_path / "found"
    result = CliRunner().invoke(app, ["query", PATHS, "--graph", papers, "--format", shape, "--out", str(out)])
    assert result.exit_code == 0, result.output
    made = out.read_bytes()
    if shape == "parquet":
        assert pq.read_table(io.BytesIO(made)).num_rows == 5
    elif shape == "arrow":
        assert pa.ipc.open_stream(made).read_all().num_rows == 5
    elif shape == "graph":
        assert len(json.loads(made)["links"]) == 5
    else:
        assert b"Author" in made


def test_a_large_list_is_written_without_a_copy_of_its_text(papers: str, tmp_path: Path) -> None:
    out = tmp_path / "found.json"
    arguments = ["query", "RETURN range(1, 300000) AS l", "--graph", papers, "--format", "json", "--out", str(out)]
    CliRunner().invoke(app, ["query", "RETURN 1", "--graph", papers])  # what is imported is not counted
    tracemalloc.start()
    try:
        assert CliRunner().invoke(app, arguments).exit_code == 0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert json.loads(out.read_text())[0]["l"][-1] == 300_000
    assert peak < 25_000_000  # the integers and their lists; with all pieces of the text at once it was 42 MB


def test_plans(papers: str) -> None:
    text = "MATCH (d:Document)-[:HAS_AUTHOR]->(a) WHERE a.name > 'A' RETURN {a: a.name} AS m"
    plan = query(papers, "EXPLAIN " + text)
    assert [row[:2] for row in plan.rows][:3] == [("MATCH", "SQL"), ("RETURN", "row by row"), ("statement", "SQL")]
    assert "SELECT" in plan.rows[2][2]
    profile = query(papers, "PROFILE " + text)
    assert profile.rows[-1][0] == "run"
    assert profile.rows[-1][2].startswith(f"{len(query(papers, text).rows)} rows in ")
