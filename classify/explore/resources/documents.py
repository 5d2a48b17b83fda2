"""Documents: queues to look at, and answers to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.explore.lists.queues import queue_rows
from classify.explore.resources.base import RequestParameters, get, post
from classify.explore.resources.state import state
from hin.errors import BadUsage

if TYPE_CHECKING:
    from classify.explore.session import Session

#: The most documents of one answer; a larger selection is labelled by its queue.
_MOST = 500
_MANY = 200_000


def documents(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return a part of a queue: `queue`, `category`, `other`, `search`, `offset`, `limit`."""
    session.check_graph()
    rows = queue_rows(session, request.text("queue", "all"), request)
    first = request.number("offset", 0)
    some = rows[first : first + request.number("limit", 50, least=1, most=_MOST)]
    records, notes = document_records(session, some.tolist()), session.lassos.notes(request.text("lasso", ""))
    for row, record in zip(some.tolist(), records, strict=True) if notes else ():
        record["after"] = notes.get(row)
    if request.text("queue", "all") == "measure":
        records = _unbiased(session, records)
    return {"total": len(rows), "offset": first, "documents": records}


def _unbiased(session: Session, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return records without the labels, which would bias the person who measures them."""
    measured = session.answers.measured()
    shown = [{key: record[key] for key in ("document", "title", "excerpt")} for record in records]
    return [{**record, "category": None, "answer": measured.get(record["document"])} for record in shown]


def document_records(session: Session, rows: list[int]) -> list[dict[str, Any]]:
    """Return the records that a list of documents shows."""
    answers, found, graph = session.answers.current(), session.snapshot, session.graph
    before = session.labels_before()
    records = []
    for row in rows:
        name = graph.documents[row]
        title, excerpt = graph.texts.title(row, 160), _excerpt(graph.texts[row])
        record: dict[str, Any] = {"document": name, "title": title, "excerpt": excerpt, "answer": answers.get(name)}
        if found is not None:
            label, second = int(found.labels[row]), int(found.runner_up[row])
            record |= {
                "category": found.names[label] if label >= 0 else None,
                "confidence": round(float(found.confidence[row]), 4),
                "runner_up": found.names[second] if len(found.names) > 1 else None,
            }
            if before is not None and before[row] != (record["category"] or ""):
                record["before"] = before[row] or None
        records.append(record)
    return records


def _excerpt(texts: tuple[str, ...]) -> str:
    """Return the beginning of what follows the title.

    >>> _excerpt(("", "Broken parcel", "It came late"))
    'It came late'
    """
    return " ".join(" ".join([part for part in texts if part.strip()][1:])[:400].split())[:160]


def answer(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Store answers: `answers` by document, or one `category` for all `documents`, or for a whole `queue`."""
    given = request.mapping("answers")
    category = request.values.get("category")
    if not isinstance(category, str | None):
        raise BadUsage(f"category is {category!r}", hint="give a name, or null to revoke answers")
    if "documents" in request.values:
        given = dict.fromkeys(request.listed("documents"), category)
    elif "queue" in request.values:
        rows = queue_rows(session, request.text("queue"), request)
        given = dict.fromkeys(session.graph.documents.take(rows), category)
    if len(given) > _MANY:
        raise BadUsage(f"{len(given):,} documents at once", hint=f"select at most {_MANY:,}")
    if not all(isinstance(doc, str) and isinstance(one, str | None) for doc, one in given.items()):
        raise BadUsage("answers map documents to categories", hint='e.g. {"doc42": "games"}')
    purpose = request.text("purpose", "teach")
    if purpose not in ("teach", "measure"):
        raise BadUsage(f"purpose is {purpose!r}", hint="give teach or measure")
    (session.answer if purpose == "teach" else session.measure)(given)
    return {"answered": len(given), "state": state(session, request)}


RESOURCES = [get("/documents", documents), post("/answers", answer)]
