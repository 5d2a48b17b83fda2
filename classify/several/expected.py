"""The mean number of categories of a document, estimated without labels."""

from __future__ import annotations

import numpy as np

from hin.arrays.score_rows import softmax
from hin.arrays.types import Doubles, Int64, Reals

#: The factor on scores before the softmax, chosen on six corpora (docs/experiments/several-and-trees.md).
_TEMPERATURE = 3.0
_ROUNDS = 100
#: The most documents that the mixtures are fitted to.
_MOST = 20_000
#: The estimate counts as much as this many documents whose categories are known; chosen by judgement.
_AS_MANY = 20


def expected_number(scores: Reals) -> float:
    """Estimate the mean number of categories from the names' scores: the lesser of two estimates that may be too high.

    One is by documents: 1 / Σp², the inverse of Simpson's index, is m where m scores are equal and far above the rest.
    It is never below 1. The other is by categories: the scores of each are fitted by a mixture of two normal
    distributions, its documents and all others, so that a document may have no category. It may be far too low, so
    below 1 its geometric mean with 1 is taken. Documents with equal scores for all names are left out.

    Examples
    --------
    >>> alone, both = 9 * np.eye(3), 9 * (1 - np.eye(3))
    >>> expected_number(np.tile(alone, (30, 1))) < 1.1, expected_number(np.tile(both, (30, 1))) > 1.9
    (True, True)
    """
    values = np.asarray(scores[:: -(-len(scores) // _MOST) or 1], dtype=np.float64)
    values = values[values.max(axis=1) > values.min(axis=1)]
    if not len(values):
        return 1.0
    along_documents = float(np.mean(1.0 / (softmax(_TEMPERATURE * values) ** 2).sum(axis=1)))
    along_categories = sum(map(_share_apart, values.T))
    if along_categories < 1:
        along_categories = float(np.sqrt(along_categories))
    return max(min(along_documents, along_categories), 1.0 / len(values))


def expected_with(scores: Reals, rows: Int64) -> float:
    """Estimate the mean number of categories, corrected by documents whose categories are known.

    Documents known to have none are not among them, so an estimate below 1 stays.

    Parameters
    ----------
    rows : the document of each known label; one of several categories is repeated.

    Examples
    --------
    >>> alone = np.tile(9 * np.eye(3), (30, 1))
    >>> round(expected_with(alone, np.repeat(np.arange(20), 2)), 1)
    1.5
    """
    estimate, documents = expected_number(scores), len(np.unique(rows))
    return estimate if estimate < 1 else (_AS_MANY * estimate + len(rows)) / (_AS_MANY + documents)


def _share_apart(scores: Doubles) -> float:
    """Fit a mixture of two normal distributions to a category's scores; return the share of the upper one."""
    if not scores.std():
        return 0.0
    means, spread = np.quantile(scores, [0.5, 0.9]), np.full(2, scores.var() / 2)
    shares, least = np.array([0.85, 0.15]), 1e-3 * scores.var()
    for _ in range(_ROUNDS):
        away = np.square(scores[:, None] - means)
        belongs = softmax(np.log(shares) - 0.5 * np.log(spread) - 0.5 * away / spread)
        sizes = belongs.sum(axis=0) + 1e-9
        shares, means = sizes / sizes.sum(), belongs.T @ scores / sizes
        spread = np.maximum((belongs * np.square(scores[:, None] - means)).sum(axis=0) / sizes, least)
    return float(shares[means.argmax()])
