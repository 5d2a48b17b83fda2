"""L-BFGS for very many coefficients: single precision, few arrays, two passes over its memory per step.

All inner products that a step needs are those of a handful of rows (Chen, Wang and Zhou 2014): the last steps, the
change of the gradient over each, and the gradient. They are summed in double precision over fixed ranges of
coefficients, so the result is the same at any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from hin.arrays.types import Doubles, Floats
from hin.engines.base import ranges
from hin.engines.local import LocalEngine

R = TypeVar("R")

#: Coefficients in a chunk: their copies in double precision fit into a processor's cache.
_CHUNK = 16_384
#: Chunks in a task of a thread: one task for each would cost as much as the work.
_AT_ONCE = 16
#: Sufficient decrease, as a share of what the gradient predicts (Nocedal and Wright 2006, section 3.1).
_ENOUGH = 1e-4
#: The most times that a step is shortened in the line search.
_TRIES = 20
#: Convergence: the loss falls by less than this share, or no component of the scaled gradient is larger than `_FLAT`.
_LEAST = 2e-9
_FLAT = 1e-5


def minimise(
    loss: Callable[[Floats], tuple[float, Floats]],
    point: Floats,
    units: Floats,
    rounds: int,
    remembered: int = 5,
    threads: int = 1,
    step: Callable[[int], None] = lambda done: None,
) -> Floats:
    """Minimise a convex loss of a matrix, in place, and return the matrix.

    Parameters
    ----------
    loss : from the matrix to its loss and the gradient, a matrix that may be overwritten.
    point : the initial matrix.
    units : a scale for each row, so that the Hessian's diagonal is uniform (preconditioning).
    rounds : the largest number of steps.
    remembered : the number of past steps from which the curvature is estimated.
    step : called with the number of steps made.

    Examples
    --------
    >>> goal = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
    >>> found = minimise(
    ...     lambda x: (0.5 * float(((x - goal) ** 2).sum()), x - goal),
    ...     np.zeros((2, 2), dtype=np.float32), np.ones((2, 1), dtype=np.float32), 20,
    ... )
    >>> found.round(3).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    memory = _Memory(point, units, remembered, LocalEngine(f"local:{max(1, threads)}"))
    value, gradient = loss(point)
    steepest = memory.begin(gradient)
    for done in range(rounds):
        if steepest <= _FLAT:
            break
        mix, fall, length = memory.direction()
        memory.write_direction(mix)
        before, moved = value, 0.0
        for _ in range(_TRIES):
            memory.move(length - moved)
            moved = length
            value, gradient = loss(point)
            if value <= before + _ENOUGH * length * fall:
                break
            bend = value - before - length * fall  # curvature of the parabola through both values
            length *= float(np.clip(-fall * length / (2 * bend), 0.1, 0.5)) if np.isfinite(bend) else 0.1
        else:  # the loss has no more precision than this
            memory.move(-moved)
            break
        steepest = memory.learn(gradient, length)
        step(done + 1)
        if before - value <= _LEAST * max(abs(before), abs(value), 1.0):
            break
    return point


