"""Of several tables in one file, find the one with the documents: its texts are much longer than the others'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from hin.errors import BadInput
from hin.reading.inputs.places import PART

#: The texts of the table to read are at least this many times as long as those of any other.
_MUCH = 2
#: How many rows of a table are measured.
_ROWS = 200


def typical_length(rows: Iterable[Sequence[Any]]) -> float:
    """Return the mean length of the longest text of each row.

    >>> typical_length([(1, "a", "abc"), (2, "abcde", None)]), typical_length([])
    (4.0, 0.0)
    """
    longest = [max((len(cell) for cell in row if isinstance(cell, str)), default=0) for row in islice(rows, _ROWS)]
    return sum(longest) / len(longest) if longest else 0.0


def table_with_texts(lengths: Mapping[str, float], file: str, kind: str) -> tuple[str, str]:
    """Return the table with the longest texts and a note on it; if another one's are nearly as long, ask.

    >>> table_with_texts({"people": 9.0, "messages": 80.0}, "mail.db", "tables")
    ('messages', "of its tables messages was read, the one with the longest texts ('mail.db::people' reads another)")
    """
    likely, *others = sorted(lengths, key=lambda name: -lengths[name])
    if lengths[likely] < _MUCH * lengths[others[0]] or not lengths[likely]:
        hint = f"name the one with the documents, for example '{file}{PART}{likely}'"
        raise BadInput(f"{file} has several {kind}: {', '.join([*lengths][:20])}", hint=hint)
    what = f"of its {kind} {likely} was read, the one with the longest texts"
    return likely, f"{what} ('{file}{PART}{others[0]}' reads another)"
