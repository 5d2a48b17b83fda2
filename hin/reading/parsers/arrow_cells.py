"""Arrow's batches as rows of plain values, the way JSON would hold them."""

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

__all__ = ["plain_cell", "readable", "rows_of_batches"]


@contextmanager
def readable(name: str, kind: str) -> Iterator[None]:
    """Turn whatever Arrow raises of a file into one line: its own errors, and those of values that Python cannot hold.

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
    """Yield the number the rows of some batches and make their values plain.

    >>> import pyarrow as pa
    >>> [row for _, row, _ in rows_of_batches(pa.table({"id": [1], "score": [0.5]}).to_batches())]
    [{'id': 1, 'score': '0.5'}]
    """
    number = 0
    for batch in batches:
        batch.validate(full=True)  # offsets that lead outside of their values would crash
        for row in batch.to_pylist():
            number += 1
            yield number, {key: plain_cell(value) for key, value in row.items()}, b""


def plain_cell(value: Any) -> Any:
    """Return a cell as JSON would hold it: dates in ISO spelling, decimals as they are, not-a-number as nothing.

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
