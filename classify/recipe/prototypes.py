"""Prototypes: the mean vector of the instances nearest to a category, in a view."""

from __future__ import annotations

import numpy as np

from classify.recipe.near_duplicates import drop_near_duplicates
from classify.recipe.options import PrototypeOptions
from embed.vectors import unit_rows
from hin.arrays.types import Floats, Ints


def prototypes(
    names: Floats, instances: Floats, documents: Ints, options: PrototypeOptions | None = None
) -> list[Floats]:
    """Return the categories' prototypes after each round.

    A prototype is the mean of the instances that are nearer to the category than to any other, ranked by
    cosine · √ln(1 + df), plus some of the name. Instances with nearly the same vector, because they are in the same
    documents, count once (`near_duplicates`). With each round the prototypes depend more on the corpus and less on
    the name.

    Examples
    --------
    >>> instances = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]], dtype=np.float32)
    >>> found = prototypes(instances[[0, 2]], instances, np.array([5, 5, 5]), PrototypeOptions(rounds=1, name=0.0))
    >>> found[0].round(2).tolist()
    [[0.949999988079071, 0.3199999928474426], [0.0, 1.0]]
    """
    options = options or PrototypeOptions()
    reach = np.sqrt(np.log1p(np.asarray(documents, dtype=np.float64)))
    current = np.asarray(names, dtype=np.float32)
    found = []
    for _ in range(options.rounds):
        cosines = instances @ current.T
        nearest = cosines.argmax(axis=1)
        grown = np.zeros_like(current)
        for category in range(len(current)):
            own = np.flatnonzero((nearest == category) & (cosines[:, category] > 0))
            rank = cosines[own, category] * reach[own]
            ranked = own[np.argsort(-rank, kind="stable")]
            best = drop_near_duplicates(ranked[reach[ranked] > 0], [instances], options.size)
            mean = instances[best].mean(axis=0, dtype=np.float64) if len(best) else names[category]
            length = max(float(np.linalg.norm(mean)), 1e-12)
            grown[category] = options.name * names[category] + mean / length
        current = unit_rows(grown)
        found.append(current)
    return found
