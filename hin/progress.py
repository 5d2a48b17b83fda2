"""The progress callback: one plain callable, so that no stage depends on a terminal."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A callback that long work calls from time to time."""

    def __call__(self, label: str, done: int, total: int | None, note: str = "") -> None:
        """Report that `done` of `total` steps of the task `label` are finished."""


def silent(label: str, done: int, total: int | None, note: str = "") -> None:
    """Report nothing.

    >>> silent("reading", 1, 10)
    """
