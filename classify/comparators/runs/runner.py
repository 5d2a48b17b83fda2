"""Every system with every seed, one process after the other; a failure or a time-out is a result like any other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category
from classify.comparators.parts.system import SYSTEMS
from classify.comparators.runs.child import Job
from classify.comparators.runs.kept import Run, plain
from classify.evaluation import evaluate, true_codes
from hin.human import duration
from hin.progress import Progress, silent
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from hin.graph import Graph

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """What is to be compared.

    Attributes
    ----------
    systems : names of the registry, in the order they run.
    seeds : each system runs once with each.
    time_limit : seconds a run may take; None for no limit.
    models : pretrained models by role.
    """

    categories: tuple[Category, ...]
    systems: tuple[str, ...]
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    patterns: tuple[str, ...] | None = None
    min_count: int = MotifOptions.min_count
    allow_missing: bool = False
    time_limit: float | None = None
    threads: int = 1
    models: Mapping[str, str] = field(default_factory=dict)

    def settings(self, system: str) -> dict[str, Any]:
        """Return the settings of a system as they are kept."""
        settings: dict[str, Any] = plain(SYSTEMS.get(system)().settings())
        return settings


def compare(
    graph: Graph,
    comparison: Comparison,
    before: Iterable[Run] = (),
    keep: Callable[[list[Run]], None] | None = None,
    progress: Progress = silent,
) -> list[Run]:
    """Run what is not there yet and give all runs, in the order asked for.

    Parameters
    ----------
    graph : with labels; systems that are not supervised do not see them.
    before : runs of the same graph that need not be repeated where their settings are the same.
    keep : told all runs after each new one, so that nothing is lost when the work is stopped.
    """
    truth = true_codes(graph.labels, [category.name for category in comparison.categories])
    old = {run.key: run for run in before}
    wanted = [(system, seed) for system in comparison.systems for seed in comparison.seeds]
    done = {key: old[key] for key in wanted if key in old and _still_good(old[key], comparison)}
    left = [key for key in wanted if key not in done]
    clock = _Clock(len(wanted), len(done), progress)
    with tempfile.TemporaryDirectory(prefix="hin-compare-") as folder:
        if left:
            _write_graph(graph, Path(folder) / "graph")
        for number, (system, seed) in enumerate(left):
            clock.begin(system, seed)
            place = Path(folder) / str(number)
            place.mkdir()
            run = _one(system, seed, place, Path(folder) / "graph", truth, comparison, clock)
            done[(system, seed)] = run
            clock.end(run)
            if keep is not None:
                keep([done[key] for key in wanted if key in done])
    return [done[key] for key in wanted]


def _write_graph(graph: Graph, folder: Path) -> None:
    from hin.stores.graph_files import write_graph

    folder.mkdir()
    write_graph(graph, folder)


def _still_good(run: Run, comparison: Comparison) -> bool:
    """Return whether a kept run is what would come out again: failures are tried again, time-outs when there is more
    time.
    """
    same = plain(run.settings) == comparison.settings(run.system)
    models = SYSTEMS.get(run.system).about.transformer and dict(run.models) != dict(comparison.models)
    if run.status == "time limit":
        return same and comparison.time_limit is not None and comparison.time_limit <= run.seconds
    return same and not models and run.status == "done"


def _one(
    system: str,
    seed: int,
    place: Path,
    graph: Path,
    truth: npt.NDArray[np.int32],
    comparison: Comparison,
    clock: _Clock,
) -> Run:
    """Return one process from start to end."""
    job = Job(
        system,
        seed,
        str(graph),
        str(place),
        [asdict(category) for category in comparison.categories],
        None if comparison.patterns is None else list(comparison.patterns),
        comparison.min_count,
        comparison.allow_missing,
        comparison.threads,
        dict(comparison.models),
    )
    (place / "job.json").write_text(json.dumps(asdict(job)), encoding="utf-8")
    ended = _run_child(place, comparison.time_limit, clock.tell)
    models = dict(comparison.models) if SYSTEMS.get(system).about.transformer else {}
    base: dict[str, Any] = {
        "system": system, "seed": seed, "settings": comparison.settings(system), "models": models,
        "seconds": ended.seconds, "processor": ended.processor, "megabytes": ended.megabytes,
    }  # fmt: skip
    if ended.timed_out:
        limit = duration(comparison.time_limit or 0.0)
        return Run(**base, status="time limit", message=f"stopped after {limit}; give more time or fewer documents")
    if not (place / "answer.json").is_file():
        return Run(**base, status="failed", message=_reason(place, ended))
    answer = json.loads((place / "answer.json").read_text(encoding="utf-8"))
    labels = np.load(place / "labels.npy")
    if (place / "tested.npy").is_file():
        labels = np.where(np.load(place / "tested.npy"), labels, -1).astype(np.int32)
        truth = np.where(labels >= 0, truth, -1)
    figures = evaluate(truth, labels, [category.name for category in comparison.categories])
    return Run(
        **base,
        status="done",
        micro_f1=figures["micro_f1"],
        macro_f1=figures["macro_f1"],
        tested=figures["documents"],
        notes=tuple(answer["notes"]),
        labels=labels,
    )


@dataclass(frozen=True)
class _Ended:
    """How a child process ended, and what it used."""

    code: int
    seconds: float
    processor: float
    megabytes: float
    timed_out: bool
    last_words: str


def _run_child(place: Path, limit: float | None, tell: Callable[[list[Any]], None]) -> _Ended:
    root = str(Path(__file__).resolve().parents[3])
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path, "TOKENIZERS_PARALLELISM": "false"}
    # -P: a file of the user's folder must not stand in for a package.
    command = [sys.executable, "-P", "-m", "classify.comparators.runs.child", str(place / "job.json")]
    start = time.monotonic()
    timed_out = threading.Event()
    with (place / "stderr").open("wb") as errors:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=environment, text=True)

    def stop() -> None:
        timed_out.set()
        child.kill()

    timer = threading.Timer(limit, stop) if limit is not None else None
    try:
        if timer is not None:
            timer.daemon = True
            timer.start()
        assert child.stdout is not None
        for line in child.stdout:
            if line.startswith("["):
                tell(json.loads(line))
        # wait4 tells what this child used, not the largest of all children.
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    except BaseException:
        child.kill()
        child.wait()
        raise
    finally:
        if timer is not None:
            timer.cancel()
        if child.stdout is not None:
            child.stdout.close()
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is bytes there, kilobytes elsewhere
    words = (place / "stderr").read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return _Ended(
        child.returncode,
        time.monotonic() - start,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * unit / 1e6,
        timed_out.is_set(),
        words[-1] if words else "",
    )


def _reason(place: Path, ended: _Ended) -> str:
    if (place / "failure.json").is_file():
        failure = json.loads((place / "failure.json").read_text(encoding="utf-8"))
        return "; ".join(filter(None, [failure["message"], failure["hint"]]))
    if ended.code < 0:
        return f"ended by signal {-ended.code}, perhaps out of memory; compare fewer documents with --documents"
    return f"ended with code {ended.code}: {ended.last_words}"


class _Clock:
    """Tells how far the whole comparison is, and about how long it will take."""

    def __init__(self, total: int, done: int, progress: Progress) -> None:
        self.total, self.done, self.progress = total, done, progress
        self.spent: list[float] = []
        self.now = ""

    def begin(self, system: str, seed: int) -> None:
        self.now = f"{system}, seed {seed}"
        self.progress("comparing", self.done, self.total, self.note())

    def tell(self, step: Sequence[Any]) -> None:
        share = f" {step[1] / step[2]:.0%}" if step[2] else ""
        self.progress("comparing", self.done, self.total, f"{self.note()}, {step[0]}{share}")

    def end(self, run: Run) -> None:
        self.spent.append(run.seconds)
        self.done += 1
        self.progress("comparing", self.done, self.total, self.note())

    def note(self) -> str:
        """Return what runs now, and the time left by the mean of the runs so far."""
        if not self.spent:
            return self.now
        left = float(np.mean(self.spent)) * (self.total - self.done)
        return f"{self.now}, about {duration(left)} left"
