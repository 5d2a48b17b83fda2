"""A file format in one file: stanzas of `Key: value` lines with an empty line between them.

Package lists and mail headers look like this. Once this module is imported, `hin load packages.stanzas` reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.source import Source
from hin.reading.parsers.lines import lines_of
from hin.reading.problems import Problem


class StanzaFormat:
    """Records as stanzas; a key that comes twice is a list."""

    endings = (".stanzas",)

    def matches(self, head: bytes) -> bool:
        """Never: other texts have colons too, so the file's name decides."""
        return False

    def rows(self, source: Source) -> Iterator[Row]:
        """Read the stanzas one by one, so that a large file needs little memory."""
        lines: list[bytes] = []
        first = 1
        for number, line in lines_of(source.text()):
            if line.strip():
                if not lines:
                    first = number
                lines.append(line)
            elif lines:
                yield _record(first, lines)
                lines = []
        if lines:
            yield _record(first, lines)


def _record(first: int, lines: list[bytes]) -> Row:
    record: dict[str, Any] = {}
    raw = b"\n".join(lines)
    for offset, line in enumerate(lines):
        key, colon, value = line.decode("utf-8", "surrogateescape").partition(":")
        if not colon or not key.strip():
            # A problem in the place of the record: the reader stops with one line, or skips it with --on-error skip.
            return first, Problem(first + offset, "expected `Key: value`", "mend the line", raw=raw), raw
        name, value = key.strip().lower(), value.strip()
        record[name] = [*_listed(record[name]), value] if name in record else value
    return first, record, raw


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


FORMATS.register("stanzas")(StanzaFormat())
