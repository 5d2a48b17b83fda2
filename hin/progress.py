"""How long work tells where it is: one plain callable, so that no stage depends on a terminal."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "silent"]


class Progress(Protocol):
    """Called now and then by long work."""

    def __call__(self, label: str, done: int, total: int | None, note: str = "") -> None:
        """Tell that `done` of `total` steps of the work named `label` are behind us."""


def silent(label: str, done: int, total: int | None, note: str = "") -> None:
    """Tell nothing.

    >>> silent("reading", 1, 10)
    """
