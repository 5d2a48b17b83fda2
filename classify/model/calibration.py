"""Calibrate a predictor without labels: match the shares the user gave, and turn scores into probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from classify.categories.category_file import Category, shares_of
from classify.model.confidence import corrected_accuracy, expected_accuracy, temperature_for, view_support
from classify.model.sureness import fit_sureness
from classify.several.rule import set_offsets, set_rule
from hin.arrays.score_rows import best, by_rows
from hin.arrays.stored_rows import passing
from hin.arrays.types import Doubles, Reals

if TYPE_CHECKING:
    from classify.model.predictor import Predictor
    from classify.model.training import TrainingSet
    from classify.options import ClassifyOptions
    from classify.recipe.soft_labels import SoftLabels

#: Tolerance on a category's share: half a percentage point.
_NEAR = 0.005
#: With several categories per document, the expected accuracy is at least this much above chance.
_ABOVE_CHANCE = 0.25


def _offsets(scores: Doubles, categories: Sequence[Category], soft: SoftLabels, several: bool) -> Doubles | None:
    """Return the offsets that make the labels match the shares the user gave; None where none were given."""
    given = [category.share for category in categories]
    if several:
        if soft.known is not None:  # with answers the sizes may differ so much that no single level fits all scores
            given = [own if share is None else share for own, share in zip(_sizes(soft), given, strict=True)]
        return None if all(share is None for share in given) else set_offsets(scores, given, soft.expected)
    shares = shares_of(categories)
    return share_offsets(scores, shares) if shares is not None and None not in given else None


def _sizes(soft: SoftLabels) -> list[float]:
    """Return the share of the documents of each category by the soft labels, where a document may have several."""
    sizes = np.zeros(soft.logs.shape[1])
    for here in passing(soft.logs):
        sizes += np.exp(soft.logs[here]).sum(axis=0)
    return [min(size * soft.expected / max(float(sizes.sum()), 1e-12), 1.0) for size in sizes.tolist()]


def add_offsets(scores: Doubles, offsets: Doubles | None) -> Doubles:
    """Add offsets to the scores; a document without evidence keeps its zeros."""
    if offsets is None:
        return scores
    return by_rows(lambda rows: np.where(rows.any(axis=1, keepdims=True), rows + offsets, 0.0), scores)


def calibrate(
    predictor: Predictor,
    scores: Doubles,
    training_set: TrainingSet,
    categories: Sequence[Category],
    options: ClassifyOptions,
    taught: bool,
    threads: int = 1,
) -> Predictor:
    """Return the predictor with calibrated probabilities, as well as they can be estimated without labels.

    Parameters
    ----------
    scores : the learner's scores of all documents.
    training_set : what the learner was fitted to.
    taught : whether there were known documents.
    """
    soft = training_set.soft
    assert soft is not None
    predictor = replace(predictor, offsets=_offsets(scores, categories, soft, options.sets is not None))
    scores = add_offsets(scores, predictor.offsets)
    accuracy = _expected_accuracy(scores, soft, options, taught)
    predictor = replace(predictor, accuracy=accuracy)
    if options.sets is not None:
        right = accuracy
        if soft.expected < 1:  # the best category is right at most in the documents that have one
            even = soft.expected / scores.shape[1]
            right = max(accuracy * soft.expected, even + min(_ABOVE_CHANCE, (soft.expected - even) / 2))
        return replace(predictor, sets=set_rule(scores, soft.expected, right, options.sets))
    predictor = replace(predictor, temperature=temperature_for(scores, accuracy))
    if taught or not len(scores) or scores.shape[1] < 2:  # known documents corrected the labels, not the views
        return predictor
    sharpness = options.recipe.bayes.sharpness
    sureness = fit_sureness(training_set.data, scores, soft.views, accuracy, sharpness, threads)
    return replace(predictor, sureness=sureness)


def _expected_accuracy(scores: Doubles, soft: SoftLabels, options: ClassifyOptions, taught: bool) -> float:
    """Estimate the share of documents whose best label is right."""
    labels, sharpness, categories = best(scores), options.recipe.bayes.sharpness, scores.shape[1]
    corrected = not taught and len(labels) > 0  # the correction was fitted to best labels, of one or of several
    expected = None if options.sets is None else soft.expected
    sets = None if corrected else expected
    found = expected_accuracy(labels, soft.start, soft.opinions, soft.opinion_weights, sharpness, sets, taught)
    if not corrected:
        return found
    support = view_support(labels, soft.views, soft.opinions)
    found = corrected_accuracy(found, support, soft.opinions, soft.named, categories)
    # At chance level, all probabilities of sets would be the same.
    return found if expected is None else float(np.clip(found, min(expected / categories + _ABOVE_CHANCE, 0.97), 0.97))


def share_offsets(scores: Reals, shares: Sequence[float], rounds: int = 300) -> Doubles:
    """Find offsets under which the highest scores are distributed over the categories in these shares, approximately.

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
