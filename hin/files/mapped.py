"""Release memory that is no longer needed: pages of mapped files, and what was freed.

A page of a mapped file stays with the process until memory runs short, and counts as the process's memory meanwhile.
A pass over a large file can release its pages at once; the file and its copy in the system's cache stay. Memory that
was freed also stays with the process, in its allocators, until `release_freed_memory`.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import tempfile
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

#: The least bytes of arrays that `map_large` and `mapped_zeros` put into files.
_LARGE_ARRAY, _LARGE_ZEROS = 64 << 20, 16 << 20


class _Shared(mmap.mmap):
    """A writable map whose pages can be released: they stay in its file."""


def release_pages(*arrays: npt.NDArray[Any] | None) -> None:
    """Release the pages of arrays that are maps of files; other arrays are left alone.

    >>> release_pages(np.arange(3), None)
    """
    for array in arrays:
        base: Any = array
        while isinstance(base, np.ndarray) and not isinstance(base.base, mmap.mmap):
            base = base.base
        found = base.base if isinstance(base, np.ndarray) else base
        if not isinstance(found, mmap.mmap) or not hasattr(mmap, "MADV_DONTNEED"):
            continue
        # Any other map must be read-only: releasing the pages of a private copy would lose what was written to it.
        if isinstance(found, _Shared) or memoryview(found).readonly:
            found.madvise(mmap.MADV_DONTNEED)


def mapped_zeros(
    shape: tuple[int, ...],
    kind: npt.DTypeLike,
    folder: str | os.PathLike[str] | None = None,
    large: int | None = None,
) -> npt.NDArray[Any]:
    """Return zeros; many of them as a map of an unnamed file, so that `release_pages` can release their pages.

    The file is gone with the array. It is in `folder`, by default where the system keeps temporary files; where it
    cannot be written the zeros are in memory.

    >>> mapped_zeros((2, 2), "float32", large=1).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    if size >= (_LARGE_ZEROS if large is None else large) and size:
        with suppress(OSError), tempfile.TemporaryFile(dir=folder) as file:
            _fill(file, size)
            return np.ndarray(shape, kind, _Shared(file.fileno(), size))
    return np.zeros(shape, dtype=kind)


def map_writable(path: str | os.PathLike[str], kind: npt.DTypeLike, first: int, size: int) -> npt.NDArray[Any]:
    """Memory-map the numbers of a file, from the byte `first` on, for reading and writing.

    >>> with tempfile.NamedTemporaryFile() as file:
    ...     np.arange(3, dtype=np.int32).tofile(file.name)
    ...     found = map_writable(file.name, np.int32, 4, 2)
    ...     found[0] = 9
    ...     np.fromfile(file.name, dtype=np.int32).tolist()
    [0, 9, 2]
    """
    if not size:
        return np.zeros(0, dtype=kind)
    with open(path, "r+b") as file:
        return np.ndarray((size,), kind, _Shared(file.fileno(), 0), offset=first)


def _fill(file: Any, size: int) -> None:
    """Allocate a file's space on the disk: writing a page that has none would kill the process."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    for first in range(0, size, _LARGE_ARRAY):
        file.write(bytes(min(_LARGE_ARRAY, size - first)))
    file.flush()


def map_large(array: npt.NDArray[Any], large: int | None = None) -> npt.NDArray[Any]:
    """Return a large array as a map of an unnamed file, so that `release_pages` can release its pages.

    The file is gone with the array. Small arrays are returned as they are, and so are all where no file can be written.

    >>> map_large(np.arange(3), large=1).tolist()
    [0, 1, 2]
    """
    if array.nbytes >= (_LARGE_ARRAY if large is None else large) and array.nbytes:
        with suppress(OSError), tempfile.TemporaryFile() as file:  # for example no space: it stays in memory
            np.ascontiguousarray(array).tofile(file)
            file.flush()
            return np.ndarray(array.shape, array.dtype, _Shared(file.fileno(), array.nbytes))
    return array


def release_freed_memory() -> None:
    """Return freed memory to the system, between the stages of long work.

    >>> release_freed_memory()
    """
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library than glibc
            ctypes.CDLL(None).malloc_trim(0)
