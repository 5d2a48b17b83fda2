"""The interface of join plans: estimates, results, and memory limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hin.progress import Progress, silent
from motifs.errors import TooManyInstances

if TYPE_CHECKING:
    from hin.arrays.types import Int32, Int64
    from hin.graph import Csr
    from motifs.language.pattern import Pattern
    from motifs.options import MotifOptions


@dataclass(frozen=True)
class Estimate:
    """The estimated size of a plan before it runs.

    `candidates` bounds the (instance, document) pairs, `bytes` the memory they would take together, `skipped` are the
    documents that exceed `max_per_document`, `largest` the most candidates of one document.
    """

    candidates: float
    largest: float
    bytes: int
    skipped: Int64

    @classmethod
    def of(cls, per_document: np.ndarray, options: MotifOptions, n_parts: int) -> Estimate:
        """Sum up the candidates of each document."""
        largest, skipped = float(per_document.max(initial=0)), np.empty(0, dtype=np.int64)
        if largest > options.max_per_document:
            over = per_document > options.max_per_document
            per_document, skipped = per_document[~over], np.flatnonzero(over)
        candidates = float(per_document.sum())
        # a document in an instance, and at most one instance with its parts, count and offset
        size = int(candidates * 4 + candidates / options.min_count * (4 * n_parts + 12))
        return cls(candidates, largest, size, skipped)


@dataclass(frozen=True)
class Matched:
    """Instances in canonical order, their documents, and the documents that were left out."""

    parts: Int32
    incidence: Csr
    skipped: Int64


class JoinPlan(Protocol):
    """A way to match one pattern."""

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the plan, as text."""

    def estimate(self) -> Estimate:
        """Estimate the size of the result from degrees only."""

    def run(self, progress: Progress = silent) -> Matched:
        """Match the pattern."""

    def split(self, pieces: int) -> list[tuple[int, int]]:
        """Return ranges that can be matched independently; none where that is not worth it."""

    def run_range(self, block: tuple[int, int]) -> Any:
        """Match one range."""

    def combine(self, pieces: list[Any]) -> Matched:
        """Combine the results of the ranges, in their order, into the result of `run`."""


def check_memory(pattern: Pattern, instances: int, size: int, options: MotifOptions) -> None:
    """Raise before a pattern exceeds its memory limit; results are copied once into one piece."""
    if 2 * size > options.max_memory:
        raise TooManyInstances(
            f"{pattern.name} has over {instances:,} instances and needs more than {options.max_memory / 2**30:.1f} GB",
            hint="raise the minimum count or lower the maximum per document",
        )
