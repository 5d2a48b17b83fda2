"""The report's data, its documents, and the file as it is written."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hin
from classify.commands.arguments import ReportCommand
from classify.commands.report import run_report
from classify.paper.tables import project
from classify.report import page as report
from classify.report.charts.base import CHARTS, Chart
from classify.report.charts.confidence import confidence_bins
from classify.report.charts.kappa import kappa_bins
from classify.report.data import report_data
from classify.report.documents import choose_documents, pack, pack_documents, top_per_row
from classify.report.gathering import Reasons, ReportInputs
from classify.report.options import ReportOptions
from classify.report.page import ECHARTS, render_report, write_report
from hin.console import Console
from hin.errors import BadUsage, GraphNotFound
from hin.stores.findings import Findings
from tests.classify.report.report_samples import HOSTILE, TOPICS, sample_graph, sample_inputs


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> ReportInputs:
    return sample_inputs(sample_graph(tmp_path_factory.mktemp("graph")))


def block(page: str, name: str) -> bytes:
    """A packed block of the page."""
    found = re.search(rf'id="{name}">([^<]*)<', page)
    assert found
    return zlib.decompress(base64.b64decode(found[1]))


def unpack(index: list[dict[str, Any]], data: bytes) -> dict[str, Any]:
    """What the page's script does with packed columns."""
    columns: dict[str, Any] = {}
    for column in index:
        part, data = data[: column["bytes"]], data[column["bytes"] :]
        if column["type"] == "text":
            columns[column["name"]] = part.decode().split("\n")
        else:
            size = int(column["type"][1:])
            planes = np.frombuffer(part, np.uint8).reshape(size, -1)
            columns[column["name"]] = sum(plane.astype(np.int64) << (8 * i) for i, plane in enumerate(planes))
    return columns


def test_patterns_say_how_many_instances_are_more_than_chance(inputs: ReportInputs) -> None:
    import pyarrow as pa

    n = inputs.findings.motifs.num_rows  # type: ignore[union-attr]
    q = pa.array([0.01 if i % 2 else 0.5 for i in range(n)])
    chance = pa.table({"expected": pa.array([1.0] * n), "lift": pa.array([2.0] * n), "q": q})
    compared = replace(inputs, findings=replace(inputs.findings, chance=chance))
    patterns = np.array(inputs.findings.motifs.column("pattern").to_pylist())  # type: ignore[union-attr]
    expected = int((np.flatnonzero(patterns == "author-venue") % 2).sum())
    assert {p["name"]: p["more"] for p in report_data(compared).summary["patterns"]} == {
        "term": None,
        "author": None,
        "author-venue": expected,
    }
    assert {p["more"] for p in report_data(inputs).summary["patterns"]} == {None}


def test_the_summary_holds_every_part(inputs: ReportInputs) -> None:
    summary = report_data(inputs).summary
    assert [node["type"] for node in summary["graph"]["nodes"]] == ["document", "term", "author", "venue", "year"]
    assert {pattern["name"] for pattern in summary["patterns"]} == {"term", "author", "author-venue"}
    assert all(0 < pattern["share"] <= 1 for pattern in summary["patterns"])
    first = summary["categories"][0]
    assert first["name"] == "data mining"
    assert first["note"] == "in only 3 documents"
    figures = {"kappa", "cosine", "documents", "expected", "lift", "q"}
    assert {*figures, "examples", "pattern", "name"} == set(first["instances"][0])
    assert len(first["instances"][0]["examples"]) == 3
    assert sum(first["shares"]) == pytest.approx(1, abs=0.01)
    assert first["pseudo"]["documents"] == 20
    assert np.sum(summary["evaluation"]["confusion"]) == len(inputs.graph) - 1
    assert summary["charts"]["confidence"]["without"] == 1
    assert summary["charts"]["confidence"]["abstain"] == 0.3
    stars = [point for point in summary["charts"]["map"]["points"] if point[3] == 0]
    assert len(stars) == 3


def test_coverage_counts_documents_that_hold_an_instance(inputs: ReportInputs) -> None:
    summary = report_data(inputs).summary
    edges, motifs = inputs.findings.has_motif, inputs.findings.motifs
    assert edges is not None
    assert motifs is not None
    for pattern in summary["patterns"]:
        mine = {i for i, name in enumerate(motifs.column("pattern").to_pylist()) if name == pattern["name"]}
        assert pattern["documents"] == sum(bool(mine & set(edges.row(d).tolist())) for d in range(len(edges)))


