"""Fields: the worth of each metadata field, and its switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from classify.explore.previews.switches import used_fields
from classify.explore.resources.base import RequestParameters, get, post
from classify.explore.resources.state import state
from hin.errors import BadUsage

if TYPE_CHECKING:
    from classify.explore.session import Session


def fields(session: Session, request: RequestParameters) -> list[dict[str, Any]]:
    """Return each field with its values, its worth in the last run that judged it, and whether the next run uses it."""
    session.check_graph()
    graph, judged = session.graph, session.field_worth()
    used = used_fields(session.run_options, graph, judged)
    worth = {one["field"]: one for one in judged or ()}
    return [
        {
            "field": field,
            "values": graph.size(field),
            "documents": int(np.count_nonzero(graph.edges(field).degrees())),
            "used": field in used,
            "switched": field in session.edits.fields,
            **{key: worth.get(field, {}).get(key) for key in ("worth", "after", "why")},
        }
        for field in graph.fields
    ]


def switch(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Switch a `field` on or off (`on`: true or false) for the next run."""
    on = request.values.get("on")
    if not isinstance(on, bool):
        raise BadUsage(f"on is {on!r}", hint="give true or false")
    session.switch(request.text("field"), on=on)
    return state(session, request)


def judge(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Estimate the worth of the fields in the background."""
    session.judge_fields()
    return state(session, request)


RESOURCES = [get("/fields", fields), post("/fields", switch), post("/fields/judge", judge)]
