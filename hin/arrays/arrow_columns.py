"""Build Arrow columns from buffers: from Python or numpy values, pyarrow would first import pandas if it is installed.

That import takes a third of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Array

if TYPE_CHECKING:
    import pyarrow as pa


def texts(values: Sequence[str]) -> pa.Array:
    """Return a column of text.

    >>> texts(["KDD", "", "Zürich"]).to_pylist()
    ['KDD', '', 'Zürich']
    """
    import pyarrow as pa

    coded = [value.encode() for value in values]
    ends = np.cumsum([0, *map(len, coded)], dtype=np.int64)
    return pa.Array.from_buffers(
        pa.large_string(), len(coded), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(coded))]
    )


def numbers(values: npt.ArrayLike | Sequence[Any], kind: npt.DTypeLike, known: npt.ArrayLike | None = None) -> pa.Array:
    """Return a column of numbers; None, and rows where `known` is False, become null.

    >>> numbers([1.5, None], "float64").to_pylist(), numbers(np.arange(2), "int32").type
    ([1.5, None], DataType(int32))
    >>> numbers(np.arange(2), "int32", known=[False, True]).to_pylist()
    [None, 1]
    """
    import pyarrow as pa

    if isinstance(values, Sequence) and None in values:
        known = [value is not None for value in values]
        values = [0 if value is None else value for value in values]
    validity = None if known is None else pa.py_buffer(np.packbits(np.asarray(known, dtype=bool), bitorder="little"))
    given = np.ascontiguousarray(values, dtype=kind)
    return pa.Array.from_buffers(pa.from_numpy_dtype(given.dtype), len(given), [validity, pa.py_buffer(given)])


def lists(ends: npt.ArrayLike, values: pa.Array) -> pa.Array:
    """Return a column of lists; list i holds the values between `ends[i]` and `ends[i + 1]`.

    >>> lists([0, 2, 2], numbers([7, 8], "int32")).to_pylist()
    [[7, 8], []]
    """
    import pyarrow as pa

    return pa.ListArray.from_arrays(numbers(ends, "int32"), values)


def values_of(column: pa.Array, kind: npt.DTypeLike) -> Array:
    """Return the numbers of a column in which none is missing.

    >>> values_of(numbers([5, 6, 7], "int32")[1:], "int32").tolist()
    [6, 7]
    """
    first = column.offset * np.dtype(kind).itemsize
    return np.frombuffer(column.buffers()[1], kind, len(column), first)
