"""The default engine: threads of this process. The hot loops release Python's lock, so they run side by side."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from hin.engines.base import ENGINES
from hin.errors import BadUsage

B = TypeVar("B")
R = TypeVar("R")


@ENGINES.register("local")
class LocalEngine:
    """Threads on this machine.

    Parameters
    ----------
    location : str
        `local`, or `local:N` for N threads; default: the cores that this process may use.

    Examples
    --------
    >>> list(LocalEngine("local:2").map(lambda n: n * n, range(4)))
    [0, 1, 4, 9]
    """

    here = True

    def __init__(self, location: str = "local") -> None:
        _, _, count = location.partition(":")
        if count and not (count.isdigit() and int(count)):
            raise BadUsage(f"{location} names no number of threads", hint="write local, or local:4 for four threads")
        self.location = location
        self._workers = int(count) if count else core_count()

    @property
    def workers(self) -> int:
        """How many threads there are."""
        return self._workers

    @property
    def cores(self) -> int:
        """All threads: they are one worker's."""
        return self._workers

    def map(self, work: Callable[[B], R], blocks: Iterable[B]) -> Iterator[R]:
        """Run the work on every block; at most one more block than there are threads is read ahead."""
        if self.workers == 1:
            yield from map(work, blocks)
            return
        pool = ThreadPoolExecutor(self.workers, thread_name_prefix="hin-block")
        waiting: deque[Future[R]] = deque()
        try:
            for block in blocks:
                waiting.append(pool.submit(work, block))
                if len(waiting) > self.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)

    def share(self, value: R) -> Callable[[], R]:
        """Return the value itself: threads see it anyway."""
        return lambda: value

    def check(self, paths: Sequence[str | os.PathLike[str]] = ()) -> None:
        """Nothing can differ between threads of one process."""

    def close(self) -> None:
        """Threads end with each `map`."""


def core_count() -> int:
    """Return the cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
