"""From tokens to the graph's terms: numbered by frequency, with each document's distinct ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from hin.arrays.spill import GrowingColumn
from hin.engines.local import LocalEngine
from hin.graph import Csr
from hin.node_names import NameTable
from hin.text.phrases import TokenStream, even_ranges

#: Tokens that are counted at once.
_TOKENS = 1 << 21


def count_terms(stream: TokenStream, min_count: int, scratch: Path | None = None) -> tuple[NameTable, Csr, Csr]:
    """Return the terms from the most to the least frequent, the tokens, and the edges from documents to terms.

    Examples
    --------
    >>> from hin.text.phrases import TokenStream
    >>> tokens, breaks = np.array([0, 1, 1, 1], np.int32), np.zeros(4, np.uint8)
    >>> terms, order, edges = count_terms(TokenStream(np.array([0, 3, 4]), tokens, breaks, ["a", "b"]), 1)
    >>> terms.tolist(), order.targets.tolist(), edges.targets.tolist(), edges.counts.tolist()
    (['b', 'a'], [1, 0, 0, 0], [1, 0, 0], [1, 2, 1])
    """
    from hin.text.phrases_kernel import distinct_terms, first_mentions

    engine = LocalEngine()
    n_documents = len(stream.offsets) - 1
    blocks = even_ranges(np.diff(stream.offsets), _TOKENS)
    documents = np.zeros(len(stream.spellings), dtype=np.int64)

    def mentions(block: tuple[int, int]) -> Any:
        return first_mentions(stream.offsets[block[0] : block[1] + 1], stream.tokens, len(stream.spellings))

    for part in engine.map(mentions, blocks):
        documents += part
        stream.release_pages()
    terms, number = _number_terms(stream.spellings, documents, max(1, min_count))

    def edges_of(block: tuple[int, int]) -> tuple[Any, ...]:
        offsets = stream.offsets[block[0] : block[1] + 1]
        tokens = number[stream.tokens[offsets[0] : offsets[-1]]]
        offsets = offsets - offsets[0]
        if (rare := tokens < 0).any():
            offsets = np.r_[0, np.cumsum(~rare)][offsets]
            tokens = tokens[~rare]
        ends, targets, counts = distinct_terms(offsets, tokens, len(terms), len(tokens))
        return tokens, np.diff(offsets), targets[: ends[-1]], counts[: ends[-1]], np.diff(ends)

    def column(name: str) -> GrowingColumn:
        return GrowingColumn(np.int32, None if scratch is None else scratch / name)

    columns = [
        column("tokens.npy"),
        GrowingColumn(np.int64),
        column("targets.npy"),
        column("counts.npy"),
        GrowingColumn(np.int64),
    ]
    for made in engine.map(edges_of, blocks):
        for whole, piece in zip(columns, made, strict=True):
            whole.add(piece)
        stream.release_pages()
    tokens, lengths, targets, counts, degrees = (whole.array() for whole in columns)
    assert len(lengths) == n_documents
    return terms, Csr.from_lengths(lengths, tokens), Csr.from_lengths(degrees, targets, counts)


def _number_terms(spellings: list[str], documents: Any, min_count: int) -> tuple[NameTable, Any]:
    """Return the terms in at least this many documents, from the most to the least frequent, equal ones by spelling."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kept = np.flatnonzero(documents >= min_count)
    names = pa.array(spellings, type=pa.large_string()).take(pa.array(kept))
    table = pa.table({"documents": documents[kept], "name": names})
    # Arrow compares the bytes of UTF-8, whose order is that of the characters, as Python's is.
    order = pc.sort_indices(table, sort_keys=[("documents", "descending"), ("name", "ascending")])
    number = np.full(len(spellings), -1, dtype=np.int32)
    number[kept[order.to_numpy()]] = np.arange(len(kept), dtype=np.int32)
    return NameTable(names.take(order), "term"), number
