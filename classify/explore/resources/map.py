"""The map: coordinates and colours of all documents, and selections by a lasso."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.responses import Response

from classify.documents.own_vectors import join_views
from classify.explore.lists.queues import queue_rows
from classify.explore.map_layout import lay_out
from classify.explore.resources.base import RequestParameters, get, post
from classify.explore.resources.documents import document_records
from classify.suggestions.documents import document_vectors
from hin.arrays.types import Array, Floats
from hin.errors import BadUsage, UnknownName
from hin.files.atomic import atomic_file
from hin.files.checked import load_array

if TYPE_CHECKING:
    from classify.explore.session import Session

#: The number of values of a field with a colour of their own; all others share one.
_COLOURS = 12


def points(session: Session, request: RequestParameters) -> Response:
    """Return the coordinates as little-endian uint16, all x, then all y; computed once for a graph, then cached."""
    session.check_graph()
    stored = None if session.snapshot is None else session.snapshot.stored
    own = stored.vectors if stored is not None and "joint" in stored.used.get("views", {}) else None
    key = session.loaded if own is None else f"{session.loaded}-{own.identity}"
    file = session.folder / f"map-{key}.npy"

    def make() -> Floats:
        if file.exists():
            return load_array(file, "float32", (len(session.graph), 2))
        vectors = document_vectors(session.grounds())
        if own is not None and stored is not None:
            vectors = join_views(vectors, own.centred, stored.used["views"])
        places = lay_out(vectors)
        if not session.read_only:
            with atomic_file(file, own=True) as place, place.open("wb") as opened:
                np.save(opened, places)
        return places

    places = session.remember(f"map {key}", make)
    scaled = np.rint((np.clip(np.asarray(places), -1, 1) + 1) / 2 * 65535).astype("<u2")
    return Response(scaled.T.tobytes(), media_type="application/octet-stream")


def colours(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return a colour code for each document, and the legend.

    The parameter `by` is category, confidence, answer, moved, list or the name of a field; with `list`, the documents
    of a queue are marked, which the queue's own parameters choose.
    """
    by, found = request.text("by", "category"), session.classified()
    if by == "category":
        return _named(found.labels, list(found.names))
    if by == "confidence":
        tenths = np.clip((found.confidence * 10).astype(np.int64), 0, 9)
        return {"names": [f"{n * 10} to {n * 10 + 10} %" for n in range(10)], "codes": tenths.tolist(), "ordered": True}
    if by == "answer":
        names = [category.name for category in session.edits.categories]
        codes = np.full(len(session.graph), -1)
        for document, given in session.answers.current().items():
            codes[session.row(document)] = names.index(given) if given in names else -1
        return _named(codes, names)
    if by == "moved":
        moved = session.history().moved_last()
        return _named(np.where(False if moved is None else moved, found.labels, -1), list(found.names))
    if by == "list":
        codes = np.full(len(session.graph), -1)
        codes[queue_rows(session, request.text("queue"), request)] = 0
        return _named(codes, ["in the list"])
    if by in session.graph.fields:
        edges = session.graph.edges(by)
        common = np.argsort(-edges.in_degrees(session.graph.size(by)), kind="stable")[:_COLOURS]
        number = np.full(session.graph.size(by) + 1, -1)
        number[common] = np.arange(len(common))
        first = np.full(len(edges), -1)  # a point has one colour: of several values, the first
        held = edges.degrees() > 0
        first[held] = np.asarray(edges.targets)[np.asarray(edges.offsets[:-1])[held]]
        return _named(number[first], session.graph.names(by).take(common.tolist()))
    raise UnknownName(f"cannot colour by {by!r}", hint="give category, confidence, answer, moved, list or a field")


def _named(codes: Array, names: list[str]) -> dict[str, Any]:
    return {"names": names, "codes": codes.tolist(), "ordered": False}


def lasso(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Store the `rows` that a lasso holds; return its name, for the queue `lasso`."""
    rows = request.listed("rows")
    if not all(isinstance(row, int) and 0 <= row < len(session.graph) for row in rows):
        raise BadUsage(
            "`rows` must be a list of document numbers", hint=f"give numbers from 0 to {len(session.graph) - 1}"
        )
    return {"lasso": session.lassos.store(rows), "documents": len(rows)}


def point(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return the record of the document at a point."""
    return document_records(session, [request.number("row", 0, most=len(session.graph) - 1)])[0]


RESOURCES = [
    get("/map/points", points),
    get("/map/colours", colours),
    get("/map/point", point),
    post("/map/lasso", lasso),
]
