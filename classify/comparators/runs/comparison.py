"""The settings of a comparison: systems, seeds, and the inputs of each run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from classify.categories.category_file import Category
from classify.comparators.parts.system import Task

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.progress import Progress


@dataclass(frozen=True)
class Comparison:
    """The settings of a comparison.

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
    min_count: int | None = None
    time_limit: float | None = None
    threads: int = 1
    models: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Comparison:
        """Make a comparison from its JSON form."""
        return cls(**{**record, "categories": tuple(map(Category.of_record, record["categories"]))})

    @property
    def names(self) -> list[str]:
        """The category names."""
        return [category.name for category in self.categories]

    def task(self, graph: Graph, seed: int, progress: Progress) -> Task:
        """Return the task of a system with one seed; the caller adds true labels."""
        return Task(
            graph,
            self.categories,
            self.patterns,
            seed,
            self.threads,
            self.min_count,
            models=self.models,
            progress=progress,
        ).without_labels()
