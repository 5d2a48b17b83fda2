"""Runs: start and stop one, list and compare earlier ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.explore.resources.base import RequestParameters, get, post
from classify.explore.resources.state import state
from hin.errors import UnknownName

if TYPE_CHECKING:
    from classify.explore.session import Session


def start(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Classify with the categories and answers as they are now."""
    session.start_run()
    return state(session, request)


def stop(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Stop the run at its next step; the labels stay those of the run before."""
    session.check_writable()
    session.run.stop()
    return state(session, request)


def runs(session: Session, request: RequestParameters) -> list[dict[str, Any]]:
    """Return the last classifications of these documents, the oldest first."""
    return session.history().runs()


def difference(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Compare two classifications, as `hin diff --json`: flows, what they were made with, examples with reasons."""
    from classify.answers.differences import Difference

    session.check_graph()
    past, numbers = session.history().past, [request.number(name, 0) for name in ("before", "after")]
    for number in numbers:
        if number not in past:
            raise UnknownName(f"no run {number}", hint=f"there are {', '.join(map(str, past)) or 'none'}")
    found = Difference(session.store, past[numbers[0]], past[numbers[1]])
    return {**found.as_dict(), "lasso": session.lassos.store(found.rows)}


RESOURCES = [
    post("/run", start),
    post("/run/stop", stop),
    get("/runs", runs),
    get("/runs/difference", difference),
]
