"""One step of training in plain NumPy: what `vector_kernel` does in registers, to read and to test against.

Training itself never calls it: it is some hundred times slower.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["plain_step"]

Floats = npt.NDArray[np.float32]


def plain_step(
    vectors: Floats,
    kappa: Floats,
    lefts: list[int],
    rights: list[int],
    rate: float,
    kappa_rate: float,
    sphere: bool = False,
) -> tuple[Floats, Floats]:
    """Move left rows (instances) towards the first right row and away from the others (appendix A.1).

    Parameters
    ----------
    vectors, kappa : the rows and their specificities; new ones are returned.
    lefts, rights : numbers of the rows; the first right row is the positive one. A left row may stand twice.
    rate, kappa_rate : the learning rates.
    sphere : project every change to the tangent of the sphere; rows are then of unit length.

    Examples
    --------
    >>> rows = np.eye(3, dtype=np.float32)
    >>> moved, kappa = plain_step(rows, np.ones(3, np.float32), [0], [1, 2], 0.1, 0.1)
    >>> moved[0].round(3).tolist(), kappa.tolist()
    ([1.0, 0.05000000074505806, -0.05000000074505806], [1.0, 1.0, 1.0])
    """
    left, right = vectors[lefts].astype(np.float64), vectors[rights].astype(np.float64)
    own = kappa[lefts].astype(np.float64)[:, None]
    scores = left @ right.T
    target = np.zeros(len(rights))
    target[0] = 1.0
    # The gradient of ln sigmoid(kappa l.r) for the positive row, of ln sigmoid(-kappa l.r) for the negatives.
    residual = target - 1 / (1 + np.exp(-own * scores))
    pull = rate * residual * own
    left_change, right_change = pull @ right, pull.T @ left
    if sphere:
        left_change -= (pull * scores).sum(axis=1, keepdims=True) * left
        right_change -= (pull * scores).sum(axis=0)[:, None] * right
    moved, new_kappa = vectors.astype(np.float64), kappa.astype(np.float64)
    np.add.at(moved, lefts, left_change)
    np.add.at(moved, rights, right_change)
    new_kappa[lefts] = np.maximum(new_kappa[lefts] + kappa_rate * (residual * scores).sum(axis=1), 0.0)
    return moved.astype(np.float32), new_kappa.astype(np.float32)
