"""Show progress of calls from Python: a notebook and a prompt do so by default, scripts stay silent."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from hin.progress import Progress, silent
from hin.progress_bars import is_terminal, progress_bars

P = ParamSpec("P")
R = TypeVar("R")


def shows_progress(work: Callable[P, R]) -> Callable[P, R]:
    """Make a function show its progress where a person watches, unless the call says what to do with it.

    Examples
    --------
    >>> @shows_progress
    ... def count(progress=None):
    ...     return progress is silent
    >>> count(), count(progress=print)
    (True, False)
    """
    place = list(inspect.signature(work).parameters).index("progress")

    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if len(args) > place or kwargs.get("progress") is not None:
            return work(*args, **kwargs)
        with watched() as progress:
            kwargs["progress"] = progress
            return work(*args, **kwargs)

    return run


@contextmanager
def watched() -> Iterator[Progress]:
    """Yield a progress callback: one that shows progress in a notebook or at a prompt, else a silent one.

    Examples
    --------
    >>> with watched() as progress:
    ...     progress is silent
    True
    """
    shell = _ipython()
    if shell is not None and hasattr(shell, "kernel"):
        from hin.notebook.progress_cell import progress_cell

        with progress_cell() as cell:
            yield cell
    elif (shell is not None or hasattr(sys, "ps1")) and is_terminal():
        with progress_bars() as bars:
            yield bars
    else:
        yield silent


def _ipython() -> object | None:
    """Return the IPython that runs this code, if one does: then it is imported already."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()
