"""Documents as sequences of word (and metadata) ids, and the ids of each category's name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from classify.documents.sequences import Sequences, keep_known
from hin.arrays.types import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from classify.categories.finding import CategoryFinding
    from classify.comparators.parts.system import Task
    from hin.graph import Graph
    from motifs import MotifSet


@dataclass(frozen=True, eq=False)
class Reading:
    """The documents as a text classifier reads them.

    Attributes
    ----------
    sequences : the ids of each document's metadata (where asked for), then of its terms.
    seeds : for each category the ids of its name and keywords.
    """

    sequences: Sequences
    motif_set: MotifSet
    graph: Graph
    seeds: list[tuple[int, ...]]

    @property
    def size(self) -> int:
        """How many different words and metadata there are."""
        return self.motif_set.n_instances

    @property
    def terms(self) -> tuple[int, int]:
        """The range of the terms' ids: first, and last + 1."""
        assert self.motif_set.table("term") is not None
        found = self.motif_set.instances_of("term")
        return found.start, found.stop

    @cached_property
    def text(self) -> Sequences:
        """The documents without their metadata."""
        low, high = self.terms
        ids = self.sequences.ids
        return Sequences(*keep_known(self.sequences.offsets, np.where((ids >= low) & (ids < high), ids, -1)))

    def seed_vectors(self, vectors: Floats) -> Floats:
        """Return the unit mean of each category's seeds."""
        rows = np.stack([vectors[list(seeds)].mean(axis=0) for seeds in self.seeds])
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), dtype=np.float32)


def read_documents(task: Task, patterns: list[str], length: int = 200) -> Reading:
    """Return the documents over terms and the instances of `patterns` (single fields come before the text).

    Examples
    --------
    >>> from classify.categories.category_file import Category
    >>> from classify.comparators import Task
    >>> from motifs.samples import tiny_graph
    >>> task = Task(tiny_graph(), (Category("web"), Category("mining")), min_count=1)
    >>> reading = read_documents(task, ["venue"])
    >>> [reading.motif_set.name(int(i)) for i in reading.sequences.row(0)]
    ['VENUE[KDD]', 'TERM[data]', 'TERM[mining]']
    >>> [reading.motif_set.name(seed) for seeds in reading.seeds for seed in seeds]
    ['TERM[web]', 'TERM[mining]']
    """
    from classify.learners.cnn_options import CNNOptions
    from classify.recipe.options import RecipeOptions

    with task.pipeline(patterns, recipe=RecipeOptions(cnn=CNNOptions(length=length))) as pipeline:
        motif_set, seeds = pipeline.motifs, seeds_of(pipeline.names.findings, pipeline.motifs)
        return Reading(pipeline.documents.sequences, motif_set, motif_set.graph, seeds)


def seeds_of(findings: Sequence[CategoryFinding], motif_set: MotifSet) -> list[tuple[int, ...]]:
    """Return for each category the instances that are its name and keywords."""
    from classify.categories.finding import name_vectors

    n = motif_set.n_instances
    names = name_vectors(findings, motif_set, np.ones((n, 2), dtype=np.float32), np.ones(n))
    return [name.instances for name in names]
