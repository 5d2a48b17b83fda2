"""One property of a label or of a relationship type, built on first access."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa


class Column:
    """A property of all nodes of a label, or of all relationships of a type.

    Parameters
    ----------
    kind : str
        'INTEGER', 'FLOAT', 'STRING', or one of these with `[]` for a list.
    make : function
        Makes the Arrow array.
    counts : bool
        Whether row i has the value i.
    """

    def __init__(self, kind: str, make: Callable[[], Any], *, counts: bool = False) -> None:
        self.kind = kind
        self.counts = counts
        self.make = make

    @cached_property
    def values(self) -> pa.Array:
        """The values of all rows, as one contiguous array."""
        import pyarrow as pa

        made = self.make()
        if isinstance(made, np.ndarray):
            made = pa.array(made)
        if isinstance(made, pa.ChunkedArray):
            made = made.combine_chunks() if made.num_chunks != 1 else made.chunk(0)
        return made

    @cached_property
    def finite(self) -> bool:
        """Whether every number is finite and far from overflow, so that SQL and Cypher agree on it."""
        if self.kind != "FLOAT":
            return True
        import pyarrow.compute as pc

        largest = pc.max(pc.abs(self.values)).as_py()
        return largest is None or largest < 1e100

    @cached_property
    def signed(self) -> bool:
        """Whether a number is -0.0."""
        values = self.values.to_numpy(zero_copy_only=False) if self.kind == "FLOAT" else np.empty(0)
        return bool(np.any((values == 0) & np.signbit(values)))

    @cached_property
    def bits(self) -> int:
        """The number of bits of the largest integer."""
        if self.kind != "INTEGER" or not len(self.values):
            return 0
        import pyarrow.compute as pc

        ends = pc.min_max(self.values).as_py()
        return max(int(end or 0).bit_length() for end in ends.values())

    @cached_property
    def rows(self) -> dict[Any, list[int]]:
        """The rows of each value, for lookups."""
        found: dict[Any, list[int]] = {}
        for row, value in enumerate(self.values.to_pylist()):
            if value is not None and not isinstance(value, list):
                found.setdefault(value, []).append(row)
        return found

    def get(self, row: int) -> Any:
        """Return one value as a Python object; NaN counts as missing."""
        value = self.values[row].as_py()
        return None if isinstance(value, float) and value != value else value
