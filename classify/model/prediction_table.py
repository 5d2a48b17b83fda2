"""Predictions as a table of the kind that was given: pandas, polars, else Arrow."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.prediction_files import prediction_records

__all__ = ["prediction_table"]


def prediction_table(
    given: Any,
    documents: Sequence[str],
    categories: Sequence[str],
    probabilities: npt.NDArray[np.float64],
    abstain_below: float | None = None,
) -> Any:
    """Return id, category and confidence of each document; a DataFrame's index is kept.

    Examples
    --------
    >>> table = prediction_table(["a text"], ["0"], ["games", "fonts"], np.array([[0.2, 0.8]]))
    >>> table.to_pylist()
    [{'document': '0', 'category': 'fonts', 'confidence': 0.8}]
    """
    import pyarrow as pa

    records = prediction_records(documents, categories, probabilities, abstain_below=abstain_below)
    told = [(record["document"], record["category"], record["confidence"]) for record in records]
    columns = list(zip(*told, strict=True)) or [(), (), ()]
    arrow = pa.table(
        {
            "document": pa.array(columns[0], pa.string()),
            "category": pa.array(columns[1], pa.string()),
            "confidence": pa.array(columns[2], pa.float64()),
        }
    )
    package = type(given).__module__.partition(".")[0]
    if package == "polars":
        return sys.modules["polars"].from_arrow(arrow)
    if package == "pandas":
        frame = arrow.to_pandas()
        frame.index = given.index
        return frame
    return arrow
