"""Scores for all documents, learned from known ones; in the EM, the categories of known documents are fixed as well.

A regression in the views of the corpus has the names' scores as offsets and learns what they lack: labels that agree
with the names change nothing. The views have few dimensions, so a few labels per category are enough. Where a document
may have several categories, each has a regression of its own: in a joint one, a document with two categories would be
evidence against each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from classify.categories.known import Known
from classify.learners.lbfgs import minimise
from classify.recipe.options import KnownOptions
from classify.several.levels import levelled, probabilities_of_sets, sigmoid
from classify.views.base import Space
from hin.arrays.score_rows import centred, log_softmax, softmax
from hin.arrays.stored_rows import passing
from hin.arrays.types import Doubles, Floats, Int64, Reals
from hin.files.mapped import mapped_zeros

#: The constant feature beside the views; the larger it is, the less the regression's intercept is shrunk towards 0.
_CONSTANT = 10**0.5
#: That a category is as large as the names say counts as this many answers that confirm its documents.
_BY_NAMES = 5.0
#: Sizes are compared on at most this many documents, and the scores of a category are raised at most so often.
_MOST, _RAISES = 10_000, 30


def known_scores(
    known: Known,
    spaces: Sequence[Space],
    start: Reals,
    sharpness: float = 2.0,
    options: KnownOptions | None = None,
    expected: float | None = None,
) -> Floats:
    """Return scores, learned from the known documents, to add to the names' scores of all documents.

    Parameters
    ----------
    known : the documents with their categories.
    spaces : the views of the corpus.
    start : the scores by the names.
    sharpness : the factor on scores before the softmax.
    expected : the mean number of categories of a document that may have several.

    Examples
    --------
    >>> documents = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]], dtype=np.float32)
    >>> known = Known(np.array([0, 2]), np.array([1, 0]))
    >>> known_scores(known, [Space(documents, documents)], np.zeros((4, 2))).argmax(axis=1).tolist()
    [1, 1, 0, 0]
    """
    options = options or KnownOptions()
    if expected is None:
        matrix = _fit_regression(known, spaces, start, sharpness, options)
    else:
        matrix = _fit_per_category(known, spaces, start, sharpness, options, expected)
    scores = mapped_zeros(start.shape, np.float32)
    for here in passing(scores):
        found = _design_matrix(spaces, here) @ matrix
        scores[here] = centred(found) if expected is None else found  # the level says how many there are
    return scores


def supported_sizes(
    known: Known, start: Reals, taught: Reals, sharpness: float = 2.0, expected: float | None = None
) -> Floats:
    """Raise categories that would shrink further than the answers support; return what to add to the scores of each.

    A category keeps at least the share of its size by the names that the answers about its documents confirm, where the
    names count as a few confirming answers. Otherwise one answer could take all documents of a small category away, and
    a teacher that is fond of one category the documents of the others.

    Examples
    --------
    >>> start, taught = np.zeros((100, 2), dtype=np.float32), np.tile(np.float32([9, -9]), (100, 1))
    >>> added = supported_sizes(Known(np.array([0]), np.array([0])), start, taught)
    >>> (softmax(2 * (start + taught + added)).sum(axis=0) / 100).round(2).tolist()
    [0.55, 0.45]
    """
    believe = softmax if expected is None else partial(probabilities_of_sets, expected=expected)
    rows, weight, said = _said(known, start.shape[1])
    by_names = believe(sharpness * np.asarray(start[rows], dtype=np.float64))
    confirmed, answered = (by_names * said).sum(axis=0), weight @ by_names
    some = slice(None, None, -(-len(start) // _MOST) or 1)
    before = sharpness * np.asarray(start[some], dtype=np.float64)
    after = before + sharpness * np.asarray(taught[some], dtype=np.float64)
    least = believe(before).sum(axis=0) * (confirmed + _BY_NAMES) / (answered + _BY_NAMES)
    added = np.zeros(start.shape[1])
    for _ in range(_RAISES):
        sizes = believe(after + added).sum(axis=0)
        if (sizes >= 0.99 * least).all():
            break
        added += np.log(np.maximum(1.0, least / np.maximum(sizes, 1e-9)))
    return np.asarray(added / sharpness, dtype=np.float32)


def cross_fitted(
    known: Known,
    spaces: Sequence[Space],
    start: Reals,
    sharpness: float,
    options: KnownOptions,
    folds: int = 5,
) -> Doubles:
    """Return, for each known document, its scores by the names and by a regression on the other folds."""
    fold = np.searchsorted(np.unique(known.rows), known.rows) % folds  # all labels of a document in one
    found = np.asarray(start[known.rows], dtype=np.float64)
    for number in range(folds):
        away = fold == number
        if away.any() and not away.all():
            matrix = _fit_regression(known.choose(~away), spaces, start, sharpness, options)
            found[away] += centred(_design_matrix(spaces, known.rows[away]) @ matrix)
    return found


def taught_alone(
    known: Known, spaces: Sequence[Space], shape: tuple[int, int], rows: Int64, options: KnownOptions
) -> Doubles:
    """Return the scores of some documents by what the known ones teach without the names."""
    nothing = np.zeros(shape, dtype=np.float32)
    matrix = _fit_regression(known, spaces, nothing, 1.0, replace(options, stand_ins=0))
    return np.asarray(_design_matrix(spaces, rows) @ matrix, dtype=np.float64)


def _fit_regression(
    known: Known,
    spaces: Sequence[Space],
    start: Reals,
    sharpness: float,
    options: KnownOptions,
) -> Floats:
    """Fit the regression and return its coefficients, scaled to be added to the names' scores."""
    rows, labels, weights = _training_data(known, start, options)
    offsets, at = sharpness * np.asarray(start[rows], dtype=np.float64), np.arange(len(rows))

    def fit(logits: Doubles) -> tuple[float, Doubles]:
        logs = log_softmax(logits)
        rest = np.exp(logs)
        rest[at, labels] -= 1.0
        rest *= weights[:, None]
        return -float((weights * logs[at, labels]).sum()), rest

    matrix = _regression(_design_matrix(spaces, rows), offsets, fit, options)
    # Stand-ins add nothing to the names, so what is learned counts by the share of the labels that somebody gave.
    given = float(known.weights.sum())
    share = given / (given + len(rows) - len(known) or 1.0)
    return np.float32(share / sharpness) * matrix


