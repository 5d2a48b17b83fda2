"""The interface of engines: run a function on blocks, with results in the order of the blocks.

Results are added up in that order, so that a sum of floats, a numbering by first mention or a file of parts does not
depend on which worker was faster, on the number of workers, or on the engine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from hin.errors import BadUsage, HinError
from hin.registry import Registry

B = TypeVar("B")
R = TypeVar("R")


class EngineError(HinError):
    """The engine cannot do the work: it is not there, its workers differ, or one of them failed."""


class Engine(Protocol):
    """What every engine must do."""

    #: As the user named it: `local`, `spark://host:port`.
    location: str
    #: Whether the work runs in this process, so that results may refer to this process's memory.
    here: bool

    @property
    def workers(self) -> int:
        """How many blocks it works on at once."""

    @property
    def cores(self) -> int:
        """How many threads a block may use that runs alone on its worker."""

    def map(self, work: Callable[[B], R], blocks: Iterable[B]) -> Iterator[R]:
        """Run the work on every block; results come in the order of the blocks, a few at a time."""

    def share(self, value: R) -> Callable[[], R]:
        """Send one value to all workers once; the work calls the returned function to get it."""

    def check(self, paths: Sequence[str | os.PathLike[str]] = ()) -> None:
        """Raise, before any work starts, if workers have other versions or no access to the paths."""

    def close(self) -> None:
        """Release what the engine holds."""


#: Engines by the name before `://` or `:`; each makes an engine of the whole location (Spark's also of a session).
ENGINES: Registry[Callable[[Any], Engine]] = Registry("engine", package="hin.engines", group="hin.engines")


def open_engine(engine: str | Engine | Any | None = None) -> Engine:
    """Open an engine by its name, from a Spark session, or as HIN_ENGINE says; `local` by default.

    Examples
    --------
    >>> open_engine("local:2").workers
    2
    >>> open_engine("lokal")
    Traceback (most recent call last):
    hin.errors.BadUsage: there is no engine called lokal
    """
    if engine is None:
        engine = os.environ.get("HIN_ENGINE") or "local"
    if isinstance(engine, str):
        name = engine.partition(":")[0]
        return ENGINES.get(name)(engine)
    if hasattr(engine, "sparkContext"):  # a SparkSession; asked this way so that nothing is imported for it
        return ENGINES.get("spark")(engine)
    if hasattr(engine, "map") and hasattr(engine, "share"):
        found: Engine = engine
        return found
    raise BadUsage(f"{engine!r} is no engine", hint="give local, spark://host:port, or a SparkSession")


@contextmanager
def closing_engine(engine: str | Engine | Any | None = None) -> Iterator[Engine]:
    """Open an engine for some work; what the caller opened stays open.

    >>> with closing_engine("local:2") as engine:
    ...     engine.workers
    2
    """
    opened = open_engine(engine)
    try:
        yield opened
    finally:
        if opened is not engine:
            opened.close()


def ranges(total: int, size: int) -> list[tuple[int, int]]:
    """Cut 0..total-1 into ranges of a fixed size, so that blocks do not depend on the number of workers.

    >>> ranges(10, 4)
    [(0, 4), (4, 8), (8, 10)]
    """
    return [(first, min(first + size, total)) for first in range(0, total, size)]


def absolute(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return absolute paths, for another process.

    >>> absolute(["/tmp/a"])
    ['/tmp/a']
    """
    return [str(Path(path).absolute()) for path in paths]
