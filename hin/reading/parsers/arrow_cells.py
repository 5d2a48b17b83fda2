"""Convert Arrow batches to rows of plain values, with JSON's types."""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hin.errors import BadInput
from hin.reading.parsers.number_spelling import Spelled

if TYPE_CHECKING:
    import pyarrow as pa


@contextmanager
def readable(name: str, kind: str) -> Iterator[None]:
    """Convert any error of Arrow to one line: its own errors, and values outside Python's range.

    >>> with readable("a.parquet", "Parquet"):
    ...     raise OverflowError("date value out of range")
    Traceback (most recent call last):
    hin.errors.BadInput: a.parquet: not a readable Parquet file (date value out of range); ...
    """
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError, ArithmeticError, LookupError, TypeError, SystemError) as error:
        reason = " ".join(str(error).split("\n")[0].split())[:300].rstrip(".")
        raise BadInput(f"{name}: not a readable {kind} file ({reason})", hint="write or fetch the file again") from None


def rows_of_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, dict[str, Any], bytes]]:
    """Number the rows of some batches and convert their values to plain ones.

    >>> import pyarrow as pa
    >>> [row for _, row, _ in rows_of_batches(pa.table({"id": [1], "score": [0.5]}).to_batches())]
    [{'id': 1, 'score': '0.5'}]
    """
    number = 0
    for batch in batches:
        batch.validate(full=True)  # invalid offsets would crash the process
        for row in batch.to_pylist():
            number += 1
            yield number, {key: plain_cell(value) for key, value in row.items()}, b""


def plain_cell(value: Any) -> Any:
    """Convert a cell to JSON's types: dates in ISO format, decimals as spelled, not-a-number as None.

    >>> import datetime
    >>> plain_cell(datetime.date(2008, 6, 1)), plain_cell(float("nan"))
    ('2008-06-01', None)
    """
    kind = type(value)
    if kind is str or kind is int or value is None or kind is bool:
        return value
    if kind is float:
        return None if value != value else Spelled(repr(value))
    if kind is list:
        return [plain_cell(item) for item in value]
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return Spelled(value)
    if isinstance(value, uuid.UUID):
        return str(value)
    return value
