"""Selections of documents, from a lasso on the map or a preview, stored under short names."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from hin.arrays.types import Int64
from hin.errors import UnknownName

#: The number of lassos stored.
_MOST = 200


class Lassos:
    """The last lassos, by name.

    >>> lassos = Lassos()
    >>> lassos.rows(lassos.store([5, 2, 5])).tolist()
    [2, 5]
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[str, Int64] = {}
        self._notes: dict[str, dict[int, str]] = {}
        self._number = 0

    def store(self, rows: Sequence[int], notes: Sequence[str] = ()) -> str:
        """Store documents, with a note each, and return the name of the lasso."""
        with self._lock:
            self._number += 1
            self._rows[str(self._number)] = np.unique(np.array(rows, dtype=np.int64))
            if notes:
                self._notes[str(self._number)] = dict(zip(rows, notes, strict=True))
            for stored in (self._rows, self._notes):
                stored.pop(str(self._number - _MOST), None)
            return str(self._number)

    def rows(self, name: str) -> Int64:
        """Return the documents of a lasso."""
        if name not in self._rows:
            raise UnknownName("the lasso is no longer stored", hint="draw it again")
        return self._rows[name]

    def notes(self, name: str) -> dict[int, str]:
        """Return the notes of a lasso's documents."""
        return self._notes.get(name, {})
