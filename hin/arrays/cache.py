"""A cache of arrays on disk: an array is read from its file, or computed and written there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from hin.arrays.types import Floats
from hin.errors import HinError
from hin.files.atomic import atomic_file
from hin.files.checked import load_array


def cache_key_of(made_from: object) -> str:
    """Return the cache key: a hash of the inputs, the options and the version."""
    from hin import __version__

    return hashlib.blake2b(repr((__version__, made_from)).encode(), digest_size=8).hexdigest()


def cached_array(
    folder: Path, name: str, made_from: object, shape: Sequence[int | None], make: Callable[[], Floats]
) -> Floats:
    """Return a float32 array from the cache, or compute it and add it to the cache.

    Parameters
    ----------
    name : the beginning of the file's name.
    made_from : everything besides the folder that the array depends on; its `repr` becomes the cache key.
    shape : the expected shape; None stands for any length.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> ones = lambda: np.ones(2, dtype=np.float32)
    >>> cached_array(folder, "ones", 1, (2,), ones).tolist()
    [1.0, 1.0]
    >>> cached_array(folder, "ones", 1, (2,), lambda: 1 / 0).tolist()
    [1.0, 1.0]
    """
    file = folder / f"{name}-{cache_key_of(made_from)}.npy"
    with suppress(OSError, HinError):  # an unreadable file is computed again
        found: Floats = load_array(file, "float32", shape)
        return found
    made = make()
    with suppress(OSError, HinError):  # without a writable folder nothing is cached
        folder.mkdir(parents=True, exist_ok=True)
        with atomic_file(file, own=True) as temporary, temporary.open("wb") as out:
            np.save(out, made)
    return made
