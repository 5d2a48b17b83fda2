"""The kinds of documents a model takes: a graph, a file, a table, texts, records of a reader, or one document's id."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from classify.documents.given import texts_in
from classify.documents.records import batch_of_mappings, record_of
from hin.errors import BadUsage
from hin.graph import Graph
from hin.progress import Progress, silent
from hin.reading.documents import BatchReader
from hin.reading.memory_tables import is_table, table_rows
from hin.reading.options import ID_FIELDS, LoadOptions
from hin.reading.records import BATCH_SIZE, RecordBatch

if TYPE_CHECKING:
    from classify.model.predictor import Predictor


def graph_of(documents: Any, progress: Progress = silent) -> Graph:
    """Return the graph of the documents given to `fit`: a graph itself, a file, a table, or texts.

    Examples
    --------
    >>> graph_of(["On graphs", "On words"])
    Graph(2 document, 3 term)
    """
    if isinstance(documents, Graph):
        return documents
    from hin.loading import load

    if isinstance(documents, Iterator):
        documents = list(documents)
    texts = texts_in(documents)
    if texts is None:
        return load(documents, progress=progress)
    rows = [{"id": name, "text": text} for name, text in texts.items()]
    return load(rows, id="id", text="text", label="", progress=progress)


def number_of(documents: Any) -> int | None:
    """Count the documents given; None where that is unknown before they are read.

    >>> number_of(["On graphs", "On words"]), number_of("new.jsonl")
    (2, None)
    """
    if isinstance(documents, (str, os.PathLike, Mapping)) or not hasattr(documents, "__len__"):
        return None
    return len(documents)


def options_of_fit(asked: LoadOptions, reading: Mapping[str, Any], text_fields: Sequence[str]) -> LoadOptions:
    """Return options that read new files as the documents of the fit were read, unless other options are given.

    >>> options_of_fit(LoadOptions(), {"renames": {"kind": "category"}}, ["text"]).metadata_fields[0].source
    'category'
    """
    sources = dict(reading.get("renames") or {})
    texts = {name: sources.pop(name, name) for name in text_fields}
    usual = reading.get("id") in ID_FIELDS  # then any other usual id field is accepted
    return replace(
        asked,
        id=asked.id or (None if usual else reading.get("id")),
        text=asked.text or texts,
        metadata=asked.metadata or ({**sources, "*": "*"} if sources else None),
        label="",
        separator=asked.separator or reading.get("separator"),
        html=reading.get("html") if asked.html is None else asked.html,
    )


def read_new(
    documents: Any, reading: Mapping[str, Any], text_fields: Sequence[str], fields: Sequence[str]
) -> Iterator[Graph | RecordBatch]:
    """Read documents to label, batch by batch, as those of the fit were read.

    Examples
    --------
    >>> [batch.texts for batch in read_new(["On graphs", "On words"], {}, ["text"], [])]
    [[('On graphs',), ('On words',)]]
    """
    if isinstance(documents, (Graph, RecordBatch)):
        yield documents
        return
    if isinstance(documents, (str, os.PathLike)):
        options = options_of_fit(LoadOptions(), reading, text_fields)
        yield from BatchReader(documents, options, required=LoadOptions(), known_fields=fields)
        return
    if isinstance(documents, Iterator):
        documents = list(documents)
    texts = texts_in(documents)
    if texts is not None:
        first = dict(reading.get("renames") or {}).get(text_fields[0], text_fields[0])
        rows: Iterator[tuple[Any, dict[str, Any]]] = ((name, {first: text}) for name, text in texts.items())
    elif is_table(documents):
        rows = table_rows(documents)
    elif isinstance(documents, Sequence) and not documents:
        return
    else:
        hint = "give texts, a DataFrame, an Arrow table, mappings, a graph, or the name of a file"
        raise BadUsage(f"cannot read documents from {type(documents).__name__}", hint=hint)
    numbered = ((str(number if key is None else key), row) for number, (key, row) in enumerate(rows))
    while some := list(islice(numbered, BATCH_SIZE)):
        names, mappings = zip(*some, strict=True)
        yield batch_of_mappings(mappings, text_fields, fields, reading, names)


def one_document(
    document: str | Mapping[str, Any] | RecordBatch,
    graph: Graph | None,
    predictor: Predictor,
    text_fields: Sequence[str],
    reading: Mapping[str, Any],
) -> tuple[str, RecordBatch]:
    """Return one document's name and batch, given its id in the graph, a mapping, or a batch of one."""
    if isinstance(document, RecordBatch):
        return document.ids[0], document
    if not isinstance(document, str):
        name = str(document.get("document", document.get("id", "new document")))
        return name, batch_of_mappings([document], text_fields, predictor.encoder.fields, reading)
    if graph is None:
        raise BadUsage("the model has no graph to look the document up in", hint="give graph=, or the document itself")
    return document, record_of(graph, graph.documents.index(document))
