"""Two CSV tables: nodes and edges."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from hin.exchange.flat import flat_edges, flat_nodes, write_head
from hin.exchange.formats import ExportSource, export_format
from hin.visible import as_is, guard_cell


@export_format("csv", "-csv", folder=True)
def write_csv(source: ExportSource, folder: Path) -> None:
    """Write nodes.csv and edges.csv."""
    graph = source.graph
    texts = [f"text:{name}" for name in graph.texts.fields]
    keep = as_is if source.csv_formulas else guard_cell
    with (folder / "nodes.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["node", "type", "name", "label", *texts])  # none of them can be a formula
        for part in flat_nodes(graph):
            for i, name in enumerate(part.names):
                more: list[Any] = [None] * (1 + len(texts))
                if part.texts is not None and part.labels is not None:
                    more = [part.labels[i], *(column[i] for column in part.texts)]
                writer.writerow([part.first + i, *map(keep, (part.type, name, *more))])
    with (folder / "edges.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["source", "target", "type", "count", "positions"])
        for edges in flat_edges(graph):
            ends = zip(edges.sources, edges.targets, strict=True)
            if edges.positions is None:
                writer.writerows([source, target, keep(edges.type), None, None] for source, target in ends)
            else:
                rows = zip(ends, edges.positions, strict=True)
                writer.writerows([*end, keep(edges.type), len(p), " ".join(map(str, p))] for end, p in rows)
    write_head(graph, folder, guarded=not source.csv_formulas)
