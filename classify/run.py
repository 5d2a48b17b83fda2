"""Engine, threads and callbacks of a classification: nothing here shapes a result or is part of a cache key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hin.engines.local import LocalEngine, core_count
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from classify.categories.finding import CategoryFinding
    from hin.arrays.types import Reals
    from hin.engines.base import Engine

#: Called with the name of a stage and the scores it ends with, for measuring.
Watch = Callable[[str, "Reals"], None]


def _nothing(stage: str, scores: Any) -> None:
    """Measure nothing."""


def _ignore_findings(findings: Sequence[CategoryFinding]) -> None:
    """Report nothing about the names."""


@dataclass(frozen=True, eq=False)
class Run:
    """Where the work runs, and the callbacks it reports to.

    Attributes
    ----------
    engine : where passes over the documents run; None for this machine's threads.
    threads : by default all cores.
    progress : called with the step and how much of it is done.
    watch : called with the scores at the end of each stage, for measuring.
    resume : whether to go on with a training of the embedding that was stopped.
    found : called with the findings about the category names, before the long work.

    Examples
    --------
    >>> Run(threads=2).local.workers
    2
    """

    engine: Engine | None = None
    threads: int = field(default_factory=core_count)
    progress: Progress = silent
    watch: Watch = _nothing
    resume: bool = True
    found: Callable[[Sequence[CategoryFinding]], None] = _ignore_findings

    @property
    def measures(self) -> bool:
        """Whether a measuring callback is set."""
        return self.watch is not _nothing

    @property
    def elsewhere(self) -> Engine | None:
        """The engine, where its workers are other processes than this one."""
        return None if self.engine is None or self.engine.here else self.engine

    @property
    def local(self) -> Engine:
        """The threads of this machine as an engine."""
        return LocalEngine(f"local:{max(1, self.threads)}")
