"""A deadline on the client's side, in case the server does not enforce its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class DeadlinePassed(Exception):
    """The deadline has passed; the work continues in its thread, but its result is not awaited."""


def run_within(seconds: float, work: Callable[[], T], late: Callable[[], None] = lambda: None) -> T:
    """Run the work and return its result, or raise `DeadlinePassed`; if it ends later, its thread calls `late`.

    Examples
    --------
    >>> run_within(60, lambda: 1)
    1
    """
    done: list[T] = []
    failed: list[BaseException] = []
    given_up = threading.Event()

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)
        if given_up.is_set():
            late()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        given_up.set()
        raise DeadlinePassed
    if failed:
        raise failed[0]
    return done[0]
