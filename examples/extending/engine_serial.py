"""An engine in one file: one block after the other, for debuggers and profilers.

Once this module is imported, `--engine serial` (or HIN_ENGINE=serial) runs the work in this very thread. Results are
the same on every engine, because they are added in the order of the blocks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from hin.engines.base import ENGINES

B = TypeVar("B")
R = TypeVar("R")


@ENGINES.register("serial")
class SerialEngine:
    """The thread that calls it."""

    here = True
    workers = 1
    cores = 1

    def __init__(self, location: str = "serial") -> None:
        self.location = location

    def map(self, work: Callable[[B], R], blocks: Iterable[B]) -> Iterator[R]:
        """Run the work on every block, in order."""
        return map(work, blocks)

    def share(self, value: R) -> Callable[[], R]:
        """Bring a value to the workers: here there is one, which has it."""
        return lambda: value

    def check(self, paths: Sequence[str | os.PathLike[str]] = ()) -> None:
        """Nothing can be missing: this process sees what the caller sees."""

    def close(self) -> None:
        """Nothing is held."""
