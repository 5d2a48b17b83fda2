"""Runs: start and stop one, list and compare earlier ones."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from classify.explore.resources.base import Asked, get, post
from classify.explore.resources.state import state
from hin.errors import UnknownName

if TYPE_CHECKING:
    from classify.explore.session import Session

__all__ = ["RESOURCES"]


def start(session: Session, asked: Asked) -> dict[str, Any]:
    """Classify with the categories and answers as they are now."""
    session.start_run()
    return state(session, asked)


def stop(session: Session, asked: Asked) -> dict[str, Any]:
    """Stop the run at its next step; the labels stay those of the run before."""
    session.check_writable()
    session.run.stop()
    return state(session, asked)


def runs(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return the stored runs, the oldest first."""
    return session.history.runs()


def difference(session: Session, asked: Asked) -> dict[str, Any]:
    """Count the documents by their categories in two runs, the most frequent changes first."""
    kept = {run["number"]: run for run in session.history.runs()}
    numbers = [asked.number(name, 0) for name in ("before", "after")]
    for number in numbers:
        if number not in kept:
            raise UnknownName(f"no run {number}", hint=f"there are {', '.join(map(str, kept)) or 'none'}")
    before, after = (session.history.named_labels(number, len(session.graph)) for number in numbers)
    moved = before != after
    moves = Counter(zip(before[moved].tolist(), after[moved].tolist(), strict=True)).most_common(50)
    return {
        "moved": int(moved.sum()),
        "documents": len(before),
        "moves": [{"before": a or None, "after": b or None, "documents": n} for (a, b), n in moves],
    }


RESOURCES = [
    post("/run", start),
    post("/run/stop", stop),
    get("/runs", runs),
    get("/runs/difference", difference),
]
