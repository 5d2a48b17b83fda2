"""Figures against the true labels, the only stage that reads them (section 4 of the paper)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.types import Array, Bools, Doubles, Int32, Ints, Reals
from hin.errors import BadInput
from hin.text.tokenize import fold

if TYPE_CHECKING:
    from hin.graph import Labels


def true_codes(labels: Labels | None, categories: Sequence[str]) -> Int32:
    """Return each document's true category as a position in `categories`; -1 where it has none of them.

    Examples
    --------
    >>> from hin.graph import Labels
    >>> true_codes(Labels(("Fonts", "web"), np.array([0, 1, -1], dtype=np.int32)), ["games", "fonts"]).tolist()
    [1, -1, -1]
    """
    codes = _positions(labels, categories)
    assert labels is not None
    return codes[labels.codes]


def true_sets(labels: Labels | None, categories: Sequence[str]) -> Bools:
    """Return the mask of each document's true categories: documents x categories.

    Examples
    --------
    >>> from hin.graph import Labels
    >>> true_sets(Labels.of([("crime", "drama"), "Drama", None]), ["drama", "crime"]).astype(int).tolist()
    [[1, 1], [1, 0], [0, 0]]
    """
    position = _positions(labels, categories)
    assert labels is not None
    truth = np.zeros((len(labels.codes), len(categories) + 1), dtype=np.bool_)
    rows, codes = np.arange(len(labels.codes)), np.asarray(labels.codes)
    if labels.several is not None:
        rows, codes = np.asarray(labels.several.rows()), np.asarray(labels.several.targets)
    truth[rows, position[codes]] = True
    return np.asarray(truth[:, :-1])  # the last column has the labels that are not a category


def _positions(labels: Labels | None, categories: Sequence[str]) -> Int32:
    """Return each label name's position in `categories`, -1 for one that is none of them, and a last -1 for no label.

    Raises
    ------
    BadInput
        If there are no labels, or none is a category.
    """
    if labels is None:
        raise BadInput("the graph has no labels to evaluate against", hint="load it with --label FIELD")
    codes = _codes(labels, categories)
    if (codes[:-1] < 0).all():
        raise BadInput(
            f"none of the graph's labels ({_some(labels.names)}) is a category ({_some(categories)})",
            hint="name the categories as the labels are spelled, or load without labels: --label ''",
        )
    return codes


def _codes(labels: Labels, categories: Sequence[str]) -> Int32:
    position = {label_key(category): i for i, category in enumerate(categories)}
    # In a tree a label may be the whole path, `science > space`.
    keys = [
        label_key(name) if label_key(name) in position else label_key(name.rpartition(" > ")[2])
        for name in labels.names
    ]
    return np.array([position.get(key, -1) for key in keys] + [-1], dtype=np.int32)


def has_true_categories(labels: Labels | None, categories: Sequence[str]) -> bool:
    """Check whether any label of the graph is one of the categories."""
    return labels is not None and bool((_codes(labels, categories) >= 0).any())


def evaluate(truth: Ints, predicted: Ints, categories: Sequence[str]) -> dict[str, Any]:
    """Return micro and macro F1, a table by category and the confusion matrix (rows true, columns predicted).

    Documents without a true category (-1) are left out; a prediction of -1 is an abstention, which costs recall.

    Examples
    --------
    >>> figures = evaluate(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), ["a", "b"])
    >>> round(figures["micro_f1"], 3), round(figures["macro_f1"], 3), figures["confusion"]
    (0.75, 0.733, [[1, 1], [0, 2]])
    """
    n = len(categories)
    known = truth >= 0
    truth, predicted = np.asarray(truth)[known], np.asarray(predicted)[known]
    decided = predicted >= 0
    confusion = np.zeros((n, n), dtype=np.int64)
    np.add.at(confusion, (truth[decided], predicted[decided]), 1)
    counts = np.diag(confusion).astype(np.float64), confusion.sum(axis=0), np.bincount(truth, minlength=n)
    return _figures(counts, categories, known, decided, confusion)


def evaluate_sets(truth: Bools, given: Bools, probabilities: Reals, categories: Sequence[str]) -> dict[str, Any]:
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
    known = np.asarray(truth.any(axis=1))
    real, found, sure = truth[known], given[known], np.asarray(probabilities, dtype=np.float64)[known]
    both = real & found
    examples = _ratio(2 * both.sum(axis=1), real.sum(axis=1) + found.sum(axis=1))
    confusion = real.T.astype(np.int64) @ found.astype(np.int64)
    counts = both.sum(axis=0), found.sum(axis=0), real.sum(axis=0)
    return {
        **_figures(counts, categories, known, np.asarray(found.any(axis=1)), confusion),
        "example_f1": _mean(examples),
        "ranking_loss": _mean(_ranking_losses(real, sure)),
        "true_number": _mean(real.sum(axis=1)),
        "given_number": _mean(found.sum(axis=1)),
    }


def _figures(
    counts: tuple[Array, Array, Array], categories: Sequence[str], known: Bools, decided: Bools, confusion: Array
) -> dict[str, Any]:
    """Compute the figures common to single labels and sets, from how often each category was right, given and true."""
    right, guessed, actual = counts
    precision, recall = _ratio(right, guessed), _ratio(right, actual)
    f1 = _ratio(2 * right, guessed + actual)
    return {
        "micro_f1": float(_ratio(2 * right.sum(), guessed.sum() + actual.sum())),
        "macro_f1": _mean(f1[(guessed + actual) > 0]),
        "documents": int(known.sum()),
        "without_label": int((~known).sum()),
        "abstained": int((~decided).sum()),
        "categories": [
            {
                "category": category,
                "precision": float(precision[i]),
                "recall": float(recall[i]),
                "f1": float(f1[i]),
                "documents": int(actual[i]),
                "predicted": int(guessed[i]),
            }
            for i, category in enumerate(categories)
        ],
        "confusion": confusion.tolist(),
    }


def _ranking_losses(real: Bools, sure: Reals) -> Doubles:
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


def _ratio(numerator: Any, denominator: Any) -> Any:
    """Divide, with 0 where there is nothing to divide by."""
    nothing = np.zeros_like(np.asarray(numerator, dtype=np.float64))
    return np.divide(numerator, denominator, out=nothing, where=np.asarray(denominator) > 0)


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else 0.0


def _some(names: Sequence[str]) -> str:
    return ", ".join([*names[:3], *(["..."] if len(names) > 3 else [])])


def label_key(name: str) -> str:
    """Return a label as it is compared with a category's name: `Card_arrival` is the category "card arrival"."""
    return " ".join(fold(name).replace("-", " ").replace("_", " ").split())
