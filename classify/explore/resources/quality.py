"""Quality: how good the labels are, and documents drawn to measure it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.answers.measured import draw_for_measuring
from classify.explore.quality import quality
from classify.explore.resources.base import RequestParameters, get, post

if TYPE_CHECKING:
    from classify.explore.session import Session


def figures(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return the measured accuracy with its interval, calibration, confusion, and the effect of 50 more answers."""
    session.check_graph()
    return quality(session)


def draw(session: Session, request: RequestParameters) -> dict[str, int]:
    """Draw `number` documents to measure by; those of the last draw without an answer come first. Queue `measure`."""
    with session.lock:
        session.check_writable()
        number = request.number("number", 50, least=10, most=2000)
        stored, seed = session.classified().stored, session.options.first_seed
        rows = draw_for_measuring(session.store, session.graph, stored, number, seed)
    return {"documents": len(rows)}


RESOURCES = [get("/quality", figures), post("/quality/draw", draw)]
