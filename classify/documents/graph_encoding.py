"""Encode the documents of a graph, with the metadata taken from the matched motifs.

The result is the same as `Encoder`'s from each document's text and metadata, but computed on arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.encoder import BETWEEN, Encoded, Encoder
from classify.documents.feature_blocks import FeatureBlocks
from classify.documents.sequences import Rows, Sequences, keep_known, side_by_side
from classify.documents.stored_documents import StoredDocuments
from hin.arrays.stored_rows import BLOCK
from hin.arrays.types import Bools
from hin.files.mapped import release_pages

if TYPE_CHECKING:
    from embed import JointEmbedding
    from hin.engines.base import Engine
    from hin.graph import Csr, Graph
    from motifs import MotifSet


def encode_documents(
    encoder: Encoder, graph: Graph, motif_set: MotifSet, length: int = 200, size: int = 8192
) -> Iterator[Encoded]:
    """Encode the documents that a motif set was matched on, in blocks of some thousands.

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> motifs = match_all(tiny_graph(), ["term", "venue", "venue-year"], min_count=1)
    >>> [block] = encode_documents(Encoder.of(motifs), motifs.graph, motifs)
    >>> [motifs.name(int(i)) for i in block.sequences.row(0)]
    ['VENUE[KDD]', 'TERM[data]', 'TERM[mining]']
    >>> [motifs.name(int(i)) for i in block.counts.indices[: block.counts.indptr[1]]][-1]
    'VENUE[KDD]-YEAR[2008]'
    """
    metadata = _metadata_instances(graph, motif_set)
    held = motif_set.by_document()
    # The instances that the encoder finds in a document's metadata alone: single values and combinations, no terms.
    from_metadata = np.repeat(
        [table.pattern.is_star and "term" not in table.fields for table in motif_set.tables],
        np.diff(motif_set.offsets),
    ).astype(np.bool_)
    stop = 0
    for texts in graph.texts.blocks(size):
        start, stop = stop, stop + len(texts)
        terms = encoder.read_terms([BETWEEN.join(parts) for parts in texts])
        sequences = side_by_side([*(_part(rows, start, stop) for rows in metadata), terms], stop - start, length)
        yield Encoded(_counts(encoder, terms, held, from_metadata, start, stop), sequences)
        release_pages(held.targets)


def _metadata_instances(graph: Graph, motif_set: MotifSet) -> list[Rows]:
    """Return, for each metadata field, the single-value instances of each document."""
    metadata = []
    for field in graph.fields:
        for table, first in zip(motif_set.tables, motif_set.offsets, strict=False):
            # A path through another document may also end in one node, but that node is not the document's own.
            if tuple(table.fields) == (field,) and table.pattern.is_star:
                edges = graph.edges(field)
                instance = np.full(len(graph.names(field)), -1, dtype=np.int32)
                instance[table.parts[:, 0]] = np.arange(len(table), dtype=np.int32) + np.int32(first)
                metadata.append(keep_known(edges.offsets, instance[edges.targets]))
    return metadata


def _part(rows: Rows, start: int, stop: int) -> Rows:
    offsets, ids = rows
    return offsets[start : stop + 1] - offsets[start], ids[offsets[start] : offsets[stop]]


def _counts(encoder: Encoder, terms: Rows, held: Csr, from_metadata: Bools, start: int, stop: int) -> Any:
    low, high = held.offsets[start], held.offsets[stop]
    instances = held.targets[low:high]
    own = from_metadata[instances]
    documents = np.repeat(np.arange(stop - start), np.diff(held.offsets[start : stop + 1]))[own]
    return encoder.count(encoder.with_words(*terms), documents, instances[own])


@dataclass(frozen=True, eq=False)
class Corpus:
    """The encoded documents of a graph.

    Attributes
    ----------
    encoder : encodes new documents in the same way.
    stored : the documents, block by block.
    length : the longest sequence.
    """

    encoder: Encoder
    stored: StoredDocuments
    length: int

    @property
    def counts(self) -> Any:
        """The counts of each instance in each document: CSR, documents x instances."""
        return self.stored.all_counts

    @property
    def sequences(self) -> Sequences:
        """All documents as sequences of instances."""
        return Sequences.joined([block.sequences for block in self.stored])


def encode_corpus(motif_set: MotifSet, length: int, folder: Path) -> Corpus:
    """Encode the documents that a motif set was matched on into a folder."""
    encoder = Encoder.of(motif_set)
    blocks = encode_documents(encoder, motif_set.graph, motif_set, length, BLOCK)
    return Corpus(encoder, StoredDocuments.of(folder, blocks, motif_set.n_instances), length)


def features_of(
    corpus: Corpus, motif_set: MotifSet, embedding: JointEmbedding, engine: Engine, scratch: Path
) -> FeatureBlocks:
    """Return the features of the documents, including instances that pass through other documents."""
    single = np.repeat([len(table.fields) == 1 for table in motif_set.tables], np.diff(motif_set.offsets))
    trust = np.asarray(embedding.weights)
    return FeatureBlocks(corpus.stored, single, trust, _counts_through_links(motif_set), engine, scratch)


def _counts_through_links(motif_set: MotifSet) -> Any:
    """Count the instances of patterns that pass through other documents."""
    from scipy import sparse

    rows, columns = [], []
    for table, start in zip(motif_set.tables, motif_set.offsets, strict=False):
        if not table.pattern.is_star:
            rows.append(table.incidence.targets.astype(np.int64))
            columns.append(table.incidence.rows().astype(np.int64) + start)
    if not rows:
        return None
    row, column = np.concatenate(rows), np.concatenate(columns)
    ones = np.ones(len(row), dtype=np.float32)
    return sparse.coo_array((ones, (row, column)), shape=(len(motif_set.graph), motif_set.n_instances)).tocsr()