def test_examples_hold_the_instance(inputs: ReportInputs) -> None:
    motifs = inputs.findings.motifs
    assert motifs is not None
    names = motifs.column("name").to_pylist()
    for category in report_data(inputs).summary["categories"]:
        for row in category["instances"]:
            assert inputs.findings.has_motif is not None
            holders = {
                d for d in range(len(inputs.graph)) if names.index(row["name"]) in inputs.findings.has_motif.row(d)
            }
            titles = {inputs.graph.texts[d][0] for d in holders}
            assert set(row["examples"]) <= titles


def test_reasons_are_the_categorys_instances_in_the_document(inputs: ReportInputs) -> None:
    data = report_data(inputs)
    assert data.source.reasons is not None
    assert inputs.findings.indicates is not None
    assert inputs.findings.has_motif is not None
    pairs = {(row["motif"], row["category"]) for row in inputs.findings.indicates.to_pylist()}
    for document, motifs in enumerate(data.source.reasons.motifs):
        for motif in motifs[motifs >= 0].tolist():
            assert motif in inputs.findings.has_motif.row(document)
            assert (motif, int(data.source.predicted[document])) in pairs


def test_given_reasons_are_shown_as_they_are(inputs: ReportInputs) -> None:
    n = len(inputs.graph)
    given = Reasons(np.tile(np.array([4, -1], np.int32), (n, 1)), np.ones((n, 2)))
    data = report_data(replace(inputs, reasons=given))
    packed, text = pack_documents(data, 10_000_000, 0)
    columns = unpack(packed["columns"], zlib.decompress(base64.b64decode(text)))
    assert columns["motif"] == [data.source.motifs.names[4].as_py()]
    assert columns["reasons"].reshape(2, n).tolist() == [[1] * n, [0] * n]


def test_a_graph_without_findings_has_a_report(inputs: ReportInputs) -> None:
    summary = report_data(ReportInputs(inputs.graph, Findings())).summary
    assert summary["categories"] == summary["patterns"] == []
    assert summary["evaluation"] is None and not any(summary["charts"].values())


def test_a_chart_is_a_pair_of_files_that_registers_itself(inputs: ReportInputs, tmp_path: Path) -> None:
    drawing = tmp_path / "lengths.js"
    drawing.write_text("drawings.lengths = numbers => numbers;", encoding="utf-8")
    CHARTS.register("lengths")(Chart(lambda source: [len(source.predicted)], "quality", "Lengths", "<b>", drawing))
    try:
        data = report_data(inputs)
        page, _ = render_report(data)
    finally:
        CHARTS.forget("lengths")
    assert data.summary["charts"]["lengths"] == [len(inputs.graph)]
    assert "drawings.lengths = numbers" in page and '<p id="lengths-hint" class="hint">&lt;b&gt;</p>' in page
    quality = page.index('<section id="quality"')
    assert quality < page.index('id="lengths-block"') < page.index("</section>", quality)


def test_every_chart_has_its_drawing_and_its_section() -> None:
    template = (report._ASSETS / "template.html").read_text(encoding="utf-8")
    for name in CHARTS.names():
        chart = CHARTS.get(name)
        assert f"drawings.{name} = " in chart.drawing.read_text(encoding="utf-8")
        assert f"%%CHARTS {chart.section}%%" in template


def test_without_labels_nothing_is_evaluated(inputs: ReportInputs) -> None:
    data = report_data(replace(inputs, truth=None))
    assert data.summary["evaluation"] is None
    assert "figures" not in data.summary["categories"][0]
    packed, _ = pack_documents(data, 10_000_000, 0)
    assert "label" not in {column["name"] for column in packed["columns"]}


def test_the_page_holds_no_name_as_markup(inputs: ReportInputs) -> None:
    page, _ = render_report(report_data(inputs, ReportOptions(title=HOSTILE)))
    body = page.replace((report._ASSETS / ECHARTS["file"]).read_text(encoding="utf-8"), "")
    assert "onerror" not in body.replace("&lt;/script&gt;&lt;img src=x onerror=window.hacked=1&gt;", "")
    assert "Author 0" not in page
    assert body.count("</script>") == 5


def test_the_policy_allows_the_scripts_of_the_page_and_nothing_else(inputs: ReportInputs) -> None:
    page, _ = render_report(report_data(inputs))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    hashes = set(re.findall(r"'sha256-([^']*)'", policy[1]))
    inline = [*re.findall(r"<script>(.*?)</script>", page, re.S), *re.findall(r"<style>(.*?)</style>", page, re.S)]
    assert {base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline} == hashes
    assert "unsafe" not in policy[1]
    assert policy[1].startswith("default-src 'none'")
    assert not re.search(r'(src|href)="(?!data:|#)', page.replace(inline[0], ""))


