"""Convert single documents of a graph, or mappings with text and metadata, to batches of records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hin.errors import BadInput
from hin.reading.columns.html_text import plain_text
from hin.reading.options import ID_FIELDS
from hin.reading.values import LostSpellingError, WrongTypeError, dig, text_of, values_of

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.reading.records import RecordBatch


def record_of(graph: Graph, row: int) -> RecordBatch:
    """Return one document of a graph as a batch of its own."""
    from hin.reading.records import RecordBatch

    metadata = {name: [graph.names(name).take(graph.edges(name).row(row))] for name in graph.fields}
    return RecordBatch([graph.documents[row]], [graph.texts[row]], metadata, [None], {}, [("the graph", row + 1)])


def batch_of_mappings(
    documents: Iterable[Mapping[str, Any]],
    text_fields: Sequence[str],
    fields: Sequence[str],
    reading: Mapping[str, Any] | None = None,
    names: Sequence[str] | None = None,
) -> RecordBatch:
    """Convert mappings with text and metadata to a batch; values may be single or lists, missing ones are empty.

    Unlike a file, a new document need not have a text or an id of its own.

    Parameters
    ----------
    reading : how the documents of the fit were read: `id`, `renames`, `html`, `separator`.
    names : the ids of documents without one; by default their positions.

    Examples
    --------
    >>> batch = batch_of_mappings([{"text": "On graphs", "year": 2008}], ["text"], ["year", "venue"])
    >>> batch.texts, batch.metadata
    ([('On graphs',)], {'year': [['2008']], 'venue': [[]]})
    """
    from hin.reading.records import RecordBatch

    rows = list(documents)
    for row in rows:
        if not isinstance(row, Mapping):
            raise BadInput(
                f"a document is a text or a mapping, not {type(row).__name__}",
                hint='e.g. {"text": "...", "year": 2008}',
            )
    how, names = reading or {}, names or [str(i) for i in range(len(rows))]
    sources = {name: name for name in (*text_fields, *fields)} | dict(how.get("renames") or {})
    _check_fields(rows, [sources[name] for name in (*text_fields, *fields)])
    html, separator = set(how.get("html") or ()), how.get("separator")
    ids = tuple(dict.fromkeys(name for name in (how.get("id"), *ID_FIELDS) if name))
    return RecordBatch(
        [next((str(row[name]) for name in ids if row.get(name) is not None), names[i]) for i, row in enumerate(rows)],
        [tuple(_text(row, sources[name], html) for name in text_fields) for row in rows],
        {name: [_values(_value(row, sources[name]), separator) for row in rows] for name in fields},
        [None] * len(rows),
        {},
        [("documents", i + 1) for i in range(len(rows))],
    )


def _check_fields(rows: Sequence[Mapping[str, Any]], sources: Sequence[str]) -> None:
    """Raise if no document has a field that the model knows: then the fields probably have other names."""
    if rows and not any(_value(row, source) is not None for source in sources for row in rows):
        there = ", ".join(dict.fromkeys(str(name) for row in rows for name in row)) or "nothing"
        raise BadInput(
            f"no document has a field that the model was fitted on ({', '.join(sources)})",
            hint=f"there is {there}; rename the fields that are meant",
        )


def _value(row: Mapping[str, Any], source: str) -> Any:
    value = row.get(source)
    return dig(dict(row), source.split(".")) if value is None and "." in source else value


def _text(row: Mapping[str, Any], source: str, html: set[str]) -> str:
    value = _value(row, source)
    text = str(value) if isinstance(value, str) else (text_of(value) or "") if value is not None else ""
    return plain_text(text) if source in html else text


def _values(value: Any, separator: str | None) -> list[str]:
    try:
        return values_of(value, None, separator)
    except (LostSpellingError, WrongTypeError):  # floats, and what is neither string nor number, by their own spelling
        items = [value] if isinstance(value, str) or not isinstance(value, Iterable) else value
        return [str(item) for item in items if item is not None]
