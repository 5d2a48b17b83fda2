"""Search among the documents: words, a metadata value, a regular expression, or a Cypher query."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.arrow_columns import numbers, values_of
from hin.arrays.types import Bools, Int64
from hin.engines.local import core_count
from hin.errors import BadUsage, UnknownName

if TYPE_CHECKING:
    from classify.explore.session import Session

_CYPHER = re.compile(r"\s*(MATCH|CALL|UNWIND|WITH|OPTIONAL)\s", re.IGNORECASE)
#: The most documents of a query.
_MOST = 100_000
#: The number of documents that a thread looks through at a time.
_BATCH = 10_000


def search_rows(session: Session, text: str) -> Int64:
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
    for field in session.graph.fields:
        found = re.fullmatch(rf"{re.escape(field)}(?:\s*:(.+)|\[(.+)\])", text, re.IGNORECASE | re.DOTALL)
        if found:
            return _with_value(session, field, (found[1] or found[2]).strip())
    return _with_words(session, text)


def _with_value(session: Session, field: str, value: str) -> Int64:
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


def _with_words(session: Session, text: str) -> Int64:
    if (row := session.graph.documents.get(text)) is not None:  # an id, typed in full
        return np.array([row], dtype=np.int64)
    held = np.ones(len(session.graph), dtype=np.bool_)
    for word in sorted(text.split(), key=len, reverse=True):  # the longest is the rarest, as a rule
        held &= _holding(session, word, regex=False, among=held)
    return np.flatnonzero(held).astype(np.int64)


def _matching(session: Session, pattern: str) -> Int64:
    return np.flatnonzero(_holding(session, pattern, regex=True)).astype(np.int64)


def _holding(session: Session, pattern: str, regex: bool, among: Bools | None = None) -> Bools:
    """Mark the documents that hold a pattern, of those that are `among` some."""
    import pyarrow as pa
    import pyarrow.compute as pc

    match: Any = pc.match_substring_regex if regex else pc.match_substring
    held, texts = np.zeros(len(session.graph), dtype=np.bool_), session.graph.texts.table
    if not texts.num_columns:
        return held

    def look(first: int, batch: Any) -> None:
        rows = np.arange(batch.num_rows) if among is None else np.flatnonzero(among[first : first + batch.num_rows])
        if len(rows) < batch.num_rows:
            batch = batch.take(numbers(rows, np.int64))  # of the whole table, it would copy all texts
        for column in batch.columns:
            found = pc.indices_nonzero(match(column, pattern, ignore_case=True))
            if len(found):
                held[first + rows[values_of(found, np.uint64)]] = True

    batches = texts.to_batches(max_chunksize=_BATCH)
    firsts = np.cumsum([0, *(batch.num_rows for batch in batches)]).tolist()
    try:
        with ThreadPoolExecutor(core_count()) as pool:
            list(pool.map(look, firsts, batches))
    except pa.ArrowInvalid as error:
        what = str(error).removeprefix("Invalid regular expression: ")
        raise BadUsage(f"no regular expression: {what}", hint="see RE2's syntax") from None
    return held


def queried_rows(session: Session, text: str) -> Int64:
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
