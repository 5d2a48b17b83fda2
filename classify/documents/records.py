"""Documents that come one by one: of a graph, or as mappings with text and metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hin.errors import BadInput

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.reading.records import RecordBatch

__all__ = ["batch_of_mappings", "record_of"]


def record_of(graph: Graph, row: int) -> RecordBatch:
    """Return one document of a graph as a batch of its own."""
    from hin.reading.records import RecordBatch

    metadata = {name: [graph.names(name).take(graph.edges(name).row(row))] for name in graph.fields}
    return RecordBatch([graph.documents[row]], [graph.texts[row]], metadata, [None], {}, [("the graph", row + 1)])


def batch_of_mappings(
    documents: Iterable[Mapping[str, Any]], text_fields: Sequence[str], fields: Sequence[str]
) -> RecordBatch:
    """Return mappings with text and metadata as a batch; values may be single or in lists, what is absent is empty.

    >>> batch = batch_of_mappings([{"text": "On graphs", "year": 2008}], ["text"], ["year", "venue"])
    >>> batch.texts, batch.metadata
    ([('On graphs',)], {'year': [['2008']], 'venue': [[]]})
    """
    from hin.reading.records import RecordBatch

    rows = list(documents)
    for row in rows:
        if not isinstance(row, Mapping):
            raise BadInput(
                f"a document is a mapping, not {type(row).__name__}", hint='e.g. {"text": "...", "year": 2008}'
            )
    return RecordBatch(
        [str(row.get("document", row.get("id", i))) for i, row in enumerate(rows)],
        [tuple(str(row.get(name) or "") for name in text_fields) for row in rows],
        {name: [_values(row.get(name)) for row in rows] for name in fields},
        [None] * len(rows),
        {},
        [("documents", i + 1) for i in range(len(rows))],
    )


def _values(value: Any) -> list[str]:
    if value is None or value == "":
        return []
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [str(value)]
    return [str(item) for item in value if item is not None]
