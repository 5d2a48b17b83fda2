"""The limits of a query's time and memory, checked while it runs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from hin.cypher.errors import QueryTooLarge
from hin.errors import QueryTimeout

#: Steps between two looks at the clock.
_EVERY = 512
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def resident() -> int:
    """Return the memory of this process, in bytes; 0 if the system does not report it.

    >>> resident() >= 0
    True
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0


class Budget:
    """A deadline and a memory limit.

    Parameters
    ----------
    seconds : float
        0 for no limit.
    memory : int
        Bytes that the process may grow by; 0 for no limit.

    Examples
    --------
    >>> budget = Budget(60.0)
    >>> budget.spend()
    """

    def __init__(self, seconds: float = 0.0, memory: int = 0) -> None:
        self.seconds = seconds
        self.deadline = time.monotonic() + seconds if seconds else float("inf")
        self.start = resident() if memory else 0
        self.memory = memory
        self._left = _EVERY

    @contextmanager
    def exclude_allocations(self) -> Iterator[None]:
        """Exclude the memory allocated in this block, by libraries that stay loaded."""
        before = resident() if self.memory else 0
        yield
        self.start += max(0, resident() - before) if self.memory else 0

    def spend(self, steps: int = 1) -> None:
        """Count work; check the clock from time to time."""
        self._left -= steps
        if self._left <= 0:
            self._left = _EVERY
            self.check()

    def check(self, more: int = 0) -> None:
        """Raise when time or memory is used up, or would be by this many bytes more."""
        if time.monotonic() > self.deadline:
            raise QueryTimeout("the query ran out of time", hint="give it more with `timeout=SECONDS`, or ask for less")
        if self.memory and resident() - self.start + more > self.memory:
            raise QueryTooLarge("the query needs too much memory")

    def remaining(self) -> float | None:
        """The seconds left; None for no limit."""
        return None if not self.seconds else self.deadline - time.monotonic()
