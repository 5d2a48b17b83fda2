"""Values that are computed once and used by many requests."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Memory:
    """A cache of one value per name, for any number of threads.

    >>> memory = Memory()
    >>> memory.remember("map 1", lambda: "first"), memory.remember("map 1", lambda: "second")
    ('first', 'first')
    >>> memory.remember("map 2", lambda: "third")
    'third'
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._memory: dict[str, tuple[str, Any]] = {}
        self._making: defaultdict[str, threading.RLock] = defaultdict(threading.RLock)

    def forget(self, name: str | None = None) -> None:
        """Drop the value of a name; by default all values."""
        with self.lock:
            if name is None:
                self._memory.clear()
            else:
                self._memory.pop(name, None)

    def remember(self, key: str, make: Callable[[], T]) -> T:
        """Return the cached value of a key, or make it; it replaces the value whose key has the same first element."""
        name = key.partition(" ")[0]
        with self.lock:
            making = self._making[name]
        with making:
            if name not in self._memory or self._memory[name][0] != key:
                self._memory.pop(name, None)
                self._memory[name] = (key, make())
            return self._memory[name][1]  # type: ignore[no-any-return]
