"""`hin compare` from the command line: rows, stored runs, failures, limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from classify.commands.compare import chosen_systems, seconds_of
from classify.comparators import SYSTEMS
from hin.errors import BadUsage

pytestmark = pytest.mark.slow


def test_a_failure_is_a_row_and_what_is_done_is_kept(hin, demo_folder):
    graph, labels = demo_folder
    base = ["compare", "--graph", graph, "-c", labels, "--seeds", 1, "--documents", 200, "--json"]
    first = hin(*base, "--system", "tf-idf,zero-shot")
    assert first.code == 0, first.err
    rows = {row["system"]: row for row in first.json["systems"]}
    assert 0.1 < rows["tf-idf"]["micro_f1"]["mean"] < 1 and rows["tf-idf"]["documents"] == 200
    assert rows["zero-shot"]["status"] == "failed" and "--model encoder=FOLDER" in rows["zero-shot"]["message"]
    assert rows["tf-idf"]["megabytes"] > 30 and rows["tf-idf"]["seconds"] > 0
    # A stored run is not run again: its time is the same to the last digit.
    again = hin(*base, "--system", "tf-idf", "--resume")
    assert again.json["runs"][0]["seconds"] == first.json["runs"][0]["seconds"]
    # Another sample is another comparison.
    other = hin(*base[:-2], 150, "--json", "--system", "tf-idf", "--resume")
    assert other.json["systems"][0]["documents"] == 150 and "Nothing is resumed" in other.err


def test_nothing_stays_among_the_temporary_files(hin, demo_folder, tmp_path, monkeypatch):
    graph, labels = demo_folder
    (place := tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr("tempfile.tempdir", None)
    run = hin("compare", "--graph", graph, "-c", labels, "--seeds", 1, "--system", "hgt", "--documents", 200, "--json")
    assert run.code == 0, run.err
    assert run.json["systems"][0]["status"] == "done", run.out
    assert [path.name for path in place.iterdir()] == []
    assert list(Path(graph).glob(".work-*")) == []


def test_what_to_do_next_leaves_out_pretrained_models(hin, demo_folder):
    graph, labels = demo_folder
    run = hin("compare", "--graph", graph, "-c", labels, "--seeds", 1, "--system", "tf-idf", "--model", "encoder=x")
    assert run.code == 0, run.err
    assert run.err.rstrip().endswith(f"Next: `hin report --graph {graph}`")


def test_a_run_that_takes_too_long_is_stopped(hin, demo_folder):
    graph, labels = demo_folder
    run = hin("compare", "--graph", graph, "-c", labels, "--seeds", 1, "--system", "hin", "--time-limit", "0.2s")
    assert run.code == 0
    assert "time limit" in run.out and "stopped after 0.20 s" in run.err


def test_the_systems_tell_what_they_are(hin):
    listed = hin("compare", "--list", "--json")
    reported = {row["system"]: row for row in json.loads(listed.out)}
    assert set(reported) == set(SYSTEMS.names())
    assert all(row["follows"] for row in reported.values())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--system", "motifclas"], "did you mean motifclass"),
        (["--system", "tf-idf", "--time-limit", "soon"], "10m or 2h"),
        (["--system", "tf-idf", "--model", "bert="], "bert=FOLDER"),
    ],
)
def test_bad_usage_says_what_to_do(hin, demo_folder, arguments, expected):
    graph, labels = demo_folder
    run = hin("compare", "--graph", graph, "-c", labels, *arguments)
    assert run.code == 2 and expected in run.err and "Traceback" not in run.err


def test_a_graph_without_labels_is_refused_before_the_work(hin, tmp_path):
    (tmp_path / "d.jsonl").write_text('{"id": "a", "text": "games games"}\n', encoding="utf-8")
    (tmp_path / "labels.txt").write_text("games\nmusic\n", encoding="utf-8")
    hin("load", tmp_path / "d.jsonl", "--graph", tmp_path / "g.hin")
    run = hin("compare", "--graph", tmp_path / "g.hin", "-c", tmp_path / "labels.txt", "--system", "tf-idf")
    assert run.code == 1 and "--label FIELD" in run.err


def test_groups_and_times():
    assert chosen_systems(["paper"])[-1] in ("motifclass", "supervised-bert")
    assert not any(SYSTEMS.get(name).about.transformer for name in chosen_systems([]))
    assert seconds_of("2h") == 7200
    with pytest.raises(BadUsage):
        seconds_of("-1")
