"""MotifClass up to the instances it selects: what MetaCat learns from, and what the paper's tables look at."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from classify.paper.selection import SelectionOptions, instance_orders, select_instances
from classify.paper.tables import PaperSelection

if TYPE_CHECKING:
    from classify.comparators.parts.system import Task

__all__ = ["select_motifs"]


def select_motifs(task: Task, higher_order: bool = True) -> PaperSelection:
    """Train the joint embedding and select instances, with the settings of section 4.1; or single metadata alone."""
    from embed import EmbedOptions, train

    graph, motif_set, findings = task.prepared(task.pattern_names if higher_order else task.field_names)
    embedding = train(graph, motif_set, EmbedOptions(threads=task.threads, seed=task.seed), task.progress)
    vectors = np.ascontiguousarray(embedding.vectors, dtype=np.float32)
    found = PaperSelection(motif_set, vectors, embedding.kappa_learned, findings, ())
    options = SelectionOptions(50, 2.0)
    chosen = select_instances(vectors, found.kappa, instance_orders(motif_set), found.names, options)
    return replace(found, selection=chosen)
