"""`hin classify` learns from the answers beside the graph, and from files with sources."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from classify.answers.collecting import collect_known
from hin.demo.corpus import DemoOptions, write_demo
from hin.errors import BadInput
from hin.stores.answers import Answer, AnswerLog
from hin.stores.base import open_store

QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue", "--classifier", "linear"]


def test_the_log_teaches_classify_and_info_counts_it(hin: Callable, tmp_path: Path) -> None:
    files, place = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin"
    hin("load", files.documents, "--graph", place)
    names = [line.partition(":")[0].strip() for line in files.labels.read_text().splitlines()]
    store = open_store(place)
    graph = store.read_graph()
    first, second, third = graph.documents[:3]
    answers = [Answer(first, (names[1],)), Answer(second, (names[0],), "minilm"), Answer(third, ("nonsense",))]
    AnswerLog(store).append(answers, graph)
    asked = ["classify", "-c", files.labels, *QUICK, "--graph", place, "--plain", "--out", tmp_path / "out.jsonl"]
    done = hin(*asked)
    assert done.code == 0, done.err
    assert "1 answer left out: nonsense" in done.err
    rows = {row["document"]: row for row in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())}
    assert (rows[first]["category"], rows[first]["confidence"]) == (names[1], 1.0)  # a person's is held
    assert rows[second]["confidence"] < 1  # a teacher's is not
    counted = hin("info", "--graph", place, "--json").json["answers"]
    assert counted["sources"] == {"person": 2, "minilm": 1} and counted["stale"] == 0
    assert "3 documents answered (2 by person, 1 by minilm)" in hin("info", "--graph", place).out
    before = (tmp_path / "out.jsonl").read_bytes()
    AnswerLog(store).append([Answer(graph.documents[3], (names[0],), "minilm")], graph)
    hin(*asked)
    assert (tmp_path / "out.jsonl").read_bytes() != before  # another answer is another fit


def test_explain_has_the_answers_of_a_file_with_sources(hin: Callable, tmp_path: Path) -> None:
    files, place, known = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin", tmp_path / "few.csv"
    hin("load", files.documents, "--graph", place)
    name = files.labels.read_text().partition("\n")[0].partition(":")[0].strip()
    document = open_store(place).read_graph().documents[0]
    known.write_text(f"document,category,source\n{document},{name},crowd\n")
    done = hin("classify", "-c", files.labels, *QUICK, "--graph", place, "--known", known)
    assert done.code == 0, done.err
    right = hin("explain", document, "--graph", place, "--json").json["answers"][0]["right"]
    line = f"crowd said {name}; its answers are estimated {right:.0%} right"
    assert line in hin("explain", document, "--graph", place).out


def test_answers_for_measuring_teach_nothing_and_a_person_goes_before_a_teacher(tmp_path: Path) -> None:
    from motifs.samples import tiny_graph

    graph = tiny_graph()
    file = tmp_path / "few.csv"
    a, b = graph.documents[:2]
    file.write_text(f"document,category,source,confidence\n{a},web,,\n{a},data mining,minilm,.6\n{b},web,minilm,\n")
    known, notes = collect_known(None, graph, ["web", "data mining"], False, file)
    assert notes == [] and known is not None
    assert known.sources == ("minilm",)
    assert list(zip(known.rows, known.labels, known.source, strict=True)) == [(0, 0, -1), (0, 1, 0), (1, 0, 0)]
    assert known.by_persons.rows.tolist() == [0]
    file.write_text(f"document,category,source,confidence\n{a},web,minilm,7\n")
    with pytest.raises(BadInput, match="line 2: the confidence '7' is not a number"):
        collect_known(None, graph, ["web", "data mining"], False, file)
