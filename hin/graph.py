"""The heterogeneous graph in memory: a table of names per node type, integer arrays per edge type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from hin.arrays.arrow_columns import numbers
from hin.arrays.types import Int32, Int64, Ints
from hin.errors import UnknownName
from hin.files.mapped import release_pages
from hin.human import shortened
from hin.node_names import NameTable

if TYPE_CHECKING:
    import igraph
    import networkx
    import pyarrow as pa
    from scipy import sparse

    from hin.reading.columns.choose import ColumnChoice
    from hin.stores.findings import Findings

#: How many edges are counted at a time.
COUNTED = 1 << 20


class _ByContent:
    """The base of records of arrays that are compared by their content."""

    def equals(self, other: Self) -> bool:
        """Check whether the other has the same content, in the same order."""
        entries: Any = self
        return all(_equal(getattr(self, entry.name), getattr(other, entry.name)) for entry in fields(entries))


def _equal(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    if isinstance(one, _ByContent):
        return one.equals(other)
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_equal(one[name], other[name]) for name in one)
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else bool(one == other)


@dataclass(frozen=True, eq=False)
class Csr(_ByContent):
    """A compressed sparse row matrix: the edges of one type, document by document.

    Examples
    --------
    >>> edges = Csr.from_lists([[2, 0], [], [1]])
    >>> edges.row(0).tolist(), edges.degrees().tolist()
    ([2, 0], [2, 0, 1])
    """

    offsets: Int64
    targets: Int32
    counts: Int32 | None = None

    @classmethod
    def from_lists(cls, rows: list[list[int]]) -> Csr:
        """Make edges from one list of targets per row."""
        flat = [target for row in rows for target in row]
        return cls.from_lengths([len(row) for row in rows], np.array(flat, dtype=np.int32))

    @classmethod
    def from_lengths(cls, lengths: npt.ArrayLike, targets: Int32, counts: Int32 | None = None) -> Csr:
        """Make edges from the number of targets of each row, and the targets row by row.

        >>> Csr.from_lengths([2, 0, 1], np.array([2, 0, 1], dtype=np.int32)).row(0).tolist()
        [2, 0]
        """
        offsets = np.zeros(np.size(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        return cls(offsets, targets, counts)

    @classmethod
    def from_pairs(cls, rows: npt.ArrayLike, targets: npt.ArrayLike, n_rows: int) -> Csr:
        """Make edges from parallel arrays; targets are sorted within a row."""
        row = np.asarray(rows, dtype=np.int64)
        target = np.asarray(targets, dtype=np.int32)
        return cls.from_lengths(np.bincount(row, minlength=n_rows), target[np.lexsort((target, row))])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def n_edges(self) -> int:
        """How many edges there are."""
        return len(self.targets)

    def row(self, i: int) -> Int32:
        """Return the targets of one row."""
        return self.targets[self.offsets[i] : self.offsets[i + 1]]

    def take(self, rows: Ints) -> Csr:
        """Return the rows in the order given; they may repeat, and counts move along.

        >>> Csr.from_lists([[5], [6, 7]]).take(np.array([1, 0])).targets.tolist()
        [6, 7, 5]
        """
        starts = self.offsets[rows]
        degrees = self.offsets[rows + 1] - starts
        offsets = Csr.from_lengths(degrees, self.targets).offsets
        narrow = np.int32 if max(self.n_edges, offsets[-1]) < 1 << 31 else np.int64
        where = np.repeat((starts - offsets[:-1]).astype(narrow), degrees)
        where += np.arange(len(where), dtype=narrow)
        return Csr(offsets, self.targets[where], None if self.counts is None else self.counts[where])

    def degrees(self) -> Int64:
        """Return the number of targets of each row."""
        return np.diff(self.offsets)

    def in_degrees(self, n_columns: int) -> Int64:
        """Count the edges that lead to each column.

        >>> Csr.from_lists([[2, 0], [], [2]]).in_degrees(3).tolist()
        [1, 0, 2]
        """
        return self._count(self.targets, n_columns)

    @staticmethod
    def _count(targets: Int32, n_columns: int) -> Int64:
        # In blocks: counting makes wide copies, and those of a block stay in the processor's cache.
        counted = np.zeros(n_columns, dtype=np.int64)
        for start in range(0, len(targets), COUNTED):
            found = np.bincount(targets[start : start + COUNTED], minlength=n_columns)
            if len(found) > n_columns:
                raise ValueError("a target is out of range")
            counted += found
            release_pages(targets)  # pages of a mapped file are not needed again
        return counted

    def rows(self) -> Int32:
        """Return the row of each edge: the sources, parallel to `targets`."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.degrees())

    def transpose(self, n_columns: int) -> Csr:
        """Return the transposed edges, from targets to rows, rows sorted; counts move along."""
        order = np.argsort(self.targets, kind="stable")
        counts = None if self.counts is None else self.counts[order]
        return Csr.from_lengths(self.in_degrees(n_columns), self.rows()[order], counts)

    def to_scipy(self, n_columns: int) -> sparse.csr_array:
        """Return a sparse matrix of ones, or of the counts."""
        from scipy import sparse

        data = self.counts if self.counts is not None else np.ones(self.n_edges)
        shape = (len(self), n_columns)
        return sparse.csr_array((np.asarray(data, dtype=np.float32), self.targets, self.offsets), shape=shape)


