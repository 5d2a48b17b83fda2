"""Dense rows too many for memory: a folder with one file per block of rows, read on demand.

It can be sliced, indexed by row numbers and multiplied like an array, so that code that compares documents need not
know whether they are in memory.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hin.arrays.types import Array, Floats
from hin.files.mapped import mapped_zeros, release_pages

#: Rows in a block. Fixed, so that sums over blocks are the same everywhere.
BLOCK = 4096
#: Rows of at most this many bytes are read once and cached: some are read hundreds of times.
_FEW = 32 << 20
#: Number of blocks after which a pass releases the pages it has read.
_BLOCKS = 16


@dataclass(frozen=True, eq=False)
class StoredRows:
    """float32 rows in files; any process that sees the folder can read and write blocks.

    Attributes
    ----------
    folder : where the blocks are.
    shape : rows and columns.

    Examples
    --------
    >>> import tempfile
    >>> rows = StoredRows.of(Path(tempfile.mkdtemp()) / "rows", np.eye(3, dtype=np.float32))
    >>> rows[np.array([2, 0])].tolist(), (rows @ np.ones((3, 1), dtype=np.float32)).ravel().tolist()
    ([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [1.0, 1.0, 1.0])
    """

    folder: Path
    shape: tuple[int, int]
    _in_memory: list[Floats] = field(default_factory=list, repr=False)

    def __reduce__(self) -> tuple[type[StoredRows], tuple[Path, tuple[int, int]]]:
        return StoredRows, (self.folder, self.shape)

    @classmethod
    def empty(cls, folder: Path, shape: tuple[int, int]) -> StoredRows:
        """Allocate the files; `write` fills the blocks."""
        folder.mkdir(parents=True)
        return cls(folder, shape)

    @classmethod
    def open(cls, folder: Path, rows: int) -> StoredRows:
        """Open rows that were stored before; ValueError or OSError where they are not there, or not whole."""
        sizes = [(folder / f"{number:06d}.f32").stat().st_size for number in range(-(-rows // BLOCK))]
        width = sum(sizes) // max(4 * rows, 1)
        if sizes != [4 * width * (last - first) for first, last in row_blocks(rows)]:
            raise ValueError(f"{folder} does not hold {rows} rows")
        return cls(folder, (rows, width))

    @classmethod
    def of(cls, folder: Path, rows: Floats) -> StoredRows:
        """Store an array."""
        stored = cls.empty(folder, (rows.shape[0], rows.shape[1]))
        for number, (first, last) in enumerate(row_blocks(len(rows))):
            stored.write(number, rows[first:last])
        return stored

    def release(self) -> None:
        """Release the rows that were read into memory."""
        self._in_memory.clear()

    def write(self, number: int, rows: Floats) -> None:
        """Write one block; writing it again replaces it."""
        path = self._path(number)
        part = path.with_suffix(".part")
        np.ascontiguousarray(rows, dtype=np.float32).tofile(part)
        part.replace(path)
        self._in_memory.clear()

    def block(self, number: int) -> Floats:
        """Read one block."""
        return np.fromfile(self._path(number), dtype=np.float32).reshape(-1, self.shape[1])

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Floats:
        """Return some rows, in the given order."""
        if 4 * self.shape[0] * self.shape[1] <= _FEW:
            if not self._in_memory:
                self._in_memory.append(np.asarray(self))
            return np.array(self._in_memory[0][key])
        if isinstance(key, (int, np.integer)):
            return np.array(self._mapped(int(key) // BLOCK)[int(key) % BLOCK])
        wanted = np.arange(len(self))[key]
        found = np.empty((len(wanted), self.shape[1]), dtype=np.float32)
        home = wanted // BLOCK
        for number in np.unique(home).tolist():
            mine = home == number
            found[mine] = self._mapped(number)[wanted[mine] % BLOCK]
        return found

    def __matmul__(self, right: Floats) -> Floats:
        """Return the rows times a matrix."""
        found: Floats = mapped_zeros((len(self), right.shape[1]), np.float32)
        for number, here in enumerate(passing(found)):
            found[here] = self.block(number) @ right
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """Return all rows in memory."""
        whole = np.empty(self.shape, dtype=np.float32)
        for number, (first, last) in enumerate(row_blocks(self.shape[0])):
            with self._path(number).open("rb") as file:
                file.readinto(whole[first:last].data.cast("B"))
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def _mapped(self, number: int) -> Floats:
        """Memory-map one block: reading a few of its rows loads only their pages."""
        with self._path(number).open("rb") as file:
            held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return np.frombuffer(held, dtype=np.float32).reshape(-1, self.shape[1])

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.f32"


def row_blocks(rows: int) -> list[tuple[int, int]]:
    """Return the first and last row of each block.

    >>> row_blocks(5000)
    [(0, 4096), (4096, 5000)]
    """
    return [(first, min(first + BLOCK, rows)) for first in range(0, rows, BLOCK)]


def passing(*arrays: Array) -> Iterator[slice]:
    """Yield consecutive slices of rows, and release the pages of mapped files that were read on the way.

    >>> list(passing(np.zeros((5000, 1)), np.zeros((5000, 2))))
    [slice(0, 4096, None), slice(4096, 5000, None)]
    """
    for number, (first, last) in enumerate(row_blocks(len(arrays[0]))):
        yield slice(first, last)
        if number % _BLOCKS == _BLOCKS - 1:
            release_pages(*arrays)
    release_pages(*arrays)
