"""`hin diff` and `hin.diff`: documents that moved, flows, reasons that grew or fell, right before and after."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import hin as package
from hin.demo.corpus import DemoOptions, write_demo
from hin.stores.answers import Answer, AnswerLog
from hin.stores.base import open_store

pytestmark = pytest.mark.slow

QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue", "--classifier", "linear"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph that was classified twice: the second time, the words of botany are given to geology."""
    import cli

    folder = tmp_path_factory.mktemp("diff")
    files, graph = write_demo(folder, DemoOptions(documents=300)), folder / "g.hin"
    (folder / "swapped.txt").write_text(files.labels.read_text().replace("geology", "geology: moss, forest, nectar"))
    for command in (
        ["load", files.documents, "--graph", graph, "--quiet"],
        ["classify", "-c", files.labels, *QUICK, "--graph", graph, "--quiet"],
        ["classify", "-c", folder / "swapped.txt", *QUICK, "--graph", graph, "--quiet"],
    ):
        with pytest.raises(SystemExit) as stop:
            cli.main([str(part) for part in command])
        assert not stop.value.code
    return graph


def test_info_lists_the_classifications(hin: Callable, place: Path) -> None:
    reported = hin("info", "--graph", place, "--json").json["classifications"]
    assert [(one["number"], one["keywords"], one["reasons"]) for one in reported] == [(1, 0, True), (2, 3, True)]
    assert all(one["labelled"] == one["documents"] == 300 and one["classifier"] == "linear" for one in reported)
    assert "classification  made (UTC)" in hin("info", "--graph", place).out
    assert hin("info", "--check", "--graph", place).code == 0


def test_flows_examples_and_right_labels_agree_with_the_labels(hin: Callable, place: Path) -> None:
    reported = hin("diff", "--graph", place, "--json", "--examples", "4", "--reasons", "0").json
    found = package.diff(place)
    assert reported["moved"] == len(found.rows) == sum(flow["documents"] for flow in reported["flows"]) > 0
    assert reported["changed"] == [{"what": "category geology", "before": "", "after": "moss, forest, nectar"}]
    assert all(flow["before"] != flow["after"] for flow in reported["flows"])
    assert [flow["documents"] for flow in reported["flows"]] == sorted(
        (f["documents"] for f in reported["flows"]), reverse=True
    )
    assert len({(one["before"], one["after"]) for one in reported["examples"]}) == min(4, len(reported["flows"]))
    right = reported["right"]
    assert right["source"] == "labels" and right["after"] - right["before"] == right["mended"] - right["spoiled"]
    rows = {record["document"]: record for record in found.records()}
    spoiled = [r for r in rows.values() if r["truth"] == [r["before"]]]
    assert right["spoiled"] == len(spoiled)


def test_the_changes_of_the_reasons_add_up_to_that_of_the_margin(place: Path) -> None:
    found = package.diff(place)
    example = found.examples(1, reasons=10_000)[0]
    old, new = (package.MotifClassifier.load(one.model) for one in (found.before, found.after) if one.model)
    graph = package.open(place)

    def margin(model: package.MotifClassifier) -> float:
        mine, other = (
            model.explain(example.document, graph, name)["score"] for name in (example.after, example.before)
        )
        return float(mine - other)

    assert sum(one.after for one in example.reasons) == pytest.approx(margin(new))
    assert sum(one.change for one in example.reasons) == pytest.approx(margin(new) - margin(old))
    assert example.reasons[0].change >= abs(example.reasons[-1].change) or example.reasons[0].change < 0


def test_people_see_flows_examples_and_reasons(hin: Callable, place: Path) -> None:
    out = hin("diff", "1", "2", "--graph", place, "--examples", "1", "--reasons", "3").out
    assert "moved (" in out and "category geology: none → moss, forest, nectar" in out
    assert "right by the true labels:" in out and "before  after  change" in out
    back = hin("diff", "2", "1", "--graph", place, "--examples", "0")
    assert back.code == 0 and "geology: moss, forest, nectar → none" in back.out
    assert hin("diff", "2", "2", "--graph", place).out.startswith("0 of 300 documents moved")


def test_all_moved_documents_are_written(hin: Callable, place: Path, tmp_path: Path) -> None:
    moved = hin("diff", "--graph", place, "--json", "--out", tmp_path / "m.csv").json["moved"]
    with (tmp_path / "m.csv").open() as file:
        assert len(list(csv.DictReader(file))) == moved
    assert hin("diff", "2", "2", "--graph", place, "--out", tmp_path / "none.parquet").code == 0
    assert pq.read_table(tmp_path / "none.parquet").column_names[:3] == ["document", "before", "after"]
    refused = hin("diff", "--graph", place, "--out", tmp_path / "m.txt")
    assert refused.code == 2 and "unknown format" in refused.err


def test_bad_numbers_and_a_single_classification_are_said(hin: Callable, place: Path, tmp_path: Path) -> None:
    assert "no classification 9; there are 1, 2" in hin("diff", "9", "--graph", place).err
    files = write_demo(tmp_path, DemoOptions(documents=100))
    graph = tmp_path / "one.hin"
    hin("load", files.documents, "--graph", graph)
    assert "not been classified" in hin("diff", "--graph", graph).err
    assert hin("classify", "-c", files.labels, *QUICK, "--graph", graph).code == 0
    assert "only one classification" in hin("diff", "--graph", graph).err
    hin("classify", "-c", files.labels, *QUICK, "--graph", graph, "--abstain-below", "0.99")
    reported = hin("diff", "--graph", graph, "--json").json
    assert {flow["after"] for flow in reported["flows"]} <= {""}  # the same labels, or none
    hin("load", files.documents, "--graph", tmp_path / "other.hin", "--replace")


def test_answers_for_measuring_count_where_there_are_no_true_labels(hin: Callable, tmp_path: Path) -> None:
    files, graph = write_demo(tmp_path, DemoOptions(documents=120)), tmp_path / "g.hin"
    hin("load", files.documents, "--graph", graph, "--label", "")
    for seed in ("0", "1"):
        assert hin("classify", "-c", files.labels, *QUICK, "--graph", graph, "--seed", seed).code == 0
    assert package.diff(graph).right is None
    labels = {
        record["document"]: record["label"] for record in map(json.loads, files.documents.read_text().splitlines())
    }
    store = open_store(graph)
    answers = [Answer(name, (label,), purpose="measure") for name, label in list(labels.items())[:20]]
    AnswerLog(store).append([*answers, Answer("demo-0050", ("botany",))], store.read_graph())
    right = package.diff(store).right
    assert right is not None and (right.source, right.documents) == ("answers", 20)
    assert 10 < right.before <= 20
