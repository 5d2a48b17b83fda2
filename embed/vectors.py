"""Small helpers for rows of vectors."""

from __future__ import annotations

import numpy as np

from hin.arrays.types import Floats, Reals
from hin.files.mapped import mapped_zeros, release_pages

#: How many rows are scaled together.
_ROWS = 65_536


def unit_rows(rows: Reals, rounded: bool = False, mapped: bool = False) -> Floats:
    """Return rows scaled to unit length; zero rows stay zero.

    Parameters
    ----------
    rows : float[n, dim]
    rounded : multiply by the length's reciprocal rounded to a float, which is slightly faster and less exact in the
        last bit. The vectors of an embedding are made so, and their bytes are guaranteed.
    mapped : put a large result into a memory-mapped file and release its pages, and those of the rows if they are
        mapped too.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)).round(1).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    found: Floats = mapped_zeros(rows.shape, np.float32) if mapped else np.empty(rows.shape, np.float32)
    for first in range(0, len(rows), _ROWS):
        values = np.asarray(rows[first : first + _ROWS], dtype=np.float32)
        length = np.sqrt(np.einsum("ij,ij->i", values, values, dtype=np.float64))
        if rounded:
            scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
            found[first : first + _ROWS] = values * scale[:, None].astype(np.float32)
        else:
            found[first : first + _ROWS] = values / np.maximum(length[:, None], 1e-12)
        if mapped:
            release_pages(found, rows)  # the rows may be mapped too
    return found


def mean_direction(units: Floats) -> Floats:
    """Return the mean of the rows that are not zero.

    Examples
    --------
    >>> mean_direction(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], np.float32)).tolist()
    [0.5, 0.5]
    """
    present = int(np.any(units != 0, axis=1).sum())
    mean: Floats = (units.sum(axis=0, dtype=np.float64) / max(present, 1)).astype(np.float32)
    return mean


def centred_units(rows: Floats) -> Floats:
    """Centre unit rows by their mean and scale them to unit length again; zero rows stay zero.

    Examples
    --------
    >>> centred_units(np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)).round(2).tolist()
    [[0.7099999785423279, -0.7099999785423279], [-0.7099999785423279, 0.7099999785423279]]
    """
    units = unit_rows(rows, rounded=True)
    present = np.any(units != 0, axis=1)
    np.subtract(units, mean_direction(units), out=units, where=present[:, None])
    for first in range(0, len(units), _ROWS):  # in place: there is a row for every document
        units[first : first + _ROWS] = unit_rows(units[first : first + _ROWS], rounded=True)
    return units
