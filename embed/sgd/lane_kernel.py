"""One lane's share of a round: copy the rows it will change, run sequential SGD on the copies, leave them there.

Nothing here depends on which thread runs a lane or when, so the result is the same bytes at any number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from embed.sgd.kernel_tables import (
    DOCUMENT,
    EDGES,
    INSTANCES_END,
    INSTANCES_START,
    LOSS,
    MEASURED,
    TOKENS_END,
    TOKENS_START,
)
from embed.sgd.random_kernel import below, draw, noise_index, unit
from embed.sgd.vector_kernel import RIGHTS, prefetch_row, step2, step4, tangent2, tangent4
from hin.arrays.compiling import BOUNDS_CHECKED, njit

_ONE = np.uint64(1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ONE_FLOAT = np.float32(1.0)
#: How many rows ahead of the one being copied are prefetched.
_AHEAD = 6
#: The loss is measured on one block in this many.
_LOSS_EVERY = 64


@njit(cache=True, nogil=True, fastmath=True, inline="always")
def normalise(vectors: Any, row: Any) -> None:
    """Scale a row to unit length; a zero row stays."""
    total = np.float32(0.0)
    for c in range(vectors.shape[1]):
        total += vectors[row, c] * vectors[row, c]
    if total > np.float32(0.0):
        scale = _ONE_FLOAT / np.sqrt(total)
        for c in range(vectors.shape[1]):
            vectors[row, c] *= scale


@njit(cache=True, nogil=True, fastmath=True, inline="always")
def sgd_block(
    vectors: Any,
    kappa: Any,
    lefts: Any,
    n_left: Any,
    rights: Any,
    n_right: Any,
    rate: Any,
    kappa_rate: Any,
    sphere: Any,
    scores: Any,
) -> None:
    """Do one SGD step on up to 4 left rows against right row 0 (positive) and the others (negatives), appendix A.1.

    `lefts` and `rights` hold row numbers of `vectors`, padded to 4 and to a multiple of 6 with a row that is zero.
    All left rows use the old right rows and vice versa. `scores` is float32[32] scratch.
    """
    row_bytes = vectors.shape[1] * 4
    base = vectors.ctypes.data
    left_at = lefts.ctypes.data
    if BOUNDS_CHECKED:  # the steps use raw addresses, so index each row once as an array
        for row in lefts:
            scores[0] = vectors[row, row_bytes // 4 - 1] + kappa[row]
        for row in rights:
            scores[0] = vectors[row, row_bytes // 4 - 1]
    for first in range(0, n_right, RIGHTS):
        right_at = rights.ctypes.data + 8 * first
        positive = 1 if first == 0 else 0
        kappas, scored, n = kappa.ctypes.data, scores.ctypes.data, n_right - first
        block = (base, row_bytes, kappas, left_at, n_left, right_at, n, positive, rate, kappa_rate, scored)
        if sphere and n_left > 2:
            tangent4(*block)
        elif sphere:
            tangent2(*block)
        elif n_left > 2:
            step4(*block)
        else:
            step2(*block)
    if sphere:
        for i in range(n_left):
            normalise(vectors, lefts[i])
        for j in range(n_right):
            normalise(vectors, rights[j])


@njit(cache=True, nogil=True)
def block_loss(scores: Any, kappa: Any, lefts: Any, n_left: Any, n_right: Any) -> Any:
    """Compute the negative-sampling loss of a block (its first 6 right rows), for the progress line only."""
    total = 0.0
    wide = 4 if n_left > 2 else 2
    for j in range(min(n_right, RIGHTS)):
        for i in range(n_left):
            x = np.float64(kappa[lefts[i]] * scores[j * wide + i])
            total += np.log1p(np.exp(-x if j == 0 else x))
    return total


@njit(cache=True, nogil=True, inline="always")
def _slot(row: Any, rows: Any, count: Any, buckets: Any, shift: Any) -> Any:
    """Return the lane's slot of a table row, taking the next free one when the row is new (open addressing)."""
    mask = buckets.size - 1
    h = np.int64((np.uint64(row) * _GOLDEN) >> shift)
    while True:
        s = buckets[h]
        if s < 0:
            buckets[h] = count
            rows[count] = row
            return np.int64(count)
        if rows[s] == row:
            return np.int64(s)
        h = (h + 1) & mask


