"""Exports come from anybody: odd heads, damaged archives and formulas in names."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import hin
from hin.errors import BadInput
from hin.exchange.export import export
from hin.exchange.importing import import_graph
from hin.graph import Graph


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("hostile")
    names = ["=1+1", "'@x", "-3", "-2+3", "\tx", "plain"]
    rows = [{"id": name, "text": f"some words {name}", "venue": names} for name in names]
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return hin.load(folder / "a.jsonl", graph=str(folder / "g.hin"), metadata="venue", phrases=False)


def test_csv_exports_hold_no_formula_and_come_back_whole(graph: Graph, tmp_path: Path) -> None:
    folder = export(graph, "csv", tmp_path / "tables")
    with (folder / "nodes.csv").open(newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "@", "\t") or cell == "-2+3"]
    assert "'=1+1" in cells
    assert import_graph(folder).equals(graph)
    hin.export(graph, "csv", tmp_path / "raw", csv_formulas=True)
    assert "=1+1" in (tmp_path / "raw" / "nodes.csv").read_text()
    assert import_graph(tmp_path / "raw").equals(graph)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("extra", None), ("extra", [["a", "b"]]), ("extra", [["a", "nowhere", "document"]]), ("fields", "venue"),
        ("fields", ["venue", "venue"]), ("text", [1]), ("labels", "yes"), ("dangling", []),
        ("dangling", {"cites": [[99], ["x"]]}), ("dangling", {"cites": [[-1], ["x"]]}), ("schema", []),
        ("several_labels", [[0]]), ("several_labels", [[99, ["a"]]]), ("format", "1"), ("links", [None]),
        ("fields", ["\ud800"]),
    ],
)  # fmt: skip
def test_an_odd_head_is_one_line(graph: Graph, tmp_path: Path, key: str, value: Any) -> None:
    folder = export(graph, "csv", tmp_path / "tables")
    head = json.loads((folder / "graph.json").read_text())
    head[key] = value
    if value is None:
        del head[key]
    (folder / "graph.json").write_text(json.dumps(head))
    with pytest.raises(BadInput):
        import_graph(folder)


@pytest.mark.parametrize(
    "content",
    [
        b"<?xml version='1.0' encoding='klingon'?><graphml/>",
        b"<graphml><node/></graphml>",
        b"<graphml><key id='hin' attr.name='hin'/><graph><data key='hin'>"
        + b"[" * 100_000
        + b"</data></graph></graphml>",
        gzip.compress(b"<graphml>" * 100)[:-9],
        gzip.compress(b"<graphml>" * 10_000)[:40] + b"\0" * 50,
    ],
    # Packed bytes hold the time, and the names of tests must be the same in every process.
    ids=["encoding", "no id", "deep", "cut", "padded"],
)
def test_a_damaged_graphml_is_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.graphmlz").write_bytes(content)
    with pytest.raises(BadInput):
        import_graph(tmp_path / "a.graphmlz")


def test_names_that_are_no_text_are_refused(graph: Graph, tmp_path: Path) -> None:
    path = export(graph, "networkx", tmp_path / "a.json")
    data = json.loads(path.read_text())
    data["nodes"][0]["name"] = ["a list"]
    path.write_text(json.dumps(data))
    with pytest.raises(BadInput, match=r"not the content of an export \(Expected bytes, got a 'list' object\); only"):
        import_graph(path)
