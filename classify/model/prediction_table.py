"""Predictions as a table of the same kind as the input: pandas, polars, else Arrow."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.model.decision import Decision
from classify.model.prediction_files import prediction_records

__all__ = ["prediction_table"]


def prediction_table(
    given: Any,
    documents: Sequence[str],
    categories: Sequence[str],
    probabilities: npt.NDArray[np.float64],
    decision: Decision | None = None,
) -> Any:
    """Return id, category and confidence of each document; a DataFrame's index is preserved.

    A decision that gives several categories adds the list of them.

    Examples
    --------
    >>> table = prediction_table(["a text"], ["0"], ["games", "fonts"], np.array([[0.2, 0.8]]))
    >>> table.to_pylist()
    [{'document': '0', 'category': 'fonts', 'confidence': 0.8}]
    """
    import pyarrow as pa

    decision = decision or Decision()
    rows = list(prediction_records(documents, categories, probabilities, decision=decision))
    kinds = {"document": pa.string(), "category": pa.string(), "confidence": pa.float64()}
    kinds |= dict.fromkeys(decision.lists, pa.list_(pa.string()))
    arrow = pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in kinds.items()})
    package = type(given).__module__.partition(".")[0]
    if package == "polars":
        return sys.modules["polars"].from_arrow(arrow)
    if package == "pandas":
        frame = arrow.to_pandas()
        frame.index = given.index
        return frame
    return arrow