@dataclass(frozen=True, eq=False)
class ExtraEdges(_ByContent):
    """Edges between any two node types, added from a file or made from a pattern.

    Attributes
    ----------
    counts : the weight of each edge, such as a number of documents; None where all are alike.
    """

    source_type: str
    target_type: str
    sources: Int32
    targets: Int32
    counts: Int32 | None = None


@dataclass(frozen=True, eq=False)
class Dangling(_ByContent):
    """Links to documents that are not in the graph, stored so that they resolve when those are appended."""

    rows: Int32
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Labels(_ByContent):
    """The true categories, where the input has them: read by evaluation and by nothing else.

    Attributes
    ----------
    codes : each document's category, the first one where it has several; -1: none.
    several : all categories of each document, in the order of the input; None where no document has more than one.

    Examples
    --------
    >>> labels = Labels.of(["web", None, ("games", "web")])
    >>> labels.names, labels.codes.tolist(), labels.several.row(2).tolist()
    (('games', 'web'), [1, -1, 0], [0, 1])
    >>> labels.of_documents(0, 3)
    ['web', None, ('games', 'web')]
    """

    names: tuple[str, ...]
    codes: Int32
    several: Csr | None = None

    @classmethod
    def of(cls, given: Sequence[str | tuple[str, ...] | None]) -> Labels:
        """Encode each document's label: one category, several, or none."""
        rows = [(label,) if isinstance(label, str) else label or () for label in given]
        names = tuple(sorted({name for row in rows for name in row}))
        position = {name: i for i, name in enumerate(names)}
        codes = np.fromiter((position[row[0]] if row else -1 for row in rows), dtype=np.int32, count=len(rows))
        if all(len(row) <= 1 for row in rows):
            return cls(names, codes)
        return cls(names, codes, Csr.from_lists([[position[name] for name in dict.fromkeys(row)] for row in rows]))

    def of_documents(self, start: int, stop: int) -> list[str | tuple[str, ...] | None]:
        """Return the labels of some documents, as `of` takes them."""
        found: list[str | tuple[str, ...] | None]
        found = [self.names[code] if code >= 0 else None for code in self.codes[start:stop].tolist()]
        if self.several is not None:
            for row in (np.flatnonzero(self.several.degrees()[start:stop] > 1) + start).tolist():
                found[row - start] = tuple(self.names[code] for code in self.several.row(row).tolist())
        return found


@dataclass(frozen=True, eq=False)
class Texts:
    """The documents' texts as given, one column per text field, read only when needed."""

    table: pa.Table
    #: The file that holds exactly this table, if there is one.
    path: Path | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the text fields, in the order they were joined."""
        return tuple(self.table.column_names)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __getitem__(self, i: int) -> tuple[str, ...]:
        if not 0 <= i < len(self):
            raise IndexError(i)
        return tuple(column[i].as_py() for column in self.table.columns)

    def blocks(self, size: int) -> Iterator[list[tuple[str, ...]]]:
        """Yield the texts of `size` documents at a time, in order, without caching them.

        >>> import pyarrow as pa
        >>> [len(block) for block in Texts(pa.table({"text": ["a", "b", "c"]})).blocks(2)]
        [2, 1]
        """
        held = self.table.slice(0, 0)
        for part in self._batches():
            held = _concatenate(held, part)
            while held.num_rows >= size:
                yield _rows(held.slice(0, size))
                held = held.slice(size)
        if held.num_rows:
            yield _rows(held)

    def of_documents(self, rows: Ints) -> list[tuple[str, ...]]:
        """Return the texts of some documents, in the given order, without caching them.

        >>> import pyarrow as pa
        >>> Texts(pa.table({"text": ["a", "b", "c"]})).of_documents(np.array([2, 0]))
        [('c',), ('a',)]
        """
        if not self.table.num_columns:
            return [()] * len(rows)
        order = np.argsort(rows, kind="stable")
        wanted = np.asarray(rows)[order]
        found: list[tuple[str, ...]] = [()] * len(wanted)
        ends = np.cumsum(self._batch_sizes())
        home = np.searchsorted(ends, wanted, side="right")
        homes = np.unique(home).tolist()
        for number, part in zip(homes, self._batches(homes), strict=True):
            mine = np.flatnonzero(home == number)
            taken = _rows(part.take(numbers(wanted[mine] - (ends[number] - part.num_rows), np.int64)))
            for place, texts in zip(order[mine].tolist(), taken, strict=True):
                found[place] = texts
        return found

    def _batch_sizes(self) -> list[int]:
        """Return the number of documents in each of the file's batches, without reading them."""
        if self.path is None:
            return [len(self)]
        return [len(chunk) for chunk in self.table.column(0).chunks]

    def _batches(self, numbers: Sequence[int] | None = None) -> Iterator[pa.Table]:
        """Read batches from the table's file, if it has one: mapped pages would stay in the process's memory."""
        import pyarrow as pa

        if self.path is None:
            yield self.table
            return
        with pa.OSFile(str(self.path)) as source:
            reader = pa.ipc.open_file(source)
            for number in range(reader.num_record_batches) if numbers is None else numbers:
                yield pa.Table.from_batches([reader.get_batch(number)])

    def title(self, i: int, width: int = 100) -> str:
        """Return the first line of the first text field, shortened."""
        parts = [part for part in self[i] if part.strip()]
        line = parts[0].strip().splitlines()[0] if parts else ""
        return shortened(line, width)


