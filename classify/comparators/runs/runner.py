"""Every system with every seed, one process after the other; a failure or a time-out is a result like any other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.comparators.parts.system import SYSTEMS
from classify.comparators.runs.stored_runs import StoredRuns, SystemRun, settings_of
from classify.evaluation import evaluate, true_codes
from hin.arrays.scratch import scratch_folder
from hin.arrays.types import Int32
from hin.human import duration
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from classify.comparators.runs.comparison import Comparison
    from hin.graph import Graph


def compare(graph: Graph, comparison: Comparison, stored: StoredRuns, progress: Progress = silent) -> list[SystemRun]:
    """Run the systems that are not stored yet, store each run, and return all runs in the order of the comparison.

    Parameters
    ----------
    graph : with labels; systems that are not supervised do not see them.
    """
    from hin.stores.graph_files import write_graph

    truth = true_codes(graph.labels, comparison.names)
    wanted = [(system, seed) for system in comparison.systems for seed in comparison.seeds]
    left = [key for key in wanted if not stored.has(key, comparison)]
    clock = _Clock(len(wanted), len(wanted) - len(left), progress)
    with scratch_folder(stored.store.workspace) as folder:
        if left:
            (place := folder / "graph").mkdir()
            write_graph(graph, place)
        for number, (system, seed) in enumerate(left):
            clock.now = f"{system}, seed {seed}"
            clock.show()
            (place := folder / str(number)).mkdir()
            run = run_system(system, seed, place, truth, comparison, clock.show)
            clock.spent.append(run.seconds)
            clock.show()
            stored.add(run)
    return [stored.runs[key] for key in wanted]


def run_system(
    system: str,
    seed: int,
    place: Path,
    truth: Int32,
    comparison: Comparison,
    show: Callable[[Sequence[Any]], None],
) -> SystemRun:
    """Run one system with one seed in a child process; a crash or time-out becomes a `SystemRun` with that status."""
    job = {"system": system, "seed": seed, "comparison": asdict(comparison)}
    (place / "job.json").write_text(json.dumps(job), encoding="utf-8")
    start = time.monotonic()
    code, usage = _run_child(place, comparison.time_limit, show)
    run = partial(
        SystemRun,
        system,
        seed,
        settings=settings_of(system),
        seconds=time.monotonic() - start,
        processor=usage.ru_utime + usage.ru_stime,
        megabytes=usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6,  # bytes there, kilobytes elsewhere
        models=dict(comparison.models) if SYSTEMS.get(system).about.transformer else {},
    )
    if code is None:
        limit = duration(comparison.time_limit or 0.0)
        return run(status="time limit", message=f"stopped after {limit}; give more time or fewer documents")
    answer = _read_answer(place, code)
    if "message" in answer:
        return run(status="failed", message=answer["message"])
    labels = np.load(place / "labels.npy")
    figures = evaluate(np.where(labels >= 0, truth, -1), labels, comparison.names)
    return run(
        status="done",
        micro_f1=figures["micro_f1"],
        macro_f1=figures["macro_f1"],
        tested=figures["documents"],
        notes=tuple(answer["notes"]),
        labels=labels,
    )


def _run_child(place: Path, limit: float | None, show: Callable[[Sequence[Any]], None]) -> tuple[int | None, Any]:
    """Run the child; return its exit code, None after a time-out, and its resource usage."""
    root = str(Path(__file__).resolve().parents[3])
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    # PyTorch Geometric leaves the code that it generates among the temporary files; it goes with those of the run.
    (temporary := place / "tmp").mkdir()
    temporary_files = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    environment = {**os.environ, "PYTHONPATH": path, "TOKENIZERS_PARALLELISM": "false", **temporary_files}
    # -P: a file in the user's folder must not shadow a package.
    command = [sys.executable, "-P", "-m", "classify.comparators.runs.child", str(place)]
    timed_out = threading.Event()
    with (
        (place / "stderr").open("wb") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=environment, text=True) as child,
    ):

        def stop() -> None:
            timed_out.set()
            child.kill()

        timer = threading.Timer(threading.TIMEOUT_MAX if limit is None else limit, stop)
        timer.daemon = True
        timer.start()
        try:
            assert child.stdout is not None
            for line in child.stdout:
                if line.startswith("["):
                    show(json.loads(line))
            # wait4 reports what this child used, not the largest of all children.
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        except BaseException:
            child.kill()
            raise
        finally:
            timer.cancel()
    return None if timed_out.is_set() else child.returncode, usage


def _read_answer(place: Path, code: int) -> dict[str, Any]:
    """Return the child's answer, or the reason why there is none."""
    if (place / "answer.json").is_file():
        answer: dict[str, Any] = json.loads((place / "answer.json").read_text(encoding="utf-8"))
        return answer
    if code < 0:
        hint = "perhaps out of memory; compare fewer documents with --documents"
        return {"message": f"ended by signal {-code}, {hint}"}
    words = (place / "stderr").read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return {"message": f"ended with code {code}: {words[-1] if words else ''}"}


class _Clock:
    """Shows the progress of the whole comparison, and the time left by the mean of the runs so far."""

    def __init__(self, total: int, before: int, progress: Progress) -> None:
        self.total, self.before, self.progress = total, before, progress
        self.spent: list[float] = []
        self.now = ""

    def show(self, step: Sequence[Any] = ()) -> None:
        """Show the current run; `step`, from its own progress, begins with a label, the steps done and their number."""
        done = self.before + len(self.spent)
        left = f", about {duration(float(np.mean(self.spent)) * (self.total - done))} left" if self.spent else ""
        share = ""
        if step:
            label, finished, total, *_ = step
            share = f", {label}" + (f" {finished / total:.0%}" if total else "")
        self.progress("comparing", done, self.total, f"{self.now}{left}{share}")
