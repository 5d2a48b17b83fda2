"""From scores to a calibrated predictor, without a label: shares that are met, confidence that means what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category, shares_of
from classify.model.confidence import expected_accuracy, temperature_for
from classify.several.rule import set_offsets, set_rule
from hin.arrays.score_rows import best, by_rows

if TYPE_CHECKING:
    from classify.model.predictor import Predictor
    from classify.options import ClassifyOptions
    from classify.recipe.soft_labels import SoftLabels

__all__ = ["calibrated", "moved", "share_offsets"]

#: Near enough: half a point.
_NEAR = 0.005


def _offsets(
    scores: npt.NDArray[np.float64], categories: Sequence[Category], soft: SoftLabels, several: bool
) -> npt.NDArray[np.float64] | None:
    """Return what to add to the scores so that the labels fall into the shares the user gave; None for nothing."""
    given = [category.share for category in categories]
    if several:
        return None if all(share is None for share in given) else set_offsets(scores, given, soft.expected)
    shares = shares_of(categories)
    return share_offsets(scores, shares) if shares is not None and None not in given else None


def moved(scores: npt.NDArray[np.float64], offsets: npt.NDArray[np.float64] | None) -> npt.NDArray[np.float64]:
    """Return scores with offsets added; a document without anything to go on keeps its zeros."""
    if offsets is None:
        return scores
    return by_rows(lambda rows: np.where(rows.any(axis=1, keepdims=True), rows + offsets, 0.0), scores)


def calibrated(
    predictor: Predictor,
    scores: npt.NDArray[np.float64],
    soft: SoftLabels,
    categories: Sequence[Category],
    options: ClassifyOptions,
    taught: bool,
) -> Predictor:
    """Return the predictor with probabilities that mean what they say, as far as can be told without labels.

    Parameters
    ----------
    scores : of all documents, as the learner gave them.
    soft : what the learner learned from.
    taught : whether there were known documents.
    """
    predictor = replace(predictor, offsets=_offsets(scores, categories, soft, options.sets is not None))
    scores = moved(scores, predictor.offsets)
    accuracy = expected_accuracy(
        best(scores),
        soft.start,
        soft.opinions,
        soft.opinion_weights,
        options.recipe.bayes.temperature,
        None if options.sets is None else soft.expected,
        taught,
    )
    if options.sets is not None:
        return replace(predictor, sets=set_rule(scores, soft.expected, accuracy, options.sets))
    return replace(predictor, temperature=temperature_for(scores, accuracy))


def share_offsets(
    scores: npt.NDArray[np.floating[Any]], shares: Sequence[float], rounds: int = 300
) -> npt.NDArray[np.float64]:
    """Offsets after which the highest scores fall into the categories in these shares, as nearly as was found.

    >>> scores = np.array([[3.0, 0.0], [2.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> offsets = share_offsets(scores, [0.25, 0.75])
    >>> (scores + offsets).argmax(axis=1).tolist()
    [0, 1, 1, 1]
    """
    asked = np.asarray(shares, dtype=np.float64)
    values = np.asarray(scores, dtype=np.float64)
    offsets = np.zeros(len(asked))
    best, least = offsets, np.inf
    step = max(float(values.std()), 1e-12)
    for done in range(rounds if len(values) else 0):
        found = np.bincount((values + offsets).argmax(axis=1), minlength=len(asked)) / len(values)
        error = float(np.abs(found - asked).max())
        if error < least:
            best, least = offsets, error
        if error <= _NEAR:
            break
        # Steps that shrink slowly: large ones first, fine ones at the end.
        offsets = offsets + step * (1 - done / rounds) * np.log((asked + _NEAR) / (found + _NEAR)) / 2
    return np.asarray(best - best.mean())
