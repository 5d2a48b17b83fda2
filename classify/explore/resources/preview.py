"""Preview: which documents would move with the current edits, with others, or with each suggested word."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from classify.explore.previews.previewing import preview_change, preview_of
from classify.explore.resources.base import RequestParameters, get, post
from classify.explore.resources.categories import suggestions
from classify.explore.state.edits import checked_categories
from hin.errors import BadUsage

if TYPE_CHECKING:
    from classify.explore.session import Session


def preview(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Preview a run with the current edits, or with other `categories` or switched `fields`."""
    session.check_graph()
    categories, fields = None, request.mapping("fields")
    if "categories" in request.values:
        records = request.listed("categories")
        if not all(isinstance(record, dict) for record in records):
            raise BadUsage("a category is an object", hint='e.g. {"name": "games"}')
        categories = checked_categories(records, session.several)
    if not all(field in session.graph.fields and isinstance(on, bool) for field, on in fields.items()):
        raise BadUsage("fields maps fields of the graph to true or false", hint='e.g. {"venue": false}')
    return preview_change(session, categories, fields)


def ready(session: Session, request: RequestParameters) -> dict[str, bool]:
    """Prepare previews, which takes a while after each run."""
    preview_of(session)
    return {"ready": True}


def words(session: Session, request: RequestParameters) -> dict[str, int]:
    """Return, for each word suggested for a `category`, about how many documents it would move."""
    name, found = request.text("category"), dict[str, int]()
    offered: list[dict[str, Any]] = next(
        (one["words"] for one in suggestions(session, request) if one["category"] == name), []
    )
    before = preview_change(session)["moved"]
    for word in [one["keyword"] for one in offered]:
        changed = [
            replace(one, keywords=(*one.keywords, word)) if one.name == name and word not in one.keywords else one
            for one in session.edits.categories
        ]
        found[word] = max(0, preview_change(session, changed)["moved"] - before)
    return found


RESOURCES = [post("/preview", preview), get("/preview/ready", ready), get("/preview/words", words)]
