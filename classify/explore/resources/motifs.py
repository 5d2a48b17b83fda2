"""Motifs: patterns with their worth, instances with their documents; a pattern can be written and tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.explore.instances import instance_records, pattern_records, picture_of
from classify.explore.resources.base import RequestParameters, get

if TYPE_CHECKING:
    from classify.explore.session import Session


def patterns(session: Session, request: RequestParameters) -> list[dict[str, Any]]:
    """Return the patterns of the last run with the number of instances, worth and coverage."""
    session.check_graph()
    return pattern_records(session)


def instances(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return instances of a `pattern`: `search`, `sort`, `chance` (1 to compare with it), `offset`, `limit`."""
    first = request.number("offset", 0)
    part = slice(first, first + request.number("limit", 50, least=1, most=500))
    chance = request.number("chance", 0, most=1) == 1
    return instance_records(
        session, request.text("pattern"), request.text("search", ""), request.text("sort", "documents"), part, chance
    )


def picture(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return an `instance` of a `pattern` with some of its documents, to be drawn."""
    return picture_of(session, request.text("pattern"), request.text("instance"))


RESOURCES = [get("/motifs", patterns), get("/motifs/instances", instances), get("/motifs/picture", picture)]
