"""What is kept of each run, as the stage `compare` of a graph: figures, labels, settings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from hin.checked_files import plain_file
from hin.errors import DamagedGraph

if TYPE_CHECKING:
    from hin.stores.base import Store

__all__ = ["Run", "read_runs", "write_runs"]

STAGE = "compare"


@dataclass(frozen=True, eq=False)
class Run:
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
    labels: npt.NDArray[np.int32] | None = None

    @property
    def key(self) -> tuple[str, int]:
        """What tells runs apart."""
        return self.system, self.seed

    def record(self) -> dict[str, Any]:
        """Return the run without its labels, for machines."""
        plain = {name: value for name, value in vars(self).items() if name != "labels"}
        return {**plain, "settings": dict(self.settings), "models": dict(self.models), "notes": list(self.notes)}


def write_runs(store: Store, runs: Iterable[Run], head: Mapping[str, Any]) -> None:
    """Keep the runs in the store, all or nothing, in the place of those that were there."""
    kept = sorted(runs, key=lambda run: run.key)

    def write(folder: Path) -> None:
        text = json.dumps({"head": dict(head), "runs": [run.record() for run in kept]}, indent=1, sort_keys=True)
        (folder / "compare.json").write_text(text + "\n", encoding="utf-8")
        for run in kept:
            if run.labels is not None:
                np.save(folder / f"{run.system}-{run.seed}.npy", run.labels)

    store.write_stage(STAGE, write, dict(head))


def read_runs(store: Store) -> tuple[dict[str, Any], list[Run]]:
    """Return the kept runs and what they were made with; nothing where there are none."""
    stage = store.stage(STAGE)
    if stage is None:
        return {}, []
    try:
        saved = json.loads(plain_file(stage.path / "compare.json").read_text(encoding="utf-8"))
        runs = []
        for record in saved["runs"]:
            labels = stage.path / f"{record['system']}-{record['seed']}.npy"
            record["notes"] = tuple(record["notes"])
            runs.append(Run(**record, labels=np.load(labels, allow_pickle=False) if labels.is_file() else None))
        return dict(saved["head"]), runs
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedGraph(
            f"the kept comparison in {stage.path} cannot be read: {error}", hint="run `hin compare` without --resume"
        ) from error


def plain(value: Any) -> Any:
    """Return what JSON makes of a value, so that what was kept and what is asked for can be compared.

    >>> plain((1, {"a": (2,)}))
    [1, {'a': [2]}]
    """
    return json.loads(json.dumps(value, default=asdict))
