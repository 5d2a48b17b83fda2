"""Category names that phrase mining missed become terms before the embedding, so that they get a vector."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from classify.categories.term_lookup import TermIndex, words_of
from hin.files.mapped import map_large, mapped_zeros, release_pages
from hin.graph import Csr, Graph
from hin.node_names import NameTable

if TYPE_CHECKING:
    from motifs import MotifSet

#: Edges or tokens in a block, and documents in a block.
_EDGES, _DOCUMENTS = 1 << 22, 32_768


def with_phrases(
    graph: Graph, phrases: Iterable[str], index: TermIndex | None = None, keep: Iterable[str] = ()
) -> Graph:
    """Return the graph with each phrase as one term wherever its words follow one another.

    New terms come after the known ones, whose ids do not change. A phrase that is a term already replaces its words
    where mining missed it. One that occurs nowhere changes nothing; nor does a second call. Where the phrase is part of
    a longer mined phrase, the other words of that one become terms by themselves. Terms in `keep` are not split, even
    if a phrase is part of them.

    Examples
    --------
    >>> from hin.building.graph_builder import build_graph
    >>> from hin.reading.records import RecordBatch
    >>> texts = [("we like ham radio",), ("ham, no radio",)]
    >>> graph = build_graph([RecordBatch(["a", "b"], texts, {}, [None] * 2, {}, [("-", 1)] * 2)], ["text"])
    >>> graph = with_phrases(graph, ["Ham Radio"])
    >>> terms = graph.names("term")
    >>> [terms[i] for i in graph.tokens.row(0)], [terms[i] for i in graph.tokens.row(1)]
    (['we', 'like', 'ham radio'], ['ham', 'no', 'radio'])
    """
    index = index or TermIndex(graph)
    known = graph.names("term")
    spellings = dict.fromkeys(" ".join(words_of(phrase)) for phrase in phrases)
    # Longer phrases first: `natural language processing` must not lose words to `natural language`.
    wanted = sorted((s for s in spellings if s), key=lambda s: (-s.count(" "), s))
    # One byte per token: wider integers would be the largest array in memory for a large corpus.
    whole = np.zeros(len(known), dtype=np.bool_)
    whole[[term for term in (known.get(" ".join(words_of(phrase))) for phrase in keep) if term is not None]] = True
    settled = np.empty(graph.tokens.n_edges, dtype=np.bool_)
    for start in range(0, len(settled), _EDGES):
        settled[start : start + _EDGES] = whole[graph.tokens.targets[start : start + _EDGES]]
        release_pages(graph.tokens.targets)
    inserts: list[tuple[int, int, list[int]]] = []
    added: list[str] = []
    for spelling in wanted:
        old = known.get(spelling)
        term, before = len(known) + len(added) if old is None else old, len(inserts)
        found = index.occurrences(spelling)
        for start, stop, head, tail in zip(
            found.starts.tolist(), found.stops.tolist(), found.before.tolist(), found.after.tolist(), strict=True
        ):
            if settled[start:stop].any():
                continue  # part of a longer phrase of these
            if stop == start + 1 and int(graph.tokens.targets[start]) == old:
                settled[start] = True
                continue  # it is this term already
            before_it = words_of(known[int(graph.tokens.targets[start])])[:head] if head else ()
            after_it = words_of(known[int(graph.tokens.targets[stop - 1])])[-tail:] if tail else ()
            row = [*_ids(known, before_it), term, *_ids(known, after_it)]
            settled[start:stop] = True
            inserts.append((start, stop, row))
        if len(inserts) > before and old is None:
            added.append(spelling)
    if not inserts:
        return graph
    offsets, tokens = _spliced(graph.tokens, sorted(inserts))
    old_edges = graph.edges("term")
    release_pages(graph.tokens.targets, old_edges.targets, old_edges.counts)
    names = NameTable.of([*known.tolist(), *added], known.what)
    edges = _term_edges(offsets, tokens, len(names))
    return replace(
        graph,
        nodes={**graph.nodes, "term": names},
        adjacency={**graph.adjacency, "term": edges},
        tokens=Csr(offsets, tokens),
    )


def _spliced(tokens: Csr, inserts: list[tuple[int, int, list[int]]]) -> tuple[np.ndarray, np.ndarray]:
    """Return offsets and targets of the tokens with each slice `start:stop` replaced by its row."""
    stops = np.array([stop for _, stop, _ in inserts], dtype=np.int64)
    grown = np.cumsum([0, *(len(row) - (stop - start) for start, stop, row in inserts)])
    offsets = tokens.offsets + grown[np.searchsorted(stops, tokens.offsets, side="right")]
    targets = mapped_zeros((int(offsets[-1]),), np.int32)
    read = written = released = 0
    for start, stop, row in inserts:
        middle = written + start - read
        targets[written:middle] = tokens.targets[read:start]
        written = middle + len(row)
        targets[middle:written] = row
        read = stop
        if written - released > _EDGES:
            release_pages(targets, tokens.targets)
            released = written
    targets[written:] = tokens.targets[read:]
    release_pages(targets)
    return offsets, targets


def with_instances(motif_set: MotifSet, terms: Iterable[str]) -> MotifSet:
    """Add these terms to the motif set's instances, however few documents they are in.

    A category name below the minimum count would otherwise have no vector.

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> motifs = match_all(tiny_graph(), ["term"], min_count=3)
    >>> motifs.names(), with_instances(motifs, ["mining"]).names()
    (['TERM[data]', 'TERM[web]'], ['TERM[data]', 'TERM[mining]', 'TERM[web]'])
    """
    from motifs import MotifSet, Pattern

    graph = motif_set.graph
    number, table = next(
        ((k, table) for k, table in enumerate(motif_set.tables) if table.pattern == Pattern("term")), (None, None)
    )
    if table is None:
        return motif_set
    ids = {term for term in (graph.names("term").get(name) for name in terms) if term is not None}
    rare = sorted(ids - set(table.parts[:, 0].tolist()))
    if not rare:
        return motif_set
    found, known = _documents_of(graph.edges("term"), rare, len(graph.names("term"))), table.incidence
    places = np.searchsorted(table.parts[:, 0], rare)
    cuts = [0, *known.offsets[places].tolist(), len(known.targets)]
    between = [known.targets[first:last] for first, last in zip(cuts, cuts[1:], strict=False)]
    spliced = [rows for pair in zip(between, found, strict=False) for rows in pair]
    lengths = np.insert(known.degrees(), places, [len(documents) for documents in found])
    targets = map_large(np.concatenate([*spliced, between[-1]]).astype(np.int32, copy=False))
    release_pages(known.targets, targets)
    parts = np.insert(table.parts[:, 0], places, rare)[:, None].astype(np.int32)
    grown = replace(table, parts=parts, incidence=Csr.from_lengths(lengths, targets), compared=None)
    return MotifSet(tuple(grown if k == number else other for k, other in enumerate(motif_set.tables)), graph)


def _documents_of(edges: Csr, terms: list[int], n_terms: int) -> list[np.ndarray]:
    """Return the documents of a few terms, a block of edges at a time, as an index for every edge takes much memory."""
    wanted = np.zeros(n_terms, dtype=np.bool_)
    wanted[terms] = True
    places = [
        first + np.flatnonzero(wanted[edges.targets[first : first + _EDGES]])
        for first in range(0, len(edges.targets), _EDGES)
    ]
    at = np.concatenate(places) if places else np.empty(0, np.int64)
    owner, held = np.searchsorted(edges.offsets, at, side="right") - 1, edges.targets[at]
    return [np.unique(owner[held == term]) for term in terms]


def _ids(known: NameTable, words: Iterable[str]) -> list[int]:
    return [term for term in map(known.get, words) if term is not None]


def _term_edges(offsets: np.ndarray, tokens: np.ndarray, n_terms: int) -> Csr:
    """Return the distinct terms of each document with their counts, a block of documents at a time."""
    from hin.text.phrases_kernel import distinct_terms, first_mentions

    blocks = [offsets[first : first + _DOCUMENTS + 1] for first in range(0, len(offsets) - 1, _DOCUMENTS)]
    sizes = []
    for block in blocks:
        sizes.append(int(first_mentions(block, tokens, n_terms).sum()))
        release_pages(tokens)
    ends = np.zeros(len(offsets), dtype=np.int64)
    targets, counts = (mapped_zeros((sum(sizes),), np.int32) for _ in range(2))
    done = 0
    for number, (block, size) in enumerate(zip(blocks, sizes, strict=True)):
        own, held, times = distinct_terms(block, tokens, n_terms, size)
        ends[number * _DOCUMENTS + 1 : number * _DOCUMENTS + len(block)] = done + own[1:]
        targets[done : done + size], counts[done : done + size] = held, times
        done += size
        release_pages(tokens, targets, counts)
    return Csr(ends, targets, counts)
