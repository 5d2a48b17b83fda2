"""The report shows the runs that `hin compare` stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import hin
from classify.comparators.runs.stored_runs import SystemRun, write_runs
from classify.report.data import report_data
from classify.report.page import render_report
from classify.report.sources import inputs_of
from tests.classify.report.report_samples import sample_graph

HEAD = {"documents": 200, "documents_of_graph": 240}


def kept(system: str, seed: int, micro: float | None) -> SystemRun:
    status = "failed" if micro is None else "done"
    return SystemRun(
        system, seed, status, {}, 1.0, 1.0, 100.0, micro, micro, 200, "" if micro else "no model was named"
    )


def store_with(folder: Path, runs: list[SystemRun]) -> hin.Store:
    store = hin.open_store(folder / "compared.hin")
    store.write_graph(sample_graph(folder), options={})
    if runs:
        write_runs(store, runs, HEAD)
    return store


def test_the_kept_comparison_is_drawn(tmp_path: Path) -> None:
    runs = [kept("hin", 0, 0.8), kept("hin", 1, 0.9), kept("tf-idf", 0, 0.5), kept("zero-shot", 0, None)]
    data = report_data(inputs_of(store_with(tmp_path, runs)))
    reported = data.summary["charts"]["comparison"]
    rows = {row["system"]: row for row in reported["systems"]}
    assert reported["documents"] == 200 and reported["documents_of_graph"] == 240
    assert np.isclose(rows["hin"]["micro_f1"]["mean"], 0.85) and rows["zero-shot"]["status"] == "failed"
    page, _ = render_report(data)
    assert "drawings.comparison" in page and 'id="comparison-chart"' in page


def test_without_a_comparison_there_is_no_such_part(tmp_path: Path) -> None:
    assert report_data(inputs_of(store_with(tmp_path, []))).summary["charts"]["comparison"] is None