@dataclass
class _Memory:
    """The last steps, the changes of the gradient over them and the gradient, preconditioned; and their inner products.

    Rows 0 to m - 1 are steps, m to 2 m - 1 the changes, the last is the gradient.
    """

    point: Floats
    units: Floats
    size: int
    engine: LocalEngine
    #: Slots of the steps that are known, oldest first.
    known: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows = np.zeros((2 * self.size + 1, *self.point.shape), dtype=np.float32)
        self.products = np.zeros((2 * self.size + 1,) * 2)
        self.chunks = ranges(len(self.point), max(1, _CHUNK // max(1, self.point.shape[1])))
        self.slot = 0

    def _map_chunks(self, work: Callable[[tuple[int, int]], R]) -> list[R]:
        """Return the results of `work` for every chunk, in order; a thread takes some chunks at a time."""
        several = [self.chunks[first : first + _AT_ONCE] for first in range(0, len(self.chunks), _AT_ONCE)]
        return [one for some in self.engine.map(lambda chunks: [work(c) for c in chunks], several) for one in some]

    def begin(self, gradient: Floats) -> float:
        """Store the first gradient; return its largest absolute component."""

        def take(chunk: tuple[int, int]) -> tuple[float, float]:
            here = slice(*chunk)
            row = gradient[here] * self.units[here]
            self.rows[-1, here] = row
            return float(np.square(row, dtype=np.float64).sum()), float(np.abs(row).max(initial=0.0))

        found = self._map_chunks(take)
        self.products[-1, -1] = sum(square for square, _ in found)
        return max((top for _, top in found), default=0.0)

    def direction(self) -> tuple[Doubles, float, float]:
        """Return the direction as coefficients of the rows, the derivative along it, and the first step length."""
        m = self.size
        if not self._descends(mix := self._run_two_loops()):
            self.known.clear()  # rounding errors have spoilt the memory: restart with the gradient
            mix = self._run_two_loops()
        fall = float(mix @ self.products[-1])
        # Without an estimate of the curvature, a step has at most length 1 in the preconditioned space.
        length = 1.0 if self.known else min(1.0, 1 / math.sqrt(-fall))
        self.slot = next(k for k in range(m) if k not in self.known) if len(self.known) < m else self.known.pop(0)
        return mix, fall, length

    def _run_two_loops(self) -> Doubles:
        """Return the two-loop recursion's direction (Nocedal and Wright 2006, section 7.2), from the products alone."""
        m, products = self.size, self.products
        mix = np.zeros(2 * m + 1)
        mix[-1] = -1.0
        shares = {}
        for k in reversed(self.known):
            shares[k] = float(mix @ products[k]) / products[k, m + k]
            mix[m + k] -= shares[k]
        if self.known:
            last = self.known[-1]
            mix *= products[last, m + last] / products[m + last, m + last]
        for k in self.known:
            mix[k] += shares[k] - float(mix @ products[m + k]) / products[k, m + k]
        return mix

    def _descends(self, mix: Doubles) -> bool:
        return bool(np.isfinite(mix).all() and mix @ self.products[-1] < 0)

    def write_direction(self, mix: Doubles) -> None:
        """Write the direction into the slot of the oldest step, which it replaces."""
        used = np.flatnonzero(mix)
        shares = mix[used]

        def put(chunk: tuple[int, int]) -> None:
            total = np.zeros(self.point[slice(*chunk)].shape)
            for row, share in zip(used.tolist(), shares.tolist(), strict=True):
                total += share * self.rows[row, slice(*chunk)]
            self.rows[self.slot, slice(*chunk)] = total

        self._map_chunks(put)

    def move(self, length: float) -> None:
        """Move the point along the direction by a step length."""

        def go(chunk: tuple[int, int]) -> None:
            here = slice(*chunk)
            self.point[here] += np.float32(length) * self.units[here] * self.rows[self.slot, here]

        self._map_chunks(go)

    def learn(self, gradient: Floats, length: float) -> float:
        """Store the step and the change of the gradient; return the gradient's largest absolute component."""
        m, slot = self.size, self.slot
        new = [slot, m + slot, 2 * m]

        def take(chunk: tuple[int, int]) -> tuple[Doubles, float]:
            here = slice(*chunk)
            self.rows[slot, here] *= np.float32(length)
            row = gradient[here] * self.units[here]
            self.rows[m + slot, here] = row - self.rows[-1, here]
            self.rows[-1, here] = row
            held = self.rows[:, here].astype(np.float64).reshape(2 * m + 1, -1)
            return held @ held[new].T, float(np.abs(row).max(initial=0.0))

        found = self._map_chunks(take)
        total: Any = sum(part for part, _ in found)
        self.products[:, new] = total
        self.products[new] = total.T
        if total[slot, 1] > 1e-10 * total[slot, 0]:  # the curvature is positive beyond rounding errors
            self.known.append(slot)
        return max(top for _, top in found)
