"""Mapped files: let go of the pages that were read.

A page of a mapped file stays with the process until memory runs short, and counts as the process's memory meanwhile.
A pass over a large file can hand its pages back at once; the file and its copy in the system's cache stay.
"""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["let_go"]


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
