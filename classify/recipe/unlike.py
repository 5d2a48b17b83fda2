"""Instances of the same documents count once: of a ranking those that are not yet spoken for.

A sentence that a hundred documents share is many phrases, each of them an instance, all of them in one place. Taken as
they come they would outvote every word that says something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["SAME", "unlike"]

#: Instances whose cosine is above this say the same.
SAME = 0.9

#: So many candidates are looked at for each that is wanted.
_CANDIDATES = 5


def unlike(
    ranked: npt.NDArray[np.integer[Any]], places: Sequence[Any], size: int, same: float = SAME
) -> npt.NDArray[np.int64]:
    """Return the first instances of a ranking that say something else than those before them.

    Parameters
    ----------
    ranked : instances, the best first.
    places : float32[instances, width], unit vectors, one array for each view; cosines are averaged over the views.
    size : so many at most.
    same : an instance whose cosine with one before it is this or more is left out.

    Examples
    --------
    >>> vectors = np.array([[1.0, 0.0], [0.99, 0.14], [0.0, 1.0]], dtype=np.float32)
    >>> unlike(np.array([0, 1, 2]), [vectors], 2).tolist()
    [0, 2]
    """
    some = np.asarray(ranked, dtype=np.int64)[: _CANDIDATES * size]
    cosines = np.zeros((len(some), len(some)), dtype=np.float32)
    for vectors in places:
        own = vectors[some]
        cosines += own @ own.T / np.float32(len(places))
    taken: list[int] = []
    for candidate in range(len(some)):
        if len(taken) == size:
            break
        if not taken or cosines[candidate, taken].max() < same:
            taken.append(candidate)
    return some[taken]
