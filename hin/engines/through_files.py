"""Exchange values with workers through files in a shared folder: what they share, and large results.

A cluster would bring them through the memory of its own processes: pickled, held by the driver's Java, once more by
each worker's, and all results of a wave at a time. A file is written once, mapped by whoever needs it (some rows of a
large array cost their pages alone), and a result is read when it is its turn.
"""

from __future__ import annotations

import mmap
import os
import pickle
import uuid
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from hin.files.mapped import let_go

if TYPE_CHECKING:
    from hin.engines.base import Engine

__all__ = ["ThroughFiles", "through_files"]

B = TypeVar("B")
R = TypeVar("R")

#: Results of fewer bytes travel as they are.
_SMALL = 1 << 16
#: Arrays begin at multiples of this, as memory of their own would.
_LINE = 64


def through_files(engine: Engine, folder: Path) -> Engine:
    """Wrap an engine so that shared values and large results go through files in a shared folder; threads need none.

    >>> from hin.engines.local import LocalEngine
    >>> through_files(LocalEngine("local:2"), Path("anywhere")).location
    'local:2'
    """
    return engine if engine.here else ThroughFiles(engine, folder)


class ThroughFiles:
    """An engine around another one.

    Parameters
    ----------
    engine : does the work.
    folder : seen by its workers; what is left in it goes with it.
    """

    here = False

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine, self.folder = engine, Path(folder).absolute()
        self.location = engine.location

    @property
    def workers(self) -> int:
        """How many blocks it works on at once."""
        return self.engine.workers

    @property
    def cores(self) -> int:
        """How many threads a block may use that runs alone on its worker."""
        return self.engine.cores

    def map(self, work: Callable[[B], R], blocks: Iterable[B]) -> Iterator[R]:
        """Run the work on every block; a large result is read in its turn and its file removed."""
        for found in self.engine.map(_Filed(work, str(self.folder)), blocks):
            yield found.take() if isinstance(found, _Result) else found

    def share(self, value: R) -> Callable[[], R]:
        """Write the value to a file that each worker maps once; it is removed when nothing here refers to it."""
        path = _new(self.folder, "shared")
        body, buffers = _pickled(value)
        _write(path, body, buffers)
        let_go(*(buffer.obj for buffer in buffers if isinstance(buffer.obj, np.ndarray)))
        shared: _Shared[R] = _Shared(path)
        weakref.finalize(shared, _remove, path).atexit = False
        return shared

    def check(self, paths: Sequence[str | os.PathLike[str]] = ()) -> None:
        """Ask the engine's workers."""
        self.engine.check(paths)

    def close(self) -> None:
        """Leave the engine to whoever opened it."""


@dataclass(frozen=True)
class _Filed(Generic[B, R]):
    """Work whose large results are written to files."""

    work: Callable[[B], R]
    folder: str

    def __call__(self, block: B) -> R | _Result:
        found = self.work(block)
        body, buffers = _pickled(found)
        if len(body) + sum(buffer.nbytes for buffer in buffers) < _SMALL:
            return found
        # A name of its own for every try: two may be under way when a worker was lost and is not dead.
        path = _new(self.folder, "result")
        _write(path, body, buffers)
        return _Result(path)


@dataclass(frozen=True)
class _Result:
    path: str

    def take(self) -> Any:
        """Read the result into memory, once."""
        data = bytearray(os.path.getsize(self.path))
        with open(self.path, "rb") as file:
            file.readinto(data)
        _remove(self.path)
        return _unpickled(memoryview(data))


class _Shared(Generic[R]):
    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self) -> R:
        value: R = _mapped(self._path)
        return value

    def __reduce__(self) -> Any:
        return _there, (self._path,)


class _There(_Shared[R]):
    """A shared value as a worker sees it: read, never removed."""


def _there(path: str) -> _Shared[Any]:
    return _There(path)


@lru_cache(maxsize=4)  # a pass has one value of its own beside those of the whole fit
def _mapped(path: str) -> Any:
    with open(path, "rb") as file:
        # Private: arrays can be written, as any array that was pickled can, and the file stays as it is.
        return _unpickled(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)))


def _new(folder: str | os.PathLike[str], kind: str) -> str:
    """Return a name that no other process uses."""
    return os.path.join(folder, f"{kind}-{uuid.uuid4().hex}")


def _pickled(value: Any) -> tuple[bytes, list[memoryview]]:
    """Return a value's pickle and the arrays beside it, which are not copied."""
    buffers: list[pickle.PickleBuffer] = []
    body = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    return body, [buffer.raw() for buffer in buffers]


def _write(path: str, body: bytes, buffers: list[memoryview]) -> None:
    """Write the arrays, each at its place, then the pickle and where everything is."""
    places = []
    with open(path, "wb") as file:
        for buffer in buffers:
            file.seek(-(-file.tell() // _LINE) * _LINE)
            places.append((file.tell(), buffer.nbytes))
            file.write(buffer)
        start = file.tell()
        index = pickle.dumps((start, len(body), places))
        file.write(body)
        file.write(index)
        file.write(len(index).to_bytes(8, "little"))


def _unpickled(data: memoryview) -> Any:
    size = int.from_bytes(data[-8:], "little")
    start, length, places = pickle.loads(data[-8 - size : -8])
    buffers = [data[first : first + count] for first, count in places]
    return pickle.loads(data[start : start + length], buffers=buffers)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
