"""Reading a graph from Neo4j, page by page, straight into columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from hin import neo4j_queries as cypher
from hin.cypher_names import CypherNames
from hin.errors import DamagedGraph
from hin.graph import Csr, Dangling, ExtraEdges, Graph, Labels, Texts
from hin.names import NameTable
from hin.neo4j_connection import Connection
from hin.progress import Progress, silent
from hin.property_graph import terms_of_tokens

__all__ = ["read_graph"]

NAMES = 50_000
DOCUMENTS = 2_000


def read_graph(connection: Connection, described: Mapping[str, Any], progress: Progress = silent) -> Graph:
    """Read the graph that a `HinGraph` node describes.

    Parameters
    ----------
    described : mapping
        What `property_graph.describe` wrote.
    """
    names = CypherNames.of(
        described["fields"], described["links"], (row[0] for row in described["extra"]), described["texts"]
    )
    totals = described["nodes"]
    reader = _Reader(connection, names, totals, progress)
    documents, tokens, texts, labels, dangling = reader.documents(described)
    nodes = {name: reader.names(name) for name in ("term", *described["fields"])}
    adjacency = {}
    if described["terms_follow_tokens"]:
        adjacency["term"] = terms_of_tokens(tokens, len(nodes["term"]))
    else:
        adjacency["term"] = reader.edges("term", "Term", counts=True)
    for name in described["fields"]:
        adjacency[name] = reader.edges(name, names.labels[name])
    for name in described["links"]:
        adjacency[name] = reader.edges(name, "Document")
    extra = {row[0]: reader.extra(*row) for row in described["extra"]}
    return Graph(
        documents=documents,
        fields=tuple(described["fields"]),
        links=tuple(described["links"]),
        nodes=nodes,
        adjacency=adjacency,
        tokens=tokens,
        texts=texts,
        labels=labels,
        extra=extra,
        schema=described["schema"],
        dangling=dangling,
    )


class _Reader:
    def __init__(
        self, connection: Connection, names: CypherNames, totals: Mapping[str, int], progress: Progress
    ) -> None:
        self.connection = connection
        self.cypher_names = names
        self.totals = totals
        self.progress = progress

    def pages(self, query: str, total: int, size: int, label: str) -> Iterator[Any]:
        """The records of all pages."""
        for start in range(0, total, size):
            self.progress(label, start, total)
            yield from self.connection.read(query, start=start, stop=start + size)
        self.progress(label, total, total)

    def names(self, node_type: str) -> NameTable:
        """The names of a node type, in the order of their numbers."""
        import pyarrow as pa

        total = self.totals[node_type]
        label = self.cypher_names.labels[node_type]
        chunks = []
        for page in self.pages(cypher.read_names(label), total, NAMES, f"reading {label}"):
            order = np.argsort(np.array(page["numbers"], dtype=np.int64))
            values = page["names"]
            chunks.append(pa.array([values[i] for i in order.tolist()], type=pa.large_string()))
        column = pa.chunked_array(chunks, type=pa.large_string()).combine_chunks()
        self.expect(label, len(column), total)
        return NameTable(column, node_type)

    def expect(self, label: str, found: int, expected: int) -> None:
        """Refuse a graph that somebody has changed under us."""
        if found != expected:
            raise DamagedGraph(
                f"{self.connection.address} has {found:,} {label} nodes where {expected:,} were written",
                hint="load or copy the graph again: what is missing is put back",
            )

    def documents(
        self, described: Mapping[str, Any]
    ) -> tuple[NameTable, Csr, Texts, Labels | None, dict[str, Dangling]]:
        """Ids, token streams, texts, labels and unresolved links."""
        import pyarrow as pa

        names, total = self.cypher_names, self.totals["document"]
        texts = [names.properties[name] for name in described["texts"]]
        unresolved = [names.unresolved[name] for name in described["dangling"]]
        wanted = ["id", "label", "tokens", *texts, *unresolved]
        codes = {name: code for code, name in enumerate(described["labels"] or ())}
        ids: list[Any] = []
        label_codes = np.full(total, -1, dtype=np.int32)
        lengths, streams = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)]
        columns: list[list[Any]] = [[] for _ in texts]
        missing: list[tuple[list[int], list[str]]] = [([], []) for _ in unresolved]
        query = cypher.read_documents(wanted)
        for start in range(0, total, DOCUMENTS):
            self.progress("reading documents", start, total)
            rows = [r["row"] for r in self.connection.read(query, start=start, stop=start + DOCUMENTS)]
            rows.sort(key=lambda row: row[0])
            page: list[Any] = list(zip(*rows, strict=True)) or [()] * (1 + len(wanted))
            numbers, page_ids, page_labels, tokens = page[:4]
            ids.append(pa.array(page_ids, type=pa.large_string()))
            for number, label in zip(numbers, page_labels, strict=True):
                if label is not None:
                    label_codes[number] = codes[label]
            lengths.append(np.array([len(stream or ()) for stream in tokens], dtype=np.int64))
            streams.append(np.array([t for stream in tokens for t in stream or ()], dtype=np.int32))
            for column, values in zip(columns, page[4 : 4 + len(texts)], strict=True):
                column.append(pa.array(values, type=pa.large_string()))
            for (where, what), values in zip(missing, page[4 + len(texts) :], strict=True):
                for number, targets in zip(numbers, values, strict=True):
                    where.extend([number] * len(targets or ()))
                    what.extend(targets or ())
        id_column = pa.chunked_array(ids, type=pa.large_string()).combine_chunks()
        self.expect("Document", len(id_column), total)
        table = pa.table([pa.chunked_array(c, type=pa.large_string()) for c in columns], names=described["texts"])
        labels = Labels(tuple(described["labels"]), label_codes) if described["labels"] is not None else None
        dangling = {
            name: Dangling(np.array(where, dtype=np.int32), tuple(what))
            for name, (where, what) in zip(described["dangling"], missing, strict=True)
        }
        tokens_csr = Csr(np.cumsum(np.concatenate(lengths)), np.concatenate(streams))
        return NameTable(id_column, "document"), tokens_csr, Texts(table.combine_chunks()), labels, dangling

    def edges(self, edge_type: str, target: str, *, counts: bool = False) -> Csr:
        """The edges of one type in their order."""
        kind, total = self.cypher_names.relationships[edge_type], self.totals["document"]
        query = cypher.read_edges(kind, target)
        sources, rows = [], []
        for record in self.pages(query, total, DOCUMENTS, f"reading {kind}"):
            sources.append(record["source"])
            rows.append(sorted(record["targets"]))
        degrees = np.zeros(total, dtype=np.int64)
        degrees[sources] = [len(row) for row in rows]
        order = np.argsort(np.array(sources, dtype=np.int64))
        flat = _flat(rows[i] for i in order.tolist())
        offsets = np.r_[0, np.cumsum(degrees)].astype(np.int64)
        occurrences = np.array([row[2] for row in flat], dtype=np.int32) if counts else None
        return Csr(offsets, np.array([row[1] for row in flat], dtype=np.int32), occurrences)

    def extra(self, name: str, source: str, target: str, n_edges: int) -> ExtraEdges:
        """Edges that came from a file, in the file's order."""
        labels = self.cypher_names.labels
        kind = self.cypher_names.relationships[name]
        query = cypher.read_edges(kind, labels[target], labels[source], order="number")
        sources, targets = np.zeros(n_edges, np.int32), np.zeros(n_edges, np.int32)
        found = 0
        for record in self.pages(query, self.totals[source], DOCUMENTS, f"reading {kind}"):
            for number, end, _ in record["targets"]:
                sources[number], targets[number] = record["source"], end
                found += 1
        self.expect(kind, found, n_edges)
        return ExtraEdges(source, target, sources, targets)


def _flat(rows: Iterable[list[Any]]) -> list[Any]:
    return [item for row in rows for item in row]
