"""One SGD step against the objective of appendix A.1, by finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from embed.sgd.lane_kernel import sgd_block
from tests.embed.sgd.plain_step import plain_step

DIM = 16
ROWS = 24
ZERO = ROWS - 1


def loss(vectors: np.ndarray, kappa: np.ndarray, lefts: list[int], rights: list[int]) -> float:
    """-log sigmoid(kappa l.r) for right 0, -log sigmoid(-kappa l.r) for the others, over all left rows."""
    total = 0.0
    for left in lefts:
        for j, right in enumerate(rights):
            x = kappa[left] * float(vectors[left] @ vectors[right])
            total += np.log1p(np.exp(-x if j == 0 else x))
    return total


def start(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    vectors = generator.normal(scale=0.5, size=(ROWS, DIM)).astype(np.float32)
    vectors[ZERO] = 0
    return vectors, generator.uniform(0.5, 2.0, ROWS).astype(np.float32)


def step(
    vectors: np.ndarray, kappa: np.ndarray, lefts: list[int], rights: list[int], rate: float, kappa_rate: float,
    sphere: bool = False,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    vectors, kappa = vectors.copy(), kappa.copy()
    padded_left = np.array(lefts + [ZERO] * (4 - len(lefts)), np.int64)
    padded_right = np.array(rights + [ZERO] * (-len(rights) % 6), np.int64)
    sgd_block(
        vectors, kappa, padded_left, len(lefts), padded_right, len(rights), np.float32(rate), np.float32(kappa_rate),
        int(sphere), np.zeros(32, np.float32),
    )  # fmt: skip
    return vectors, kappa


CASES = [
    ([0], [10, 11, 12, 13, 14, 15]),
    ([0, 1], [10, 11, 12, 13, 14, 15]),
    ([0, 1, 2], [10, 11, 12]),
    ([0, 1, 2, 3], [10, 11, 12, 13, 14, 15]),
    ([0, 1, 2, 3], [10]),
]


@pytest.mark.parametrize(("lefts", "rights"), CASES)
def test_a_step_goes_down_the_gradient_of_vectors_and_kappa(lefts: list[int], rights: list[int]) -> None:
    vectors, kappa = start()
    rate = 1e-3
    moved, moved_kappa = step(vectors, kappa, lefts, rights, rate, rate)
    wide = vectors.astype(np.float64)
    wide_kappa = kappa.astype(np.float64)
    for row in sorted({*lefts, *rights}):
        for c in range(0, DIM, 5):
            nudge = np.zeros_like(wide)
            nudge[row, c] = 1e-5
            up, down = (loss(wide + s * nudge, wide_kappa, lefts, rights) for s in (1, -1))
            expected = -(up - down) / 2e-5
            assert (moved[row, c] - vectors[row, c]) / rate == pytest.approx(expected, abs=2e-3)
    for row in lefts:
        nudge = np.zeros_like(wide_kappa)
        nudge[row] = 1e-5
        up, down = (loss(wide, wide_kappa + s * nudge, lefts, rights) for s in (1, -1))
        assert (moved_kappa[row] - kappa[row]) / rate == pytest.approx(-(up - down) / 2e-5, abs=2e-3)


@pytest.mark.parametrize("sphere", [False, True])
@pytest.mark.parametrize(("lefts", "rights"), CASES)
def test_the_kernel_is_the_plain_step(lefts: list[int], rights: list[int], sphere: bool) -> None:
    for seed in range(5):
        vectors, kappa = start(seed)
        if sphere:
            vectors[:ZERO] /= np.linalg.norm(vectors[:ZERO], axis=1, keepdims=True)
        moved, moved_kappa = step(vectors, kappa, lefts, rights, 0.3, 0.2, sphere)
        plain, plain_kappa = plain_step(vectors, kappa, lefts, rights, 0.3, 0.2, sphere)
        if sphere:  # the kernel also puts rounding right
            plain[lefts + rights] /= np.linalg.norm(plain[lefts + rights], axis=1, keepdims=True)
            moved[lefts + rights] /= np.linalg.norm(moved[lefts + rights], axis=1, keepdims=True)
        np.testing.assert_allclose(moved, plain, atol=3e-6)
        np.testing.assert_allclose(moved_kappa, plain_kappa, atol=3e-6)


def test_rows_outside_the_block_and_the_padding_row_do_not_move() -> None:
    vectors, kappa = start()
    moved, moved_kappa = step(vectors, kappa, [0, 1, 2], [10, 11], 0.1, 0.1)
    untouched = np.setdiff1d(np.arange(ROWS), [0, 1, 2, 10, 11])
    assert np.array_equal(moved[untouched], vectors[untouched])
    assert np.array_equal(moved_kappa[untouched], kappa[untouched])


def test_a_term_twice_in_a_window_gets_both_changes() -> None:
    vectors, kappa = start()
    once, _ = step(vectors, kappa, [0, 1], [10, 11, 12], 1e-3, 0.0)
    twice, _ = step(vectors, kappa, [0, 0], [10, 11, 12], 1e-3, 0.0)
    assert twice[0] - vectors[0] == pytest.approx(2 * (once[0] - vectors[0]), abs=1e-6)


def test_more_than_five_negatives_are_all_pushed_away() -> None:
    vectors, kappa = start()
    rights = list(range(8, 20))
    moved, _ = step(vectors, kappa, [0, 1, 2, 3], rights, 1e-3, 0.0)
    assert all(np.any(moved[row] != vectors[row]) for row in rights)
    assert loss(moved, kappa, [0, 1, 2, 3], rights) < loss(vectors, kappa, [0, 1, 2, 3], rights)


def test_kappa_never_falls_below_zero() -> None:
    vectors, kappa = start()
    kappa[:] = 1e-4
    vectors[10] = -vectors[0]
    _, moved = step(vectors, kappa, [0], [10, 11], 0.1, 100.0)
    assert moved[0] == 0.0


def test_on_the_sphere_a_step_is_tangent_and_rows_keep_unit_length() -> None:
    vectors, kappa = start()
    vectors[:ZERO] /= np.linalg.norm(vectors[:ZERO], axis=1, keepdims=True)
    lefts, rights, rate = [0, 1, 2, 3], [10, 11, 12, 13, 14, 15], 1e-3
    free, _ = step(vectors, kappa, lefts, rights, rate, 0.0)
    moved, _ = step(vectors, kappa, lefts, rights, rate, 0.0, sphere=True)
    rows = lefts + rights
    assert np.linalg.norm(moved[rows], axis=1) == pytest.approx(np.ones(len(rows)), abs=1e-6)
    for row in rows:
        change = free[row] - vectors[row]
        tangent = change - (change @ vectors[row]) * vectors[row]
        assert moved[row] - vectors[row] == pytest.approx(tangent, abs=3e-6)


def test_large_scores_do_not_overflow() -> None:
    vectors, kappa = start()
    moved, moved_kappa = step(vectors * 1000, kappa, [0, 1], [10, 11, 12], 0.1, 0.1)
    assert np.isfinite(moved).all()
    assert np.isfinite(moved_kappa).all()
