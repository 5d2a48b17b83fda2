"""The paper's Tables 3, 4 and 6 and Figures 4 and 5 for a graph, with MotifClass trained on it as in section 4.1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from classify.comparators.parts.selecting import select_motifs
from classify.comparators.parts.system import Task
from classify.comparators.runs.published import PATTERN_SHARES, RETRIEVED_GENERATED
from classify.comparators.runs.summary import MEASURES, mean_and_spread, stars
from classify.evaluation import evaluate
from hin.arrays.types import Int32, Int64


def paper_tables(task: Task, truth: Int32, seeds: Sequence[int]) -> dict[str, Any]:
    """Return every table; `truth` is used only for the accuracies. Table 6 runs once with each seed."""
    first = select_motifs(task)
    return {
        **first.tables(truth),
        "retrieved_single_fields": select_motifs(task, higher_order=False).tables(truth)["retrieved"],
        "retrieved_generated": _retrieved_generated(task, truth, seeds),
        "map": first.places(task.seed),
        "pattern_shares_paper": PATTERN_SHARES,
    }


def _retrieved_generated(task: Task, truth: Int32, seeds: Sequence[int], size: int = 50) -> list[dict[str, Any]]:
    """Return the F1 of MotifClass with more or fewer retrieved and generated documents (Table 6)."""
    runs: dict[tuple[int, int], list[dict[str, Any]]] = {pair: [] for pair in RETRIEVED_GENERATED}
    for number, seed in enumerate(seeds):
        here = replace(task, seed=seed)
        for done, (retrieved, generated) in enumerate(runs):
            task.progress("retrieved and generated", number * len(runs) + done, len(seeds) * len(runs))
            labels = _classify(here, retrieved * size, generated * size)
            runs[retrieved, generated].append(evaluate(truth, labels, task.names))
    rows = []
    for (retrieved, generated), published in RETRIEVED_GENERATED.items():
        row: dict[str, Any] = {"retrieved": retrieved * size, "generated": generated * size, "runs": len(seeds)}
        for measure in MEASURES:
            own, best = ([run[measure] for run in runs[pair]] for pair in ((retrieved, generated), (1, 1)))
            row[measure] = {**mean_and_spread(own), "marks": stars(own, best)}
        rows.append({**row, "paper": published._asdict()})
    return rows


def _classify(task: Task, retrieved: int, generated: int) -> Int64:
    """Label with MotifClass; its embedding is the one that was selected from, in the task's workspace."""
    from classify.paper.options import PaperOptions, SelectionOptions

    paper = PaperOptions(SelectionOptions(50, 2.0), retrieved, generated)
    pipeline = task.pipeline(task.pattern_names, task.workspace, preset="paper", paper=paper)
    return np.asarray(pipeline.scores.argmax(axis=1))
