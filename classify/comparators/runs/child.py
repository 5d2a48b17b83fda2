"""One system, one seed, in a process of its own: so that it can be stopped, and its memory measured alone.

    python -m classify.comparators.runs.child JOB.json

Progress goes to the standard output, a line of JSON each; the answer goes into the job's folder.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from classify.categories.category_file import Category
from classify.comparators.parts.system import SYSTEMS, Outcome, Task
from hin.errors import HinError

__all__ = ["Job", "main", "perform"]


@dataclass(frozen=True)
class Job:
    """What a child process is told.

    Attributes
    ----------
    graph : the folder with the sampled graph, as `hin.stores.graph_files` writes it.
    folder : where the answer goes.
    """

    system: str
    seed: int
    graph: str
    folder: str
    categories: list[dict[str, Any]]
    patterns: list[str] | None
    min_count: int
    allow_missing: bool
    threads: int
    models: dict[str, str]

    def task(self) -> Task:
        """Return the job as a task; true labels are there for supervised systems only."""
        from classify.evaluation import true_codes
        from hin.stores.graph_files import read_graph

        graph = read_graph(Path(self.graph))
        categories = tuple(Category.of_record(c) for c in self.categories)
        task = Task(
            graph,
            categories,
            None if self.patterns is None else tuple(self.patterns),
            self.seed,
            self.threads,
            self.min_count,
            self.allow_missing,
            None,
            self.models,
            _Lines(),
        )
        if SYSTEMS.get(self.system)().supervised:
            from dataclasses import replace

            return replace(task, truth=true_codes(graph.labels, task.names))
        return task.without_labels()


class _Lines:
    """Progress as lines, at most ten a second."""

    def __init__(self) -> None:
        self.label, self.told = "", 0.0

    def __call__(self, label: str, done: int, total: int | None, note: str = "") -> None:
        now = time.monotonic()
        if label == self.label and now - self.told < 0.1:
            return
        self.label, self.told = label, now
        print(json.dumps([label, done, total, note]), flush=True)


def perform(job: Job) -> Outcome:
    """Run the system and write its answer."""
    task = job.task()
    start = time.monotonic()
    outcome = SYSTEMS.get(job.system)().run(task)
    scores = np.asarray(outcome.scores)
    if scores.shape != (len(task.graph), len(task.categories)) or not np.isfinite(scores).all():
        raise HinError(f"{job.system} gave scores of shape {scores.shape} that are not one number a category")
    folder = Path(job.folder)
    np.save(folder / "labels.npy", outcome.labels)
    if outcome.tested is not None:
        np.save(folder / "tested.npy", outcome.tested)
    answer = {"notes": list(outcome.notes), "seconds": time.monotonic() - start}
    (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")
    return outcome


def main() -> None:
    """Read the job, run it; a failure is written down where the parent looks for it."""
    job = Job(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    try:
        perform(job)
    except HinError as error:
        _fail(job, error.message, error.hint, "")
    except ImportError as error:
        _fail(job, f"the package {error.name} is not installed", "install it with `pip install 'hin[compare]'`", "")
    except MemoryError:
        _fail(job, "out of memory", "compare fewer documents with --documents", "")
    except Exception as error:
        told = f"{type(error).__name__}: {error}".splitlines()[0]
        _fail(job, told, None, traceback.format_exc())


def _fail(job: Job, message: str, hint: str | None, trace: str) -> None:
    failure = {"message": message, "hint": hint, "trace": trace}
    (Path(job.folder) / "failure.json").write_text(json.dumps(failure), encoding="utf-8")
    sys.exit(1)


if __name__ == "__main__":
    main()
