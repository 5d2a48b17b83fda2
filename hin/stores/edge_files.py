"""The edges of one type in a folder: mapped when the graph is opened, checked on first access.

Compiled loops do not check the numbers they get, so these are checked before anyone uses them. A command that never
reads the tokens does not wait for a pass over them.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from hin.arrays.types import Int32, Int64
from hin.files.checked import check_offsets, check_range, damaged, load_array
from hin.graph import Csr

#: The largest allowed number of occurrences.
_MOST = 1 << 31


def read_edges(folder: Path, file: str, rows: int, below: int) -> StoredEdges:
    """Open the edges of one type: types, shapes and offsets are checked now, the numbers on first use.

    Parameters
    ----------
    rows : how many nodes they start from.
    below : how many nodes they may lead to.
    """
    offsets = load_array(folder / f"{file}.offsets.npy", "int64", (rows + 1,))
    targets = load_array(folder / f"{file}.targets.npy", "int32 int64")
    check_offsets(folder / f"{file}.offsets.npy", offsets, len(targets))
    counts = None
    if (folder / f"{file}.counts.npy").exists():
        counts = load_array(folder / f"{file}.counts.npy", "int32 int64", (len(targets),))
    return StoredEdges(folder / file, offsets, targets, counts, below)


class StoredEdges(Csr):
    """Edges whose numbers are checked before they are returned."""

    _path: Path
    _targets: Int32
    _counts: Int32 | None
    _below: int

    def __init__(self, path: Path, offsets: Int64, targets: Int32, counts: Int32 | None, below: int) -> None:
        hidden = {"offsets": offsets, "_path": path, "_targets": targets, "_counts": counts, "_below": below}
        self.__dict__.update(hidden)  # the base class is frozen

    @cached_property
    def targets(self) -> Int32:
        """The nodes that the edges lead to."""
        check_range(self._file("targets"), self._targets, self._below, keep=True)
        return self._targets

    @cached_property
    def counts(self) -> Int32 | None:
        """The count of each edge, if counts are stored."""
        if self._counts is not None:
            check_range(self._file("counts"), self._counts, _MOST, keep=True)
        return self._counts

    @property
    def n_edges(self) -> int:
        """How many edges there are."""
        return len(self._targets)

    def in_degrees(self, n_columns: int) -> Int64:
        """Count the edges that lead to each node; counting also finds targets that do not exist."""
        if "targets" in self.__dict__ or n_columns != self._below:
            return super().in_degrees(n_columns)
        try:
            counted = self._count(self._targets, n_columns)
        except (ValueError, MemoryError):  # a huge number would allocate a huge array
            raise damaged(self._file("targets"), "numbers out of range") from None
        self.__dict__["targets"] = self._targets
        return counted

    def __reduce__(self) -> tuple[Any, ...]:
        return Csr, (self.offsets, self.targets, self.counts)

    def _file(self, part: str) -> Path:
        return self._path.with_name(f"{self._path.name}.{part}.npy")
