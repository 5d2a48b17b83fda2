"""One thread that interrupts queries at their deadline; starting a thread per query would take longer than some."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Alarm:
    """Call a function at a deadline, unless its work is done before.

    Examples
    --------
    >>> alarm, rung = Alarm(), []
    >>> with alarm.after(60, lambda: rung.append("late")):
    ...     pass
    >>> with alarm.after(0.001, lambda: rung.append("now")):
    ...     time.sleep(0.5)
    >>> rung
    ['now']
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: dict[object, tuple[float, Callable[[], None]]] = {}
        self._thread: threading.Thread | None = None
        self._next = 0.0

    @contextmanager
    def after(self, seconds: float | None, ring: Callable[[], None]) -> Iterator[None]:
        """Call a function after this many seconds, if the block still runs; None for never."""
        if seconds is None:
            yield
            return
        key, due = object(), time.monotonic() + max(seconds, 0.001)
        with self._changed:
            self._due[key] = (due, ring)
            if self._thread is None or not self._thread.is_alive():  # none yet, or it stayed behind in a fork
                self._next = due
                self._thread = threading.Thread(target=self._watch, name="hin-alarm", daemon=True)
                self._thread.start()
            elif due < self._next:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._due.pop(key, None)

    def _watch(self) -> None:
        with self._changed:
            while self._due:
                self._ring()
                if self._due:
                    self._changed.wait(self._next - time.monotonic())
            self._thread = None

    def _ring(self) -> None:
        """Call the functions that are due; not in the waiting loop, which would hold a reference to an old query."""
        now = time.monotonic()
        for key, (due, ring) in list(self._due.items()):
            if due <= now:
                del self._due[key]
                ring()
        self._next = min((due for due, _ in self._due.values()), default=now)
