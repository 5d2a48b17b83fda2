"""`hin motifs` as a user meets it: the table, the files, the store."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from hin.console import Console
from hin.errors import BadUsage, GraphBusy, GraphNotFound, UnknownName
from hin.stores.folder import FolderStore
from motifs import BadPattern
from motifs.arguments import MotifsCommand
from motifs.commands import run_motifs
from motifs.motif_stage import stored_motifs
from motifs.samples import make_graph, tiny_graph

VENUE_YEAR = {
    "pattern": "venue-year",
    "instance": "VENUE[KDD]-YEAR[2008]",
    "documents": 2,
    "expected": 2.25,
    "lift": 0.888889,
    "p": 1.0,
    "q": 1.0,
    "error": 0.0,
    "parts": [{"field": "venue", "value": "KDD"}, {"field": "year", "value": "2008"}],
}


@pytest.fixture
def place(tmp_path: Path) -> str:
    store = FolderStore(tmp_path / "papers.hin")
    store.write_graph(tiny_graph(), options={})
    return store.location


def _json(capsys: pytest.CaptureFixture[str], **options: Any) -> Any:
    run_motifs(MotifsCommand(**options), Console(as_json=True))
    return json.loads(capsys.readouterr().out)


def test_json_has_the_promised_shape(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _json(capsys, patterns=["year-venue"], min_count=2, graph=place) == [VENUE_YEAR]


def test_the_table_is_for_people(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_motifs(MotifsCommand(patterns=["author", "author-author"], min_count=2, top=1, graph=place), Console())
    out = capsys.readouterr().out
    assert (
        "author: 3 instances in at least 2 documents, 1 shown (--top 0 for all)\n"
        "100.0% of the documents have an instance\n" in out
    )
    assert "author-author: 1 instance in at least 2 documents\n60.0% of the documents have an instance\n" in out
    assert "        3  AUTHOR[Ann]\n" in out
    assert "AUTHOR[Bob]\n" not in out.replace("-AUTHOR[Bob]", "")
    run_motifs(MotifsCommand(patterns=["author"], min_count=2, contains="ann", graph=place), Console())
    assert "author: 1 of 3 instances in at least 2 documents\n" in capsys.readouterr().out


def test_discovery_without_any_instance_is_one_line(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_motifs(MotifsCommand(discover=True, min_count=50, graph=place), Console())
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "No pattern of the graph's fields has an instance in 50 documents.\n"


def test_a_narrow_terminal_shows_whole_patterns_and_reasons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    linked = [[(d + 1) % 40] for d in range(40)]
    graph = make_graph({"venue": [[f"v{d % 3}"] for d in range(40)]}, [["data"]] * 40, {"cites": linked})
    store = FolderStore(tmp_path / "linked.hin")
    store.write_graph(graph, options={})
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    run_motifs(MotifsCommand(discover=True, graph=store.location), Console())
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
    patterns = "".join(line[: head.index("instances")].strip() for line in lines)
    assert "(d:document)-[:cites]->(d2:document)-[:venue]->(v1:venue)" in patterns


def test_sorting_filtering_and_one_document(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    def names(**options: Any) -> list[str]:
        return [row["instance"] for row in _json(capsys, patterns=["author"], min_count=1, graph=place, **options)]

    assert names() == ["AUTHOR[Ann]", "AUTHOR[Bob]", "AUTHOR[Cy]", "AUTHOR[Dee]"]
    assert names(sort="name", top=2) == ["AUTHOR[Ann]", "AUTHOR[Bob]"]
    assert names(contains="cY") == ["AUTHOR[Cy]"]
    assert names(document="doc4") == ["AUTHOR[Cy]", "AUTHOR[Dee]"]
    assert names(document="doc4", contains="d", top=0) == ["AUTHOR[Dee]"]


def test_at_most_twenty_are_shown_unless_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = FolderStore(tmp_path / "many.hin")
    store.write_graph(make_graph({"tag": [[f"t{i:02}" for i in range(30)]]}), options={})
    command = {"patterns": ["tag"], "min_count": 1, "graph": store.location}
    assert len(_json(capsys, **command)) == 20
    assert len(_json(capsys, top=0, **command)) == 30
    assert len(_json(capsys, document="doc0", **command)) == 30


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl", "json"])
def test_files_hold_all_instances_with_the_same_columns(
    place: str, tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"found.{ending}"
    for patterns, expected in ((["venue-year"], [VENUE_YEAR]), (["venue-venue"], [])):
        run_motifs(MotifsCommand(patterns=patterns, min_count=2, out=out, graph=place), Console())
        if ending == "parquet":
            rows = pq.read_table(out).to_pylist()
            assert pq.read_schema(out).names == list(VENUE_YEAR)
        elif ending == "csv":
            rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
            rows = [{k: v if k in ("pattern", "instance") else json.loads(v) for k, v in row.items()} for row in rows]
        elif ending == "jsonl":
            rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        else:
            rows = json.loads(out.read_text(encoding="utf-8"))
        assert rows == expected
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "1 instance written to" in captured.err
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_csv_on_the_standard_output(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_motifs(MotifsCommand(patterns=["venue"], min_count=2, csv=True, graph=place), Console())
    assert capsys.readouterr().out.splitlines()[0] == "pattern,instance,documents,expected,lift,p,q,error,parts"


def test_instances_are_kept_in_the_graph_and_added_to(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    store = FolderStore(place)
    _json(capsys, patterns=["venue-year"], min_count=2, graph=place)
    _json(capsys, patterns=["author"], min_count=3, graph=place)
    stored = stored_motifs(store, store.read_graph())
    assert stored is not None
    assert [(t.pattern.name, t.min_count, len(t)) for t in stored] == [("author", 3, 3), ("venue-year", 2, 1)]
    assert store.check() == []
    before = store.stage("motifs")
    assert [row["pattern"] for row in _json(capsys, graph=place, top=1)] == ["author", "venue-year"]
    assert store.stage("motifs") == before, "looking writes nothing"
    _json(capsys, patterns=["author"], min_count=3, graph=place)
    assert store.stage("motifs") == before
    _json(capsys, patterns=["author"], min_count=2, graph=place)
    assert store.stage("motifs") != before


def test_a_busy_graph_still_shows_what_was_found(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    with FolderStore(place).lock():
        run_motifs(MotifsCommand(patterns=["venue"], min_count=2, graph=place), Console())
    captured = capsys.readouterr()
    assert "VENUE[KDD]" in captured.out
    assert "The instances were not saved: another process is writing" in captured.err
    assert issubclass(GraphBusy, Exception)


def test_documents_left_out_are_reported(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_motifs(MotifsCommand(patterns=["author-author"], min_count=1, max_per_document=2, graph=place), Console())
    assert "author-author: 1 document left out (doc1), each with more than 2 candidates" in capsys.readouterr().err


def test_verbose_shows_the_plan_and_its_bound(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_motifs(MotifsCommand(patterns=["venue-year"], min_count=2, graph=place), Console(verbose=True))
    reported = capsys.readouterr().err
    assert "venue-year: documents of each venue; join year, keep instances in >= 2 documents" in reported
    assert "at most 3 candidates" in reported


def test_discover_prints_a_recommendation(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = _json(capsys, discover=True, max_size=2, min_count=2, graph=place)
    assert {"pattern", "instances", "coverage", "specificity", "gain", "worth", "use", "why"} <= set(rows[0])
    run_motifs(MotifsCommand(discover=True, max_size=1, min_count=2, graph=place), Console())
    assert capsys.readouterr().out.splitlines()[0].split()[0] == "pattern"
    run_motifs(MotifsCommand(discover=True, csv=True, min_count=2, graph=place), Console())
    assert capsys.readouterr().out.startswith("pattern,")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"patterns": ["venue"], "discover": True}, BadUsage, "exclude one another"),
        ({}, BadUsage, "no pattern was named"),
        ({"patterns": ["place"]}, BadPattern, "no field 'place'"),
        ({"patterns": ["venue"], "min_count": 0}, BadUsage, "min_count is 0"),
        ({"patterns": ["venue"], "sort": "size"}, BadUsage, "sort is 'size'; expected 'count' or 'name'"),
        ({"patterns": ["venue"], "out": Path("found.txt")}, BadUsage, "unknown format"),
        ({"patterns": ["venue"], "out": Path("no/such/folder/x.csv")}, BadUsage, "cannot write"),
        ({"patterns": ["venue"], "document": "doc99"}, UnknownName, "doc99"),
        ({"patterns": ["venue"], "graph": "nowhere.hin"}, GraphNotFound, "no graph at nowhere.hin"),
    ],
)
def test_bad_usage_is_reported_and_nothing_is_written(
    place: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    before = FolderStore(place).stage("motifs")
    with pytest.raises(error) as caught:
        run_motifs(MotifsCommand(**{"graph": place, **options}), Console())
    assert message in str(caught.value)
    assert FolderStore(place).stage("motifs") == before


def test_json_and_csv_exclude_one_another(place: str) -> None:
    with pytest.raises(BadUsage, match="--csv and --json"):
        run_motifs(MotifsCommand(patterns=["venue"], csv=True, graph=place), Console(as_json=True))


def test_a_graph_without_metadata_has_nothing_to_discover(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "plain.hin")
    store.write_graph(make_graph({}, terms=[["data"]]), options={})
    with pytest.raises(BadUsage, match="no metadata"):
        run_motifs(MotifsCommand(discover=True, graph=store.location), Console())