@njit(cache=True, nogil=True)
def gather_rows(
    lane: Any, first: Any, last: Any, table: Any, kappa: Any, shape: Any, corpus: Any, lanes: Any, key: Any
) -> Any:
    """Choose the lane's edges and negatives, give every row they use a slot, and copy the rows in.

    Terms are subsampled here. Negatives come in two pools per lane, drawn from the noise distributions; each group of
    edges later takes its own from them. Returns how many random numbers were used.
    """
    rows = lanes.rows[lane]
    documents, lefts, ends = lanes.documents[lane], lanes.lefts[lane], lanes.ends[lane]
    token_lefts, token_rights = lanes.token_lefts[lane], lanes.token_rights[lane]
    document_pool, term_pool = lanes.document_pool[lane], lanes.term_pool[lane]
    pieces, keep_instance, keep_token = corpus.pieces, corpus.keep_instance, corpus.keep_token
    most_rows = shape.document_pool + shape.term_pool
    for p in range(first, last):
        n_instances = pieces[p, INSTANCES_END] - pieces[p, INSTANCES_START]
        most_rows += 1 + n_instances + 2 * (pieces[p, TOKENS_END] - pieces[p, TOKENS_START])
    shift = np.uint64(63)
    size = 2
    while size < 2 * most_rows:
        shift -= _ONE
        size *= 2
    buckets = lanes.buckets[lane, :size]
    buckets[:] = -1
    counter = _ONE
    count = 0
    n_lefts = 0
    n_tokens = 0
    first_right = shape.n_instances
    first_document = shape.n_instances + shape.n_terms
    for p in range(first, last):
        q = p - first
        s = _slot(first_document + pieces[p, DOCUMENT], rows, count, buckets, shift)
        count = max(count, s + 1)
        documents[q] = s
        for e in range(pieces[p, INSTANCES_START], pieces[p, INSTANCES_END]):
            m = corpus.instances[e]
            if keep_instance[m] < _ONE_FLOAT:
                counter += _ONE
                if unit(draw(key, counter)) >= keep_instance[m]:
                    continue
            s = _slot(m, rows, count, buckets, shift)
            count = max(count, s + 1)
            lefts[n_lefts] = s
            n_lefts += 1
        ends[q, 0] = n_lefts
        for e in range(pieces[p, TOKENS_START], pieces[p, TOKENS_END]):
            t = corpus.tokens[e]
            if keep_token[t] < _ONE_FLOAT:
                counter += _ONE
                if unit(draw(key, counter)) >= keep_token[t]:
                    continue
            s = _slot(shape.term_offset + t, rows, count, buckets, shift)
            count = max(count, s + 1)
            token_lefts[n_tokens] = s
            s = _slot(first_right + t, rows, count, buckets, shift)
            count = max(count, s + 1)
            token_rights[n_tokens] = s
            n_tokens += 1
        ends[q, 1] = n_tokens
    for k in range(shape.document_pool):
        counter += _ONE
        d = noise_index(draw(key, counter), corpus.document_accept, corpus.document_alias)
        s = _slot(first_document + d, rows, count, buckets, shift)
        count = max(count, s + 1)
        document_pool[k] = s
    for k in range(shape.term_pool):
        counter += _ONE
        t = noise_index(draw(key, counter), corpus.term_accept, corpus.term_alias)
        s = _slot(first_right + t, rows, count, buckets, shift)
        count = max(count, s + 1)
        term_pool[k] = s
    lanes.counts[lane] = count
    vectors, kappas = lanes.vectors[lane], lanes.kappa[lane]
    width = table.shape[1]
    for s in range(count):
        if s + _AHEAD < count:
            prefetch_row(table.ctypes.data + np.int64(rows[s + _AHEAD]) * width * 4, width * 4)
        row = rows[s]
        for c in range(width):
            vectors[s, c] = table[row, c]
        kappas[s] = kappa[row] if row < shape.n_instances else _ONE_FLOAT
    return counter


