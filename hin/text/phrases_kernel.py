"""The inner loops of phrase mining and of counting terms by document."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit
from hin.arrays.hash_table_kernel import position_of


@njit(cache=True, nogil=True)
def mentions(tokens: Any, counts: Any) -> None:
    """Add to `counts` how often each term occurs."""
    for i in range(len(tokens)):
        counts[tokens[i]] += 1


@njit(cache=True, nogil=True)
def pairs_by_first(tokens: Any, breaks: Any, eligible: Any, counts: Any) -> None:
    """Add to `counts` how many adjacent pairs of eligible terms begin with each term."""
    for i in range(1, len(tokens)):
        if breaks[i] == 0 and eligible[tokens[i - 1]] and eligible[tokens[i]]:
            counts[tokens[i - 1]] += 1


@njit(cache=True, nogil=True)
def adjacent_keys(tokens: Any, breaks: Any, eligible: Any, n_terms: int, low: int, high: int, keys: Any) -> int:
    """Write a key for every adjacent pair of eligible terms whose first is in [low, high); return how many."""
    n = 0
    for i in range(1, len(tokens)):
        first = tokens[i - 1]
        if low <= first < high and breaks[i] == 0 and eligible[first] and eligible[tokens[i]]:
            keys[n] = np.int64(first) * n_terms + tokens[i]
            n += 1
    return n


@njit(cache=True, nogil=True)
def join(
    tokens: Any,
    breaks: Any,
    offsets: Any,
    keys: Any,
    scores: Any,
    slots: Any,
    n_terms: int,
    out: Any,
    out_breaks: Any,
    out_offsets: Any,
) -> int:
    """Replace accepted pairs by one term (id n_terms + position of the pair); of two that overlap the better wins."""
    shift = np.uint64(64 - int(np.log2(len(slots))))
    n = 0
    for document in range(len(offsets) - 1):
        out_offsets[document] = n
        i, stop = offsets[document], offsets[document + 1]
        ahead = -2  # the pair that starts at i: -2 not looked up yet
        while i < stop:
            pair = ahead
            if pair == -2:
                pair = -1
                if i + 1 < stop and breaks[i + 1] == 0:
                    pair = position_of(np.int64(tokens[i]) * n_terms + tokens[i + 1], keys, slots, shift)
            ahead = -2
            if pair >= 0 and i + 2 < stop and breaks[i + 2] == 0:
                ahead = position_of(np.int64(tokens[i + 1]) * n_terms + tokens[i + 2], keys, slots, shift)
                if ahead >= 0 and scores[ahead] > scores[pair]:
                    pair = -1
            out_breaks[n] = breaks[i]
            if pair >= 0:
                out[n] = n_terms + pair
                i += 2
                ahead = -2
            else:
                out[n] = tokens[i]
                i += 1
            n += 1
    out_offsets[len(offsets) - 1] = n
    return n


@njit(cache=True, nogil=True)
def first_mentions(offsets: Any, tokens: Any, n_terms: int) -> Any:
    """Return in how many documents each term occurs."""
    seen = np.full(n_terms, -1, dtype=np.int64)
    documents = np.zeros(n_terms, dtype=np.int64)
    for document in range(len(offsets) - 1):
        for i in range(offsets[document], offsets[document + 1]):
            if seen[tokens[i]] != document:
                seen[tokens[i]] = document
                documents[tokens[i]] += 1
    return documents


@njit(cache=True, nogil=True)
def distinct_terms(offsets: Any, tokens: Any, n_terms: int, n_edges: int) -> tuple[Any, Any, Any]:
    """Return the distinct terms of each document in order of first mention, with the number of mentions."""
    place = np.full(n_terms, -1, dtype=np.int64)
    edge_offsets = np.zeros(len(offsets), dtype=np.int64)
    targets = np.empty(n_edges, dtype=np.int32)
    counts = np.empty(n_edges, dtype=np.int32)
    n = 0
    for document in range(len(offsets) - 1):
        first = n
        for i in range(offsets[document], offsets[document + 1]):
            term = tokens[i]
            at = place[term]
            if at >= first:
                counts[at] += 1
            else:
                place[term] = n
                targets[n] = term
                counts[n] = 1
                n += 1
        edge_offsets[document + 1] = n
    return edge_offsets, targets, counts


@njit(cache=True, nogil=True)
def rows_with(offsets: Any, targets: Any, rows: Any, wanted: Any) -> Any:
    """Return those of the rows that hold a wanted target."""
    found = np.empty(len(rows), dtype=np.int64)
    n = 0
    for row in rows:
        for i in range(offsets[row], offsets[row + 1]):
            if wanted[targets[i]]:
                found[n] = row
                n += 1
                break
    return found[:n]
