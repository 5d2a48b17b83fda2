"""Encoded documents in a folder, in blocks: read when they are needed, then released."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

import numpy as np

from classify.documents.encoder import Encoded
from classify.documents.sequences import Sequences, take_sequences
from hin.arrays.stored_rows import BLOCK
from hin.arrays.types import Array, Ints


@dataclass(frozen=True, eq=False)
class StoredDocuments(Sequence[Encoded]):
    """Blocks of `BLOCK` documents each (the last one may be shorter).

    Attributes
    ----------
    folder : where the blocks are, a file each.
    n_documents, n_instances : how many there are.
    """

    folder: Path
    n_documents: int
    n_instances: int

    @classmethod
    def of(cls, folder: Path, blocks: Iterable[Encoded], n_instances: int) -> StoredDocuments:
        """Write blocks one by one; all but the last have `BLOCK` documents."""
        folder.mkdir(parents=True, exist_ok=True)
        total = 0
        for number, block in enumerate(blocks):
            _write(folder / f"{number:06d}.block", block)
            total += len(block)
        return cls(folder, total, n_instances)

    def __len__(self) -> int:
        """How many blocks there are."""
        return -(-self.n_documents // BLOCK)

    @overload
    def __getitem__(self, number: int) -> Encoded: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Encoded]: ...
    def __getitem__(self, number: int | slice) -> Encoded | Sequence[Encoded]:
        """Read a block."""
        if isinstance(number, slice):
            return [self[k] for k in range(len(self))[number]]
        if not 0 <= number < len(self):
            raise IndexError(number)
        with self._path(number).open("rb") as file:
            counts = self._read_counts(file)
            return Encoded(counts, Sequences(_load(file), _load(file)))

    def counts(self, number: int) -> Any:
        """Read the counts of each instance in each document of a block: CSR."""
        with self._path(number).open("rb") as file:
            return self._read_counts(file)

    @property
    def all_counts(self) -> Any:
        """The counts of each instance in each document, of all blocks together: CSR."""
        from scipy import sparse

        return sparse.vstack([self.counts(number) for number in range(len(self))], format="csr")

    def sequences_of(self, rows: Ints) -> Sequences:
        """Return the sequences of some documents, given in ascending order."""
        home = np.asarray(rows) // BLOCK
        parts = [take_sequences(self[k].sequences, rows[home == k] % BLOCK) for k in np.unique(home).tolist()]
        return Sequences.joined(parts) if parts else Sequences.of([])

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.block"

    def _read_counts(self, file: Any) -> Any:
        from scipy import sparse

        indptr, indices, values = _load(file), _load(file), _load(file)
        shape = (len(indptr) - 1, self.n_instances)
        return sparse.csr_array((values.astype(np.float32), indices, indptr), shape=shape)


def _write(path: Path, block: Encoded) -> None:
    counts = block.counts
    values = counts.data
    if not len(values) or (values.max() <= 255 and np.array_equal(values, values.astype(np.uint8))):
        values = values.astype(np.uint8)  # nearly always: few words occur more often in one document
    with path.open("wb") as file:
        for array in (
            counts.indptr.astype(np.int32),
            counts.indices.astype(np.int32, copy=False),
            values,
            block.sequences.offsets,
            block.sequences.ids,
        ):
            np.save(file, array, allow_pickle=False)


def _load(file: Any) -> Array:
    array: Array = np.load(file, allow_pickle=False)
    return array
