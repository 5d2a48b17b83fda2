"""Compile hot loops: one decorator for all kernels, with a cache on disk.

Set ``HIN_BOUNDSCHECK=1`` to run every kernel with bounds checks: an index outside of its array is then an error and not
a crash. It costs about half of the speed, and such code is cached only if ``NUMBA_CACHE_DIR`` names a folder for it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import numba
from numba.core.caching import FunctionCache

#: Whether kernels check every index. Kernels that follow plain addresses ask for it themselves.
BOUNDS_CHECKED = os.environ.get("HIN_BOUNDSCHECK", "0") not in ("", "0")


def njit(*, cache: bool = False, **options: Any) -> Any:
    """Return numba's `njit` with our settings: optional bounds checks, and a cache that survives damaged files.

    Examples
    --------
    >>> @njit(nogil=True)
    ... def double(x):
    ...     return 2 * x
    >>> double(21)
    42
    """
    if BOUNDS_CHECKED:
        options["boundscheck"] = True
        cache = cache and "NUMBA_CACHE_DIR" in os.environ

    def compile(function: Any) -> Any:
        made = numba.njit(**options)(function)
        if cache:
            _cache_on_disk(made)
        return made

    return compile


def _cache_on_disk(made: Any) -> None:
    """Cache the compiled code on disk, where a folder can be written."""
    with suppress(RuntimeError):  # no place beside the source nor at home: every run compiles
        made._cache = _SafeCache(made.py_func)  # type: ignore[no-untyped-call]


class _SafeCache(FunctionCache):
    """Numba's cache, which treats a damaged file (of a killed run, of a full disk) as a missing one."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code, or None if it is not there or cannot be read."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # whatever unpickling odd bytes may raise
            self._forget()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache compiled code; where that fails the next run compiles again."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception:
            self._forget()

    def _forget(self) -> None:
        with suppress(OSError):
            self.flush()  # type: ignore[no-untyped-call]
