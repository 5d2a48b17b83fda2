"""Encode documents, of the graph or new, for the classifier: instances with counts, and the sequence for the CNN.

It reads text and metadata alone, so a document that is already in the graph and the same document in a file come out
the same. Instances of patterns that pass through other documents are left out: they help to find the soft labels that
the classifier is trained on, but a new document does not have them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from functools import cached_property
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.sequences import Rows, Sequences, side_by_side
from hin.arrays.types import Floats, Int32, Int64
from hin.engines.base import ranges
from hin.reading.columns.same_values import folded

if TYPE_CHECKING:
    from classify.documents.term_reader import TermReader
    from hin.graph import Graph
    from hin.reading.records import RecordBatch
    from motifs import MotifSet

#: The separator that `hin load` puts between the text fields of a document, so that no phrase spans two of them.
BETWEEN = "\n\n\u2029"


@dataclass(frozen=True, eq=False)
class Encoded:
    """Encoded documents: counts of their instances (documents x instances), the CNN's sequences, the user's vectors."""

    counts: Any
    sequences: Sequences
    vectors: Floats | None = None

    @classmethod
    def of(cls, sequences: Sequences, n_instances: int) -> Encoded:
        """Make encoded documents from sequences alone, counting their instances.

        >>> Encoded.of(Sequences.of([[1, -1, 1], [0]]), 2).counts.toarray().tolist()
        [[0.0, 2.0], [1.0, 0.0]]
        """
        from scipy import sparse

        known = sequences.ids >= 0
        starts = np.concatenate([[0], np.cumsum(known)])[sequences.offsets]
        ones = np.ones(int(known.sum()), dtype=np.float32)
        shape = (sequences.n_documents, n_instances)
        counts = sparse.csr_array((ones, sequences.ids[known], starts), shape=shape)
        counts.sum_duplicates()
        return cls(counts, sequences)

    def __len__(self) -> int:
        return int(self.counts.shape[0])


@dataclass(frozen=True, eq=False)
class Encoder:
    """Finds the instances of a motif set in text and metadata.

    Attributes
    ----------
    fields : the metadata fields, in the graph's order.
    tables : for each table of the motif set, its fields and the values of its instances; () for a pattern that a
        document alone does not determine.
    starts : the index of the first instance of each table.
    limits : a document with more combinations than this gets no instance of that table, as in matching.
    """

    fields: tuple[str, ...]
    tables: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...]
    starts: Int64
    limits: tuple[int, ...]

    @classmethod
    def of(cls, motif_set: MotifSet) -> Encoder:
        """Return the encoder of a matched motif set."""
        tables = []
        for table in motif_set.tables:
            alone = table.pattern.is_star
            values = table.values_of(np.arange(len(table))) if alone else [()] * len(table)
            tables.append((tuple(table.fields) if alone else (), tuple(values)))
        limits = tuple(table.max_per_document for table in motif_set.tables)
        return cls(motif_set.graph.fields, tuple(tables), np.asarray(motif_set.offsets, np.int64), limits)

    def __getstate__(self) -> dict[str, Any]:
        """Leave cached properties out of pickles: their arrays are written to, and unpickled ones may be read-only."""
        return {field.name: getattr(self, field.name) for field in fields_of(self)}

    @property
    def n_instances(self) -> int:
        """How many instances the motif set has."""
        return int(self.starts[-1])

    @cached_property
    def _text(self) -> TermReader:
        from classify.documents.term_reader import TermReader

        terms = next((k for k, (fields, _) in enumerate(self.tables) if fields == ("term",)), None)
        if terms is None:
            return TermReader([], 0)
        return TermReader([row[0] for row in self.tables[terms][1]], int(self.starts[terms]))

    @cached_property
    def _singles(self) -> dict[str, dict[str, int]]:
        """The instance of each single value, by field."""
        return {
            fields[0]: {row[0]: int(start) + i for i, row in enumerate(values)}
            for (fields, values), start in zip(self.tables, self.starts, strict=False)
            if len(fields) == 1 and fields != ("term",)
        }

    @cached_property
    def _combined(self) -> list[tuple[list[tuple[str, int]], dict[tuple[str, ...], int], int]]:
        """For each table of two or more parts: the number of values of each field, and the combinations' instances."""
        found = []
        for (fields, values), start, limit in zip(self.tables, self.starts, self.limits, strict=False):
            if len(fields) < 2 or "term" in fields:
                continue
            kinds = [(name, fields.count(name)) for name in dict.fromkeys(fields)]
            place = {name: [c for c, other in enumerate(fields) if other == name] for name, _ in kinds}
            of = {
                tuple(value for name, _ in kinds for value in sorted(row[c] for c in place[name])): int(start) + i
                for i, row in enumerate(values)
            }
            found.append((kinds, of, limit))
        return found

    def encode(self, texts: Sequence[str], metadata: dict[str, list[list[str]]], length: int = 200) -> Encoded:
        """Find the instances of documents given as joined texts and a column of values for each field."""
        n = len(texts)
        term_offsets, terms = self.read_terms(texts)
        rows: list[list[int]] = []
        heads: list[list[int]] = []
        for i in range(n):
            values = {name: list(dict.fromkeys(column[i])) for name, column in metadata.items() if name in self.fields}
            heads.append([at for name in self.fields for at in self._known(name, values.get(name, ()))])
            rows.append([*heads[-1], *self._combinations(values)])
        meta_counts = np.array([len(row) for row in rows], dtype=np.int64)
        flat = np.array([at for row in rows for at in row], dtype=np.int32)
        counts = self.count(self.with_words(term_offsets, terms), np.repeat(np.arange(n), meta_counts), flat)
        return Encoded(counts, side_by_side([Sequences.of(heads), (term_offsets, terms)], n, length))

    def count(self, words: Rows, documents: Int64, instances: Int32) -> Any:
        """Count the words, and the other instances of these documents: CSR, documents x instances."""
        from scipy import sparse

        offsets, ids = words
        n, columns = len(offsets) - 1, np.concatenate([ids, instances])
        rows = np.concatenate([np.repeat(np.arange(n), np.diff(offsets)), documents]).astype(np.int64)
        counts = sparse.coo_array((np.ones(len(columns), np.float32), (rows, columns)), (n, self.n_instances)).tocsr()
        counts.sum_duplicates()
        counts.sort_indices()
        return counts

    def read_terms(self, texts: Sequence[str]) -> Rows:
        """Return the term instances of each text, in order."""
        return self._text.read(texts)

    def with_words(self, offsets: Int64, terms: Int32) -> Rows:
        """Append the words of its phrases to each document's terms."""
        return self._text.with_words(offsets, terms)

    def unknown_words(self, batch: RecordBatch) -> tuple[int, Counter[str]]:
        """Count the words of some records, and those that the model does not know."""
        return self._text.unknown([BETWEEN.join(parts) for parts in batch.texts])

    @cached_property
    def known_values(self) -> dict[str, frozenset[str]]:
        """The values of each field that occur in an instance; fields that no pattern uses are left out."""
        known: dict[str, set[str]] = {}
        for names, rows in self.tables:
            for column, name in enumerate(names):
                if name != "term":
                    known.setdefault(name, set()).update(row[column] for row in rows)
        return {name: frozenset(values) for name, values in known.items()}

    def _known(self, field: str, values: Sequence[str]) -> Iterator[int]:
        of = self._singles.get(field, {})
        return (of[value] for value in values if value in of)

    def _combinations(self, values: dict[str, list[str]]) -> Iterator[int]:
        for kinds, of, limit in self._combined:
            total = 1
            for name, size in kinds:
                total *= comb(len(values.get(name, ())), size)
            if not 0 < total <= limit:
                continue
            choices = [[tuple(sorted(c)) for c in combinations(values[name], size)] for name, size in kinds]
            for chosen in product(*choices):
                at = of.get(tuple(value for part in chosen for value in part))
                if at is not None:
                    yield at

    def encode_batch(self, batch: RecordBatch, length: int = 200) -> Encoded:
        """Find the instances of a batch of records from a reader."""
        return self.encode([BETWEEN.join(parts) for parts in batch.texts], self.as_loaded(batch.metadata), length)

    def as_loaded(self, metadata: Mapping[str, list[list[str]]]) -> dict[str, list[list[str]]]:
        """Replace values by the model's spelling where only case or spaces differ, as `hin load` merges them."""
        return {name: [[self._spelling(name, v) for v in row] for row in column] for name, column in metadata.items()}

    def _spelling(self, field: str, value: str) -> str:
        known = self.known_values.get(field, frozenset())
        return value if value in known else self.spellings.get(field, {}).get(folded(value), value)

    @cached_property
    def spellings(self) -> dict[str, dict[str, str]]:
        """The value of each case-folded spelling, by field; left out where several share one, as with `--keep-case`."""
        found = {}
        for name, values in self.known_values.items():
            count = Counter(map(folded, values))
            found[name] = {key: value for value in values if count[key := folded(value)] == 1}
        return found

    def encode_graph(self, graph: Graph, length: int = 200, size: int = 8192) -> Iterator[Encoded]:
        """Find the instances of a graph's documents, in blocks of some thousands."""
        for start, stop in ranges(len(graph), size):
            yield self.encode_range(graph, start, stop, length)

    def encode_range(self, graph: Graph, start: int, stop: int, length: int = 200) -> Encoded:
        """Find the instances of a range of a graph's documents."""
        metadata = {}
        for name in self.fields:
            if name not in graph.fields:
                continue
            edges = graph.edges(name)
            low, high = edges.offsets[start], edges.offsets[stop]
            flat = graph.names(name).take(edges.targets[low:high])
            cuts = (edges.offsets[start : stop + 1] - low).tolist()
            metadata[name] = [flat[a:b] for a, b in zip(cuts, cuts[1:], strict=False)]
        return self.encode(joined_texts(graph, start, stop), metadata, length)


def joined_texts(graph: Graph, start: int, stop: int) -> list[str]:
    """Return the texts of a range of documents, their fields joined as `hin load` does."""
    columns = [column.slice(start, stop - start).to_pylist() for column in graph.texts.table.columns]
    return [BETWEEN.join(parts) for parts in zip(*columns, strict=True)]
