"""Instances without near-duplicates: of those with nearly the same vector, only the best of a ranking counts.

A sentence that a hundred documents share has many phrases, each of them an instance, all with nearly the same vector.
If all counted, they would outvote every other word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hin.arrays.types import Int64, Ints

#: Instances whose cosine is at least this are duplicates.
SAME = 0.9

#: The number of candidates compared for each instance that is wanted.
_CANDIDATES = 5


def drop_near_duplicates(ranked: Ints, places: Sequence[Any], size: int) -> Int64:
    """Return the first instances of a ranking that differ from all those chosen before them.

    Parameters
    ----------
    ranked : instances, the best first.
    places : float32[instances, width], unit vectors, one array for each view; cosines are averaged over the views.
    size : the most instances to return.

    Examples
    --------
    >>> vectors = np.array([[1.0, 0.0], [0.99, 0.14], [0.0, 1.0]], dtype=np.float32)
    >>> drop_near_duplicates(np.array([0, 1, 2]), [vectors], 2).tolist()
    [0, 2]
    """
    some = np.asarray(ranked, dtype=np.int64)[: _CANDIDATES * size]
    cosines = np.zeros((len(some), len(some)), dtype=np.float32)
    for vectors in places:
        own = vectors[some]
        cosines += own @ own.T / np.float32(len(places))
    taken: list[int] = []
    free = np.ones(len(some), dtype=np.bool_)
    for candidate in range(len(some)):
        if len(taken) == size:
            break
        if free[candidate]:
            taken.append(candidate)
            free &= cosines[:, candidate] < SAME
    return some[taken]
