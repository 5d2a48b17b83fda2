"""How many categories a document has on the mean, without a label."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hin.arrays.score_rows import softmax

__all__ = ["expected_number"]


def expected_number(scores: npt.NDArray[np.floating[Any]], temperature: float = 2.0) -> float:
    """Return how many categories the names' scores leave open a document: 1 / Σp², the inverse of Simpson's index.

    A score that stands out alone counts 1, m that are equal and far above the rest count m. Documents for which the
    names say nothing at all are left out.

    Examples
    --------
    >>> round(expected_number(np.array([[9.0, 9.0, 0.0, 0.0], [9.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])), 3)
    1.5
    """
    values = np.asarray(scores, dtype=np.float64)
    values = values[values.max(axis=1) > values.min(axis=1)]
    if not len(values):
        return 1.0
    found = softmax(temperature * values)
    return float(np.mean(1.0 / (found**2).sum(axis=1)))
