"""Labelled nodes and typed relationships with properties, and the findings of the stages as such.

Every node has a `number`, its position among the nodes of its label, and a `name`
(documents: `id`); the order of a document's values is the relationship's `position`, counted from 1; the text's
words, in order, are the document's `tokens`, the numbers of terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hin.arrays.types import Array, Int64
from hin.cypher_names import CypherNames
from hin.errors import DamagedGraph
from hin.files.checked import HINT
from hin.graph import Csr
from hin.stores.findings import Findings

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of one label; row i has number i."""

    label: str
    table: pa.Table

    def __len__(self) -> int:
        return int(self.table.num_rows)


@dataclass(frozen=True, eq=False)
class Relationships:
    """The relationships of one type between two labels, grouped by source."""

    type: str
    source: str
    target: str
    sources: Int64
    targets: Int64
    properties: Mapping[str, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.sources)


@dataclass(frozen=True, eq=False)
class PropertyGraph:
    """All nodes and relationships, in the order they are to be written."""

    nodes: tuple[Nodes, ...]
    relationships: tuple[Relationships, ...]

    def types(self) -> dict[str, list[Relationships]]:
        """Return the relationships by type: a type may join several pairs of labels."""
        found: dict[str, list[Relationships]] = {}
        for group in self.relationships:
            found.setdefault(group.type, []).append(group)
        return found


def name_type(kind: pa.DataType, integer: str, number: str, text: str) -> str:
    """Return a database's name of a column's type, given its names of single values.

    >>> import pyarrow as pa
    >>> name_type(pa.large_list(pa.int32()), "INT64", "DOUBLE", "STRING")
    'INT64[]'
    """
    import pyarrow as pa

    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"{name_type(kind.value_type, integer, number, text)}[]"
    if pa.types.is_integer(kind):
        return integer
    return number if pa.types.is_floating(kind) else text


def project_findings(findings: Findings, names: CypherNames) -> tuple[list[Nodes], list[Relationships]]:
    """Lay out motifs, categories and their relationships."""
    import pyarrow as pa

    nodes, relationships = [], []
    if findings.motifs is not None:
        motifs = findings.motifs
        n = motifs.num_rows
        kappa = np.full(n, np.nan) if findings.kappa is None else np.asarray(findings.kappa, dtype=np.float64)
        chance = pa.schema([(name, pa.float64()) for name in ("expected", "lift", "q")])
        compared = findings.chance or pa.table([pa.nulls(n, pa.float64())] * 3, schema=chance)
        nodes.append(
            Nodes(
                "Motif",
                pa.table(
                    {
                        "number": np.arange(n, dtype=np.int64),
                        "pattern": motifs.column("pattern").cast(pa.large_string()),
                        "name": motifs.column("name").cast(pa.large_string()),
                        "documents": motifs.column("documents").cast(pa.int64()),
                        "kappa": pa.array(kappa, mask=~np.isfinite(kappa)),
                        **{name: compared.column(name) for name in chance.names},
                    }
                ),
            )
        )
        if findings.has_motif is not None:
            relationships.append(_from_csr("HAS_MOTIF", "Document", "Motif", findings.has_motif, {}))
        relationships += _parts(motifs, names)
    if findings.categories is not None:
        nodes.append(Nodes("Category", _add_numbers(findings.categories.select(["name", "kappa"]))))
        if findings.motifs is not None and findings.indicates is not None:
            relationships.append(_from_table("INDICATES", "Motif", "Category", findings.indicates, "motif", "category"))
        if findings.classified is not None:
            relationships.append(
                _from_table("CLASSIFIED_AS", "Document", "Category", findings.classified, "document", "category")
            )
        if findings.labelled is not None:
            relationships.append(
                _from_table("LABELLED_AS", "Document", "Category", findings.labelled, "document", "category")
            )
        if findings.part_of is not None:
            relationships.append(_from_table("PART_OF", "Category", "Category", findings.part_of, "category", "parent"))
    return nodes, relationships


def _add_numbers(table: pa.Table) -> pa.Table:
    import pyarrow as pa

    return table.add_column(0, "number", pa.array(np.arange(table.num_rows, dtype=np.int64)))


def _from_csr(kind: str, source: str, target: str, edges: Csr, properties: Mapping[str, Array]) -> Relationships:
    targets = np.asarray(edges.targets).astype(np.int64)
    return Relationships(kind, source, target, edges.rows().astype(np.int64), targets, properties)


def _from_table(kind: str, source: str, target: str, table: pa.Table, left: str, right: str) -> Relationships:
    columns = {name: table.column(name).to_numpy() for name in table.column_names}  # NaN where there is none
    order = np.argsort(columns[left], kind="stable")
    properties = {name: column[order] for name, column in columns.items() if name not in (left, right)}
    sources, targets = (columns[name][order].astype(np.int64) for name in (left, right))
    return Relationships(kind, source, target, sources, targets, {k: _widen_numbers(v) for k, v in properties.items()})


def _widen_numbers(column: Array) -> Array:
    if column.dtype.kind == "O":  # texts
        return column
    return column.astype(np.int64) if np.issubdtype(column.dtype, np.integer) else column.astype(np.float64)


def _parts(motifs: pa.Table, names: CypherNames) -> list[Relationships]:
    """Return the `PART` relationships from each motif to its nodes, one group per label of the nodes."""
    nodes = motifs.column("part_nodes").combine_chunks()
    lengths = np.diff(nodes.offsets.to_numpy())
    sources = np.repeat(np.arange(motifs.num_rows, dtype=np.int64), lengths)
    positions = np.arange(len(sources), dtype=np.int64) - np.repeat(np.cumsum(lengths) - lengths, lengths) + 1
    targets = nodes.flatten().to_numpy().astype(np.int64)
    encoded = motifs.column("part_types").combine_chunks().flatten().dictionary_encode()
    codes = encoded.indices.to_numpy()
    groups = []
    for code, node_type in enumerate(encoded.dictionary.to_pylist()):
        rows = np.flatnonzero(codes == code)
        group = (sources[rows], targets[rows], {"position": positions[rows]})
        if node_type not in names.labels:
            raise DamagedGraph(f"a motif has a part of the type {node_type!r}, which the graph lacks", hint=HINT)
        groups.append(Relationships("PART", "Motif", names.labels[node_type], *group))
    return groups