def _fit_per_category(
    known: Known,
    spaces: Sequence[Space],
    start: Reals,
    sharpness: float,
    options: KnownOptions,
    expected: float,
) -> Floats:
    """Fit a regression for each category, and return the coefficients, scaled to be added to the names' scores."""
    rows, weight, said = _said(known, start.shape[1])
    # A doubtful answer counts less for its category and against the others alike.
    targets, weights = (said > 0).astype(np.float64), weight[:, None]
    offsets = levelled(sharpness * np.asarray(start[rows], dtype=np.float64), expected)

    def fit(logits: Doubles) -> tuple[float, Doubles]:
        loss = weights * (np.logaddexp(0.0, logits) - targets * logits)
        return float(loss.sum()), weights * (sigmoid(logits) - targets)

    options = replace(options, inverse_penalty=options.inverse_penalty_of_sets)
    return np.float32(1 / sharpness) * _regression(_design_matrix(spaces, rows), offsets, fit, options)


def _said(known: Known, n_categories: int) -> tuple[Int64, Doubles, Doubles]:
    """Return the known documents, the weight of each, and the weight of each of its categories."""
    rows, home = np.unique(known.rows, return_inverse=True)
    said, weight = np.zeros((len(rows), n_categories)), np.zeros(len(rows))
    np.maximum.at(said, (home, known.labels), known.weights)
    np.maximum.at(weight, home, known.weights)
    return rows, weight, said


def _training_data(known: Known, start: Reals, options: KnownOptions) -> tuple[Int64, Int64, Doubles]:
    """Return the known documents, their categories and weights, with stand-ins for the categories that have none."""
    rows, labels, weights = [known.rows], [known.labels], [known.weights]
    taken = np.zeros(len(start), dtype=np.bool_)
    taken[known.rows] = True
    for category in np.setdiff1d(np.arange(start.shape[1]), known.labels).tolist():
        rest = np.flatnonzero(~taken)
        surest = rest[np.argsort(-start[rest, category], kind="stable")[: options.stand_ins]]
        rows.append(surest)
        labels.append(np.full(len(surest), category))
        weights.append(np.ones(len(surest)))
    return np.concatenate(rows), np.concatenate(labels), np.concatenate(weights)


def _regression(
    places: Floats,
    offsets: Doubles,
    fit: Callable[[Doubles], tuple[float, Doubles]],
    options: KnownOptions,
) -> Floats:
    """Return the coefficients of the penalised logistic regression with offsets.

    `fit` returns the loss of logits, and its gradient.
    """
    width, shrink = places.shape[1], 1 / options.inverse_penalty

    def loss(matrix: Floats) -> tuple[float, Floats]:
        value, rest = fit(offsets + places @ matrix)
        size = 0.5 * shrink * float(np.square(matrix, dtype=np.float64).sum())
        return size + value, places.T @ rest.astype(np.float32) + np.float32(shrink) * matrix

    matrix = np.zeros((width, offsets.shape[1]), dtype=np.float32)
    return minimise(loss, matrix, np.ones((width, 1), dtype=np.float32), options.rounds)


def _design_matrix(spaces: Sequence[Space], rows: Any) -> Floats:
    """Return some documents' vectors in all views concatenated, and a constant."""
    places = [space.documents[rows] for space in spaces]
    return np.concatenate([*places, np.full((len(places[0]), 1), _CONSTANT, dtype=np.float32)], axis=1)
