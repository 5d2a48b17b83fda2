"""Small helpers for rows of vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["centred_units", "unit_rows"]


def unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows scaled to unit length; zero rows stay zero.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)).round(3).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    return np.ascontiguousarray(rows * scale[:, None].astype(np.float32), dtype=np.float32)


def centred_units(rows: NDArray[np.float32], centre: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Unit rows with their mean (or the given centre) taken off, scaled to unit length again; zero rows stay zero."""
    units = unit_rows(rows)
    present = np.any(units != 0, axis=1)
    if centre is None:
        centre = units[present].mean(axis=0, dtype=np.float64).astype(np.float32) if present.any() else units[:0].sum(0)
    units[present] -= centre
    return unit_rows(units)
