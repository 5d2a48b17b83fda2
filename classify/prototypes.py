"""From a name to the instances around it: a category's prototype in a view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.products import unit_rows
from classify.views import Space

__all__ = ["PrototypeOptions", "average_scores", "prototypes", "view_scores"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class PrototypeOptions:
    """How prototypes grow out of names.

    Attributes
    ----------
    rounds, size : how often the nearest instances are looked up, and how many of them make the prototype.
    name : how much the name counts beside their mean.
    name_score : share of the name in a document's score; the prototype has the rest.
    """

    rounds: int = 4
    size: int = 20
    name: float = 0.2
    name_score: float = 0.7


def prototypes(
    names: Floats, instances: Floats, documents: npt.NDArray[np.integer[Any]], options: PrototypeOptions | None = None
) -> Floats:
    """The mean of the instances nearest to a category and to no other, by cosine · √ln(1 + df), and some of the name.

    Examples
    --------
    >>> instances = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]], dtype=np.float32)
    >>> found = prototypes(instances[[0, 2]], instances, np.array([5, 5, 5]), PrototypeOptions(rounds=1, name=0.0))
    >>> found.round(2).tolist()
    [[0.949999988079071, 0.3199999928474426], [0.0, 1.0]]
    """
    options = options or PrototypeOptions()
    reach = np.sqrt(np.log1p(np.asarray(documents, dtype=np.float64)))
    current = np.asarray(names, dtype=np.float32)
    for _ in range(options.rounds):
        cosines = instances @ current.T
        nearest = cosines.argmax(axis=1)
        grown = np.zeros_like(current)
        for category in range(len(current)):
            own = np.flatnonzero((nearest == category) & (cosines[:, category] > 0))
            rank = cosines[own, category] * reach[own]
            best = own[np.argsort(-rank, kind="stable")[: options.size]]
            best = best[reach[best] > 0]
            mean = instances[best].mean(axis=0, dtype=np.float64) if len(best) else names[category]
            length = max(float(np.linalg.norm(mean)), 1e-12)
            grown[category] = options.name * names[category] + mean / length
        current = unit_rows(grown)
    return current


def view_scores(space: Space, names: Floats, grown: Floats, options: PrototypeOptions | None = None) -> Floats:
    """Each document's score in each category, in units of the scores' spread."""
    options = options or PrototypeOptions()
    target = options.name_score * names + (1 - options.name_score) * grown
    scores = space.documents @ target.T
    spread = max(float(scores.std(dtype=np.float64)), 1e-12)
    return np.asarray(scores / spread, dtype=np.float32)


def average_scores(scores: Sequence[Floats], weights: Sequence[float] | None = None) -> Floats:
    """The mean over views, weighted where wanted.

    >>> average_scores([np.array([[1.0]]), np.array([[4.0]])], [2.0, 1.0]).tolist()
    [[2.0]]
    """
    return np.asarray(np.average(np.stack(scores).astype(np.float64), axis=0, weights=weights), dtype=np.float32)
