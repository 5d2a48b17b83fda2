"""One system, one seed, in a process of its own: so that it can be stopped, and its memory measured alone.

    python -m classify.comparators.runs.child FOLDER

The folder holds `job.json`, beside it lies the graph. Progress goes to the standard output, a line of JSON each; the
answer goes into the folder.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from classify.comparators.parts.system import SYSTEMS
from classify.comparators.runs.comparison import Comparison
from hin.errors import HinError


class _Lines:
    """Progress as lines, at most ten a second."""

    def __init__(self) -> None:
        self.label, self.last = "", 0.0

    def __call__(self, label: str, done: int, total: int | None, note: str = "") -> None:
        now = time.monotonic()
        if label == self.label and now - self.last < 0.1:
            return
        self.label, self.last = label, now
        print(json.dumps([label, done, total, note]), flush=True)


def _perform(folder: Path, name: str, seed: int, comparison: Comparison) -> dict[str, Any]:
    """Run the system and write its labels, -1 where it was not tested; true labels are for supervised systems only."""
    from classify.evaluation import true_codes
    from hin.stores.graph_files import read_graph

    graph, system = read_graph(folder.parent / "graph"), SYSTEMS.get(name)()
    task = comparison.task(graph, seed, _Lines())
    if system.supervised:
        task = replace(task, graph=graph, truth=true_codes(graph.labels, task.names))
    outcome = system.run(task)
    scores = np.asarray(outcome.scores)
    if scores.shape != (len(graph), len(task.categories)) or not np.isfinite(scores).all():
        raise HinError(f"{name} gave scores of shape {scores.shape} that are not one number per category")
    tested = True if outcome.tested is None else outcome.tested
    np.save(folder / "labels.npy", np.where(tested, outcome.labels, -1).astype(np.int32))
    return {"notes": list(outcome.notes)}


def main() -> None:
    """Read the job and run it; a failure is written as an answer too, with the message that the parent shows."""
    folder = Path(sys.argv[1])
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    try:
        answer = _perform(folder, job["system"], job["seed"], Comparison.of_record(job["comparison"]))
    except HinError as error:
        answer = {"message": "; ".join(filter(None, [error.message, error.hint]))}
    except ImportError as error:
        remedy = "install it with `pip install 'hin-toolkit[compare]'`"
        answer = {"message": f"the package {error.name} is not installed; {remedy}"}
    except MemoryError:
        answer = {"message": "out of memory; compare fewer documents with --documents"}
    except Exception as error:
        answer = {"message": f"{type(error).__name__}: {error}".splitlines()[0]}
    (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main()
