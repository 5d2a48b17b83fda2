"""Two Parquet tables: nodes and edges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hin.exchange.flat import flat_edges, flat_nodes, write_head
from hin.exchange.formats import ExportSource, export_format


@export_format("parquet", "-parquet", folder=True)
def write_parquet(source: ExportSource, folder: Path) -> None:
    """Write nodes.parquet and edges.parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    graph = source.graph
    texts = [f"text:{name}" for name in graph.texts.fields]
    strings = pa.large_string()
    node_schema = pa.schema(
        [("node", pa.int64()), ("type", strings), ("name", strings), ("label", strings), *((t, strings) for t in texts)]
    )
    with pq.ParquetWriter(folder / "nodes.parquet", node_schema) as writer:
        for part in flat_nodes(graph):
            count = len(part.names)
            columns: list[Any] = [range(part.first, part.first + count), [part.type] * count, part.names]
            nothing: list[Any] = [None] * count
            columns += [part.labels or nothing, *(part.texts or [nothing] * len(texts))]
            arrays = [pa.array(column, field.type) for column, field in zip(columns, node_schema, strict=True)]
            writer.write_table(pa.table(arrays, schema=node_schema))
    edge_schema = pa.schema(
        {
            "source": pa.int64(),
            "target": pa.int64(),
            "type": strings,
            "count": pa.int32(),
            "positions": pa.list_(pa.int32()),
        }
    )
    with pq.ParquetWriter(folder / "edges.parquet", edge_schema) as writer:
        for edges in flat_edges(graph):
            count = len(edges.sources)
            counts = [None] * count if edges.positions is None else [len(p) for p in edges.positions]
            columns = [edges.sources, edges.targets, [edges.type] * count, counts, edges.positions or [None] * count]
            arrays = [pa.array(column, field.type) for column, field in zip(columns, edge_schema, strict=True)]
            writer.write_table(pa.table(arrays, schema=edge_schema))
    write_head(graph, folder)
