"""What may be handed to a fitted model: a graph, records of a reader, mappings, or the id of one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from classify.documents.records import batch_of_mappings, record_of
from hin.errors import BadUsage
from hin.graph import Graph
from hin.reading.records import RecordBatch

if TYPE_CHECKING:
    from classify.documents.encoder import Encoded, Encoder
    from classify.model.predictor import Predictor

__all__ = ["encode_any", "encode_one"]


def encode_any(documents: Any, encoder: Encoder, length: int, text_fields: Sequence[str]) -> Iterator[Encoded]:
    """Read the documents of a graph, a batch of records, or mappings with text and metadata."""
    if isinstance(documents, Graph):
        yield from encoder.encode_graph(documents, length)
    elif isinstance(documents, RecordBatch):
        yield encoder.encode_batch(documents, length)
    else:
        batch = batch_of_mappings(documents, text_fields, encoder.fields)
        if len(batch):
            yield encoder.encode_batch(batch, length)


def encode_one(
    document: str | Mapping[str, Any], graph: Graph | None, predictor: Predictor, text_fields: Sequence[str]
) -> tuple[str, Encoded]:
    """Read one document: a mapping, or the id of a document in the graph; returns its name, too."""
    if not isinstance(document, str):
        name = str(document.get("document", document.get("id", "new document")))
        return name, next(encode_any([document], predictor.encoder, predictor.length, text_fields))
    if graph is None:
        raise BadUsage("the model has no graph to look the document up in", hint="give graph=, or the document itself")
    row = graph.documents.index(document)
    return document, predictor.encoder.encode_batch(record_of(graph, row), predictor.length)
