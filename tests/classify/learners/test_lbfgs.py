"""L-BFGS in single precision: the minimum that scipy finds, the same bytes at any threads, few arrays."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse
from scipy.optimize import minimize

from classify.learners.lbfgs import minimise
from classify.learners.linear import LinearModel, fit_linear
from classify.learners.options import LinearOptions
from hin.arrays.score_rows import log_softmax


def problem(documents: int = 400, instances: int = 300, categories: int = 5) -> tuple[Any, npt.NDArray[np.float64]]:
    """Rows in which few instances are frequent and most are rare, and soft labels that depend on them."""
    rng = np.random.default_rng(1)
    chance = 1 / np.arange(1, instances + 1) ** 0.8
    cells = (rng.random((documents, instances)) < chance) * rng.random((documents, instances))
    rows = cells / np.maximum(np.linalg.norm(cells, axis=1, keepdims=True), 1e-9)
    scores = rows @ rng.standard_normal((instances, categories)) * 4
    return sparse.csr_array(rows.astype(np.float32)), np.exp(log_softmax(scores))


def exact_loss(rows: Any, target: npt.NDArray[np.float64], penalty: float) -> Any:
    n, width = target.shape
    dense = np.column_stack([rows.toarray().astype(np.float64), np.ones(n)])

    def loss(flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        matrix = flat.reshape(-1, width)
        held = np.vstack([matrix[:-1], np.zeros((1, width))])  # the intercepts have no penalty
        logs = log_softmax(dense @ matrix)
        value = -(target * logs).sum() + 0.5 * penalty * (held**2).sum()
        return value / n, ((dense.T @ (np.exp(logs) - target) + penalty * held) / n).ravel()

    return loss


def flat(model: LinearModel) -> npt.NDArray[np.float64]:
    return np.vstack([model.coefficients.astype(np.float64), model.intercepts]).ravel()


@pytest.mark.parametrize("penalty", [0.1, 1.0])
def test_the_minimum_is_the_one_that_scipy_finds(penalty: float) -> None:
    rows, target = problem()
    loss = exact_loss(rows, target, penalty)
    start = np.zeros((rows.shape[1] + 1) * target.shape[1])
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000, "ftol": 1e-14, "gtol": 1e-9})
    found = fit_linear(rows, target, LinearOptions(penalty=penalty, balance=0.0, rounds=500))
    assert loss(flat(found))[0] == pytest.approx(best.fun, abs=1e-6)
    few = fit_linear(rows, target, LinearOptions(penalty=penalty, balance=0.0, rounds=12))
    assert loss(flat(few))[0] == pytest.approx(best.fun, abs=0.01)


@pytest.mark.parametrize("remembered", [1, 3])
def test_the_same_bytes_at_any_number_of_threads(remembered: int) -> None:
    goal = np.random.default_rng(0).standard_normal((9000, 7)).astype(np.float32)
    bend = np.linspace(0.1, 3, 9000, dtype=np.float32)[:, None]
    found = [
        minimise(
            lambda x: (0.5 * float((bend * (x - goal) ** 2).sum(dtype=np.float64)), bend * (x - goal)),
            np.zeros_like(goal),
            np.ones((9000, 1), dtype=np.float32),
            15,
            remembered,
            threads,
        )
        for threads in (1, 2, 5)
    ]
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()
    assert np.abs(found[0] - goal).max() < 0.2


def test_a_loss_that_cannot_fall_any_more_ends_the_search() -> None:
    seen = []

    def flat_loss(x: npt.NDArray[np.float32]) -> tuple[float, npt.NDArray[np.float32]]:
        seen.append(x.copy())
        return 1.0, np.ones_like(x)  # the slope promises what the loss does not keep

    found = minimise(flat_loss, np.zeros((3, 2), dtype=np.float32), np.ones((3, 1), dtype=np.float32), 50)
    assert len(seen) < 30
    np.testing.assert_allclose(found, 0, atol=1e-6)


def test_it_holds_two_arrays_a_remembered_step_and_two_more() -> None:
    shape = (200_000, 4)
    units = np.ones((shape[0], 1), dtype=np.float32)
    point = np.zeros(shape, dtype=np.float32)
    tracemalloc.start()
    minimise(lambda x: (0.5 * float(np.vdot(x - 1, x - 1)), x - 1), point, units, 4, 3)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 11 * point.nbytes  # seven rows, the slope, and what this loss makes on its way
