"""Categories: replaced as a whole, checked while the user types, with suggested words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.category_file import Category
from classify.categories.finding import find_categories
from classify.categories.keywords import Keyword, find_keyword
from classify.categories.term_lookup import TermIndex
from classify.explore.resources.base import RequestParameters, get, post
from classify.explore.resources.state import state
from hin.errors import BadUsage, HinError

if TYPE_CHECKING:
    from classify.explore.session import Session

#: A word of which a larger share of documents is in one other category clashes with it.
_MOST = 0.5


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
    """Check a name or a word while it is typed: how it is found, in how many documents, and what it clashes with."""
    kind, text, of = request.text("kind"), " ".join(request.text("text").split()), request.text("of", "")
    word = text if kind == "name" else text.removeprefix("-").strip()
    if not word:
        return {"documents": 0, "notes": []}
    try:
        index = session.remember("terms", partial(TermIndex, session.graph))
        keyword = find_keyword(session.graph, index, word, "the category")
        if kind == "name":
            found = find_categories(session.graph, [Category(text)], index)[0][0]
            documents, notes = found.documents, found.notes()
        else:
            documents, notes = keyword.documents, [] if keyword.found else ["occurs nowhere"]
    except HinError as error:
        return {"documents": 0, "notes": [str(error)]}
    others = [one for one in session.edits.categories if one.name != of]
    notes += [f"clashes with the category {one.name}" for one in others if word.casefold() == one.name.casefold()]
    notes += [f"also a word of {one.name}" for one in others if word in one.keywords]
    if keyword.found and word == text:  # a minus is meant to speak against them
        notes += _mostly_elsewhere(session, keyword, index, of)
    return {"documents": documents, "notes": notes}


def _mostly_elsewhere(session: Session, keyword: Keyword, index: TermIndex, of: str) -> list[str]:
    """Name the other category that most documents with a word have now, if one does."""
    found = session.snapshot
    rows, _ = keyword.seen or index.documents_with(keyword.keyword)
    if found is None or not len(rows):
        return []
    labels = found.labels[rows]
    sizes = np.bincount(labels[labels >= 0], minlength=len(found.names))
    best, share = found.names[int(sizes.argmax())], float(sizes.max()) / len(rows)
    return [f"clashes with {best}, where {share:.0%} of them are"] if share > _MOST and best != of else []


def suggestions(session: Session, request: RequestParameters) -> list[dict[str, Any]]:
    """Return the problems of each name in the last run, and the words suggested for its category."""
    from classify.suggestions.suggest import help_for

    grounds = session.grounds()
    found = session.remember(f"suggestions {session.classified().identity}", lambda: help_for(grounds))
    return [one.as_dict() for one in found]


RESOURCES = [post("/categories", edit), get("/check", check), get("/suggestions", suggestions)]
