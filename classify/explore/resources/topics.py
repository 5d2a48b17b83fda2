"""Topics: groups of documents by their words, to name categories by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.explore.resources.base import RequestParameters, get
from classify.explore.topics import find_topics

if TYPE_CHECKING:
    from classify.explore.session import Session


def topics(session: Session, request: RequestParameters) -> list[dict[str, Any]]:
    """Return topics with their words, the number of documents of a sample, and a list of typical ones (a lasso)."""
    session.check_graph()
    found = session.remember(f"topics {session.loaded}", lambda: find_topics(session.graph))
    return [
        {
            "words": list(one.words),
            "documents": one.documents,
            "typical": len(one.typical),
            "lasso": session.lassos.store(one.typical),
        }
        for one in found
    ]


RESOURCES = [get("/topics", topics)]
