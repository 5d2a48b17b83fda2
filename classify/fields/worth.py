"""How well a metadata field predicts the labels of left-out documents, and which fields are copies of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hin.arrays.types import Doubles, Int64, Reals

FOLDS = 5
#: Pseudo-counts of the overall label distribution added to each value; the best of these is taken.
_PRIORS = (1.0, 10.0, 100.0)
#: Factors on a field's log odds; the best of these is taken.
_WEIGHTS = (0.25, 0.5, 0.75, 1.0, 1.5)
#: A field follows from another if it does in this share of the documents that have a value in common with others.
_NEARLY_ALL = 0.99


def sure_labels(scores: Reals) -> Doubles:
    """Return a distribution for each document with nearly all probability on its best category.

    >>> sure_labels(np.array([[2.0, 1.0]])).round(2).tolist()
    [[0.99, 0.01]]
    """
    n_categories = scores.shape[1]
    return np.asarray(0.98 * np.eye(n_categories)[np.asarray(scores).argmax(axis=1)] + 0.02 / n_categories)


def explained(values: Any, labels: Doubles) -> float:
    """Return the share of the labels' entropy that a field's values explain on left-out documents.

    Measured by cross-validated naive Bayes on the values; 0 for a field that is independent of the labels.

    Parameters
    ----------
    values : sparse, documents x values of the field.
    labels : float[documents, categories], each row a distribution.

    Examples
    --------
    >>> from scipy import sparse
    >>> side = np.arange(100) % 2
    >>> field, labels = sparse.csr_array(np.eye(2)[side]), np.eye(2)[side]
    >>> explained(field, labels) > 0.8, explained(field, labels[np.random.default_rng(0).permutation(100)]) < 0.05
    (True, True)
    """
    present = (values > 0).astype(np.float64).tocsr()
    # Many files have documents of one value side by side, so folds are drawn at random, with a fixed seed.
    folds = np.random.default_rng(0).permutation(len(labels)) % FOLDS
    usual = labels.mean(axis=0)
    entropy = -float((usual * np.log(np.maximum(usual, 1e-300))).sum())
    if not present.nnz or entropy <= 0:
        return 0.0
    best = 0.0
    for odds in _left_out_odds(present, labels, folds):
        for weight in _WEIGHTS:
            best = max(best, entropy - _cross_entropy(np.log(np.maximum(usual, 1e-300)) + weight * odds, labels))
    return best / entropy


def _left_out_odds(present: Any, labels: Doubles, folds: Int64) -> list[Doubles]:
    """Return each document's log odds of the categories, by its values on the other folds; one array for each prior."""
    odds = [np.zeros(labels.shape) for _ in _PRIORS]
    roots = np.sqrt(np.maximum(np.diff(present.indptr), 1))[:, None]  # values of one document repeat one another
    for fold in range(FOLDS):
        out = np.flatnonzero(folds == fold)
        rest = np.flatnonzero(folds != fold)
        usual = np.maximum(labels[rest].mean(axis=0), 1e-12)
        counts, tested = present[rest].T @ labels[rest], present[out]
        total = counts.sum(axis=1, keepdims=True)
        for prior, found in zip(_PRIORS, odds, strict=True):
            found[out] = (tested @ np.log((counts + prior * usual) / (total + prior) / usual)) / roots[out]
    return odds


def _cross_entropy(logits: Doubles, labels: Doubles) -> float:
    level = logits.max(axis=1, keepdims=True)
    logs = logits - level - np.log(np.exp(logits - level).sum(axis=1, keepdims=True))
    return -float((labels * logs).sum(axis=1).mean())


def paired(one: Any, other: Any) -> Any:
    """Return the pairs of two fields' values that more than one document has: sparse, documents x pairs.

    >>> from scipy import sparse
    >>> field = sparse.csr_array(np.eye(2)[[0, 0, 1]])
    >>> paired(field, field).toarray().tolist()
    [[1.0], [1.0], [0.0]]
    """
    from scipy import sparse

    rows = np.repeat(np.arange(one.shape[0]), np.diff(one.indptr))
    times = np.diff(other.indptr)[rows]
    document, first = np.repeat(rows, times), np.repeat(one.indices, times).astype(np.int64)
    within = np.arange(len(document)) - np.repeat(np.cumsum(times) - times, times)
    keys = first * other.shape[1] + other.indices[other.indptr[document] + within]
    found, pair, counts = np.unique(keys, return_inverse=True, return_counts=True)
    often = counts[pair] > 1
    made = (np.ones(int(often.sum())), (document[often], pair[often]))
    columns = np.flatnonzero(counts > 1)
    return sparse.coo_array(made, shape=(one.shape[0], len(found))).tocsr()[:, columns]


def implied_fields(fields: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return the pairs (a, b) of fields where a follows from b: documents with the same values of b have the same of a.

    >>> from scipy import sparse
    >>> city = np.array([0, 0, 1, 1, 2, 2] * 5)
    >>> made = {"city": sparse.csr_array(np.eye(3)[city]), "state": sparse.csr_array(np.eye(2)[city // 2])}
    >>> implied_fields(made)
    {('state', 'city')}
    """
    sets = {name: _value_sets(values) for name, values in fields.items()}
    return {(a, b) for a in fields for b in fields if a != b and _is_implied(sets[a], sets[b])}


def copies(found: set[tuple[str, str]]) -> dict[str, str]:
    """Map each field that is a copy of an earlier one to that one, given the result of `implied_fields`.

    >>> copies({("b", "a"), ("a", "b"), ("state", "a")})
    {'b': 'a'}
    """
    same: dict[str, str] = {}
    for a, b in sorted(found):
        if a > b and (b, a) in found:
            same.setdefault(a, same.get(b, b))
    return same


def _value_sets(values: Any) -> Int64:
    """Return, for each document, the number of its set of values; -1 where it has none."""
    present = values.tocsr()
    present.sort_indices()
    numbers: dict[bytes, int] = {}
    cuts = present.indptr
    return np.array(
        [
            numbers.setdefault(present.indices[a:b].tobytes(), len(numbers)) if b > a else -1
            for a, b in zip(cuts, cuts[1:], strict=False)
        ],
        dtype=np.int64,
    )


def _is_implied(one: Int64, other: Int64) -> bool:
    """Check whether a field is implied by another: where the other's values are equal, its own nearly always are."""
    sizes = np.bincount(other[other >= 0], minlength=1)
    shared = (other >= 0) & (sizes[np.maximum(other, 0)] > 1)
    if shared.sum() < len(other) / 2 or not (one >= 0).any():
        return False  # with hardly a value shared, any field would follow
    pairs = np.stack([other[shared], one[shared]], axis=1)
    met, counts = np.unique(pairs, axis=0, return_counts=True)
    most = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(most, met[:, 0], counts)
    usual = np.unique(one[shared], return_counts=True)[1].max()
    # A field with one value in nearly all documents follows from everything, and does not count.
    return bool(most.sum() >= _NEARLY_ALL * shared.sum() and usual < _NEARLY_ALL * shared.sum())
