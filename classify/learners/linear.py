"""A linear classifier on soft labels of all documents: multinomial logistic regression over motif instances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.products import product
from classify.recipe.naive_bayes import log_softmax
from hin.progress import Progress, silent

__all__ = ["LinearModel", "LinearOptions", "added_by", "balance_weights", "fit_linear"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class LinearOptions:
    """How the linear classifier is trained.

    Attributes
    ----------
    penalty : weight of ½‖coefficients‖² against the sum of the documents' losses.
    balance : a document counts as (mean size / size of its category) to this power.
    rounds : most steps of L-BFGS.
    """

    penalty: float = 1.0
    balance: float = 0.5
    rounds: int = 25


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Coefficients (instances x categories) and intercepts."""

    coefficients: Floats
    intercepts: npt.NDArray[np.float64]

    def logits(self, rows: Any, threads: int = 1) -> npt.NDArray[np.float64]:
        """Scores of the categories; a row's do not depend on the other rows."""
        return np.asarray(product(rows, self.coefficients, threads).astype(np.float64) + self.intercepts)


def added_by(rows: Any, coefficients: Floats, categories: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.float64]:
    """What each instance of each row adds to the score of the row's category, less the mean over the categories.

    >>> from scipy import sparse
    >>> added_by(sparse.csr_array([[2.0, 0.0, 1.0]]), np.array([[3, 1], [9, 9], [0, 4]]), np.array([0])).tolist()
    [2.0, -2.0]
    """
    means = coefficients.mean(axis=1, dtype=np.float64)
    category = np.repeat(categories, np.diff(rows.indptr))
    return np.asarray(rows.data * (coefficients[rows.indices, category] - means[rows.indices]), dtype=np.float64)


def balance_weights(posterior: npt.NDArray[np.floating[Any]], power: float) -> npt.NDArray[np.float64]:
    """How much each document counts, mean 1: small categories are not drowned by large ones.

    >>> balance_weights(np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 1.0).round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """
    sizes = np.maximum(posterior.sum(axis=0), 1.0)
    weights = posterior @ (sizes.mean() / sizes) ** power
    return np.asarray(weights / weights.mean(), dtype=np.float64)


def fit_linear(
    rows: Any,
    posterior: npt.NDArray[np.floating[Any]],
    options: LinearOptions | None = None,
    threads: int = 1,
    progress: Progress = silent,
) -> LinearModel:
    """Minimise the cross-entropy with soft labels.

    Examples
    --------
    >>> from scipy import sparse
    >>> rows = sparse.csr_array(np.eye(2, dtype=np.float32))
    >>> model = fit_linear(rows, np.array([[0.9, 0.1], [0.2, 0.8]]), LinearOptions(penalty=1e-6, balance=0, rounds=99))
    >>> np.exp(log_softmax(model.logits(rows))).round(2).tolist()
    [[0.9, 0.1], [0.2, 0.8]]
    """
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    options = options or LinearOptions()
    n, n_categories = posterior.shape
    n_features = rows.shape[1]
    target = np.asarray(posterior, dtype=np.float64)
    weight = balance_weights(target, options.balance)[:, None] / n
    transposed = rows.T.tocsr()
    penalty = options.penalty / n
    steps = [0]
    # Rare instances bend the loss little and would take many steps: measure each in units of its own curvature.
    squares = np.bincount(rows.indices, weights=rows.data.astype(np.float64) ** 2, minlength=n_features) / n
    units = np.append(1 / np.sqrt(squares * (1 - 1 / n_categories) / n_categories + penalty), 2.0)[:, None]

    def loss(flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        matrix = flat.reshape(n_features + 1, n_categories) * units
        coefficients, intercepts = matrix[:-1], matrix[-1]
        logs = log_softmax(product(rows, coefficients, threads) + intercepts)
        slope = weight * (np.exp(logs) - target)
        gradient = np.empty_like(matrix)
        gradient[:-1] = product(transposed, slope, threads) + penalty * coefficients
        gradient[-1] = slope.sum(axis=0)
        value = -float((weight * target * logs).sum()) + 0.5 * penalty * float(np.vdot(coefficients, coefficients))
        return value, (gradient * units).ravel()

    def step(_: Any) -> None:
        steps[0] += 1
        progress("linear classifier", steps[0], options.rounds)

    with threadpool_limits(1):
        start = np.zeros((n_features + 1) * n_categories)
        found = minimize(
            loss, start, jac=True, method="L-BFGS-B", callback=step, options={"maxiter": options.rounds, "maxcor": 5}
        )
    matrix = found.x.reshape(n_features + 1, n_categories) * units
    return LinearModel(matrix[:-1].astype(np.float32), matrix[-1].copy())
