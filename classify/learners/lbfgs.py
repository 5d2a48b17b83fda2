"""L-BFGS for very many coefficients: single precision, few arrays, two passes over what it remembers a step.

All inner products that a step needs are those of a handful of rows (Chen, Wang and Zhou 2014): the last steps, how the
slope changed over each, and the slope. They are summed in double precision over fixed ranges of coefficients, so the
result is the same at any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hin.engines.base import ranges
from hin.engines.local import LocalEngine

__all__ = ["minimise"]

R = TypeVar("R")
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

#: Coefficients that are worked on at a time: what is held of them in double precision fits a processor's cache.
_CHUNK = 16_384
#: Chunks that a thread takes at once: handing over each by itself would cost as much as the work.
_AT_ONCE = 16
#: A step must lower the loss by this share of what the slope promises (Nocedal and Wright 2006, section 3.1).
_ENOUGH = 1e-4
#: A step that does not is shortened at most so often.
_TRIES = 20
#: Nothing is gained any more: the loss falls by less than this share, or no slope is steeper than that.
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
    """Move a matrix, in place, to where a convex loss is least, and return it.

    Parameters
    ----------
    loss : from the matrix to its loss and the slope, a matrix that may be written to.
    point : where to begin.
    units : one a row of the matrix: steps are measured in them, so that all rows bend the loss alike.
    rounds : most steps.
    remembered : how many of the last steps tell how the loss bends.
    step : told how many steps were made.

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
    value, slope = loss(point)
    steepest = memory.begin(slope)
    for done in range(rounds):
        if steepest <= _FLAT:
            break
        mix, fall, length = memory.direction()
        memory.turn(mix)
        before, moved = value, 0.0
        for _ in range(_TRIES):
            memory.move(length - moved)
            moved = length
            value, slope = loss(point)
            if value <= before + _ENOUGH * length * fall:
                break
            bend = value - before - length * fall  # of the parabola through both values, with the slope at the first
            length *= float(np.clip(-fall * length / (2 * bend), 0.1, 0.5)) if np.isfinite(bend) else 0.1
        else:  # the loss is told no more exactly than this
            memory.move(-moved)
            break
        steepest = memory.learn(slope, length)
        step(done + 1)
        if before - value <= _LEAST * max(abs(before), abs(value), 1.0):
            break
    return point


@dataclass
class _Memory:
    """The last steps, the changes of the slope over them and the slope, all as the units measure; and their products.

    Rows 0 to m - 1 are steps, m to 2 m - 1 the changes, the last is the slope.
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

    def _each(self, work: Callable[[tuple[int, int]], R]) -> list[R]:
        """Return what the work makes of every chunk, in order; threads take some at a time."""
        several = [self.chunks[first : first + _AT_ONCE] for first in range(0, len(self.chunks), _AT_ONCE)]
        return [one for some in self.engine.map(lambda chunks: [work(c) for c in chunks], several) for one in some]

    def begin(self, slope: Floats) -> float:
        """Take in the first slope; return its steepest part."""

        def take(chunk: tuple[int, int]) -> tuple[float, float]:
            here = slice(*chunk)
            row = slope[here] * self.units[here]
            self.rows[-1, here] = row
            return float(np.square(row, dtype=np.float64).sum()), float(np.abs(row).max(initial=0.0))

        found = self._each(take)
        self.products[-1, -1] = sum(square for square, _ in found)
        return max((top for _, top in found), default=0.0)

    def direction(self) -> tuple[Doubles, float, float]:
        """Return which mix of the rows to follow, how fast the loss falls along it, and how far to go at first."""
        m = self.size
        if not self._falls(mix := self._two_loops()):
            self.known.clear()  # rounding has spoilt what is remembered: begin anew with the slope
            mix = self._two_loops()
        fall = float(mix @ self.products[-1])
        # Without memory of how the loss bends a step is of length 1 as the units go.
        length = 1.0 if self.known else min(1.0, 1 / math.sqrt(-fall))
        self.slot = next(k for k in range(m) if k not in self.known) if len(self.known) < m else self.known.pop(0)
        return mix, fall, length

    def _two_loops(self) -> Doubles:
        """Return the usual two loops' direction (Nocedal and Wright 2006, section 7.2), by the products alone."""
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

    def _falls(self, mix: Doubles) -> bool:
        return bool(np.isfinite(mix).all() and mix @ self.products[-1] < 0)

    def turn(self, mix: Doubles) -> None:
        """Put the direction where the oldest step was."""
        used = np.flatnonzero(mix)
        shares = mix[used]

        def put(chunk: tuple[int, int]) -> None:
            total = np.zeros(self.point[slice(*chunk)].shape)
            for row, share in zip(used.tolist(), shares.tolist(), strict=True):
                total += share * self.rows[row, slice(*chunk)]
            self.rows[self.slot, slice(*chunk)] = total

        self._each(put)

    def move(self, length: float) -> None:
        """Go so far in the direction."""

        def go(chunk: tuple[int, int]) -> None:
            here = slice(*chunk)
            self.point[here] += np.float32(length) * self.units[here] * self.rows[self.slot, here]

        self._each(go)

    def learn(self, slope: Floats, length: float) -> float:
        """Remember the step that was made and what it did to the slope; return the slope's steepest part."""
        m, slot = self.size, self.slot
        new = [slot, m + slot, 2 * m]

        def take(chunk: tuple[int, int]) -> tuple[Doubles, float]:
            here = slice(*chunk)
            self.rows[slot, here] *= np.float32(length)
            row = slope[here] * self.units[here]
            self.rows[m + slot, here] = row - self.rows[-1, here]
            self.rows[-1, here] = row
            held = self.rows[:, here].astype(np.float64).reshape(2 * m + 1, -1)
            return held @ held[new].T, float(np.abs(row).max(initial=0.0))

        found = self._each(take)
        total: Any = sum(part for part, _ in found)
        self.products[:, new] = total
        self.products[new] = total.T
        if total[slot, 1] > 1e-10 * total[slot, 0]:  # the loss bends upwards, as far as can be told
            self.known.append(slot)
        return max(top for _, top in found)
