"""A system for `hin compare` in one file: categories drawn by lot, the floor that every other system must beat.

In a package with the entry point `hin.comparators`, `hin compare --system lots,hin` runs it. Each run is a process
of its own, so an import in a notebook is not enough here.
"""

from __future__ import annotations

from dataclasses import dataclass

from classify.comparators import SYSTEMS, About, Outcome, System, Task


@SYSTEMS.register("lots")
@dataclass(frozen=True)
class Lots(System):
    """Scores from a random generator; the fields of the dataclass are the system's settings."""

    about = About(title="By lot", paper="", follows="Every category is as likely as any other; nothing is read.")
    salt: int = 17

    def run(self, task: Task) -> Outcome:
        """Draw a score for every document and category; the seed decides, so that a run can be repeated."""
        return Outcome(task.rng(self.salt).random((len(task.graph), len(task.categories))))