def test_the_chart_library_is_as_its_makers_made_it() -> None:
    body = (report._ASSETS / ECHARTS["file"]).read_bytes()
    assert hashlib.sha256(body).hexdigest() == ECHARTS["sha256"]
    assert ECHARTS["version"] in (report._ASSETS / "echarts" / "README.md").read_text(encoding="utf-8")
    assert "Apache License" in (report._ASSETS / "echarts" / "LICENSE").read_text(encoding="utf-8")


def test_the_same_inputs_give_the_same_bytes(inputs: ReportInputs, tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        write_report(tmp_path / name, inputs)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_documents_are_all_there_and_read_back(inputs: ReportInputs) -> None:
    page, packed = render_report(report_data(inputs))
    assert packed["shown"] == packed["total"] == len(inputs.graph)
    index = json.loads(block(page, "documents-index"))
    columns = unpack(index["columns"], block(page, "documents-data"))
    assert columns["id"] == inputs.graph.documents.tolist()
    assert columns["category"][9] == 0
    assert columns["category"][0] == 1 + report_data(inputs).source.predicted[0]
    assert json.loads(block(page, "summary"))["categories"][2]["name"] == list(TOPICS)[2]


def test_a_small_room_leaves_documents_out(inputs: ReportInputs) -> None:
    data = report_data(inputs)
    packed, text = pack_documents(data, 4000, 0)
    assert len(text) <= 4000
    assert 10 < packed["shown"] < packed["total"]


def test_chosen_documents_are_borders_the_surest_and_a_draw() -> None:
    rng = np.random.default_rng(0)
    sure, predicted = rng.random(1000), rng.integers(0, 5, 1000)
    kept = choose_documents(sure, sure, predicted, 200, 0)
    assert len(kept) == len(set(kept.tolist())) == 200
    assert set(np.argsort(sure)[:50].tolist()) <= set(kept.tolist())
    best = {int(np.flatnonzero(predicted == c)[sure[predicted == c].argmax()]) for c in range(5)}
    assert best <= set(kept.tolist())
    assert choose_documents(sure, sure, predicted, 200, 0).tolist() == kept.tolist()
    assert choose_documents(sure, sure, predicted, 200, 1).tolist() != kept.tolist()


def test_packed_strings_keep_to_their_lines() -> None:
    index, text = pack([("s", ["a\nb", "c\u2028d", "\ud800"]), ("n", np.array([1, 70000], np.uint32))])
    columns = unpack(index, zlib.decompress(base64.b64decode(text)))
    assert columns["s"] == ["a b", "c d", "?"]
    assert columns["n"].tolist() == [1, 70000]


def test_the_heaviest_come_first_and_ties_by_number() -> None:
    rows, items = np.array([1, 1, 1, 0]), np.array([9, 3, 5, 2])
    best, weights = top_per_row(rows, items, np.array([0.5, 0.5, 0.9, 0.1]), 2, 2)
    assert best.tolist() == [[2, -1], [5, 3]]
    assert weights[1].tolist() == pytest.approx([0.9, 0.5])


def test_the_map_is_the_same_for_a_seed_and_keeps_groups_together() -> None:
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(4, 20))
    vectors = np.repeat(centres, 15, axis=0) + rng.normal(0, 0.2, (60, 20))
    plane = project(vectors, 0)
    again = project(vectors, 0)
    assert plane is not None
    assert again is not None
    assert np.array_equal(plane, again)
    group = np.repeat(np.arange(4), 15)
    distance = np.linalg.norm(plane[:, None] - plane[None], axis=2) + 9 * np.eye(60)
    assert (group[distance.argmin(axis=1)] == group).mean() > 0.95
    assert project(vectors[:3], 0) is None


def test_kappa_with_zeros_is_drawn_on_a_plain_axis() -> None:
    found = kappa_bins(np.array([0.0, 5.0, np.nan]), np.array([0, 1, 1]), ["a", "b"], np.array([1]), bins=4)
    assert found is not None
    assert not found["log"]
    assert np.sum(found["all"]) == 2
    assert np.sum(found["selected"]) == 1
    assert kappa_bins(np.array([3.0, 3.0]), np.zeros(2, int), ["a"], np.array([], int)) is not None


def test_confidence_of_one_falls_into_the_last_bin() -> None:
    found = confidence_bins(np.array([1.0, 0.0]), np.array([0, -1]), None, None, bins=10)
    assert found["unknown"][-1] == 1
    assert found["without"] == 1


