"""Confidence without labels: the expected accuracy, the temperature that fits it, and when to abstain.

Two signals predict how many labels are right: the mean highest probability by the names' scores before the EM, and the
agreement of the final labels with each opinion (the corpus's, knowledge's). The estimate is corrected by their
agreement with each single view of the corpus, as one view errs more often than their joint opinion; by the agreement
of a pretrained model with the corpus's views, as they err in different documents; and by the share of documents that
hold a name: where none does, the views place the names at random and are confident all the same.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from classify.several.levels import probabilities_of_sets
from hin.arrays.score_rows import best
from hin.arrays.stored_rows import passing
from hin.arrays.types import Bools, Ints, Reals

#: Chosen on whole corpora (decision 0081), for names alone and for names with known documents (decision 0062).
_SCALE = 1.23
_SCALE_KNOWN = 1.1
#: From `accuracy_signals` to the log odds of a label's being right: a constant and a factor for each, as
#: `python -m benchmarks.confidence --fit` prints them (docs/experiments/confidence.md says on which runs).
CORRECTION = (-1.608, 0.148, 0.784, 1.243, 0.741)
#: The mean agreement of corpus and knowledge, used without a pretrained model.
_USUAL_AGREEMENT = 0.4
#: The share of documents that hold a name at which its signal is half of its maximum.
_NAMED_HALF = 0.01


def expected_accuracy(
    labels: Ints,
    start: Reals,
    opinions: Mapping[str, Ints],
    weights: Mapping[str, float],
    sharpness: float = 2.0,
    expected: float | None = None,
    taught: bool = False,
) -> float:
    """Estimate the share of right labels: the confidence of the start scores times the agreement with the opinions.

    If known documents have corrected the opinions, the labels are compared with the start scores instead.

    Parameters
    ----------
    labels : the final ones.
    start : the scores that naive Bayes started from.
    opinions : the labels of each, and `weights` how much it counted.
    expected : the mean number of categories of a document that may have several; the result is then for the best one.
    taught : whether the start scores include what was learned from known documents.

    Examples
    --------
    >>> start = np.log(np.array([[0.8, 0.2], [0.2, 0.8]])) / 2
    >>> given = {"corpus": np.array([0, 0]), "knowledge": np.array([0, 1])}
    >>> weights = {"corpus": 1.0, "knowledge": 1.0}
    >>> round(expected_accuracy(np.array([0, 1]), start, given, weights), 3)  # 1.23 · .8 · .75
    0.738
    """
    if not len(labels) or not opinions:
        return 1.0
    if expected is None:
        clear = _mean_highest(start, 1 / sharpness)
    else:
        scaled = sharpness * np.asarray(start, dtype=np.float64)
        clear = float(probabilities_of_sets(scaled, expected).max(axis=1).mean())
    if taught:
        opinions, weights = {"start": best(start)}, {"start": 1.0}
    total = sum(weights[name] for name in opinions)
    left = sum(weights[name] * float(np.mean(labels == theirs)) for name, theirs in opinions.items()) / total
    scale = _SCALE_KNOWN if taught else _SCALE
    return float(np.clip(scale * clear * left, 1.0 / start.shape[1], 0.97))


def corrected_accuracy(
    estimate: float, support: float, opinions: Mapping[str, Ints], named: float, n_categories: int
) -> float:
    """Correct the expected accuracy by what else is known of the labels, as `accuracy_signals` has it.

    Examples
    --------
    >>> same, other = np.array([0, 1, 0, 1]), np.array([1, 0, 1, 1])
    >>> sure = corrected_accuracy(0.6, 0.6, {"corpus": same, "knowledge": same}, 0.3, 2)
    >>> sure > corrected_accuracy(0.6, 0.6, {"corpus": same, "knowledge": other}, 0.3, 2)
    True
    """
    if n_categories < 2:
        return estimate
    signals = accuracy_signals(estimate, support, opinions, named, n_categories)
    log_odds = CORRECTION[0] + sum(factor * one for factor, one in zip(CORRECTION[1:], signals, strict=True))
    return float(np.clip(1 / (1 + np.exp(-log_odds)), 1.0 / n_categories, 0.97))


def accuracy_signals(
    estimate: float, support: float, opinions: Mapping[str, Ints], named: float, n_categories: int
) -> list[float]:
    """Return the predictors of the corrected accuracy.

    They are the log odds of the estimate and of the support, the opinions' agreement, and the names' share.

    Parameters
    ----------
    support : the share of the labels that a view of the corpus gives too (`view_support`).
    opinions : the labels of each; the agreement is that of the corpus with the pretrained model nearest to it,
        corrected for chance.
    named : the share of the documents that hold the name or a keyword of some category.
    """
    outside = [float(np.mean(opinions["corpus"] == said)) for name, said in opinions.items() if name != "corpus"]
    agreement = max(((share * n_categories - 1) / (n_categories - 1) for share in outside), default=_USUAL_AGREEMENT)
    return [_log_odds(estimate), _log_odds(support), agreement, named / (named + _NAMED_HALF)]


def view_support(labels: Ints, views: Mapping[str, Reals], opinions: Mapping[str, Ints]) -> float:
    """Return the share of the labels that a view of the corpus gives too, on the mean of these views.

    Parameters
    ----------
    views : the scores of each; those of pretrained models are among the opinions, and left out.

    Examples
    --------
    >>> views = {"tf-idf": np.eye(2), "joint": np.array([[1, 0], [1, 0]]), "knowledge": np.eye(2)}
    >>> labels = np.array([0, 1])
    >>> view_support(labels, views, {"corpus": labels, "knowledge": labels})
    0.75
    """
    own = [best(scores) for name, scores in views.items() if name not in opinions]
    return float(np.mean([np.mean(labels == said) for said in own or opinions.values()]))


def _log_odds(share: float) -> float:
    held = float(np.clip(share, 0.01, 0.99))
    return float(np.log(held / (1 - held)))


def temperature_for(scores: Reals, accuracy: float) -> float:
    """Return the temperature at which the mean of the documents' highest probabilities is the expected accuracy.

    >>> scores = np.log(np.array([[0.8, 0.2], [0.4, 0.6]]))
    >>> round(temperature_for(scores, 0.7), 3)
    1.0
    """
    from scipy.optimize import brentq

    def above(log_temperature: float) -> float:  # falls as the temperature rises
        return _mean_highest(scores, float(np.exp(log_temperature))) - accuracy

    low, high = np.log(0.02), np.log(50.0)
    if not len(scores):
        return 1.0
    if above(low) <= 0 or above(high) >= 0:
        return float(np.exp(low if above(low) <= 0 else high))
    return float(np.exp(brentq(above, low, high)))


def _mean_highest(scores: Reals, temperature: float) -> float:
    """Return the mean of the documents' highest probabilities, computed in blocks."""
    total = 0.0
    for here in passing(scores):
        part = np.asarray(scores[here], dtype=np.float64) / temperature
        total += float((1 / np.exp(part - part.max(axis=1, keepdims=True)).sum(axis=1)).sum())
    return total / len(scores)


def gets_category(probabilities: Reals, abstain_below: float | None = None) -> Bools:
    """Return the mask of documents that get a category: those with evidence and with a high enough confidence.

    A document without a known word or value has the same probability for every category.

    >>> gets_category(np.array([[0.5, 0.5], [0.6, 0.4]])).tolist(), gets_category(np.array([[0.6, 0.4]]), 0.7).tolist()
    ([False, True], [False])
    """
    found = np.zeros(len(probabilities), dtype=np.bool_)
    for here in passing(probabilities):
        sure = probabilities[here].max(axis=1)
        found[here] = (sure >= (abstain_below or 0.0)) & (sure > probabilities[here].min(axis=1))
    return found
