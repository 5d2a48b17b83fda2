"""The stored runs of a comparison, in the stage `compare` of a graph, and which of them need not run again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from classify.comparators.parts.system import SYSTEMS
from hin.arrays.types import Int32
from hin.errors import DamagedGraph
from hin.files.checked import plain_file

if TYPE_CHECKING:
    from classify.comparators.runs.comparison import Comparison
    from hin.stores.base import Store

STAGE = "compare"


@dataclass(frozen=True, eq=False)
class SystemRun:
    """One system with one seed.

    Attributes
    ----------
    status : `done`, `failed`, or `time limit`.
    message : why it failed, with the remedy.
    seconds, processor, megabytes : wall clock and processor time of the process, and its peak memory.
    tested : documents that the figures are of.
    labels : int[documents], the category each document got; -1 where it was not tested.
    """

    system: str
    seed: int
    status: Literal["done", "failed", "time limit"]
    settings: Mapping[str, Any]
    seconds: float
    processor: float
    megabytes: float
    micro_f1: float | None = None
    macro_f1: float | None = None
    tested: int = 0
    message: str = ""
    notes: tuple[str, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    labels: Int32 | None = None

    @property
    def key(self) -> tuple[str, int]:
        """The key of a run."""
        return self.system, self.seed

    def record(self) -> dict[str, Any]:
        """Return the run without its labels, for machines."""
        return {name: value for name, value in vars(self).items() if name != "labels"}


class StoredRuns:
    """The runs of one comparison, written after each new one, so that nothing is lost when the work is stopped.

    Parameters
    ----------
    head : everything that shapes the runs, besides the systems and seeds.
    resume : begin with the stored runs, where they are of the same documents, categories and patterns.

    Attributes
    ----------
    other : whether the stored runs are of another comparison.
    added : how many runs are new.
    """

    def __init__(self, store: Store, head: Mapping[str, Any], resume: bool) -> None:
        self.store, self.head, self.added = store, plain(head), 0
        before, runs = read_runs(store) if resume else ({}, [])
        same = _shape(before) == _shape(self.head)
        self.other = bool(runs) and not same
        self.runs = {run.key: run for run in runs} if same else {}

    def has(self, key: tuple[str, int], comparison: Comparison) -> bool:
        """Check whether a run is stored that need not run again.

        Failures run again, time-outs only if the time limit is longer.
        """
        run = self.runs.get(key)
        if run is None or plain(run.settings) != settings_of(run.system):
            return False
        if run.status == "time limit":
            return comparison.time_limit is not None and comparison.time_limit <= run.seconds
        models = SYSTEMS.get(run.system).about.transformer and dict(run.models) != dict(comparison.models)
        return not models and run.status == "done"

    def add(self, run: SystemRun) -> None:
        """Store a run, replacing the one with its system and seed."""
        self.runs[run.key] = run
        self.added += 1
        write_runs(self.store, self.runs.values(), self.head)


def write_runs(store: Store, runs: Iterable[SystemRun], head: Mapping[str, Any]) -> None:
    """Replace the stored runs, all or nothing."""
    kept = sorted(runs, key=lambda run: run.key)

    def write(folder: Path) -> None:
        text = json.dumps({"head": dict(head), "runs": [run.record() for run in kept]}, indent=1, sort_keys=True)
        (folder / "compare.json").write_text(text + "\n", encoding="utf-8")
        for run in kept:
            if run.labels is not None:
                np.save(folder / f"{run.system}-{run.seed}.npy", run.labels)

    store.write_stage(STAGE, write, dict(head))


def read_runs(store: Store) -> tuple[dict[str, Any], list[SystemRun]]:
    """Read the stored runs and their head; both empty where there are none."""
    stage = store.stage(STAGE)
    if stage is None:
        return {}, []
    try:
        saved = json.loads(plain_file(stage.path / "compare.json").read_text(encoding="utf-8"))
        runs = []
        for record in saved["runs"]:
            labels = stage.path / f"{record['system']}-{record['seed']}.npy"
            record["notes"] = tuple(record["notes"])
            runs.append(SystemRun(**record, labels=np.load(labels, allow_pickle=False) if labels.is_file() else None))
        return dict(saved["head"]), runs
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedGraph(
            f"the stored comparison in {stage.path} cannot be read: {error}", hint="run `hin compare` without --resume"
        ) from error


def plain(value: Any) -> Any:
    """Return a value as JSON would give it back, so that stored and requested settings can be compared.

    >>> plain((1, {"a": (2,)}))
    [1, {'a': [2]}]
    """
    return json.loads(json.dumps(value, default=asdict))


def settings_of(system: str) -> dict[str, Any]:
    """Return the settings of a system as they are stored."""
    settings: dict[str, Any] = plain(SYSTEMS.get(system)().settings())
    return settings


def _shape(head: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in head.items() if key not in ("seeds", "systems")}