def test_hin_report_writes_the_file_and_says_so(
    papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hin.load(papers, graph=tmp_path / "papers.hin")
    run_report(ReportCommand(out=tmp_path / "r.html", graph=str(tmp_path / "papers.hin")), Console())
    out, err = capsys.readouterr()
    assert out.startswith(f"{tmp_path / 'r.html'}: 3 documents, ")
    assert "hin classify" in err
    assert "<title>papers" in (tmp_path / "r.html").read_text(encoding="utf-8")
    run_report(ReportCommand(out=tmp_path / "r.html", graph=str(tmp_path / "papers.hin")), Console(as_json=True))
    assert json.loads(capsys.readouterr().out)["shown"] == 3


def test_hin_report_names_what_is_wrong(papers: Path, tmp_path: Path) -> None:
    with pytest.raises(GraphNotFound):
        run_report(ReportCommand(graph=str(tmp_path / "nowhere.hin")), Console())
    with pytest.raises(BadUsage, match="is a folder"):
        run_report(ReportCommand(out=tmp_path), Console())
    hin.load(papers, graph=tmp_path / "papers.hin")
    with pytest.raises(BadUsage, match="no folder"):
        run_report(ReportCommand(out=tmp_path / "no" / "r.html", graph=str(tmp_path / "papers.hin")), Console())
    with pytest.raises(BadUsage, match="give 1.5 or more"):
        run_report(ReportCommand(max_megabytes=0.1, graph=str(tmp_path / "papers.hin")), Console())


def test_settings_that_were_left_alone_are_not_listed(inputs: ReportInputs) -> None:
    files = [{"sha256": "ab", "file": "papers.jsonl", "bytes": 7}]
    chosen = {"inputs": files, "read": {"id": None, "links": []}, "phrases": True}
    summary = report_data(replace(inputs, settings={"load": chosen})).summary
    reported = [["inputs", "papers.jsonl (bytes 7, sha256 ab)"], ["phrases", "yes"]]
    assert summary["settings"] == [{"stage": "load", "options": reported}]
    choices = [{"column": "nr", "use": "id", "why": "its values all differ", "change": "`id='FIELD'`"}]
    (row,) = report_data(replace(inputs, settings={"load": {"columns": choices}})).summary["settings"][0]["options"]
    assert row == ["columns", "nr: id, its values all differ"]
    chosen = {"patterns": {"venue": [5, 1_000_000], "venue-year": [5, 1_000_000]}}
    (row,) = report_data(replace(inputs, settings={"embed": chosen})).summary["settings"][0]["options"]
    assert row == ["patterns", "venue, venue-year (in 5 documents or more, at most 1,000,000 in one)"]


def test_how_much_each_view_counted_is_reported(inputs: ReportInputs) -> None:
    used = {"views": {"joint": 0.6, "knowledge": 0.4}, "knowledge": {"model": "wordllama", "documents": 240}}
    summary = report_data(replace(inputs, settings={"classify": {"seed": 0, "used": used}})).summary
    assert summary["views"] == [{"view": "joint", "share": 0.6}, {"view": "knowledge", "share": 0.4}]
    assert summary["knowledge"]["documents"] == 240
    assert report_data(inputs).summary["views"] == []


def test_the_page_shows_what_would_help_a_category(tmp_path: Path) -> None:
    graph = sample_graph(tmp_path)
    word = {"keyword": "cluster", "documents": 80, "share": 0.9, "corpus": 0.5, "meaning": None, "why": "..."}
    reported = {"problems": ["is in only 2 documents"], "words": [word], "line": "data mining: cluster"}
    nothing = {"problems": [], "words": [], "line": "databases"}
    data = report_data(replace(sample_inputs(graph), help=[reported, nothing]))
    first, second, third = data.summary["categories"]
    assert first["help"]["line"] == "data mining: cluster"
    assert first["help"]["words"] == [{"keyword": "cluster", "documents": 80, "share": 0.9}]
    assert second["help"]["words"] == []
    assert third["help"] is None
    assert "What would help" in render_report(data)[0]


def test_a_document_comes_with_its_text_and_the_weights_of_explain(inputs: ReportInputs) -> None:
    data = report_data(inputs)
    index, text = pack_documents(data, 1_000_000, 0)
    columns = unpack(index["columns"], zlib.decompress(base64.b64decode(text)))
    graph, reasons = data.source.inputs.graph, data.source.reasons
    assert (
        columns["text"][0].startswith(graph.texts[0][0][:40].strip()) and graph.texts[0][1][:40] in columns["text"][0]
    )
    assert reasons is not None
    width = len(columns["weights"]) // len(graph)
    first = [columns["weights"][k * len(graph)] / 1000 for k in range(width)]
    assert first == pytest.approx(np.clip(reasons.weights[0], 0, None).tolist(), abs=0.0006)


def test_texts_are_shortened_before_documents_are_left_out(inputs: ReportInputs) -> None:
    data = report_data(inputs)
    whole, text = pack_documents(data, 1_000_000, 0)
    less, shorter = pack_documents(data, len(text) - 1, 0)
    assert less["letters"] < whole["letters"] and less["shown"] == whole["shown"] and len(shorter) < len(text)
