"""Sparse times dense in fixed chunks of rows: the same bits at any number of threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["product", "svd"]

Floats = npt.NDArray[np.float32]

#: Rows computed together; a row's sum does not depend on it.
_CHUNK = 4096


def product(matrix: Any, dense: npt.NDArray[np.floating[Any]], threads: int = 1) -> Floats:
    """Return a CSR matrix times a dense one, float32, rows shared among threads.

    >>> from scipy import sparse
    >>> product(sparse.csr_array(np.eye(2, dtype=np.float32)), np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    right = np.ascontiguousarray(dense, dtype=np.float32)
    out = np.empty((matrix.shape[0], right.shape[1]), dtype=np.float32)

    def rows(start: int) -> None:
        out[start : start + _CHUNK] = matrix[start : start + _CHUNK] @ right

    starts = range(0, matrix.shape[0], _CHUNK)
    if threads <= 1 or len(starts) < 2:
        for start in starts:
            rows(start)
        return out
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(rows, starts))
    return out


def svd(
    matrix: Any, rank: int, rng: np.random.Generator, threads: int = 1, rounds: int = 2, spare: int = 10
) -> tuple[Floats, Floats]:
    """Return the leading right singular vectors (as columns) and singular values, by random projection.

    Halko, Martinsson and Tropp (2011) with power iterations; deterministic for a generator.

    >>> from scipy import sparse
    >>> right, values = svd(sparse.csr_array(np.diag([3.0, 2.0, 1.0])), 2, np.random.default_rng(0))
    >>> values.round(3).tolist()
    [3.0, 2.0]
    """
    from threadpoolctl import threadpool_limits

    transposed = matrix.T.tocsr()
    width = min(rank + spare, *matrix.shape)
    with threadpool_limits(1):
        basis = rng.standard_normal((matrix.shape[1], width)).astype(np.float32)
        for _ in range(rounds):
            left, _ = np.linalg.qr(product(matrix, basis, threads))
            basis, _ = np.linalg.qr(product(transposed, left, threads))
        left, _ = np.linalg.qr(product(matrix, basis, threads))
        small = product(transposed, left, threads)
        vectors, values, _ = np.linalg.svd(small, full_matrices=False)
    # A singular vector's sign is arbitrary; it does not matter to any cosine.
    return np.ascontiguousarray(vectors[:, :rank], dtype=np.float32), values[:rank].astype(np.float32)
