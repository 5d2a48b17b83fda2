"""The graph in LadybugDB: what was written is read back and compared."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hin as kit
from hin.cypher_names import quote
from hin.errors import BadUsage
from hin.exchange.export import export
from hin.graph import Graph, Labels
from hin.stores.findings import Findings
from hin.stores.layout import project
from motifs import match_all
from motifs.samples import make_graph, tiny_graph
from tests.conftest import Run


def rows(connection: Any, query: str) -> list[list[Any]]:
    return [list(row) for row in connection.execute(query)]


def compare(path: Path, graph: Graph, findings: Findings | None = None) -> None:
    """Compare every node, relationship and property of a database with the graph."""
    ladybug = pytest.importorskip("ladybug")
    expected = project(graph, findings)
    with ladybug.Database(path, read_only=True, buffer_pool_size=1 << 28) as database:
        with ladybug.Connection(database) as connection:
            for nodes in expected.nodes:
                names = nodes.table.column_names
                asked = ", ".join(f"n.{quote(name)}" for name in names)
                found = rows(connection, f"MATCH (n:{quote(nodes.label)}) RETURN {asked} ORDER BY n.number")
                assert found == [list(row.values()) for row in nodes.table.to_pylist()], nodes.label
            for part in expected.relationships:
                asked = ", ".join(["a.number", "b.number", *(f"r.{quote(name)}" for name in part.properties)])
                query = (
                    f"MATCH (a:{quote(part.source)})-[r:{quote(part.type)}]->(b:{quote(part.target)}) RETURN {asked}"
                )
                columns = [part.sources, part.targets, *part.properties.values()]
                given = [list(row) for row in zip(*(np.asarray(c).tolist() for c in columns), strict=True)]
                assert sorted(rows(connection, query)) == sorted(given), part.type


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    pytest.importorskip("ladybug")
    graph = make_graph(
        {"author": [["Ann `O'Hara`", 'Bob "B" \\u0060'], ["Bob \n2"], []], "year": [["2008"], [], ["2009"]]},
        terms=[["web", "data", "web"], ["data"], []],
        links={"cites": [[1], [0, 2], []]},
        extra={"knows": ("author", "author", [("Ann `O'Hara`", "Bob \n2")]), "count": ("year", "author", [])},
    )
    graph = replace(graph, labels=Labels.of(["mining", None, ("search", "mining")]))
    compare(export(graph, "ladybug", tmp_path / "g.lbug"), graph)
    assert [path.name for path in tmp_path.iterdir() if path.name != "user-data"] == ["g.lbug"]


def test_findings_are_there_and_cypher_writes(tmp_path: Path) -> None:
    ladybug = pytest.importorskip("ladybug")
    from hin.exchange.formats import ExportSource
    from hin.exchange.ladybug import write_ladybug

    graph = tiny_graph()
    found = replace(
        match_all(graph, ["venue-year", "author"], min_count=1).findings(),
        categories=Findings.of(categories=[("mining", None), ("web", None)]).categories,
        classified=Findings.labels([0, 1], [1, 0], [0.9, 0.8]),
    )
    path = tmp_path / "g.lbug"
    path.touch()
    write_ladybug(ExportSource(graph, found), path)
    compare(path, graph, found)
    with ladybug.Database(path, buffer_pool_size=1 << 28) as database, ladybug.Connection(database) as connection:
        connection.execute("MATCH (d:Document) WHERE d.number = 0 SET d.id = 'renamed'")
        assert rows(
            connection, "MATCH (d:Document)-[:CLASSIFIED_AS]->(c:Category) RETURN d.id, c.name ORDER BY d.number"
        )[0] == ["renamed", "web"]


def test_on_the_command_line(hin: Callable[..., Run], tmp_path: Path) -> None:
    pytest.importorskip("ladybug")
    (tmp_path / "p.jsonl").write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD", "label": "mining"}\n')
    graph = kit.load(tmp_path / "p.jsonl", graph=tmp_path / "p.hin")
    done = hin("export", "ladybug", "--graph", tmp_path / "p.hin", "--out", tmp_path / "p.lbug")
    assert done.code == 0, done.err
    compare(tmp_path / "p.lbug", graph)


def test_without_the_package_one_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ladybug", None)
    with pytest.raises(BadUsage, match="LadybugDB is not installed"):
        export(tiny_graph(), "ladybug", tmp_path / "g.lbug")
    assert not (tmp_path / "g.lbug").exists()
