"""Convert values of a record to JSON values and to table cells."""

from __future__ import annotations

import json
from typing import Any

from hin.reading.parsers.number_spelling import Spelled

#: The separator of a list's values in one cell.
_BETWEEN = "; "


def plain_value(value: Any) -> Any:
    """Return a value for JSON: a number stored with its spelling becomes a number again.

    >>> plain_value(Spelled("1.10")), plain_value(["a", Spelled("2")])
    (1.1, ['a', 2])
    """
    if isinstance(value, Spelled):
        try:
            return json.loads(value)
        except ValueError:  # a decimal's "NaN"
            return str(value)
    if isinstance(value, list):
        return [plain_value(item) for item in value]
    if isinstance(value, dict):
        return {name: plain_value(item) for name, item in value.items()}
    return str(value) if isinstance(value, str) else value


def cell_text(value: Any) -> str:
    """Format a value as one cell: a list's values joined, anything nested as JSON.

    >>> cell_text(["a", "b"]), cell_text({"a": 1}), cell_text(None)
    ('a; b', '{"a": 1}', '')
    """
    if value is None:
        return ""
    if isinstance(value, list) and not any(isinstance(item, (list, dict)) for item in value):
        return _BETWEEN.join(map(cell_text, value))
    if isinstance(value, (list, dict, bool)):
        return json.dumps(plain_value(value), ensure_ascii=False)
    return str(value)
