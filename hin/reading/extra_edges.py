"""Add edges from a file: any node to any node, such as author–author or venue–field.

The file is a table (CSV, TSV, JSONL or Parquet) with the columns `type, source_type, source, target_type, target`; both
ends must be nodes of the graph.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from hin.errors import BadInput
from hin.graph import ExtraEdges, Graph
from hin.reading.documents import read_records
from hin.reading.options import LoadOptions

COLUMNS = ("type", "source_type", "source", "target_type", "target")


def add_edges(graph: Graph, paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Graph:
    """Return the graph with the edges of some files added."""
    found: dict[str, tuple[str, str, dict[tuple[int, int], None]]] = {
        name: (e.source_type, e.target_type, dict.fromkeys(zip(e.sources.tolist(), e.targets.tolist(), strict=True)))
        for name, e in graph.extra.items()
    }
    taken = {name.casefold() for name in (*graph.node_types, *graph.edge_types)}
    reading = LoadOptions(id="@line", text=["source"], metadata=[c for c in COLUMNS if c != "source"], label="")
    for record in read_records(paths, reading):
        where = f"{record.where[0]}, line {record.where[1]}"
        values = {"source": record.texts[0]} | {name: (row or [""])[0] for name, row in record.metadata.items()}
        kind, source_type, target_type = (values.get(c, "") for c in ("type", "source_type", "target_type"))
        if not kind or kind.casefold() in taken:
            raise BadInput(
                f"{where}, type: {kind!r} cannot name extra edges",
                hint="give them a name that no node or edge type has",
            )
        ends = []
        for column, node_type in (("source", source_type), ("target", target_type)):
            if node_type not in graph.node_types:
                known = ", ".join(graph.node_types)
                raise BadInput(f"{where}, {column}_type: no node type {node_type!r}", hint=f"the graph has {known}")
            position = graph.names(node_type).get(values.get(column, ""))
            if position is None:
                raise BadInput(
                    f"{where}, {column}: no {node_type} named {values.get(column, '')!r}",
                    hint="load it first, or mend the name",
                )
            ends.append(position)
        *types, pairs = found.setdefault(kind, (source_type, target_type, {}))
        if types != [source_type, target_type]:
            raise BadInput(
                f"{where}, type: {kind!r} joined {types[0]} to {types[1]} before",
                hint="use one name for one pair of types",
            )
        pairs[ends[0], ends[1]] = None
    extra = {}
    for kind, (source_type, target_type, pairs) in found.items():
        array = np.array(list(pairs), dtype=np.int32).reshape(-1, 2)
        old = graph.extra.get(kind)
        extra[kind] = ExtraEdges(source_type, target_type, array[:, 0].copy(), array[:, 1].copy())
        if old is not None and old.counts is not None and len(old.sources) == len(array):
            extra[kind] = old  # nothing was added to edges that have a weight
    return replace(graph, extra=extra)
