"""Appending reads new documents as the old ones were read, and loading takes exports back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hin
from hin.commands.arguments import ExportCommand, InfoCommand
from hin.commands.export import run_export
from hin.commands.info import run_info
from hin.console import Console
from hin.errors import BadInput, BadUsage, DamagedGraph
from hin.exchange.export import export
from hin.exchange.formats import EXPORTS
from hin.loading import LoadResult, load_into
from hin.reading.options import LoadOptions


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def into(location: Path, path: Path, mode: Any = "create", update: bool = False, **reading: Any) -> LoadResult:
    options = LoadOptions(phrases=False, append=mode == "append", update=update, **reading)
    return load_into(location, path, options)


def test_appended_files_need_not_have_what_the_first_one_had(tmp_path: Path) -> None:
    first = write(tmp_path / "a.jsonl", {"id": 1, "text": "x", "venue": "v", "refs": ["2"], "label": "l"})
    into(tmp_path / "g", first, links="cites=refs", label="label")
    graph = into(tmp_path / "g", write(tmp_path / "b.jsonl", {"id": 2, "text": "y"}), "append").graph
    assert graph.edges("cites").row(0).tolist() == [1]
    assert graph.labels is not None
    assert graph.labels.codes.tolist() == [0, -1]


def test_appended_files_are_read_with_the_same_fields(tmp_path: Path) -> None:
    row = {"id": 1, "text": "x", "category": "c", "noise": "n", "label": "l"}
    into(tmp_path / "g", write(tmp_path / "a.jsonl", row), metadata="kind=category", label="")
    graph = into(tmp_path / "g", write(tmp_path / "b.jsonl", {**row, "id": 2, "category": "d"}), "append").graph
    assert graph.fields == ("kind",)
    assert graph.names("kind").tolist() == ["c", "d"]
    assert graph.labels is None


def test_the_separator_is_remembered(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text,author\n1,x,Ann;Bob\n")
    (tmp_path / "b.csv").write_text("id,text,author\n2,x,Bob;Eve\n")
    into(tmp_path / "g", tmp_path / "a.csv", separator=";")
    assert into(tmp_path / "g", tmp_path / "b.csv", "append").graph.names("author").tolist() == ["Ann", "Bob", "Eve"]


def test_new_fields_may_not_collide_with_the_graphs(tmp_path: Path) -> None:
    into(tmp_path / "g", write(tmp_path / "a.jsonl", {"id": 1, "text": "x", "venue": "v"}))
    with pytest.raises(BadInput, match="the fields 'venue' and 'Venue' differ only in case or punctuation"):
        into(tmp_path / "g", write(tmp_path / "b.jsonl", {"id": 2, "text": "x", "Venue": "v"}), "append")


@pytest.mark.parametrize("update", [False, True])
def test_added_edges_keep_their_ends_when_nodes_are_numbered_anew(tmp_path: Path, update: bool) -> None:
    first = write(tmp_path / "a.jsonl", {"id": 1, "text": "rare", "author": ["Ann", "Bob"]}, {"id": 2, "text": "a"})
    edges = tmp_path / "edges.csv"
    edges.write_text("type,source_type,source,target_type,target\nfond,author,Bob,term,rare\n")
    load_into(tmp_path / "g", first, LoadOptions(phrases=False, edges=edges))
    rows: list[dict[str, Any]] = [{"id": i, "text": "other words"} for i in range(3, 9)]
    if update:
        rows.append({"id": 1, "text": "rare", "author": ["Bob", "Ann"]})
    graph = into(tmp_path / "g", write(tmp_path / "b.jsonl", *rows), "append", update=update).graph
    extra = graph.extra["fond"]
    ends = graph.names("author")[extra.sources[0]], graph.names("term")[extra.targets[0]]
    assert ends == ("Bob", "rare")


def test_an_added_edge_goes_with_its_node(tmp_path: Path) -> None:
    first = write(
        tmp_path / "a.jsonl", {"id": 1, "text": "x", "author": "Ann"}, {"id": 2, "text": "x", "author": "Bob"}
    )
    edges = tmp_path / "edges.csv"
    edges.write_text("type,source_type,source,target_type,target\nknows,author,Ann,author,Bob\n")
    load_into(tmp_path / "g", first, LoadOptions(phrases=False, edges=edges))
    changed = write(tmp_path / "b.jsonl", {"id": 2, "text": "x", "author": "Eve"})
    assert len(into(tmp_path / "g", changed, "append", update=True).graph.extra["knows"].sources) == 0


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    rows = [{"id": i, "text": f"black hole {i}", "author": ["Ann", f"A{i}"], "label": "x"} for i in range(5)]
    into(tmp_path / "g.hin", write(tmp_path / "a.jsonl", *rows))
    return tmp_path / "g.hin"


@pytest.mark.parametrize(
    "format", [format for format in EXPORTS.names() if format not in ("jsonl", "ladybug", "neo4j-import", "pyg")]
)
def test_exports_load_back_to_an_equal_graph(
    saved: Path, tmp_path: Path, format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"out{EXPORTS.get(format).ending}"
    run_export(ExportCommand(format=format, out=out, graph=str(saved)), Console())
    assert capsys.readouterr().out == f"{out}\n"
    assert hin.load(out).equals(hin.open(saved))
    result = load_into(tmp_path / "h.hin", out, LoadOptions(phrases=False))
    assert result.added == 5
    assert hin.open(tmp_path / "h.hin").equals(hin.open(saved))


def test_exports_are_loaded_whole_and_alone(saved: Path, tmp_path: Path) -> None:
    out = export(hin.open(saved), "graphml", tmp_path / "g.graphml")
    with pytest.raises(BadUsage) as caught:
        load_into(saved, out, LoadOptions(phrases=False, append=True))
    assert str(caught.value) == f"{out} is a whole graph; load it without --append, or append documents"
    with pytest.raises(BadUsage) as caught:
        hin.load([out, tmp_path / "a.jsonl"])
    assert str(caught.value) == f"{out} is a whole graph; load it alone"


def test_info_of_a_saved_graph_and_its_check(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_info(InfoCommand(check=True, graph=str(saved)), Console(as_json=True))
    shown = capsys.readouterr()
    assert shown.err == f"{saved} is undamaged.\n"
    info = json.loads(shown.out)
    assert (info["documents"], info["motifs"]) == (5, {})
    terms = next(saved.glob("load-*/terms.targets.npy"))
    data = bytearray(terms.read_bytes())
    data[-1] ^= 1
    terms.write_bytes(data)
    with pytest.raises(DamagedGraph, match=r"terms\.targets\.npy is not what was written; load the documents again"):
        run_info(InfoCommand(check=True, graph=str(saved)), Console())


def test_export_for_machines(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_export(ExportCommand(kind="jsonl", out=tmp_path / "d.jsonl", graph=str(saved)), Console(as_json=True))
    assert json.loads(capsys.readouterr().out)["file"] == str(tmp_path / "d.jsonl")
