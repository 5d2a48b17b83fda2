"""Arrow's batches as rows of plain values, the way JSON would hold them."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hin.reading.parsers.number_spelling import Spelled

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["plain_cell", "rows_of_batches"]


def rows_of_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, dict[str, Any], bytes]]:
    """Yield the number the rows of some batches and make their values plain.

    >>> import pyarrow as pa
    >>> [row for _, row, _ in rows_of_batches(pa.table({"id": [1], "score": [0.5]}).to_batches())]
    [{'id': 1, 'score': '0.5'}]
    """
    number = 0
    for batch in batches:
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
    return value
