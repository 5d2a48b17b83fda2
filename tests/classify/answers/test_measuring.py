"""The interval from a hundred answers covers the truth, and is narrower than a plain sample's."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from classify.answers.measured_f1 import estimate_f1
from classify.answers.measuring import MeasuredShare, draw_documents, estimate_share
from classify.commands.evaluation import accuracy_line
from classify.evaluation import evaluate
from hin.demo.corpus import DemoOptions, write_demo

QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue", "--classifier", "linear"]


@pytest.mark.parametrize("shape", [(4.0, 1.0), (2.0, 1.5), (0.8, 0.4)], ids=["good", "middling", "two kinds"])
def test_the_interval_covers_the_truth_and_is_narrower(shape: tuple[float, float]) -> None:
    rng = np.random.default_rng(5)
    confidence = rng.beta(*shape, 5000)
    right = rng.random(5000) < np.clip(confidence + 0.05, 0, 1)  # confidence is a little too low
    labels, truth, free = rng.integers(0, 8, 5000), float(right.mean()), np.ones(5000, dtype=np.bool_)
    covered, widths, plain = 0, [], []
    for draw in range(500):
        rows, strata, sizes = draw_documents(confidence, labels, free, 100, np.random.default_rng(draw))
        found = estimate_share(right[rows].tolist(), strata.tolist(), sizes, confidence[rows].tolist())
        covered += found.low <= truth <= found.high
        widths.append(found.high - found.low)
        flat = right[np.random.default_rng(draw).choice(5000, 100, replace=False)].mean()
        plain.append(2 * 1.96 * np.sqrt(flat * (1 - flat) / 100))
    assert 0.93 <= covered / 500 <= 0.99
    assert np.mean(widths) < np.mean(plain)


def test_labels_that_are_right_more_or_less_often_make_it_a_fifth_narrower() -> None:
    rng = np.random.default_rng(6)
    labels = rng.choice(9, 3000, p=[0.3, 0.2, 0.15, 0.1, 0.1, 0.06, 0.04, 0.03, 0.02])
    confidence = rng.beta(3, 2, 3000)  # which knows nothing of the labels that are mostly wrong
    right = rng.random(3000) < np.array([0.95, 0.2, 0.9, 0.1, 0.8, 0.9, 0.1, 0.5, 0.5])[labels]
    covered, widths, plain = 0, [], []
    for draw in range(300):
        rows, strata, sizes = draw_documents(confidence, labels, right >= 0, 100, np.random.default_rng(draw))
        assert len(set(rows.tolist())) == 100
        found = estimate_share(right[rows].tolist(), strata.tolist(), sizes, confidence[rows].tolist())
        covered += found.low <= right.mean() <= found.high
        widths.append(found.high - found.low)
        flat = right[np.random.default_rng(draw).choice(3000, 100, replace=False)].mean()
        plain.append(2 * 1.96 * np.sqrt(flat * (1 - flat) / 100))
    assert covered / 300 >= 0.93
    assert np.mean(widths) < 0.8 * np.mean(plain)


@pytest.mark.parametrize("skill", [0.0, 0.6], ids=["probabilities that say nothing", "calibrated"])
def test_the_intervals_of_f1_cover_the_truth(skill: float) -> None:
    rng = np.random.default_rng(3)
    truth = rng.choice(4, 4000, p=[0.5, 0.3, 0.15, 0.05])
    scores = rng.dirichlet([0.6] * 4, 4000)
    labels = np.where(rng.random(4000) < 0.7, truth, scores.argmax(axis=1))
    probabilities = (1 - skill) * 0.25 + skill * (0.7 * np.eye(4)[labels] + 0.3 * scores)
    whole, sure = evaluate(truth, labels, list("abcd")), probabilities.max(axis=1)
    covered = dict.fromkeys(("micro_f1", "macro_f1"), 0)
    for draw in range(300):
        rows, strata, sizes = draw_documents(sure, labels, np.ones(4000, bool), 150, np.random.default_rng(draw))
        found = estimate_f1(labels, probabilities, rows, truth[rows], strata.tolist(), sizes)
        for name, figure in found.items():
            covered[name] += figure.low <= whole[name] <= figure.high
    assert all(0.89 <= count / 300 <= 0.99 for count in covered.values()), covered


def test_macro_f1_needs_answers_about_every_category() -> None:
    labels, sizes = np.arange(400) % 20, [400]
    given, rows = np.full((400, 20), 0.05), np.arange(100)
    found = [estimate_f1(labels, given, rows[:n], labels[:n], [0] * n, sizes) for n in (100, 99)]
    assert [list(one) for one in found] == [["micro_f1", "macro_f1"], ["micro_f1"]]
    line = accuracy_line(MeasuredShare(0.5, 0.4, 0.6, 99, found[1]))
    assert "(macro-F1 needs 5 answers per category) from 99 answers" in line


@pytest.mark.slow
def test_evaluate_estimates_accuracy_from_answers(hin: Callable, tmp_path: Path) -> None:
    files, place = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin"
    rows = [json.loads(line) for line in files.documents.read_text().splitlines()]
    truth = {row["document"]: row["label"] for row in rows}
    rows = [{**row, "label": "a tag"} for row in rows]  # labels that are not categories hide no answers
    (tmp_path / "plain.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    script = tmp_path / "teacher.py"
    script.write_text(
        "import json, sys\ntruth = json.load(open(sys.argv[1]))\n"
        "for line in sys.stdin:\n    d = json.loads(line)['document']\n"
        "    print(json.dumps({'document': d, 'category': truth[d]}))\n"
    )
    hin("load", tmp_path / "plain.jsonl", "--label", "label", "--graph", place)
    hin("classify", "-c", files.labels, *QUICK, "--graph", place)
    assert hin("evaluate", "--graph", place).code != 0
    teacher = f"{sys.executable} {script} {tmp_path / 'truth.json'}"
    done = hin("ask", "--graph", place, "--measure", "40", "--teacher", teacher)
    assert done.code == 0, done.err
    reported = hin("evaluate", "--graph", place, "--json")
    assert reported.code == 0, reported.err
    measured = reported.json["measured"]
    assert measured["answers"] == 40 and measured["low"] <= measured["accuracy"] <= measured["high"]
    assert 0.5 < measured["macro_f1"]["low"] <= measured["macro_f1"]["value"] <= measured["macro_f1"]["high"] <= 1
    assert measured["micro_f1"]["value"] == pytest.approx(measured["accuracy"], abs=0.05)
    assert ", macro-F1 " in hin("evaluate", "--graph", place).out
    counted = hin("info", "--graph", place, "--json").json["answers"]
    assert (counted["documents"], counted["measuring"]) == (0, 40)
