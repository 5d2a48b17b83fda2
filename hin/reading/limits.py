"""Limits on the size of an input, which protect the memory, with the options that raise them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hin.errors import BadInput, BadUsage
from hin.human import plural, size
from hin.reading.problems import Problem

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def parse_size(text: str | int) -> int:
    """Parse a number of bytes as a user writes it.

    Examples
    --------
    >>> parse_size("64MB"), parse_size("1.5 gb"), parse_size(100)
    (64000000, 1500000000, 100)
    >>> parse_size("lots")
    Traceback (most recent call last):
    hin.errors.BadUsage: 'lots' is not a size; write it as 64MB or 2GB
    """
    found = re.fullmatch(r"\s*(\d{1,15}(?:\.\d+)?)\s*([kmgt]?)b?\s*", str(text), re.IGNORECASE | re.ASCII)
    number = int(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if not number:
        raise BadUsage(f"{text!r} is not a size", hint="write it as 64MB or 2GB")
    return min(number, 2**62)


@dataclass(frozen=True)
class Limits:
    """The upper limits on an input.

    Attributes
    ----------
    record : int
        The bytes of one record.
    fields : int
        The fields of one record, and the metadata fields of all.
    unpacked : int
        The bytes of a compressed file that cannot be read piece by piece, such as a spreadsheet.
    """

    record: int = 64 * 10**6
    fields: int = 1000
    unpacked: int = 4 * 10**9

    def too_many_fields(self, found: int, line: int, raw: bytes | None = None) -> Problem:
        """Return the problem of a record with too many fields."""
        what = f"the record has {plural(found, 'field')}, the limit is {self.fields:,}"
        return Problem(line, what, "raise it with `max_fields=`, if the file is right", raw=raw)

    def check_unpacked(self, found: int, name: str) -> None:
        """Raise if a decompressed file exceeds the limit."""
        if found > self.unpacked:
            what = f"{name}: unpacked it is larger than {size(self.unpacked)}"
            raise BadInput(what, hint="raise the limit with `max_unpacked=`, if the file is right")


class RecordTooLongError(Exception):
    """A record that does not end within the limit; the records after it cannot be found."""

    def __init__(self, line: int, limit: int) -> None:
        super().__init__(line)
        self.line, self.limit = line, limit

    def problem(self) -> Problem:
        """Return the error as a bad record."""
        what = f"a record of more than {size(self.limit)}; the rest of the file is not read"
        return Problem(self.line, what, "raise the limit with `max_record=`, if the file is right")
