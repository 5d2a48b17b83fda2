"""The strongest reasons of every document at once: the same weights as `explain`, over all rows of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.report.data import Reasons
from classify.report.documents import top_per_row
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from classify.model.predictor import Predictor
    from hin.graph import Graph

__all__ = ["reasons_of"]


def reasons_of(
    predictor: Predictor,
    graph: Graph,
    predicted: npt.NDArray[np.integer[Any]],
    wanted: int = 3,
    progress: Progress = silent,
) -> Reasons:
    """Return the instances that add most to the score of each document's category; what speaks against it is left
    out.
    """
    motifs = np.full((len(graph), wanted), -1, dtype=np.int32)
    weights = np.zeros((len(graph), wanted), dtype=np.float32)
    start = 0
    for part in predictor.encoder.encode_graph(graph, predictor.length):
        progress("collecting the reasons", start, len(graph))
        rows = slice(start, start + len(part))
        label = predicted[rows]
        found = predictor.learner.weights(part, np.maximum(label, 0)).instances.tocoo()
        line, column = found.coords
        keep = (label[line] >= 0) & (found.data > 0)
        values = found.data[keep].astype(np.float32)
        motifs[rows], weights[rows] = top_per_row(line[keep], column[keep], values, len(part), wanted)
        start += len(part)
    return Reasons(motifs, weights)
