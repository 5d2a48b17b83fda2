"""A column of distinct names: the nodes of one type, in order."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.arrow_columns import numbers, texts
from hin.errors import UnknownName

if TYPE_CHECKING:
    import pyarrow as pa


class NameTable(Sequence[str]):
    """Distinct names, addressed by position; memory-mapped when they come from a folder.

    Examples
    --------
    >>> table = NameTable.of(["KDD", "WWW"])
    >>> table[1], table.index("KDD"), table.get("VLDB")
    ('WWW', 0, None)
    """

    __slots__ = ("_arrow", "_check", "_positions", "what")

    def __init__(self, arrow: pa.Array, what: str = "name", check: Callable[[], None] | None = None) -> None:
        """`check` raises if the names are not valid text; it is called before all of them are read."""
        self._arrow = arrow
        self._check = check
        self.what = what
        self._positions: dict[str, int] | None = None

    @property
    def arrow(self) -> pa.Array:
        """All names as Arrow has them."""
        if self._check is not None:
            self._check()
            self._check = None
        return self._arrow

    @contextmanager
    def _decoding(self) -> Iterator[None]:
        """Report which file is damaged if a name is not valid text; if a few are read, only those are checked."""
        try:
            yield
        except UnicodeDecodeError:
            _ = self.arrow
            raise

    def __reduce__(self) -> tuple[Any, ...]:
        return NameTable, (self.arrow, self.what)

    @classmethod
    def of(cls, names: Iterable[str], what: str = "name") -> NameTable:
        """Make a table from Python strings."""
        return cls(texts(list(names)), what)

    def __len__(self) -> int:
        return len(self._arrow)

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            with self._decoding():
                return self._arrow[position].to_pylist()
        try:
            return self._arrow[int(position)].as_py()
        except UnicodeDecodeError:
            _ = self.arrow  # reports which file is damaged
            raise

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), 65536):
            yield from self.arrow.slice(start, 65536).to_pylist()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NameTable) and bool(self.arrow.equals(other.arrow))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"NameTable({len(self):,} {self.what}s)"

    def tolist(self) -> list[str]:
        """Return all names, in order."""
        names: list[str] = self.arrow.to_pylist()
        return names

    def take(self, positions: Sequence[int] | np.ndarray[Any, Any]) -> list[str]:
        """Return the names at some positions."""
        wanted = self._arrow.take(numbers(positions, np.int64))
        with self._decoding():
            names: list[str] = wanted.to_pylist()
        return names

    def get(self, name: str) -> int | None:
        """Return the position of a name, or None."""
        if self._positions is None:
            self._positions = {known: position for position, known in enumerate(self)}
        return self._positions.get(name)

    def index(self, name: str, start: int = 0, stop: int | None = None) -> int:
        """Return the position of a name; an unknown one raises with the nearest spellings."""
        position = self.get(name)
        if position is None:
            near = difflib.get_close_matches(name, self.head_for_matching(), n=3)
            there = ", ".join(repr(n) for n in near or self[:3])
            hint = f"did you mean {there}?" if near else f"there are {there}" + (", ..." if len(self) > 3 else "")
            raise UnknownName(f"no {self.what} named {name!r}", hint=hint)
        return position

    def head_for_matching(self, limit: int = 50_000) -> list[str]:
        """Return the first names, few enough for a quick search of similar spellings."""
        names: list[str] = self.arrow.slice(0, limit).to_pylist()
        return names
