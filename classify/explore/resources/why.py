"""Why: one document with its text, its values, and the reasons for its category."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from classify.explore.resources.base import RequestParameters, get
from classify.explore.resources.documents import document_records

if TYPE_CHECKING:
    from classify.explore.session import Session

#: The most characters of a text, and values of a field, that are shown.
_LONG = 20_000
_VALUES = 200


def why(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return a document, and why it has its category, or why not another (`category`)."""
    session.check_graph()
    name, graph = request.text("document"), session.graph
    row = session.row(name)
    found: dict[str, Any] = {
        **document_records(session, [row])[0],
        "texts": [
            {"field": field, "text": text[:_LONG], "cut": len(text) > _LONG}
            for field, text in zip(graph.texts.fields, graph.texts[row], strict=True)
            if text.strip()
        ],
        "values": {
            field: graph.names(field).take(graph.edges(field).row(row)[:_VALUES].tolist()) for field in graph.fields
        },
        "links": {
            link: graph.documents.take(graph.edges(link).row(row)[:_VALUES].tolist()) for link in graph.links
        },
    }  # fmt: skip
    if session.snapshot is not None:
        found["why"] = session.explain(name, request.text("category", "") or None)
    return found


def flip(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return the fewest reasons without which a `document` would have another category, as `hin explain --flip`."""
    session.check_graph()
    return {"flip": session.flip(request.text("document"))}


def near(session: Session, request: RequestParameters) -> list[dict[str, Any]]:
    """Return the documents nearest to one in the joint embedding, with the cosine."""
    from classify.suggestions.documents import document_vectors

    row, number = session.row(request.text("document")), request.number("limit", 5, least=1, most=50)
    grounds = session.grounds()
    vectors = session.remember(f"vectors {session.classified().identity}", lambda: document_vectors(grounds))
    cosines = np.asarray(vectors @ vectors[row])
    cosines[row] = -2.0
    rows = np.argpartition(-cosines, min(number, len(cosines) - 1))[:number]
    rows = rows[np.argsort(-cosines[rows], kind="stable")]
    return [
        {**record, "cosine": round(float(cosines[at]), 4)}
        for at, record in zip(rows.tolist(), document_records(session, rows.tolist()), strict=True)
        if cosines[at] > 0
    ]


RESOURCES = [get("/why", why), get("/flip", flip), get("/near", near)]
