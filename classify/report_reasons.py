"""The strongest reasons of every document at once: the same weights as `explain`, over all rows of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.report_data import Reasons
from classify.report_documents import top_per_row
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from classify.predictor import Predictor
    from hin.graph import Graph

__all__ = ["reasons_of", "row_reasons"]


def reasons_of(
    predictor: Predictor,
    graph: Graph,
    predicted: npt.NDArray[np.integer[Any]],
    wanted: int = 3,
    progress: Progress = silent,
) -> Reasons | None:
    """The instances that add most to the score of each document's category; None for a model without a linear part."""
    if predictor.linear is None:
        return None
    share = predictor.share if predictor.text is not None else 0.0
    coefficients = (1 - share) * predictor.linear.coefficients
    motifs = np.full((len(graph), wanted), -1, dtype=np.int32)
    weights = np.zeros((len(graph), wanted), dtype=np.float32)
    start = 0
    for part in predictor.encoder.encode_graph(graph, 1):
        progress("collecting the reasons", start, len(graph))
        rows = slice(start, start + len(part))
        motifs[rows], weights[rows] = row_reasons(predictor.rows(part), coefficients, predicted[rows], wanted)
        start += len(part)
    return Reasons(motifs, weights)


def row_reasons(
    rows: Any, coefficients: npt.NDArray[np.floating[Any]], predicted: npt.NDArray[np.integer[Any]], wanted: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """The heaviest columns of each row for its category; what speaks against it is left out.

    An instance's weight is its value times how far its coefficient lies above the mean of all categories.

    Examples
    --------
    >>> from scipy import sparse
    >>> rows = sparse.csr_array(np.array([[1.0, 1.0, 0.0], [0.0, 0.5, 0.0]]))
    >>> row_reasons(rows, np.array([[2.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), np.array([0, -1]), 2)[0].tolist()
    [[0, 1], [-1, -1]]
    """
    coo = rows.tocoo()
    line, column = coo.coords
    label = predicted[line]
    means = coefficients.mean(axis=1)
    weight = coo.data * (coefficients[column, np.maximum(label, 0)] - means[column])
    keep = (label >= 0) & (weight > 0)
    return top_per_row(line[keep], column[keep], weight[keep].astype(np.float32), rows.shape[0], wanted)
