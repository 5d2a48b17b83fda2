"""The paper's other tables and figures for a graph: Tables 3, 4 and 6, Figures 4 and 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.comparators.parts.selecting import Selecting, select_motifs
from classify.comparators.runs.published import PATTERN_SHARES, RETRIEVED_GENERATED
from classify.comparators.runs.summary import stars
from classify.evaluation import evaluate

if TYPE_CHECKING:
    from classify.comparators.parts.system import Task

__all__ = ["SIZES", "paper_tables", "pattern_shares", "retrieval_accuracy", "specificity_levels"]

#: Documents retrieved a category in Figure 4.
SIZES = (50, 100, 200, 1000)
#: Instances shown of each category and level in Table 4, and on the map of Figure 5.
_SHOWN, _MAPPED = 3, 7


@dataclass(frozen=True)
class _Level:
    """A row of Table 4: instances between `low` and `high` times as specific as the name."""

    low: float
    high: float

    @property
    def told(self) -> str:
        return f"{self.low:g} to {self.high:g} times" if np.isfinite(self.high) else f"{self.low:g} times and more"


LEVELS = (_Level(0, 1), _Level(1, 2), _Level(2, 3), _Level(3, 4), _Level(4, np.inf))


def paper_tables(task: Task, truth: npt.NDArray[np.int32], seeds: Sequence[int]) -> dict[str, Any]:
    """Return every table; `truth` is used for the accuracies alone. Table 6 runs once with each seed."""
    first = select_motifs(task)
    single = select_motifs(task, higher_order=False)
    return {
        "pattern_shares": pattern_shares(first, task.names),
        "pattern_shares_paper": PATTERN_SHARES,
        "specificity_levels": specificity_levels(first, task.names),
        "retrieval": [
            {"size": size, "with": retrieval_accuracy(first, truth, size),
             "without": retrieval_accuracy(single, truth, size)}
            for size in SIZES
        ],
        "retrieved_generated": _retrieved_generated(task, truth, seeds, first),
        "map": _map(first, task),
    }  # fmt: skip


def pattern_shares(found: Selecting, categories: Sequence[str]) -> list[dict[str, Any]]:
    """Return the share of each pattern among the selected instances, a row a category, then all together (Table 3)."""
    patterns = [pattern.name for pattern in found.motif_set.patterns]
    tables = [
        np.searchsorted(found.motif_set.offsets, chosen.instances, side="right") - 1 for chosen in found.selection
    ]
    rows = zip([*categories, "overall"], [*tables, np.concatenate(tables)], strict=True)
    return [
        {"category": name, **dict(zip(patterns, (np.bincount(of, minlength=len(patterns)) / len(of)).tolist(),
                                      strict=True))}
        for name, of in rows
    ]  # fmt: skip


def specificity_levels(found: Selecting, categories: Sequence[str]) -> list[dict[str, Any]]:
    """Return the instances nearest to each name within each level of specificity, from coarse to fine (Table 4)."""
    cosines = found.vectors @ np.stack([name.vector for name in found.names]).T
    kappa = np.asarray(found.kappa, dtype=np.float64)
    rows = []
    for column, (category, name) in enumerate(zip(categories, found.names, strict=True)):
        ratio = kappa / max(name.kappa, 1e-12)
        ratio[list(name.instances)] = np.nan
        for level in LEVELS:
            inside = np.flatnonzero((ratio >= level.low) & (ratio < level.high))
            best = inside[np.argsort(-cosines[inside, column], kind="stable")][:_SHOWN]
            rows.append({
                "category": category, "kappa": float(name.kappa), "level": level.told, "selected": level.low >= 2,
                "instances": [found.motif_set.name(int(i)) for i in best],
            })  # fmt: skip
    return rows


def retrieval_accuracy(found: Selecting, truth: npt.NDArray[np.int32], size: int) -> dict[str, Any]:
    """Return how many documents are retrieved, and the share whose pseudo label is the true one (Figure 4)."""
    retrieved = found.retrieved(size)
    rows = np.concatenate([category.documents for category in retrieved])
    given = np.repeat(np.arange(len(retrieved)), [len(category.documents) for category in retrieved])
    known = truth[rows] >= 0
    right = float(np.mean(truth[rows][known] == given[known])) if known.any() else None
    return {"documents": len(rows), "accuracy": right}


def _retrieved_generated(
    task: Task, truth: npt.NDArray[np.int32], seeds: Sequence[int], first: Selecting, size: int = 50
) -> list[dict[str, Any]]:
    """Return the F1 of MotifClass with more or fewer retrieved and generated documents (Table 6)."""
    figures: dict[tuple[int, int], list[dict[str, Any]]] = {pair: [] for pair in RETRIEVED_GENERATED}
    for number, seed in enumerate(seeds):
        here = replace(task, seed=seed)
        found = first if seed == task.seed else select_motifs(here)
        for done, pair in enumerate(figures):
            task.progress("retrieved and generated", number * len(figures) + done, len(seeds) * len(figures))
            figures[pair].append(evaluate(truth, _classify(found, here, pair[0] * size, pair[1] * size), task.names))
    values = {
        (pair, measure): [float(run[measure]) for run in runs]
        for pair, runs in figures.items()
        for measure in ("micro_f1", "macro_f1")
    }
    rows = []
    for pair in figures:
        row: dict[str, Any] = {"retrieved": pair[0] * size, "generated": pair[1] * size, "runs": len(seeds)}
        for measure in ("micro_f1", "macro_f1"):
            own = values[(pair, measure)]
            spread = float(np.std(own, ddof=1)) if len(own) > 1 else None
            marks = stars(own, values[((1, 1), measure)])
            row[measure] = {"mean": float(np.mean(own)), "spread": spread, "marks": marks}
        rows.append({**row, "paper": RETRIEVED_GENERATED[pair]._asdict()})
    return rows


def _classify(found: Selecting, task: Task, retrieved: int, generated: int) -> npt.NDArray[np.int32]:
    from classify.documents.encoder import Encoder
    from classify.documents.graph_encoding import encode_documents
    from classify.paper.pipeline import PaperOptions, run_paper
    from classify.paper.selection import SelectionOptions

    options = PaperOptions(SelectionOptions(50, 2.0), retrieved, generated)
    parts = list(encode_documents(Encoder.of(found.motif_set), found.graph, found.motif_set, options.cnn.length))
    run = run_paper(
        parts, found.motif_set, found.vectors, found.kappa, found.findings, options, task.seed, task.threads
    )
    return np.asarray(run.scores.argmax(axis=1), dtype=np.int32)


def _map(found: Selecting, task: Task) -> list[dict[str, Any]]:
    """Return the names and their nearest selected instances on a plane by t-SNE (Figure 5)."""
    from classify.report.charts import project

    points, told = [], []
    for category, name, chosen in zip(task.names, found.names, found.selection, strict=True):
        points.append(name.vector)
        told.append({"category": category, "instance": None})
        others = [int(i) for i in chosen.instances if i not in name.instances][:_MAPPED]
        points += [found.vectors[i] for i in others]
        told += [{"category": category, "instance": found.motif_set.name(i)} for i in others]
    plane = project(np.stack(points).astype(np.float64), task.seed)
    if plane is None:
        return []
    return [{**row, "x": round(float(x), 3), "y": round(float(y), 3)} for row, (x, y) in zip(told, plane, strict=True)]