def _rows(table: pa.Table) -> list[tuple[str, ...]]:
    if not table.num_columns:
        return [()] * table.num_rows
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _concatenate(first: pa.Table, second: pa.Table) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables([first, second]) if first.num_rows else second


@dataclass(eq=False)
class Graph:
    """Documents, terms and metadata as one typed graph.

    Attributes
    ----------
    documents : NameTable
        The ids, in the input's order.
    fields : tuple of str
        The metadata fields; each is a node type and the name of its edges.
    links : tuple of str
        The kinds of document–document edges.
    tokens : Csr
        Each document's terms in text order; a phrase is one term.
    labels : Labels or None
        For evaluation only.
    columns : tuple of ColumnChoice
        The use of columns that the user did not name when the documents were loaded, the reason, and the option.
    notes : tuple of str
        Other remarks of the load.
    """

    documents: NameTable
    fields: tuple[str, ...]
    links: tuple[str, ...]
    nodes: Mapping[str, NameTable]
    adjacency: Mapping[str, Csr]
    tokens: Csr
    texts: Texts
    labels: Labels | None = None
    extra: Mapping[str, ExtraEdges] = field(default_factory=dict)
    schema: Mapping[str, Any] = field(default_factory=dict)
    dangling: Mapping[str, Dangling] = field(default_factory=dict)
    columns: tuple[ColumnChoice, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        kinds = ", ".join(f"{self.size(t):,} {t}" for t in self.node_types)
        return f"Graph({kinds})"

    def _repr_html_(self) -> str:
        from hin.notebook.graph_card import graph_card

        return graph_card(self)

    @property
    def whole(self) -> bool:
        """Whether the whole graph is in memory or mapped, so that nothing is fetched on access."""
        return True

    @property
    def node_types(self) -> tuple[str, ...]:
        """The node types: document, term, then the metadata fields."""
        return ("document", "term", *self.fields)

    @property
    def edge_types(self) -> tuple[str, ...]:
        """The types of the edges that start at a document."""
        return ("term", *self.fields, *self.links)

    def names(self, node_type: str) -> NameTable:
        """Return the names of the nodes of one type (documents: their ids)."""
        if node_type == "document":
            return self.documents
        if node_type not in self.nodes:
            raise UnknownName(f"no node type {node_type!r}", hint=f"the graph has {', '.join(self.node_types)}")
        return self.nodes[node_type]

    def size(self, node_type: str) -> int:
        """Return the number of nodes of one type."""
        return len(self.names(node_type))

    def edges(self, edge_type: str) -> Csr:
        """Return the edges of one type, from documents."""
        if edge_type not in self.adjacency:
            raise UnknownName(f"no edge type {edge_type!r}", hint=f"the graph has {', '.join(self.edge_types)}")
        return self.adjacency[edge_type]

    @cached_property
    def document_frequency(self) -> Int64:
        """Return the number of documents in which each term occurs."""
        return self.edges("term").in_degrees(len(self.names("term")))

    def equals(self, other: Graph) -> bool:
        """Check whether two graphs are equal to the last edge."""
        names = ("documents", "fields", "links", "nodes", "adjacency", "tokens", "labels", "extra", "dangling")
        same = all(_equal(getattr(self, name), getattr(other, name)) for name in names)
        return same and bool(self.texts.table.equals(other.texts.table))

    def to_igraph(self) -> igraph.Graph:
        """Convert the graph to igraph: vertices with `type` and `name`, edges with `type`."""
        from hin.conversion import to_igraph

        return to_igraph(self)

    def to_pyg(self, vectors: Any = None, findings: Findings | None = None, *, terms: bool = False) -> Any:
        """Convert the graph to PyTorch Geometric: a `HeteroData` (`hin.conversion.to_pyg`)."""
        from hin.conversion import to_pyg

        return to_pyg(self, vectors, findings, terms=terms)

    def to_networkx(self) -> networkx.MultiDiGraph:
        """Convert the graph to networkx: nodes keyed (type, name)."""
        from hin.conversion import to_networkx

        return to_networkx(self)
