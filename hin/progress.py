"""How long tasks report progress: one plain callable, so that no stage depends on a terminal."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "silent"]


class Progress(Protocol):
    """Called now and then by long work."""

    def __call__(self, label: str, done: int, total: int | None, note: str = "") -> None:
        """Report that `done` of `total` steps of the task `label` are finished."""


def silent(label: str, done: int, total: int | None, note: str = "") -> None:
    """Report nothing.

    >>> silent("reading", 1, 10)
    """
