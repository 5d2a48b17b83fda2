"""Queues of documents to review and label: each is a function from a session to rows, in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hin.arrays.types import Int64
from hin.errors import BadUsage, UnknownName

if TYPE_CHECKING:
    from classify.explore.resources.base import RequestParameters
    from classify.explore.session import Session

#: The number of documents asked about at a time.
ASKED = 40


def queue_rows(session: Session, name: str, request: RequestParameters) -> Int64:
    """Return the rows of a queue's documents."""
    if name not in QUEUES:
        raise UnknownName(f"no queue {name!r}", hint=f"there are {', '.join(QUEUES)}")
    return QUEUES[name](session, request)


def _all(session: Session, request: RequestParameters) -> Int64:
    return np.arange(len(session.graph), dtype=np.int64)


def _search(session: Session, request: RequestParameters) -> Int64:
    from classify.explore.lists.search import search_rows

    return search_rows(session, request.text("search"))


def _lasso(session: Session, request: RequestParameters) -> Int64:
    return session.lassos.rows(request.text("lasso"))


def _unanswered(session: Session, rows: Int64) -> Int64:
    """Leave out the documents that the person has answered."""
    answered = [row for row in map(session.graph.documents.get, session.answers.current()) if row is not None]
    return rows[~np.isin(rows, np.array(answered, dtype=np.int64))]


def _of(session: Session, request: RequestParameters, name: str = "category") -> int:
    category = request.text(name)
    code = session.classified().code(category)
    if code < 0:
        raise UnknownName(f"the last run had no category {category!r}", hint="run first")
    return code


def _asking(session: Session, request: RequestParameters) -> Int64:
    return _unanswered(session, session.worth_asking(ASKED))


def _unsure(session: Session, request: RequestParameters) -> Int64:
    found = session.classified()
    code = _of(session, request) if request.text("category", "") else None
    mine = np.flatnonzero(found.labels >= 0 if code is None else found.labels == code)
    return _unanswered(session, mine[np.argsort(found.margin[mine], kind="stable")])


def _typical(session: Session, request: RequestParameters) -> Int64:
    found = session.classified()
    mine = np.flatnonzero(found.labels == _of(session, request))
    return mine[np.argsort(-found.confidence[mine], kind="stable")]


def _between(session: Session, request: RequestParameters) -> Int64:
    found = session.classified()
    pair = [_of(session, request), _of(session, request, "other")]
    if pair[0] == pair[1]:
        raise BadUsage("two categories are needed", hint="choose another one")
    if max(pair) >= len(found.stored.categories):
        raise BadUsage("a parent category has no documents of its own", hint="choose two below it")
    values = np.asarray(found.stored.probabilities[:, pair])
    mine = np.flatnonzero(np.isin(found.labels, pair) & np.isin(found.runner_up, pair))
    order = np.argsort(np.abs(values[mine, 0] - values[mine, 1]), kind="stable")
    return _unanswered(session, mine[order])


def _none(session: Session, request: RequestParameters) -> Int64:
    """Return the documents farthest from every name, those without a category first."""
    found = session.classified()
    nearest = found.stored.nearest
    near = found.confidence if nearest is None else np.asarray(nearest[:, 0])
    order = np.lexsort((near, found.labels >= 0))
    least = max(ASKED, int((found.labels < 0).sum()))
    return _unanswered(session, order[: max(least, len(order) // 20)])


def _moved(session: Session, request: RequestParameters) -> Int64:
    """Return the documents that the last run moved, the surest first, those with an answer after all others."""
    found = session.classified()
    moved = session.history().moved_last()
    mine = np.flatnonzero(moved) if moved is not None else np.zeros(0, dtype=np.int64)
    mine = mine[np.argsort(-found.confidence[mine], kind="stable")]
    unexpected = _unanswered(session, mine)
    return np.concatenate([unexpected, mine[~np.isin(mine, unexpected)]])


def _answered(session: Session, request: RequestParameters) -> Int64:
    wanted = request.text("category", "")
    named = [document for document, given in session.answers.current().items() if wanted in ("", given)]
    rows = [row for row in map(session.graph.documents.get, named) if row is not None]
    return np.array(rows[::-1], dtype=np.int64)  # the newest first


def _motif(session: Session, request: RequestParameters) -> Int64:
    """Return the documents of a motif instance."""
    from classify.explore.instances import instance_rows

    return instance_rows(session, request.text("pattern"), request.text("instance"))


def _measure(session: Session, request: RequestParameters) -> Int64:
    """Return the documents drawn last to measure by."""
    from classify.answers.measuring import read_draws
    from hin.files.graph_folder import ANSWERS

    drawn = read_draws(session.store.workspace / ANSWERS)[-1:]
    rows = [session.graph.documents.get(document) for draw in drawn for document in draw.documents]
    return np.array([row for row in rows if row is not None], dtype=np.int64)


QUEUES: dict[str, Callable[[Session, RequestParameters], Int64]] = {
    "asking": _asking, "unsure": _unsure, "typical": _typical, "between": _between, "none": _none, "moved": _moved,
    "answered": _answered, "search": _search, "lasso": _lasso, "preview": _lasso, "measure": _measure,
    "motif": _motif, "all": _all,
}  # fmt: skip
