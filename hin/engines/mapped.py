"""Memory that is no longer needed: let go of the pages of mapped files, and of what was freed.

A page of a mapped file stays with the process until memory runs short, and counts as the process's memory meanwhile.
A pass over a large file can hand its pages back at once; the file and its copy in the system's cache stay. Memory that
was freed stays with the process too, in the stores of its allocators, until they are asked for it.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
import tempfile
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["let_go", "let_go_of_freed", "put_aside"]

#: Arrays from so many bytes on are put aside.
_LARGE = 64 << 20


def let_go(*arrays: npt.NDArray[Any] | None) -> None:
    """Hand back the pages of arrays that are read-only maps of files; any other array is left alone.

    >>> let_go(np.arange(3), None)
    """
    for array in arrays:
        base: Any = array
        while isinstance(base, np.ndarray) and not isinstance(base.base, mmap.mmap):
            base = base.base
        found = base.base if isinstance(base, np.ndarray) else base
        # Only a map that nobody can write through: the pages of a private copy would be lost.
        if isinstance(found, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED") and memoryview(found).readonly:
            found.madvise(mmap.MADV_DONTNEED)


def put_aside(array: npt.NDArray[Any], large: int = _LARGE) -> npt.NDArray[Any]:
    """Return a large array as a read-only map of an unnamed file, so that `let_go` can hand back its pages.

    The file is gone with the array. Small arrays are returned as they are, and so are all where no file can be written.

    >>> put_aside(np.arange(3), large=1).tolist()
    [0, 1, 2]
    """
    if array.nbytes < large or not array.nbytes:
        return array
    try:
        with tempfile.TemporaryFile() as file:
            np.ascontiguousarray(array).tofile(file)
            file.flush()
            held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:  # no space, say: it stays where it is
        return array
    return np.ndarray(array.shape, array.dtype, held)


def let_go_of_freed() -> None:
    """Hand back what was freed: between the stages of long work, where much was held that nothing needs any more.

    >>> let_go_of_freed()
    """
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library than glibc
            ctypes.CDLL(None).malloc_trim(0)
