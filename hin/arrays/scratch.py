"""Scratch folders for what is too large for memory; removed when the work ends.

A killed process leaves its folder behind; the next one that works in the same place removes it. A lock, which the
system releases when a process ends, shows whether the owner is still alive.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hin.errors import NoSpace
from hin.files.atomic import failed_write

_PREFIX = ".work-"
_LOCK = "owner.lock"


@contextmanager
def scratch_folder(parent: str | os.PathLike[str] | None = None) -> Iterator[Path]:
    """Yield an empty folder inside `parent` (by default where the system keeps temporary files).

    >>> with scratch_folder() as folder:
    ...     folder.is_dir()
    True
    >>> folder.exists()
    False
    """
    from filelock import FileLock

    if parent is not None:
        Path(parent).mkdir(parents=True, exist_ok=True)
        remove_abandoned(Path(parent))
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    guard = FileLock(folder / _LOCK, timeout=0)
    try:
        with guard:
            inside = folder / "files"
            inside.mkdir()
            yield inside
    except OSError as error:
        translated = failed_write(error, folder.parent, "scratch")
        if not isinstance(translated, NoSpace):  # a file that could not be read, say
            raise
        raise translated from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned(parent: Path) -> None:
    """Remove the scratch folders whose owners are gone."""
    from filelock import FileLock, Timeout

    for folder in parent.glob(f"{_PREFIX}*"):
        if not (folder / _LOCK).exists():  # its owner may be about to lock it
            continue
        try:
            with FileLock(folder / _LOCK, timeout=0):
                pass
        except (Timeout, OSError):
            continue
        shutil.rmtree(folder, ignore_errors=True)
