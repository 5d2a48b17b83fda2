"""Search among the documents: words, a metadata value, a regular expression, or a Cypher query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.errors import BadUsage, UnknownName

if TYPE_CHECKING:
    from classify.explore.session import Session

__all__ = ["search_rows"]

Rows = npt.NDArray[np.int64]
_VALUE = re.compile(r"(\w+)\s*:\s*(.+)|(\w+)\[(.+)\]", re.DOTALL)
_CYPHER = re.compile(r"\s*(MATCH|CALL|UNWIND|WITH|OPTIONAL)\s", re.IGNORECASE)
#: The most documents of a query.
_MOST = 100_000


def search_rows(session: Session, text: str) -> Rows:
    """Return the documents that a search finds, in their order.

    `/re/` is a regular expression; `venue: KDD` or `VENUE[KDD]` a value, where there is such a field; a text that
    begins with MATCH a query that returns documents or their ids; anything else words that a document must all hold.
    """
    text = text.strip()
    if not text:
        return np.arange(len(session.graph), dtype=np.int64)
    if _CYPHER.match(text):
        return queried_rows(session, text)
    if len(text) > 2 and text.startswith("/") and text.endswith("/"):
        return _matching(session, text[1:-1])
    found = _VALUE.fullmatch(text)
    if found and (field := _field(session, found[1] or found[3])) is not None:
        return _with_value(session, field, (found[2] or found[4]).strip())
    return _with_words(session, text)


def _field(session: Session, name: str) -> str | None:
    return next((field for field in session.graph.fields if field.lower() == name.lower()), None)


def _with_value(session: Session, field: str, value: str) -> Rows:
    graph = session.graph
    names = graph.names(field)
    at = names.get(value)
    if at is None:
        folded = value.casefold()
        at = next((i for i, name in enumerate(names) if name.casefold() == folded), None)
    if at is None:
        return np.zeros(0, dtype=np.int64)
    edges = graph.edges(field)
    held = np.flatnonzero(np.asarray(edges.targets) == at)
    return np.unique(np.searchsorted(edges.offsets, held, side="right") - 1).astype(np.int64)


def _with_words(session: Session, text: str) -> Rows:
    held = np.ones(len(session.graph), dtype=np.bool_)
    for word in text.split():
        held &= _holding(session, word, regex=False) | (session.graph.documents.get(text) is not None)
    if (row := session.graph.documents.get(text)) is not None:  # an id, typed in full
        return np.array([row], dtype=np.int64)
    return np.flatnonzero(held).astype(np.int64)


def _matching(session: Session, pattern: str) -> Rows:
    return np.flatnonzero(_holding(session, pattern, regex=True)).astype(np.int64)


def _holding(session: Session, pattern: str, regex: bool) -> npt.NDArray[np.bool_]:
    import pyarrow as pa
    import pyarrow.compute as pc

    match: Any = pc.match_substring_regex if regex else pc.match_substring
    held = np.zeros(len(session.graph), dtype=np.bool_)
    for column in session.graph.texts.table.columns:
        try:
            found = match(column, pattern, ignore_case=True)
        except pa.ArrowInvalid as error:
            what = str(error).removeprefix("Invalid regular expression: ")
            raise BadUsage(f"no regular expression: {what}", hint="see RE2's syntax") from None
        held |= found.fill_null(fill_value=False).combine_chunks().to_numpy(zero_copy_only=False)
    return held


def queried_rows(session: Session, text: str) -> Rows:
    """Return the documents in the result of a Cypher query: nodes, or ids in a column `id`, `d.id` or `document`."""
    from hin.cypher.options import QueryOptions

    result = session.query(text, QueryOptions(limit=_MOST, timeout=30.0))
    ids = [properties["id"] for labels, properties in result.graph.nodes.values() if "Document" in labels]
    at = next((i for i, name in enumerate(result.columns) if name == "document" or name.split(".")[-1] == "id"), None)
    if not ids and at is not None:
        ids = [str(row[at]) for row in result.rows]
    if not ids and result.rows:
        raise UnknownName("the query returned no documents", hint="RETURN d, or d.id, for a document d")
    rows = [row for row in map(session.graph.documents.get, dict.fromkeys(ids)) if row is not None]
    return np.array(rows, dtype=np.int64)
