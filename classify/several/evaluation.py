"""Figures of sets of categories against the true ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.evaluation import f1_scores, positions_of, ratio

if TYPE_CHECKING:
    from hin.graph import Labels

__all__ = ["evaluate_sets", "true_sets"]

Bools = npt.NDArray[np.bool_]


def true_sets(labels: Labels | None, categories: Sequence[str]) -> Bools:
    """Return which of the categories each document truly has: documents x categories.

    Examples
    --------
    >>> from hin.graph import Labels
    >>> true_sets(Labels.of([("crime", "drama"), "Drama", None]), ["drama", "crime"]).astype(int).tolist()
    [[1, 1], [1, 0], [0, 0]]
    """
    position = positions_of(labels, categories)
    assert labels is not None
    truth = np.zeros((len(labels.codes), len(categories) + 1), dtype=np.bool_)
    rows, codes = np.arange(len(labels.codes)), np.asarray(labels.codes)
    if labels.several is not None:
        rows, codes = np.asarray(labels.several.rows()), np.asarray(labels.several.targets)
    truth[rows, position[codes]] = True
    return np.asarray(truth[:, :-1])  # the last column has the labels that are no category


def evaluate_sets(
    truth: Bools, given: Bools, probabilities: npt.NDArray[np.floating[Any]], categories: Sequence[str]
) -> dict[str, Any]:
    """Return micro, macro and example F1, the ranking loss, and a table by category.

    Documents without a true category are left out. Example F1 is the mean over the documents of 2|A∩B| / (|A|+|B|);
    the ranking loss is the share of (true, other) pairs of categories that stand in the wrong order. In the confusion
    matrix a document counts once for each pair of a true and a given category.

    Examples
    --------
    >>> truth = np.array([[1, 1, 0], [0, 0, 1]], dtype=bool)
    >>> given = np.array([[1, 0, 0], [0, 1, 1]], dtype=bool)
    >>> figures = evaluate_sets(truth, given, np.array([[0.9, 0.2, 0.4], [0.1, 0.5, 0.8]]), ["a", "b", "c"])
    >>> {name: round(figures[name], 3) for name in ("micro_f1", "macro_f1", "example_f1", "ranking_loss")}
    {'micro_f1': 0.667, 'macro_f1': 0.667, 'example_f1': 0.667, 'ranking_loss': 0.25}
    """
    known = truth.any(axis=1)
    real, found, sure = truth[known], given[known], np.asarray(probabilities, dtype=np.float64)[known]
    both = real & found
    right, guessed, actual = (part.sum(axis=0) for part in (both, found, real))
    micro, macro, rows = f1_scores(right, guessed, actual, categories)
    examples = ratio(2 * both.sum(axis=1), real.sum(axis=1) + found.sum(axis=1))
    losses = _ranking_losses(real, sure)
    return {
        "micro_f1": micro,
        "macro_f1": macro,
        "example_f1": float(examples.mean()) if len(examples) else 0.0,
        "ranking_loss": float(losses.mean()) if len(losses) else 0.0,
        "documents": int(known.sum()),
        "without_label": int((~known).sum()),
        "abstained": int((~found.any(axis=1)).sum()),
        "true_number": float(real.sum(axis=1).mean()) if len(real) else 0.0,
        "given_number": float(found.sum(axis=1).mean()) if len(found) else 0.0,
        "categories": rows,
        "confusion": (real.T.astype(np.int64) @ found.astype(np.int64)).tolist(),
    }


def _ranking_losses(real: Bools, sure: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Return, for each document with both kinds of categories, the share of pairs in the wrong order; a tie is half."""
    mixed = real.any(axis=1) & ~real.all(axis=1)
    real, sure = real[mixed], sure[mixed]
    wrong = np.zeros(len(real))
    for column in range(real.shape[1]):
        mine = real[:, column]
        others = ~real[mine]
        gap = sure[mine] - sure[mine, column][:, None]
        wrong[mine] += ((gap > 0) & others).sum(axis=1) + 0.5 * ((gap == 0) & others).sum(axis=1)
    pairs = real.sum(axis=1) * (~real).sum(axis=1)
    return np.asarray(wrong / np.maximum(pairs, 1))
