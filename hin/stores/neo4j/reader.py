"""Reading a graph from Neo4j, page by page, straight into columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.cypher_names import CypherNames
from hin.errors import DamagedGraph
from hin.graph import Csr, Dangling, ExtraEdges, Labels
from hin.node_names import NameTable
from hin.progress import Progress, silent
from hin.stores.neo4j import queries as cypher
from hin.stores.neo4j.connection import Connection

if TYPE_CHECKING:
    import pyarrow as pa

NAMES = 50_000
DOCUMENTS = 2_000


class Reader:
    """Fetches one part of the graph at a time.

    Parameters
    ----------
    described : mapping
        The graph's description, as `describe` wrote it.
    """

    def __init__(self, connection: Connection, described: Mapping[str, Any], progress: Progress = silent) -> None:
        self.connection = connection
        self.described = described
        self.cypher_names = CypherNames.of(
            described["fields"], described["links"], (row[0] for row in described["extra"]), described["texts"]
        )
        self.totals: Mapping[str, int] = described["nodes"]
        self.progress = progress

    def pages(self, query: str, total: int, size: int, label: str) -> Iterator[Any]:
        """Yield the records of all pages."""
        for start in range(0, total, size):
            self.progress(label, start, total)
            yield from self.connection.read(query, start=start, stop=start + size)
        self.progress(label, total, total)

    def names(self, node_type: str) -> NameTable:
        """Return the names of a node type (documents: their ids), in the order of their numbers."""
        import pyarrow as pa

        total = self.totals[node_type]
        label, key = self.cypher_names.labels[node_type], "name"
        if node_type == "document":  # fixed, even if a metadata field has one of these names
            label, key = "Document", "id"
        query = cypher.read_names(label, key)
        chunks = []
        for page in self.pages(query, total, NAMES, f"reading {label}"):
            order = np.argsort(np.array(page["numbers"], dtype=np.int64))
            values = page["names"]
            chunks.append(pa.array([values[i] for i in order.tolist()], type=pa.large_string()))
        column = pa.chunked_array(chunks, type=pa.large_string()).combine_chunks()
        self.check_count(label, len(column), total)
        return NameTable(column, node_type)

    def check_count(self, label: str, found: int, expected: int) -> None:
        """Raise if a count differs from the description: the graph was changed by another program."""
        if found != expected:
            raise DamagedGraph(
                f"{self.connection.address} has {found:,} {label} nodes where {expected:,} were written",
                hint="load or copy the graph again: missing parts are added again",
            )

    def _properties(self, names: Sequence[str], what: str) -> Iterator[list[tuple[Any, ...]]]:
        """Yield pages of documents as columns: their numbers, in order, then each property."""
        query, total, found = cypher.read_documents(names), self.totals["document"], 0
        for start in range(0, total, DOCUMENTS):
            self.progress(f"reading {what}", start, total)
            rows = [r["row"] for r in self.connection.read(query, start=start, stop=start + DOCUMENTS)]
            rows.sort(key=lambda row: row[0])
            found += len(rows)
            yield list(zip(*rows, strict=True)) or [()] * (1 + len(names))
        self.check_count("Document", found, total)
        self.progress(f"reading {what}", total, total)

    def tokens(self) -> Csr:
        """Return the documents' terms in text order."""
        lengths, streams = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)]
        for _, page in self._properties(["tokens"], "tokens"):
            lengths.append(np.array([len(stream or ()) for stream in page], dtype=np.int64))
            streams.append(np.array([t for stream in page for t in stream or ()], dtype=np.int32))
        return Csr(np.cumsum(np.concatenate(lengths)), np.concatenate(streams))

    def texts(self) -> pa.Table:
        """Return the texts as they were given, one column per field."""
        import pyarrow as pa

        fields = self.described["texts"]
        columns: list[list[Any]] = [[] for _ in fields]
        for _, *page in self._properties([self.cypher_names.properties[name] for name in fields], "texts"):
            for column, values in zip(columns, page, strict=True):
                column.append(pa.array(values, type=pa.large_string()))
        table = pa.table([pa.chunked_array(c, type=pa.large_string()) for c in columns], names=fields)
        return table.combine_chunks()

    def labels(self) -> Labels | None:
        """Return the true categories, if there are any."""
        if self.described["labels"] is None:
            return None
        several = self.described.get("several_labels", False)
        found: list[str | tuple[str, ...] | None] = [None] * self.totals["document"]
        for numbers, labels in self._properties(["labels" if several else "label"], "labels"):
            for number, label in zip(numbers, labels, strict=True):
                found[number] = tuple(label) if isinstance(label, list) else label
        return Labels.of(found)

    def dangling(self, link: str) -> Dangling:
        """Return the links of a kind to documents that are not in the graph."""
        where: list[int] = []
        what: list[str] = []
        for numbers, targets in self._properties([self.cypher_names.unresolved[link]], "links"):
            for number, missing in zip(numbers, targets, strict=True):
                where.extend([number] * len(missing or ()))
                what.extend(missing or ())
        return Dangling(np.array(where, dtype=np.int32), tuple(what))

    def edges(self, edge_type: str, target: str, *, counts: bool = False) -> Csr:
        """Return the edges of one type in their order."""
        kind, total = self.cypher_names.relationships[edge_type], self.totals["document"]
        query = cypher.read_edges(kind, target)
        sources, rows = [], []
        for record in self.pages(query, total, DOCUMENTS, f"reading {kind}"):
            sources.append(record["source"])
            rows.append(sorted(record["targets"]))
        degrees = np.zeros(total, dtype=np.int64)
        degrees[sources] = [len(row) for row in rows]
        order = np.argsort(np.array(sources, dtype=np.int64))
        flat = [edge for i in order.tolist() for edge in rows[i]]
        occurrences = np.array([count for _, _, count in flat], dtype=np.int32) if counts else None
        return Csr.from_lengths(degrees, np.array([target for _, target, _ in flat], dtype=np.int32), occurrences)

    def extra(self, name: str, source: str, target: str, n_edges: int) -> ExtraEdges:
        """Return edges that came from a file, in the file's order."""
        labels = self.cypher_names.labels
        kind = self.cypher_names.relationships[name]
        query = cypher.read_edges(kind, labels[target], labels[source], order="number")
        sources, targets, counts = (np.zeros(n_edges, np.int32) for _ in range(3))
        found = 0
        for record in self.pages(query, self.totals[source], DOCUMENTS, f"reading {kind}"):
            for number, end, weight in record["targets"]:
                sources[number], targets[number], counts[number] = record["source"], end, weight or 0
                found += 1
        self.check_count(kind, found, n_edges)
        return ExtraEdges(source, target, sources, targets, counts if counts.any() else None)
