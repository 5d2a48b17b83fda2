"""Passes over rows in blocks: map a function over the blocks on an engine, or sum its results.

Blocks are of a fixed size, and sums are made over fixed ranges of blocks, then over the ranges in order: the result
is the same on any number of threads and on any engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from hin.arrays.stored_rows import BLOCK
from hin.arrays.types import Array
from hin.engines.base import Engine
from hin.engines.local import LocalEngine
from hin.files.mapped import release_pages

#: The shapes and types of the zeros that a sum starts from.
Zeros = Sequence[tuple[tuple[int, ...], str]]

#: Sums run over at least this many ranges of blocks, and over more where a range would be longer than `_LONG`.
_RANGES = 8
_LONG = 16
#: Rows that are read in many passes are cached in memory if they fit into this many bytes.
_CACHE_BYTES = 256 * 2**20


@dataclass(frozen=True, eq=False)
class RowBlocks:
    """Rows that are read block by block.

    Attributes
    ----------
    read : from a block's number to its rows; it is sent to the engine's workers.
    shape : rows and columns of all blocks together.
    engine : where the work runs.
    """

    read: Callable[[int], Any]
    shape: tuple[int, int]
    engine: Engine

    @property
    def n_blocks(self) -> int:
        """How many blocks there are."""
        return -(-self.shape[0] // BLOCK)

    def cached(self) -> RowBlocks:
        """Return the same rows for many passes: if all of them fit into memory they are read only once.

        The workers of another engine read theirs again in every pass.
        """
        return replace(self, read=_CachedBlocks(self.read, self.n_blocks)) if self.engine.here else self

    def each(self, work: Callable[..., Any], *shared: Any) -> Iterator[Any]:
        """Yield `work(rows, number, *shared)` of every block, in order."""
        yield from self.engine.map(partial(_on_block, self.read, work, self.engine.share(shared)), range(self.n_blocks))

    def total(self, work: Callable[..., None], zeros: Zeros, *shared: Any) -> list[Array]:
        """Call `work(rows, number, sums, *shared)` on every block and return the sums, which start from zeros."""
        task = partial(_range, self.read, work, tuple(zeros), self.engine.share(shared))
        count = min(max(_RANGES, -(-self.n_blocks // _LONG)), self.n_blocks)
        cuts = [self.n_blocks * k // max(count, 1) for k in range(count + 1)]
        total: list[Array] | None = None
        arrays = [one for one in shared if isinstance(one, np.ndarray)]
        for sums in self.engine.map(task, list(zip(cuts, cuts[1:], strict=False))):
            release_pages(*arrays)  # rows in files were read only as far as the blocks go
            if total is None:
                total = sums
            else:
                for whole, part in zip(total, sums, strict=True):
                    whole += part
            del sums
        return _zeros(zeros) if total is None else total

    def __getitem__(self, key: Any) -> Any:
        """Return some rows, given in rising order, as one CSR matrix."""
        from scipy import sparse

        wanted = np.arange(self.shape[0])[key]
        home = wanted // BLOCK
        parts = [self.read(k)[wanted[home == k] % BLOCK] for k in np.unique(home).tolist()]
        if not parts:
            return sparse.csr_array((0, self.shape[1]), dtype=np.float32)
        return sparse.vstack(parts, format="csr")


@dataclass(frozen=True, eq=False)
class _CachedBlocks:
    """Reads each of `count` blocks once and caches it, if all of them fit into `most` bytes."""

    read: Callable[[int], Any]
    count: int
    most: int = _CACHE_BYTES
    blocks: dict[int, Any] = field(default_factory=dict)

    def __call__(self, number: int) -> Any:
        found = self.blocks.get(number)
        if found is None:
            found = self.read(number)
            if self.count * (found.data.nbytes + found.indices.nbytes + found.indptr.nbytes) <= self.most:
                self.blocks[number] = found
        return found


def in_blocks(rows: Any, threads: int = 1) -> RowBlocks:
    """Return a CSR matrix in memory as blocks; what is in blocks already is returned as it is.

    >>> from scipy import sparse
    >>> rows = in_blocks(sparse.csr_array(np.eye(3)))
    >>> [sums] = rows.total(lambda part, number, sums: sums.__setitem__(0, sums[0] + part.sum()), [((), "float64")])
    >>> float(sums), rows.n_blocks
    (3.0, 1)
    """
    if isinstance(rows, RowBlocks):
        return rows
    return RowBlocks(partial(_cut, rows), (rows.shape[0], rows.shape[1]), LocalEngine(f"local:{max(1, threads)}"))


def _cut(rows: Any, number: int) -> Any:
    return rows[number * BLOCK : (number + 1) * BLOCK]


def _on_block(
    read: Callable[[int], Any], work: Callable[..., Any], shared: Callable[[], tuple[Any, ...]], k: int
) -> Any:
    return work(read(k), k, *shared())


def _range(
    read: Callable[[int], Any],
    work: Callable[..., None],
    zeros: Zeros,
    shared: Callable[[], tuple[Any, ...]],
    block: tuple[int, int],
) -> list[Array]:
    sums = _zeros(zeros)
    for number in range(*block):
        work(read(number), number, sums, *shared())
    return sums


def _zeros(zeros: Zeros) -> list[Array]:
    return [np.zeros(shape, dtype=kind) for shape, kind in zeros]
