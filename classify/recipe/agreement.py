"""Weights of the views without labels: a view counts the more, the better it agrees with the others.

A view gives several scores for each category: nearness to the name, and to the prototypes grown from it. The best
score and the best view differ from corpus to corpus. But views err in different documents, so the one that is right
more often also agrees more often with the joint opinion of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from classify.recipe.options import AgreementOptions
from hin.arrays.score_rows import best, in_units, weighted_sum
from hin.arrays.types import Floats, Ints


@dataclass(frozen=True, eq=False)
class Agreed:
    """The joint opinion of the views.

    Attributes
    ----------
    scores : float32[documents, categories]
        The weighted mean, in units of its spread.
    views : each view's own scores, in units of their spread.
    shares : how much each of a view's scores counts in it; they add up to 1.
    weights : how much each view counts; the best has 1.
    """

    scores: Floats
    views: dict[str, Floats]
    shares: dict[str, list[float]]
    weights: dict[str, float]


def agree(given: Mapping[str, list[Floats]], options: AgreementOptions | None = None) -> Agreed:
    """Average the scores of the views; each has at least one array of scores, and its list is emptied.

    >>> clear = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.float32)
    >>> found = agree({"a": [clear, clear[::-1]], "b": [clear]})
    >>> found.shares["a"][0] > 0.99, found.scores.argmax(axis=1).tolist()
    (True, [0, 0, 1, 1])
    """
    options = options or AgreementOptions()
    parts = {view: [in_units(scores) for scores in _release_each(several)] for view, several in given.items()}
    shares = {view: [1 / len(several)] * len(several) for view, several in parts.items()}
    weights = dict.fromkeys(parts, 1.0)
    views = {view: in_units(weighted_sum(parts[view], shares[view])) for view in parts}
    for _ in range(options.rounds if len(parts) > 1 else 0):
        reached = {}
        for view, several in parts.items():
            rest = [other for other in parts if other != view]
            others = best(weighted_sum([views[other] for other in rest], [weights[other] for other in rest]))
            agreement = [_agreement(scores, others) for scores in several]
            powers = [(value / max(agreement)) ** options.within for value in agreement]
            shares[view] = [power / sum(powers) for power in powers]
            reached[view] = _agreement(views[view], others)
        weights = {view: (value / max(reached.values())) ** options.between for view, value in reached.items()}
        views = {view: in_units(weighted_sum(parts[view], shares[view])) for view in parts}
    return Agreed(in_units(weighted_sum(list(views.values()), list(weights.values()))), views, shares, weights)


def macro_agreement(one: Ints, other: Ints, n_categories: int) -> float:
    """Return the macro-F1 of one labelling against another, in which large categories count no more than small ones.

    The formula is that of `evaluate`; that module reads true labels, so no stage may call it.

    >>> round(macro_agreement(np.array([0, 0, 1]), np.array([0, 1, 1]), 3), 3)
    0.667
    """
    table = np.bincount(one * n_categories + other, minlength=n_categories**2).reshape(n_categories, n_categories)
    sizes = table.sum(axis=0) + table.sum(axis=1)
    seen = sizes > 0
    return float(np.mean(2 * np.diag(table)[seen] / sizes[seen])) if seen.any() else 1.0


def _release_each(several: list[Floats]) -> Iterator[Floats]:
    """Yield the scores and release each, as they are large with many documents."""
    while several:
        yield several[0]
        del several[0]


def _agreement(scores: Floats, others: Ints) -> float:
    return max(macro_agreement(best(scores), others, scores.shape[1]), 1e-6)
