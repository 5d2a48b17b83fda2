"""Append documents to a graph: read as its own were, added after them or replacing those of the same id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import numpy as np

from hin.arrays.types import Int32
from hin.building.graph_builder import batches_of
from hin.errors import BadUsage
from hin.graph import ExtraEdges, Graph
from hin.reading.fields import FieldSpec
from hin.reading.options import LoadOptions
from hin.reading.records import BATCH_SIZE, RecordBatch


def inherit_options(old: Graph, asked: LoadOptions, previous: Mapping[str, Any]) -> LoadOptions:
    """Take the options that the user did not give from those the graph was loaded with."""
    names = tuple(old.texts.fields)
    renames = old.schema.get("renames", {})
    text = asked.text_fields or tuple(FieldSpec(name, renames.get(name, name)) for name in names)
    if tuple(spec.name for spec in text) != names:
        raise BadUsage(
            f"the graph's text is made of {', '.join(names)}",
            hint="name the same text fields, or load all with --replace",
        )
    named = {spec.source for spec in asked.named_metadata} | {asked.label}
    left_out = [FieldSpec(name, name) for name in old.schema.get("left_out", ()) if name not in named]
    return replace(
        asked,
        id=asked.id or old.schema.get("id"),
        text=text,
        metadata=previous.get("metadata") if asked.metadata is None else asked.metadata_fields,
        label=asked.label if asked.label is not None else previous.get("label"),
        links=asked.link_fields or [FieldSpec(name, renames.get(name, name)) for name in old.links],
        separator=asked.separator or previous.get("separator"),
        dates=asked.dates or previous.get("dates"),
        na_values=asked.na_values if asked.na_values is not None else previous.get("na_values"),
        keep_case=asked.keep_case or bool(previous.get("keep_case")),
        ignore=asked.ignore if asked.ignored else left_out,
        html=[FieldSpec(name, name) for name in old.schema.get("html", ())] if asked.html is None else asked.html,
    )


def appended(old: Graph, reader: Iterable[RecordBatch], updated: set[str] | None = None) -> Iterator[RecordBatch]:
    """Yield the old documents, then the new ones.

    With the set `updated`, a new document replaces the old one with its id, and the id is added to the set.
    """
    if updated is None:
        yield from batches_of(old)
        yield from reader
        return
    fresh = {record.id: record for batch in reader for record in batch.records()}
    known = set(old.documents)
    updated.update(known & fresh.keys())
    kept = (fresh.get(record.id, record) for batch in batches_of(old) for record in batch.records())
    added = (record for record in fresh.values() if record.id not in known)
    every = chain(kept, added)
    while some := list(islice(every, BATCH_SIZE)):
        yield RecordBatch.of(some)


def merged_schema(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of both: a field holds integers only if it does in both."""
    kinds = dict(old.get("kinds", {}))
    for name, kind in new.get("kinds", {}).items():
        kinds[name] = kind if kinds.get(name, kind) == kind else "string"
    return {**new, "id": old.get("id"), "renames": {**old.get("renames", {}), **new.get("renames", {})}, "kinds": kinds}


def renumber_extra_edges(old: Graph, new: Graph) -> dict[str, ExtraEdges]:
    """Return the edges that were added from files, renumbered by the names of their ends."""

    def numbers(node_type: str, ids: Int32) -> Int32:
        known = old.names(node_type)
        table = new.names(node_type) if node_type in new.node_types else None
        found = (table.get(known[i]) if table is not None else None for i in ids.tolist())
        return np.array([-1 if number is None else number for number in found], dtype=np.int32)

    extra = {}
    for name, edges in old.extra.items():
        sources, targets = numbers(edges.source_type, edges.sources), numbers(edges.target_type, edges.targets)
        both = (sources >= 0) & (targets >= 0)
        counts = None if edges.counts is None else np.asarray(edges.counts)[both]
        extra[name] = ExtraEdges(edges.source_type, edges.target_type, sources[both], targets[both], counts)
    return extra
