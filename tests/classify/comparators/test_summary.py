"""Means, spreads and the t-test against figures worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from classify.comparators.runs.stored_runs import SystemRun
from classify.comparators.runs.summary import stars, summarise, t_test


def run(system, seed, micro, status="done"):
    done = status == "done"
    return SystemRun(
        system, seed, status, {}, 10.0 + seed, 20.0, 300.0, micro if done else None, micro if done else None
    )


def test_the_t_test_is_the_textbook_one():
    # Means 2 and 4, both variances 1, three values each: t = -2 / sqrt(1 * 2/3) = -2.449, four degrees of freedom.
    assert t_test([1.0, 2.0, 3.0], [3.0, 4.0, 5.0]) == pytest.approx(0.0705, abs=1e-4)


def test_marks_are_for_the_worse_only():
    low, high = [0.50, 0.51, 0.52], [0.60, 0.61, 0.62]
    assert (stars(low, high), stars(high, low)) == ("**", "")
    assert stars([0.50, 0.55, 0.60], [0.60, 0.61, 0.66]) == ""


def test_rows_have_mean_spread_and_both_references():
    runs = [run("hin", s, 0.7 + s / 100) for s in range(3)] + [run("motifclass", s, 0.6 + s / 100) for s in range(3)]
    rows = {row["system"]: row for row in summarise(runs)}
    assert rows["hin"]["micro_f1"]["mean"] == pytest.approx(0.71)
    assert rows["hin"]["micro_f1"]["spread"] == pytest.approx(0.01)
    assert rows["motifclass"]["micro_f1"]["hin"]["marks"] == "**"
    assert rows["hin"]["micro_f1"]["motifclass"]["marks"] == ""
    assert "hin" not in rows["hin"]["micro_f1"]
    assert rows["hin"]["seconds"] == pytest.approx(np.mean([10, 11, 12]))


def test_rows_stand_in_the_order_of_the_papers_table_then_the_others():
    asked = ["tf-idf", "hin", "motifclass", "westclass", "supervised-bert"]
    found = [row["system"] for row in summarise([run(system, 0, 0.5) for system in asked])]
    assert found == ["westclass", "motifclass", "supervised-bert", "tf-idf", "hin"]


def test_one_seed_claims_no_significance():
    row = summarise([run("tf-idf", 0, 0.1), run("hin", 0, 0.9)])[0]
    assert row["micro_f1"]["spread"] is None and row["micro_f1"]["hin"] is None


def test_a_failed_system_has_a_row_without_figures():
    row = summarise([run("zero-shot", 0, 0.0, "time limit")])[0]
    assert (row["status"], row["micro_f1"], row["runs"]) == ("time limit", None, 0)
    mixed = summarise([run("zero-shot", 0, 0.5), run("zero-shot", 1, 0.0, "failed")])[0]
    assert (mixed["status"], mixed["runs"], mixed["micro_f1"]["mean"]) == ("partly failed", 1, 0.5)
