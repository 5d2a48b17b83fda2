"""MotifClass up to the documents it retrieves: what MetaCat learns from, and what the paper's tables look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.paper.retrieval import Retrieved, count_indicative, retrieve
from classify.paper.selection import NameVector, Selection, SelectionOptions, instance_orders, select_instances

if TYPE_CHECKING:
    from classify.categories.finding import CategoryFinding
    from classify.comparators.parts.system import Task
    from hin.graph import Graph
    from motifs import MotifSet

__all__ = ["Selecting", "select_motifs"]


@dataclass(frozen=True, eq=False)
class Selecting:
    """The joint embedding of a graph, and the instances selected for each category."""

    graph: Graph
    motif_set: MotifSet
    vectors: npt.NDArray[np.float32]
    kappa: npt.NDArray[np.floating[Any]]
    findings: list[CategoryFinding]
    names: list[NameVector]
    selection: Selection

    def retrieved(self, size: int) -> tuple[Retrieved, ...]:
        """Return the documents of each category (section 3.2)."""
        chosen = [selected.instances for selected in self.selection]
        return retrieve(count_indicative(self.motif_set.by_document(), chosen, self.motif_set.n_instances), size)


def select_motifs(task: Task, higher_order: bool = True) -> Selecting:
    """Train the joint embedding and select instances, with the settings of section 4.1; or single metadata alone."""
    from classify.categories.finding import name_vectors
    from embed import EmbedOptions, train

    graph, motif_set, findings = task.prepared(task.pattern_names if higher_order else task.field_names)
    embedding = train(graph, motif_set, EmbedOptions(threads=task.threads, seed=task.seed), task.progress)
    vectors = np.ascontiguousarray(embedding.vectors, dtype=np.float32)
    kappa = embedding.kappa_learned
    names = name_vectors(findings, motif_set, vectors, kappa)
    chosen = select_instances(vectors, kappa, instance_orders(motif_set), names, SelectionOptions(50, 2.0))
    return Selecting(graph, motif_set, vectors, kappa, findings, names, chosen)
