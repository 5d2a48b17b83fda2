"""MotifClass up to the selected instances, as MetaCat and the paper's tables use them."""

from __future__ import annotations

import numpy as np

from classify.comparators.parts.system import Task
from classify.paper.options import PaperOptions, SelectionOptions
from classify.paper.tables import PaperSelection
from classify.workspace import Workspace


def select_motifs(task: Task, higher_order: bool = True) -> PaperSelection:
    """Train the joint embedding and select instances, with the settings of section 4.1; or single metadata alone."""
    patterns = task.pattern_names if higher_order else task.field_names
    # In the task's own workspace, where the classifiers of the paper's Table 6 find the embedding again.
    place = task.workspace if higher_order else Workspace()
    pipeline = task.pipeline(patterns, place, preset="paper", paper=PaperOptions(SelectionOptions(50, 2.0)))
    vectors = np.ascontiguousarray(pipeline.embedding.vectors, dtype=np.float32)
    return PaperSelection(pipeline.motifs, vectors, pipeline.embedding.kappa, pipeline.findings, pipeline.selection)
