"""The CNN's way forward, shared by training and prediction: words to filters, filters to windows, windows to labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from classify.documents.sequences import Sequences
from classify.learners.cnn_options import CNNOptions

__all__ = ["apply_head", "by_place", "compact", "cut", "pool_windows", "tabulate"]

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

#: Rows that one thread works on at a time.
_CHUNK = 512


@lru_cache
def by_place(options: CNNOptions) -> tuple[Ints, Ints, Ints]:
    """Return the filters' columns in the order of their place in a window, and what finds them there.

    Of each place: the first map whose window is so wide, those after it are wider; and where its columns begin.

    >>> order, first, places = by_place(CNNOptions(widths=(1, 2), maps=2))
    >>> order.tolist(), first.tolist(), places.tolist()
    ([0, 1, 2, 3, 4, 5], [0, 2], [0, 4])
    """
    widths = np.array(options.widths)
    starts = np.cumsum(widths) - widths
    order: list[int] = []
    first, places = [], []
    for place in range(widths.max()):
        reached = np.flatnonzero(widths > place)
        first.append(int(reached[0]) * options.maps)
        places.append(len(order))
        order += [int(start + place) * options.maps + f for start in starts[reached] for f in range(options.maps)]
    return np.array(order), np.array(first), np.array(places)


def tabulate(
    options: CNNOptions,
    parameters: Mapping[str, Floats],
    vectors: Floats,
    rows: Sequences,
    pool: ThreadPoolExecutor | None,
) -> tuple[Floats, npt.NDArray[np.int32]]:
    """Return what every filter column says of every word used, a last row of zeros, and each word's row.

    Columns stand by their place in the window (`by_place`).
    """
    from classify.learners import cnn_kernel

    used, tokens = compact(rows.ids, len(vectors))
    filters = np.ascontiguousarray(parameters["filters"][:, by_place(options)[0]])
    table = np.zeros((len(used) + 1, filters.shape[1]), dtype=np.float32)
    _spread(pool, len(used), lambda a, b: cnn_kernel.project(vectors, used, filters, a, b, table))
    return table, tokens


def pool_windows(
    options: CNNOptions,
    table: Floats,
    tokens: npt.NDArray[np.int32],
    rows: Sequences,
    pool: ThreadPoolExecutor | None,
) -> tuple[Floats, npt.NDArray[np.int16]]:
    """Return largest window sum of every map, and where it starts, in every document."""
    from classify.learners import cnn_kernel

    _, first, places = by_place(options)
    best = np.empty((rows.n_documents, len(options.widths) * options.maps), dtype=np.float32)
    where = np.empty(best.shape, dtype=np.int16)

    def chunk(a: int, b: int) -> None:
        cnn_kernel.pool(tokens, rows.offsets, a, b, table, first, places, best, where)

    _spread(pool, rows.n_documents, chunk)
    return best, where


def compact(ids: npt.NDArray[np.int32], n: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Return the distinct ids and each id's place among them; ids below 0 get the place after the last.

    >>> used, places = compact(np.array([7, -1, 3, 7], dtype=np.int32), 10)
    >>> used.tolist(), places.tolist()
    ([3, 7], [1, 2, 0, 1])
    """
    seen = np.zeros(n + 1, dtype=np.bool_)
    seen[ids] = True  # -1 marks the extra last slot
    seen[n] = False
    used = np.flatnonzero(seen)
    place = np.full(n + 1, len(used), dtype=np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    return used, place[ids]


def apply_head(parameters: Mapping[str, Floats], pooled: Floats, proba: Floats, pool: ThreadPoolExecutor) -> None:
    """Turn pooled features into probabilities."""
    from classify.learners import cnn_kernel

    names = ("bias", "hidden", "hidden_bias", "out", "out_bias")
    bias, hidden, hidden_bias, out, out_bias = (parameters[name] for name in names)

    def chunk(a: int, b: int) -> None:
        cnn_kernel.dense_softmax(pooled, bias, hidden, hidden_bias, out, out_bias, a, b, proba)

    _spread(pool, len(pooled), chunk)


def _spread(pool: ThreadPoolExecutor | None, n: int, work: Callable[[int, int], None]) -> None:
    """Do the work in chunks, on the pool's threads where there is one."""
    if pool is None:
        work(0, n)
        return
    for done in [pool.submit(work, a, min(a + _CHUNK, n)) for a in range(0, n, _CHUNK)]:
        done.result()


def cut(rows: Sequences, length: int) -> Sequences:
    """Shorten rows to the longest sequence that the CNN reads."""
    lengths = np.diff(rows.offsets)
    if not len(lengths) or lengths.max() <= length:
        return rows
    within = np.arange(len(rows.ids)) - np.repeat(rows.offsets[:-1], lengths)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.minimum(lengths, length), out=offsets[1:])
    return Sequences(offsets, rows.ids[within < length])
