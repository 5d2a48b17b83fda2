"""The interval from a hundred answers covers the truth, and is narrower than a plain sample's."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from classify.answers.measuring import draw_documents, estimate_share
from hin.demo.corpus import DemoOptions, write_demo

QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue", "--classifier", "linear"]


@pytest.mark.parametrize("shape", [(4.0, 1.0), (2.0, 1.5), (0.8, 0.4)], ids=["good", "middling", "two kinds"])
def test_the_interval_covers_the_truth_and_is_narrower(shape: tuple[float, float]) -> None:
    rng = np.random.default_rng(5)
    confidence = rng.beta(*shape, 5000)
    right = rng.random(5000) < np.clip(confidence + 0.05, 0, 1)  # confidence is a little too low
    truth, free = float(right.mean()), np.ones(5000, dtype=np.bool_)
    covered, widths, plain = 0, [], []
    for draw in range(500):
        rows, strata, sizes = draw_documents(confidence, free, 100, np.random.default_rng(draw))
        found = estimate_share(right[rows].tolist(), strata.tolist(), sizes, confidence[rows].tolist())
        covered += found.low <= truth <= found.high
        widths.append(found.high - found.low)
        flat = right[np.random.default_rng(draw).choice(5000, 100, replace=False)].mean()
        plain.append(2 * 1.96 * np.sqrt(flat * (1 - flat) / 100))
    assert 0.93 <= covered / 500 <= 0.99
    assert np.mean(widths) < np.mean(plain)


@pytest.mark.slow
def test_evaluate_tells_accuracy_from_answers(hin: Callable, tmp_path: Path) -> None:
    files, place = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin"
    rows = [json.loads(line) for line in files.documents.read_text().splitlines()]
    truth = {row["document"]: row.pop("label") for row in rows}
    (tmp_path / "plain.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    script = tmp_path / "teacher.py"
    script.write_text(
        "import json, sys\ntruth = json.load(open(sys.argv[1]))\n"
        "for line in sys.stdin:\n    d = json.loads(line)['document']\n"
        "    print(json.dumps({'document': d, 'category': truth[d]}))\n"
    )
    hin("load", tmp_path / "plain.jsonl", "--graph", place)
    hin("classify", "-c", files.labels, *QUICK, "--graph", place)
    assert hin("evaluate", "--graph", place).code != 0
    teacher = f"{sys.executable} {script} {tmp_path / 'truth.json'}"
    done = hin("ask", "--graph", place, "--measure", "40", "--teacher", teacher)
    assert done.code == 0, done.err
    told = hin("evaluate", "--graph", place, "--json")
    assert told.code == 0, told.err
    measured = told.json["measured"]
    assert measured["answers"] == 40 and measured["low"] <= measured["accuracy"] <= measured["high"]
    assert "accuracy" in hin("evaluate", "--graph", place).out
    counted = hin("info", "--graph", place, "--json").json["answers"]
    assert (counted["documents"], counted["measuring"]) == (0, 40)
