"""The state that the page always shows: categories, the run's progress, what can be undone."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from classify.explore.resources.base import RequestParameters, get, post
from classify.explore.source_file import source_file
from hin.errors import HinError

if TYPE_CHECKING:
    from classify.explore.session import Session


def state(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return everything that may change while the page is open; `revision` changes with it."""
    with session.lock:
        snapshot, categories = session.snapshot, session.edits.categories
        answers = Counter(session.answers.current().values())
        sizes = {} if snapshot is None else {one["name"]: one for one in snapshot.sizes()}
        try:
            session.check_graph()
            warning = None
        except HinError as error:
            warning = str(error)
        return {
            "graph": session.store.name,
            "loaded": session.loaded,
            "documents": len(session.graph),
            "file": None if (file := source_file(session)) is None else file.name,
            "began_with_file": session.began_with_file,
            "fields": list(session.graph.fields),
            "links": list(session.graph.links),
            "texts": list(session.graph.texts.fields),
            "read_only": session.read_only,
            "revision": session.edits.revision,
            "undo": session.edits.last,
            "switched": session.edits.fields,
            "categories": [
                {**asdict(one), "size": sizes.get(one.name), "answers": answers.get(one.name, 0)} for one in categories
            ],
            "answers": sum(answers.values()),
            "classified": None if snapshot is None else _classified(session),
            "run": session.run.status(),
            "warning": warning,
        }


def _classified(session: Session) -> dict[str, Any]:
    """Describe the run of the labels shown, and whether there are later edits."""
    found = session.classified()
    stored = found.stored
    names = [category.name for category in session.edits.categories]
    current = {document: given for document, given in session.answers.current().items() if given in names}
    known = {document: given if isinstance(given, str) else given[0] for document, given in stored.known.items()}
    return {
        "identity": found.identity,
        "names": list(found.names),
        "without": int((found.labels < 0).sum()),
        "confidence": round(float(found.confidence.mean()), 4) if len(found.confidence) else None,
        "notes": list(stored.notes),
        "current": stored.given_categories == session.edits.categories
        and known == current
        and stored.stage.options.get("answers") == session.answers.identity(names, session.several)
        and list(stored.stage.option("patterns")) == list(session.run_options.patterns),
    }


def undo(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Take the last edit back."""
    return {**session.undo(), "state": state(session, request)}


RESOURCES = [get("/state", state), post("/undo", undo)]
