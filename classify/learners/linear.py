"""The learner "linear": multinomial logistic regression over motif instances, on soft labels of all documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from classify.documents.encoder import Encoded
from classify.documents.features import normalised, weighted
from classify.learners.balance import balance_weights
from classify.learners.base import LEARNERS, Learner, TrainingData, Weights
from classify.learners.lbfgs import minimise
from classify.learners.options import LinearOptions
from hin.arrays.linalg import add_product, product
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.row_blocks import in_blocks
from hin.arrays.score_rows import centred, log_softmax
from hin.arrays.stored_rows import BLOCK, row_blocks
from hin.arrays.types import Doubles, Floats, Ints, Reals
from hin.errors import BadUsage
from hin.files.checked import load_array
from hin.progress import Progress, silent

#: With more coefficients than this, three steps are remembered instead of five: each takes two arrays of that size.
_MANY = 5_000_000


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Coefficients (instances x categories) and intercepts."""

    coefficients: Floats
    intercepts: Doubles

    def logits(self, rows: Any, threads: int = 1) -> Doubles:
        """Return scores of the categories; a row's do not depend on the other rows."""
        return np.asarray(product(rows, self.coefficients, threads).astype(np.float64) + self.intercepts)


@LEARNERS.register("linear")
class LinearLearner(Learner):
    """Logistic regression; scores are sums over a document's instances, so that explanations are exact.

    Examples
    --------
    >>> from scipy import sparse
    >>> from classify.documents.encoder import Encoded
    >>> from classify.documents.sequences import Sequences
    >>> rows = Encoded(sparse.csr_array(np.eye(2, dtype=np.float32)), Sequences.of([[0], [1]]))
    >>> data = TrainingData([rows], np.eye(2), np.eye(2, dtype=np.float32), np.ones(2, dtype=np.float32))
    >>> LinearLearner().fit(data).scores(rows).argmax(axis=1).tolist()
    [0, 1]
    """

    Options = LinearOptions
    options: LinearOptions

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(options)
        self.model: LinearModel | None = None
        self.idf: Floats = np.zeros(0, dtype=np.float32)

    def fit(self, data: TrainingData, seed: int = 0, threads: int = 1, progress: Progress = silent) -> LinearLearner:
        """Minimise the cross-entropy; the minimum is unique, so the seed does not matter."""
        progress("linear classifier", 0, self.options.rounds)
        self.idf = data.idf
        rows = data.rows(partial(_unit_rows, self.idf), threads)
        given = data.weights is not None or data.emphasis is not None
        weights = data.weights_of(self.options.balance) if given else None
        self.model = fit_linear(rows, data.targets, self.options, threads, progress, weights)
        return self

    def rows(self, documents: Encoded) -> Any:
        """Return unit tf-idf rows."""
        return normalised(weighted(documents.counts, self.idf))

    def scores(self, documents: Encoded, threads: int = 1) -> Doubles:
        """Return centred logits."""
        return centred(self._require_trained().logits(self.rows(documents), threads))

    def weights(self, documents: Encoded, categories: Ints, threads: int = 1) -> Weights:
        """Return weight times coefficient of every instance; the prior is the intercept."""
        from scipy import sparse

        rows, model = self.rows(documents), self._require_trained()
        added = contributions(rows, model.coefficients, categories)
        instances = sparse.csr_array((added, rows.indices, rows.indptr), shape=rows.shape)
        prior = model.intercepts[categories] - model.intercepts.mean()
        return Weights(instances, np.asarray(prior, dtype=np.float64), np.zeros(len(documents)))

    def save(self, folder: Path) -> None:
        """Write coefficients, intercepts and the weights of the instances."""
        model = self._require_trained()
        arrays = {"coefficients": model.coefficients, "intercepts": model.intercepts, "idf": self.idf}
        for name, array in arrays.items():
            np.save(folder / f"linear-{name}.npy", np.ascontiguousarray(array), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, vectors: Floats) -> LinearLearner:
        """Read what `save` wrote."""
        learner = cls()
        n = len(vectors)  # one row per instance
        coefficients = load_array(folder / "linear-coefficients.npy", "float32 float64", (n, None), mapped=False)
        wanted = (coefficients.shape[1],)
        intercepts = load_array(folder / "linear-intercepts.npy", "float32 float64", wanted, mapped=False)
        learner.idf = load_array(folder / "linear-idf.npy", "float32 float64", (n,), mapped=False)
        learner.model = LinearModel(coefficients, intercepts)
        return learner

    def _require_trained(self) -> LinearModel:
        if self.model is None:
            raise BadUsage("the linear classifier has not been trained", hint="call fit or load first")
        return self.model


