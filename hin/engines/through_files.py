"""Exchange shared values and large results with workers through files in a shared folder.

Spark would pass them through memory: pickled, one copy in the driver's JVM and one in each worker's, and all results of
a wave at once. A file is written once and memory-mapped by every process that needs it (a few rows of a large array
load only their own pages), and a result is read only when the caller asks for it.
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

from hin.files.mapped import release_pages

if TYPE_CHECKING:
    from hin.engines.base import Engine

B = TypeVar("B")
R = TypeVar("R")

#: Results of fewer bytes are returned directly.
_SMALL = 1 << 16
#: The alignment of arrays in a file: a cache line.
_LINE = 64


def through_files(engine: Engine, folder: Path) -> Engine:
    """Wrap an engine so that shared values and large results go through files; an engine of threads stays as it is.

    >>> from hin.engines.local import LocalEngine
    >>> through_files(LocalEngine("local:2"), Path("anywhere")).location
    'local:2'
    """
    return engine if engine.here else ThroughFiles(engine, folder)


class ThroughFiles:
    """A wrapper of another engine that exchanges data with its workers through files.

    Parameters
    ----------
    engine : does the work.
    folder : visible to its workers; whoever made it removes it, with the files that are left.
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
        for found in self.engine.map(_FileResults(work, str(self.folder)), blocks):
            yield found.take() if isinstance(found, _Result) else found

    def share(self, value: R) -> Callable[[], R]:
        """Write the value to a file that each worker maps once; removed when the returned function is."""
        path = _new_path(self.folder, "shared")
        body, buffers = _pickled(value)
        _write(path, body, buffers)
        release_pages(*(buffer.obj for buffer in buffers if isinstance(buffer.obj, np.ndarray)))
        shared: _Shared[R] = _Shared(path)
        weakref.finalize(shared, _remove, path).atexit = False
        return shared

    def check(self, paths: Sequence[str | os.PathLike[str]] = ()) -> None:
        """Check that the engine's workers have the same versions and see the paths."""
        self.engine.check(paths)

    def close(self) -> None:
        """Do nothing: whoever opened the engine closes it."""


@dataclass(frozen=True)
class _FileResults(Generic[B, R]):
    """Work whose large results are written to files."""

    work: Callable[[B], R]
    folder: str

    def __call__(self, block: B) -> R | _Result:
        found = self.work(block)
        body, buffers = _pickled(found)
        if len(body) + sum(buffer.nbytes for buffer in buffers) < _SMALL:
            return found
        # Every attempt has its own file: when a worker is lost but still alive, two attempts overlap.
        path = _new_path(self.folder, "result")
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
    """A function that returns the value in a file; its copies on workers never remove the file."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self) -> R:
        value: R = _mapped(self._path)
        return value


@lru_cache(maxsize=4)  # the values of the whole fit, and one of the current pass
def _mapped(path: str) -> Any:
    with open(path, "rb") as file:
        # Copy on write: arrays are writable, as unpickled ones are, and the file does not change.
        return _unpickled(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)))


def _new_path(folder: str | os.PathLike[str], kind: str) -> str:
    """Return a path that no other process uses."""
    return os.path.join(folder, f"{kind}-{uuid.uuid4().hex}")


def _pickled(value: Any) -> tuple[bytes, list[memoryview]]:
    """Return a value's pickle and, out of band, its arrays, which are not copied."""
    buffers: list[pickle.PickleBuffer] = []
    body = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    return body, [buffer.raw() for buffer in buffers]


def _write(path: str, body: bytes, buffers: list[memoryview]) -> None:
    """Write the aligned arrays, the pickle, the index of their positions, and the size of the index."""
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
