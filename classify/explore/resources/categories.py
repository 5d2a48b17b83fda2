"""Categories: replaced as a whole, checked while the user types, with suggested words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from classify.categories.category_file import Category
from classify.categories.finding import find_categories
from classify.categories.keywords import find_keyword
from classify.categories.term_lookup import TermIndex
from classify.explore.resources.base import RequestParameters, get, post
from classify.explore.resources.state import state
from hin.errors import BadUsage, HinError

if TYPE_CHECKING:
    from classify.explore.session import Session


def edit(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Replace the categories: `categories`, the `revision` they were edited from, `what` was done, and `renamed`."""
    renamed = request.mapping("renamed")
    if not all(isinstance(new, str | None) for new in renamed.values()):
        raise BadUsage("renamed maps a name to its new one", hint='e.g. {"games": "play"}')
    records = request.listed("categories")
    if not all(isinstance(record, dict) for record in records):
        raise BadUsage("a category is an object", hint='e.g. {"name": "games"}')
    session.edit_categories(request.text("what", "edited"), records, renamed, request.number("revision", -1, least=-1))
    return state(session, request)


def check(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Check a name or a word while it is typed: how it is found, and in how many documents."""
    kind, text = request.text("kind"), " ".join(request.text("text").split())
    if not text:
        return {"documents": 0, "notes": []}
    if kind == "name":
        found = find_categories(session.graph, [Category(text)])[0][0]
        return {"documents": found.documents, "notes": found.notes()}
    try:
        index = session.remember("terms", partial(TermIndex, session.graph))
        keyword = find_keyword(session.graph, index, text.removeprefix("-").strip(), "the category")
    except HinError as error:
        return {"documents": 0, "notes": [str(error)]}
    taken = [
        one.name for one in session.edits.categories if text in one.keywords and one.name != request.text("of", "")
    ]
    notes = [f"also a word of {name}" for name in taken]
    return {"documents": keyword.documents, "notes": notes if keyword.found else ["occurs nowhere"]}


def suggestions(session: Session, request: RequestParameters) -> list[dict[str, Any]]:
    """Return the problems of each name in the last run, and the words suggested for its category."""
    from classify.suggestions.suggest import help_for

    grounds = session.grounds()
    found = session.remember(f"suggestions {session.classified().identity}", lambda: help_for(grounds))
    return [one.as_dict() for one in found]


RESOURCES = [post("/categories", edit), get("/check", check), get("/suggestions", suggestions)]