def contributions(rows: Any, coefficients: Floats, categories: Ints) -> Doubles:
    """Compute the contribution of each instance of each row to the centred score of the row's category.

    >>> from scipy import sparse
    >>> contributions(sparse.csr_array([[2.0, 0.0, 1.0]]), np.array([[3, 1], [9, 9], [0, 4]]), np.array([0])).tolist()
    [2.0, -2.0]
    """
    means = coefficients.mean(axis=1, dtype=np.float64)
    category = np.repeat(categories, np.diff(rows.indptr))
    return np.asarray(rows.data * (coefficients[rows.indices, category] - means[rows.indices]), dtype=np.float64)


def fit_linear(
    rows: Any,
    posterior: Reals,
    options: LinearOptions | None = None,
    threads: int = 1,
    progress: Progress = silent,
    weights: Reals | None = None,
) -> LinearModel:
    """Minimise the cross-entropy with soft labels; without `weights` the categories are balanced by the options.

    Examples
    --------
    >>> from scipy import sparse
    >>> rows = sparse.csr_array(np.eye(2, dtype=np.float32))
    >>> model = fit_linear(rows, np.array([[0.9, 0.1], [0.2, 0.8]]), LinearOptions(penalty=1e-6, balance=0, rounds=99))
    >>> np.exp(log_softmax(model.logits(rows))).round(2).tolist()
    [[0.9, 0.1], [0.2, 0.8]]
    """
    options = options or LinearOptions()
    blocks = in_blocks(rows, threads).cached()
    n, n_categories = posterior.shape
    n_features = blocks.shape[1]
    target = np.asarray(posterior, dtype=np.float32)
    share = balance_weights(target, options.balance) if weights is None else weights / np.mean(weights)
    weight = np.asarray(share, dtype=np.float64)[:, None] / n
    penalty = options.penalty / n
    # Rare instances have little curvature and would take many steps: precondition by an estimate of the curvature.
    [squares] = blocks.total(_squares, [((n_features,), "float64")])
    units = np.append(1 / np.sqrt(squares / n * (1 - 1 / n_categories) / n_categories + penalty), 2.0)[:, None]
    sums = [((n_features + 1, n_categories), "float32"), ((n_categories,), "float64"), ((1,), "float64")]

    def loss(matrix: Floats) -> tuple[float, Floats]:
        gradients, last, value = blocks.total(_gradients, sums, matrix, target, weight)
        gradients[-1] = last  # the intercepts, which have no penalty
        return float(value[0]) + _add_penalty(matrix[:-1], penalty, gradients[:-1]), gradients

    matrix = np.zeros((n_features + 1, n_categories), dtype=np.float32)
    remembered = 5 if matrix.size < _MANY else 3
    step = partial(_report_round, progress, options.rounds)
    with one_blas_thread():
        minimise(loss, matrix, units.astype(np.float32), options.rounds, remembered, threads, step)
    return LinearModel(matrix[:-1], matrix[-1].astype(np.float64))


def _report_round(progress: Progress, rounds: int, done: int) -> None:
    progress("linear classifier", done, rounds)


def _add_penalty(coefficients: Floats, penalty: float, gradients: Floats) -> float:
    """Add the penalty's gradient to the gradients; return the penalty itself."""
    total = 0.0
    for first, last in row_blocks(len(coefficients)):
        part = coefficients[first:last].astype(np.float64)
        gradients[first:last] += penalty * part
        total += float(np.vdot(part, part))
    return 0.5 * penalty * total


def _unit_rows(idf: Floats, counts: Any) -> Any:
    return normalised(weighted(counts, idf))


def _squares(rows: Any, number: int, sums: list[Any]) -> None:
    sums[0] += np.bincount(rows.indices, weights=rows.data.astype(np.float64) ** 2, minlength=len(sums[0]))


def _gradients(rows: Any, number: int, sums: list[Any], matrix: Floats, target: Floats, weight: Doubles) -> None:
    """Add a block's gradient (of the coefficients, of the intercepts) and its loss to the sums."""
    here = slice(number * BLOCK, number * BLOCK + rows.shape[0])
    logs = log_softmax(product(rows, matrix[:-1]) + matrix[-1])
    gradient = weight[here] * (np.exp(logs) - target[here])
    coefficients, intercepts, loss = sums
    add_product(rows, gradient, coefficients)
    intercepts += gradient.sum(axis=0)
    loss -= (weight[here] * target[here] * logs).sum()
