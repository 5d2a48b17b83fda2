"""Write the documents of a graph as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hin.building.graph_builder import batches_of
from hin.exchange.formats import ExportSource, export_format
from hin.graph import Graph
from hin.reading.fields import FieldSpec
from hin.reading.options import LoadOptions


def reading_options(graph: Graph) -> LoadOptions:
    """Return the options that read a graph's exported documents back to the same fields.

    Every field has its own name; only if two would be the same, the id, a text field or the label gets another.

    Examples
    --------
    >>> from hin.building.graph_builder import build_graph
    >>> from hin.reading.records import RecordBatch
    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> reading_options(build_graph([batch], ["text"])).id
    'document'
    """
    taken = {*graph.fields, *graph.links}

    def free(wish: str) -> str:
        name = wish
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    return LoadOptions(
        id=free("document"),
        text=tuple(FieldSpec(name, free(name)) for name in graph.texts.fields),
        metadata=tuple(FieldSpec(name, name) for name in graph.fields),
        label=free("label") if graph.labels is not None else "",
        links=tuple(FieldSpec(name, name) for name in graph.links),
        dates="none",
        na_values=(),
        keep_case=True,
    )


@export_format("jsonl", ".jsonl")
def write_documents(source: ExportSource, path: Path) -> None:
    """Write the documents as `hin load` reads them."""
    import orjson

    with path.open("wb") as file:
        for row in document_rows(source.graph):
            file.write(orjson.dumps(row) + b"\n")


def document_rows(graph: Graph) -> Iterator[dict[str, Any]]:
    """Yield the documents as `hin load` would read them: id, texts, metadata, links, label."""
    reading = reading_options(graph)
    kinds = graph.schema.get("kinds", {})
    integers = {name for name in graph.fields if kinds.get(name) == "integer"}
    single = {name for name in graph.fields if len(graph) and graph.edges(name).degrees().max() <= 1}
    for batch in batches_of(graph):
        for record in batch.records():
            row: dict[str, Any] = {str(reading.id): record.id}
            row |= {spec.source: text for spec, text in zip(reading.text_fields or (), record.texts, strict=True)}
            for name, found in record.metadata.items():
                values: list[Any] = [int(value) for value in found] if name in integers else found
                row[name] = values if name not in single else values[0] if values else None
            row |= record.links
            if reading.label and record.label is not None:
                row[reading.label] = record.label
            yield row
