"""Arrays worth keeping for the next time: read from a file where they were made before, else made, and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hin.errors import HinError
from hin.files.atomic import whole_file
from hin.files.checked import load_array

__all__ = ["kept_array", "mark_of"]


def mark_of(made_from: object) -> str:
    """Return what tells apart what was made of other things, or by another version; its `repr` decides."""
    from hin import __version__

    return hashlib.blake2b(repr((__version__, made_from)).encode(), digest_size=8).hexdigest()


def kept_array(
    folder: Path, name: str, made_from: object, shape: Sequence[int | None], make: Callable[[], npt.NDArray[np.float32]]
) -> npt.NDArray[np.float32]:
    """Return float32 numbers from a file, or make them and leave them there.

    Parameters
    ----------
    name : what they are, the beginning of the file's name.
    made_from : everything that shapes them and is not told by the folder; its `repr` decides.
    shape : what their shape must be; None stands for any length.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> ones = lambda: np.ones(2, dtype=np.float32)
    >>> kept_array(folder, "ones", 1, (2,), ones).tolist(), kept_array(folder, "ones", 1, (2,), lambda: 1 / 0).tolist()
    ([1.0, 1.0], [1.0, 1.0])
    """
    file = folder / f"{name}-{mark_of(made_from)}.npy"
    with suppress(OSError, HinError):  # a file that cannot be read is made again
        found: npt.NDArray[np.float32] = load_array(file, "float32", shape)
        return found
    made = make()
    with suppress(OSError, HinError):  # a folder that cannot be written is done without
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(file, own=True) as temporary, temporary.open("wb") as out:
            np.save(out, made)
    return made
