"""Exchange two folders in one step, so that a reader sees the old one or the new one."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
_HERE = -100  # AT_FDCWD of Linux


def swap(first: Path, second: Path) -> None:
    """Exchange two folders on one disk.

    Linux and macOS have a system call for it. Elsewhere the second is renamed first; a run that is killed between the
    renames leaves it under its temporary name.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> for name in "ab":
    ...     (place / name / f"was-{name}").mkdir(parents=True)
    >>> swap(place / "a", place / "b")
    >>> [path.name for path in (place / "a").iterdir()]
    ['was-b']
    """
    if not _exchange(os.fsencode(first), os.fsencode(second)):
        aside = first.with_name(first.name + ".old")
        os.rename(second, aside)
        try:
            os.rename(first, second)
        except OSError:
            os.rename(aside, second)
            raise
        os.rename(aside, first)


def _exchange(first: bytes, second: bytes) -> bool:
    """Exchange by a system call; False where there is none."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            failed = library.renamex_np(first, second, _EXCHANGE)
        else:
            failed = library.renameat2(_HERE, first, _HERE, second, _EXCHANGE)
    except (AttributeError, OSError, TypeError):  # another system, or an old C library
        return False
    return not failed
