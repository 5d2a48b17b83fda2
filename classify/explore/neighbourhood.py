"""The neighbourhood of a node in the graph: what a picture shows when the node is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hin.cypher_names import CypherNames
from hin.errors import UnknownName

if TYPE_CHECKING:
    from classify.explore.session import Session

#: The most neighbours of a node, and of those the most of one field or link of a document.
_MOST, _EACH = 12, 4


def picture_node(session: Session, label: str, name: str, document: str | None = None) -> dict[str, Any]:
    """Return a node of a picture.

    Parameters
    ----------
    label : in Cypher; a document has the name of its title.
    document : the id of a document.

    Returns
    -------
    dict
        `show` is the queue that lists its documents; None where the page has none.
    """
    show: dict[str, str] | None = None
    if document is not None:
        row = session.graph.documents.get(document)
        name = (None if row is None else session.graph.texts.title(row, 60)) or document
        show = {"queue": "search", "search": document}
    elif label == "Category":
        show = {"queue": "typical", "category": name} if _is_category(session, name) else None
    elif (field := _field(session, label)) is not None and field != "term":
        show = {"queue": "search", "search": f"{field}: {name}"}
    return {"label": label, "name": name, "document": document, "show": show}


def neighbours(session: Session, label: str, name: str) -> list[dict[str, Any]]:
    """Return some neighbours of a node, each with its relationship: at most 12, the surest documents first.

    Parameters
    ----------
    label, name : a document by its id, a value, a term or a category by its name.
    """
    if label == "Document":
        return _of_document(session, name)
    if label == "Category" and _is_category(session, name):
        found = session.classified()
        rows = np.flatnonzero(found.labels == found.code(name))
        return _documents(session, rows, "CLASSIFIED_AS")
    field = _field(session, label)
    at = None if field is None else session.graph.names(field).get(name)
    if field is None or at is None:
        raise UnknownName(f"nothing is known around {label} {name!r}", hint="open a document, a value or a category")
    edges = session.graph.edges(field)
    held = np.flatnonzero(np.asarray(edges.targets) == at)
    rows = np.unique(np.searchsorted(edges.offsets, held, side="right") - 1)
    return _documents(session, rows, CypherNames.of_graph(session.graph).relationships[field])


def _is_category(session: Session, name: str) -> bool:
    return session.snapshot is not None and session.snapshot.code(name) >= 0


def _field(session: Session, label: str) -> str | None:
    """Return the node type with a label in Cypher."""
    labels = CypherNames.of_graph(session.graph).labels
    return next((field for field, known in labels.items() if known == label and field != "document"), None)


def _of_document(session: Session, document: str) -> list[dict[str, Any]]:
    graph, row, found = session.graph, session.row(document), list[dict[str, Any]]()
    names = CypherNames.of_graph(graph)
    if session.snapshot is not None and (code := int(session.snapshot.labels[row])) >= 0:
        found.append(_joined(picture_node(session, "Category", session.snapshot.names[code]), "CLASSIFIED_AS"))
    for link in graph.links:
        for other in graph.documents.take(graph.edges(link).row(row)[:_EACH].tolist()):
            found.append(_joined(picture_node(session, "Document", other, other), names.relationships[link]))
    for field in graph.fields:
        for value in graph.names(field).take(graph.edges(field).row(row)[:_EACH].tolist()):
            found.append(_joined(picture_node(session, names.labels[field], value), names.relationships[field]))
    return found[:_MOST]


def _documents(session: Session, rows: Any, relationship: str) -> list[dict[str, Any]]:
    if session.snapshot is not None:
        rows = rows[np.argsort(-session.snapshot.confidence[rows], kind="stable")]
    ids = session.graph.documents.take(rows[:_MOST].tolist())
    return [_joined(picture_node(session, "Document", one, one), relationship) for one in ids]


def _joined(node: dict[str, Any], relationship: str) -> dict[str, Any]:
    return {"node": node, "relationship": relationship}
