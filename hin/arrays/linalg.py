"""Sparse times dense in fixed chunks of rows: the same bits at any number of threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from hin.arrays.one_thread import one_blas_thread
from hin.arrays.types import Doubles, Floats, Reals

#: The most rows computed together; a row's sum does not depend on it.
_CHUNK = 4096
#: Rows of the left side of a singular value decomposition that are held at a time.
_ROWS_AT_ONCE = 32_768
#: A matrix of at most this many values is also held transposed.
_TRANSPOSED = 8_000_000


def product(matrix: Any, dense: Reals, threads: int = 1) -> Floats:
    """Return a CSR matrix times a dense one, float32, rows shared among threads.

    >>> from scipy import sparse
    >>> product(sparse.csr_array(np.eye(2, dtype=np.float32)), np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    right = np.ascontiguousarray(dense, dtype=np.float32)
    out = np.empty((matrix.shape[0], right.shape[1]), dtype=np.float32)

    step = max(1, min(_CHUNK, -(-matrix.shape[0] // max(1, 2 * threads))))

    def rows(start: int) -> None:
        out[start : start + step] = _rows(matrix, start, start + step) @ right

    starts = range(0, matrix.shape[0], step)
    if threads <= 1 or len(starts) < 2:
        for start in starts:
            rows(start)
        return out
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(rows, starts))
    return out


def _rows(matrix: Any, start: int, stop: int) -> Any:
    """Return some rows of a CSR matrix as a view: slicing it copies them."""
    from scipy import sparse

    starts = matrix.indptr[start : stop + 1]
    here = slice(starts[0], starts[-1])
    return sparse.csr_array((matrix.data[here], matrix.indices[here], starts - starts[0]),
                            shape=(len(starts) - 1, matrix.shape[1]))  # fmt: skip


def add_product(matrix: Any, dense: Reals, out: Floats, threads: int = 1) -> None:
    """Add the transpose of a CSR matrix times a dense one to `out`, without making the transpose.

    >>> from scipy import sparse
    >>> out = np.zeros((2, 1), dtype=np.float32)
    >>> add_product(sparse.csr_array(np.array([[1.0, 2.0]], dtype=np.float32)), np.array([[3.0]]), out)
    >>> out.tolist()
    [[3.0], [6.0]]
    """
    from hin.arrays.linalg_kernel import add_transposed

    right = np.ascontiguousarray(dense, dtype=np.float32)
    values = matrix.data.astype(np.float32, copy=False)
    width = right.shape[1]
    if threads <= 1 or width < 2 * threads:
        add_transposed(matrix.indptr, matrix.indices, values, right, out, 0, width)
        return
    cuts = [width * k // threads for k in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(
            pool.map(
                lambda k: add_transposed(matrix.indptr, matrix.indices, values, right, out, cuts[k], cuts[k + 1]),
                range(threads),
            )
        )


def svd(
    matrix: Any, rank: int, rng: np.random.Generator, threads: int = 1, rounds: int = 2, oversampling: int = 10
) -> tuple[Floats, Floats]:
    """Return the leading right singular vectors (as columns) and singular values, by random projection.

    Halko, Martinsson and Tropp (2011) with power iterations; deterministic for a generator. The left side, one row per
    row of the matrix, is never in memory as a whole: only its Gram matrix is needed.

    >>> from scipy import sparse
    >>> right, values = svd(sparse.csr_array(np.diag([3.0, 2.0, 1.0])), 2, np.random.default_rng(0))
    >>> values.round(3).tolist()
    [3.0, 2.0]
    """
    width = min(rank + oversampling, *matrix.shape)
    # The product with a stored transpose has the same order of additions, and takes half the time if memory allows it.
    transposed = matrix.T.tocsr() if matrix.shape[0] <= _ROWS_AT_ONCE and matrix.nnz <= _TRANSPOSED else None
    with one_blas_thread():
        basis = np.empty((matrix.shape[1], width), dtype=np.float32)
        for start in range(0, len(basis), _CHUNK):  # in chunks: the same numbers as in one draw
            basis[start : start + _CHUNK] = rng.standard_normal(basis[start : start + _CHUNK].shape)
        for _ in range(rounds):
            basis, _ = _power_step(matrix, transposed, basis, threads)
            orthonormal(basis)
        small, gram = _power_step(matrix, transposed, basis, threads)
        # MBF is orthonormal for F = `_inverse_factor(gram)`, so `small` becomes the transpose of M times that: MᵀMBF.
        _multiply_in_place(small, _inverse_factor(gram))
        values, rotation = np.linalg.eigh(_gram(small))
        order = np.argsort(-values, kind="stable")[:rank]
        singular = np.sqrt(np.maximum(values[order], 0.0))
        vectors = small @ (rotation[:, order] / np.maximum(singular, 1e-12)).astype(np.float32)
    # A singular vector's sign is arbitrary; it does not matter to any cosine.
    return np.ascontiguousarray(vectors, dtype=np.float32), singular.astype(np.float32)


def orthonormal(columns: Floats) -> None:
    """Make the columns orthonormal in place, by a factor of their Gram matrix; twice, to remove rounding errors.

    >>> columns = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 1.0]], dtype=np.float32)
    >>> orthonormal(columns)
    >>> np.abs(columns.T @ columns).round(4).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    for _ in range(2):
        _multiply_in_place(columns, _inverse_factor(_gram(columns)))


def _power_step(matrix: Any, transposed: Any, basis: Floats, threads: int) -> tuple[Floats, Doubles]:
    """Return MᵀMB and the Gram matrix of MB, for a matrix M and a basis B."""
    if transposed is not None:
        left = product(matrix, basis, threads)
        return product(transposed, left, threads), _gram(left)
    image = np.zeros(basis.shape, dtype=np.float32)
    gram = np.zeros((basis.shape[1],) * 2)
    for start in range(0, matrix.shape[0], _ROWS_AT_ONCE):
        rows = matrix[start : start + _ROWS_AT_ONCE]
        left = product(rows, basis, threads)
        gram += _gram(left)
        add_product(rows, left, image, threads)
    return image, gram


def _gram(columns: Floats) -> Doubles:
    """Return the Gram matrix of the columns, summed chunk by chunk in double precision."""
    total = np.zeros((columns.shape[1],) * 2)
    for start in range(0, len(columns), _CHUNK):
        chunk = columns[start : start + _CHUNK].astype(np.float64)
        total += chunk.T @ chunk
    return total


def _multiply_in_place(columns: Floats, factor: Floats) -> None:
    for start in range(0, len(columns), _CHUNK):
        columns[start : start + _CHUNK] = columns[start : start + _CHUNK] @ factor


def _inverse_factor(gram: Doubles) -> Floats:
    """Return the factor that makes columns with this Gram matrix orthonormal; directions of zero length stay zero."""
    values, vectors = np.linalg.eigh(gram)
    least = max(float(values[-1]), 0.0) * 1e-10
    scale = np.where(values > least, 1 / np.sqrt(np.maximum(values, 1e-300)), 0.0)
    return np.asarray(vectors * scale, dtype=np.float32)