@njit(cache=True, nogil=True, inline="always")
def _pick(pool: Any, n_pool: Any, wanted: Any, positive: Any, rights: Any, bits: Any) -> Any:
    """Put the positive and `wanted` negatives into `rights`: distinct slots of the pool from a random position on."""
    n = 1
    rights[0] = positive
    k = below(bits, n_pool)
    for _ in range(n_pool):
        s = pool[k]
        k += 1
        if k == n_pool:
            k = 0
        fresh = True
        for j in range(n):
            if rights[j] == s:
                fresh = False
        if fresh:
            rights[n] = s
            n += 1
            if n > wanted:
                break
    return n


@njit(cache=True, nogil=True, fastmath=True)
def train_lane(
    lane: Any,
    first: Any,
    last: Any,
    table: Any,
    kappa: Any,
    shape: Any,
    corpus: Any,
    lanes: Any,
    key: Any,
    rate: Any,
    kappa_rate: Any,
) -> None:
    """Run SGD over the document edges and the context edges of the pieces `first` to `last`, document by document.

    Document edges: the document is the right row, its instances are the left rows (J_Doc). Context edges: the centre
    token is the right row, the tokens in its window the left rows (J_Ctxt; the window is symmetric).
    """
    counter = gather_rows(lane, first, last, table, kappa, shape, corpus, lanes, key)
    vectors, kappas = lanes.vectors[lane], lanes.kappa[lane]
    documents, all_lefts, ends = lanes.documents[lane], lanes.lefts[lane], lanes.ends[lane]
    token_lefts, token_rights = lanes.token_lefts[lane], lanes.token_rights[lane]
    document_pool, term_pool = lanes.document_pool[lane], lanes.term_pool[lane]
    zero = vectors.shape[0] - 1
    lefts = np.full(4, zero, np.int64)
    rights = np.full((shape.negatives // RIGHTS + 1) * RIGHTS, zero, np.int64)
    near = np.empty(2 * shape.window + 4, np.int64)
    scores = np.zeros(32, np.float32)
    edges = 0
    blocks = 0
    loss = 0.0
    measured = 0
    left_lo = 0
    token_lo = 0
    for q in range(last - first):
        left_hi, token_hi = ends[q, 0], ends[q, 1]
        for _ in range(shape.passes):
            for group in range(left_lo, left_hi, shape.group):
                counter += _ONE
                n_right = _pick(
                    document_pool, shape.document_pool, shape.negatives, documents[q], rights, draw(key, counter)
                )
                for j in range(n_right, rights.size):
                    rights[j] = zero
                group_end = min(group + shape.group, left_hi)
                for start in range(group, group_end, 4):
                    n_left = min(4, group_end - start)
                    for i in range(4):
                        lefts[i] = all_lefts[start + i] if i < n_left else zero
                    sgd_block(vectors, kappas, lefts, n_left, rights, n_right, rate, kappa_rate, shape.sphere, scores)
                    edges += n_left
                    blocks += 1
                    if blocks % _LOSS_EVERY == 1:
                        loss += block_loss(scores, kappas, lefts, n_left, n_right)
                        measured += n_left
        for centre in range(token_lo, token_hi):
            counter += _ONE
            bits = draw(key, counter)
            reach = shape.window
            if shape.shrink:  # the low bits choose the window, the high ones the negatives
                reach = 1 + np.int64(((bits & np.uint64(0xFFFF)) * np.uint64(shape.window)) >> np.uint64(16))
            n_near = 0
            for k in range(max(token_lo, centre - reach), min(token_hi, centre + reach + 1)):
                if k != centre:
                    near[n_near] = token_lefts[k]
                    n_near += 1
            if n_near == 0:
                continue
            n_right = _pick(term_pool, shape.term_pool, shape.negatives, token_rights[centre], rights, bits)
            for j in range(n_right, rights.size):
                rights[j] = zero
            for start in range(0, n_near, 4):
                n_left = min(4, n_near - start)
                for i in range(4):
                    lefts[i] = near[start + i] if i < n_left else zero
                sgd_block(vectors, kappas, lefts, n_left, rights, n_right, rate, kappa_rate, shape.sphere, scores)
                edges += n_left
                blocks += 1
                if blocks % _LOSS_EVERY == 1:
                    loss += block_loss(scores, kappas, lefts, n_left, n_right)
                    measured += n_left
        left_lo, token_lo = left_hi, token_hi
    lanes.stats[lane, EDGES] = edges
    lanes.stats[lane, LOSS] = loss
    lanes.stats[lane, MEASURED] = measured
