"""Linear algebra on one thread, whose order of additions is fixed; our own threads divide the rows instead."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

_lock = threading.Lock()
_inside = 0
#: The libraries whose number of threads is limited, with the number to restore.
_limited: dict[Any, int] = {}


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS and OpenMP to one thread, for any number of Python threads at once.

    BLAS has one number of threads for the whole process. If each block restored it at its end, a run would go on with
    several threads as soon as a preview beside it ended: so the last block to end restores it.

    >>> from threadpoolctl import threadpool_info
    >>> with one_blas_thread():
    ...     {found["num_threads"] for found in threadpool_info()}
    {1}
    """
    import scipy.linalg  # noqa: F401 - it has a BLAS of its own, which would be loaded inside with all its threads

    global _inside
    controller = _find_libraries(len(sys.modules))
    with controller.select(user_api="openmp").limit(limits=1):  # a number for each Python thread
        with _lock:
            _inside += 1
            libraries = controller.select(user_api="blas").lib_controllers
            held = {library.filepath for library in _limited}
            _limited.update({one: one.num_threads for one in libraries if one.filepath not in held})
            _set_threads(dict.fromkeys(_limited, 1))
        try:
            yield
        finally:
            with _lock:
                _inside -= 1
                if not _inside:
                    _set_threads(_limited)
                    _limited.clear()


@lru_cache(maxsize=1)
def _find_libraries(modules: int) -> Any:
    """Find the libraries that have threads, which takes a millisecond; again once more modules are imported."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _set_threads(numbers: Mapping[Any, int]) -> None:
    """Set libraries' numbers of threads; else threadpoolctl lets only the Python thread that did so first."""
    from threadpoolctl import OpenBLASController

    release = getattr(OpenBLASController, "clear_controlling_thread", lambda *, force: None)  # from version 3.8 on
    release(force=True)
    for library, number in numbers.items():
        library.set_num_threads(number)
    release(force=True)
