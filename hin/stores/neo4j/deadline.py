"""A deadline of our own, for a server that has one too and may not be there to keep it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["TooLate", "within"]

T = TypeVar("T")


class TooLate(Exception):
    """The time is over; the work continues in its thread until it ends by itself, and nobody waits for it."""


def within(seconds: float, work: Callable[[], T], late: Callable[[], None] = lambda: None) -> T:
    """Run the work and return its result, or raise `TooLate`; `late` is called, in its thread, if it ends after all.

    Examples
    --------
    >>> within(60, lambda: 1)
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
        raise TooLate
    if failed:
        raise failed[0]
    return done[0]
