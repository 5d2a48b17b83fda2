"""The engine of a cluster: the same functions on Spark's workers, one block per task.

Spark sends the functions to the workers, runs a block again elsewhere when a worker dies, and returns the results.
The result of a block depends on the block alone, so a second try gives the same.
"""

from __future__ import annotations

import os
import platform
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

from hin.engines.base import ENGINES, EngineError, absolute
from hin.errors import HinError, NoSpace
from hin.lazy_names import own_module

B = TypeVar("B")
R = TypeVar("R")

#: Blocks in one Spark job for every worker: enough to even out slow ones, few enough for the driver's memory.
_BLOCKS_AHEAD = 4

# A worker unpickles a task by importing this module before the work's own, with its folder first on the path: a
# `classify.py` there must not be taken for ours.
own_module("classify")


def _version() -> tuple[str, str]:
    """Return the versions that must be equal on the driver and all workers."""
    import hin

    return ".".join(platform.python_version_tuple()[:2]), hin.__version__


@dataclass(frozen=True)
class _Failed:
    """A failure with a remedy, returned as a value, so that Spark does not retry what cannot succeed."""

    error: HinError

    def __reduce__(self) -> Any:
        return _failed, (type(self.error), self.error.message, self.error.hint)


def _failed(kind: type[HinError], message: str, hint: str | None) -> _Failed:
    return _Failed(kind(message, hint=hint))


@dataclass(frozen=True)
class _Task(Generic[B, R]):
    """One call on a worker, which first compares versions with the driver's."""

    work: Callable[[B], R]
    version: tuple[str, str]

    def __call__(self, block: B) -> R | _Failed:
        from hin.files.atomic import is_full

        if (here := _version()) != self.version:
            return _Failed(_other_version(here, self.version))
        try:
            return self.work(block)
        except HinError as error:
            return _Failed(error)
        except OSError as error:
            if not is_full(error):
                raise
            hint = "free some there, or name another place with --graph"
            return _Failed(NoSpace(f"no space left on the worker {platform.node()}", hint=hint))


def _other_version(there: tuple[str, str], here: tuple[str, str]) -> EngineError:
    what = f"the worker {platform.node()} has Python {there[0]} and hin {there[1]}, the driver {here[0]} and {here[1]}"
    return EngineError(what, hint="install the same versions on every worker")


class _PathCheck:
    """Check on a worker that it has access to the paths that the work needs."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths

    def __call__(self, block: int) -> list[str]:
        return [path for path in self.paths if not os.path.exists(path)]


@ENGINES.register("spark")
class SparkEngine:
    """The workers of a Spark cluster.

    Parameters
    ----------
    given : str or SparkSession
        The master, such as `spark://host:7077`; `spark:local[2]` runs a Spark of two threads on this machine. A session
        that is there already is used as it is and left open.
    """

    here = False

    def __init__(self, given: Any) -> None:
        from hin.engines.spark_session import start_session

        self._own = isinstance(given, str)
        self.session = start_session(given) if self._own else given
        self._context = self.session.sparkContext
        self.location = given if self._own else str(self._context.master)
        self._seen: set[str] = set()

    @property
    def workers(self) -> int:
        """The cores of all executors that have registered so far."""
        return max(1, int(self._context.defaultParallelism))

    @property
    def cores(self) -> int:
        """The cores of one executor: from Spark's configuration, else the mean over those that have registered."""
        executors = int(self._context._jsc.sc().getExecutorMemoryStatus().size()) - 1  # one of them is the driver
        given = self._context.getConf().get("spark.executor.cores")
        return int(given or 0) or max(1, self.workers // max(1, executors))

    def map(self, work: Callable[[B], R], blocks: Iterable[B]) -> Iterator[R]:
        """Run the work on the cluster, a few blocks for every worker at a time; the next ones run meanwhile."""
        task = _Task(work, _version())
        source = iter(blocks)
        pool = ThreadPoolExecutor(1, thread_name_prefix="hin-spark")
        running: list[Future[list[Any]]] = []
        try:
            while True:
                wave = list(islice(source, _BLOCKS_AHEAD * self.workers))
                if wave:
                    running.append(pool.submit(self._run, task, wave))
                if not running:
                    return
                if not wave or len(running) > 1:
                    for result in running.pop(0).result():
                        if isinstance(result, _Failed):
                            raise result.error
                        yield result
        finally:
            if running:  # the caller stopped early: cancel what is still running
                self._context.cancelAllJobs() if self._own else None
            pool.shutdown(cancel_futures=True)

    def _run(self, task: Callable[[Any], Any], wave: list[Any]) -> list[Any]:
        try:
            return list(self._context.parallelize(wave, len(wave)).map(task).collect())
        except Exception as error:
            raise _as_hin_error(error) from None

    def share(self, value: R) -> Callable[[], R]:
        """Broadcast the value; each worker fetches it once and releases it when nothing here refers to it any more."""
        broadcast = self._context.broadcast(value)
        shared: _Shared[R] = _Shared(broadcast)
        # A fit shares something new in every pass, which would fill the memory of driver and workers.
        weakref.finalize(shared, _forget, broadcast).atexit = False
        return shared

    def check(self, paths: Sequence[str | os.PathLike[str]] = ()) -> None:
        """Check versions and paths on every worker before any work starts; checked paths are not checked again."""
        wanted = [path for path in absolute(paths) if path not in self._seen]
        if paths and not wanted:
            return
        for unseen in self.map(_PathCheck(wanted), range(2 * self.workers)):
            if unseen:
                raise EngineError(
                    f"a worker of {self.location} does not see {unseen[0]}",
                    hint="use a path that the driver and all workers share, such as a network folder",
                )
        self._seen.update(wanted)

    def close(self) -> None:
        """Stop the session if it was made here."""
        if self._own:
            self.session.stop()


class _Shared(Generic[R]):
    def __init__(self, broadcast: Any) -> None:
        self._broadcast = broadcast

    def __call__(self) -> R:
        value: R = self._broadcast.value
        return value


def _forget(broadcast: Any) -> None:
    with suppress(Exception):  # the session may have ended before
        broadcast.destroy()


def _as_hin_error(error: Exception) -> HinError:
    """Convert a Spark failure to an error of one line; Spark's own message has hundreds."""
    if isinstance(error, HinError):
        return error
    text = str(error)
    if "PYTHON_VERSION_MISMATCH" in text:
        return EngineError(
            "the workers' Python is not the driver's",
            hint="install the same Python everywhere, or point PYSPARK_PYTHON to it",
        )
    if "No module named" in text:
        module = text.split("No module named", 1)[1].split("\n")[0].strip(" '\".")
        return EngineError(f"the workers lack the package {module}", hint="install hin with pip on every worker")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    ours = [line for line in lines if line[:1].isalpha() and "Error" in line.split(":")[0]]
    last = (ours or lines or [type(error).__name__])[0]
    return EngineError(f"the cluster gave up: {last[:300]}", hint="see the logs of its workers")
