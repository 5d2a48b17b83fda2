"""A deadline on the client's side, in case the server does not enforce its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


class DeadlinePassed(Exception):
    """The deadline has passed; the work continues in its thread, but its result is not awaited."""


def run_within(seconds: float, work: Callable[[], T], give_up: Callable[[], Callable[[], None]]) -> T:
    """Run the work and return its result, or raise `DeadlinePassed` after these seconds.

    In that case `give_up` is called; the function that it returns is called in the thread of the work, once it ends.

    Examples
    --------
    >>> run_within(60, lambda: 1, lambda: lambda: None)
    1
    """
    done: list[T] = []
    failed: list[BaseException] = []
    clean: list[Callable[[], None]] = []
    ended = threading.Event()
    deciding = threading.Lock()  # either the result is awaited, or the thread cleans up: never both, never neither

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)
        with deciding:
            ended.set()
        if clean:
            failed.clear()  # an error refers to this frame: a reference cycle around whatever the work has opened
            with suppress(Exception):  # nobody waits for it
                clean.pop()()

    threading.Thread(target=run, daemon=True).start()
    ended.wait(seconds)
    with deciding:
        if not ended.is_set():
            clean.append(give_up())
            raise DeadlinePassed
    if failed:
        raise failed.pop()
    return done[0]
