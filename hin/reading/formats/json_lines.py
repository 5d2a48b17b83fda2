"""JSON: one object per line, an array, or one object that holds all records, whatever the file's name says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import orjson

from hin.errors import BadInput
from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.source import Source
from hin.reading.parsers.json_array import array_elements
from hin.reading.parsers.json_objects import IN_OTHER, objects_of
from hin.reading.parsers.json_shapes import parse_values, records_in
from hin.reading.parsers.lines import lines_of

_NO_OBJECTS = re.compile(rb'\[\s*[\["]')
_OPEN = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


class JsonFormat:
    """One object per line, one array of objects, or one value with all records in it."""

    def __init__(self, *endings: str) -> None:
        self.endings = endings

    def matches(self, head: bytes) -> bool:
        """Never match: a table may begin with a bracket too."""
        return False

    def rows(self, source: Source) -> Iterator[Row]:
        """Parse the objects; for lines and arrays, memory is bounded by the largest object."""
        head, limit = source.head().removeprefix(b"\xef\xbb\xbf").lstrip(), source.limits.record
        if _NO_OBJECTS.match(head):
            return _parse_whole(source, list(source.text(always_utf8=True)))
        if head[:1] == b"[":
            return objects_of(array_elements(source.text(always_utf8=True), limit), blank_is_bad=True)
        return _lines(source)


def _lines(source: Source) -> Iterator[Row]:
    """Read one object per line, unless the first line is incomplete or the only one."""
    chunks = iter(source.text(always_utf8=True))
    first_chunks: list[bytes] = []
    start = b""
    for chunk in chunks:
        first_chunks.append(chunk)
        start += chunk
        if b"\n" in start.lstrip() or len(start) > source.limits.record:
            break
    first, _, rest = start.lstrip().partition(b"\n")
    named = source.file_name.lower().partition(".")[2].startswith(("jsonl", "ndjson"))
    one_value = len(start) <= source.limits.record and _is_unclosed(first, rest)
    if not one_value and not named and not rest.strip() and _is_object(first):
        first_chunks += filter(None, [next(chunks, b"")])
        one_value = not b"".join(first_chunks).lstrip()[len(first) :].strip()
    if one_value:
        first_chunks += chunks
        try:
            yield from _parse_whole(source, first_chunks)
            return
        except BadInput:
            if not named:
                raise
    yield from objects_of(lines_of(chain(first_chunks, chunks), source.limits.record))


def _is_unclosed(line: bytes, rest: bytes) -> bool:
    """Check whether a line begins an object that continues on the next lines."""
    ends = line.rstrip()[-1:]
    if ends == b"{" and rest.lstrip()[:1] not in (b'"', b"}", b""):
        return False
    return ends in (b"{", b"[", b",") and sum(_OPEN.get(mark[0], 0) for mark in IN_OTHER.finditer(line)) > 0


def _is_object(line: bytes) -> bool:
    try:
        return type(orjson.loads(line)) is dict
    except orjson.JSONDecodeError:
        return False


def _parse_whole(source: Source, chunks: list[bytes]) -> Iterator[Row]:
    """Parse a file that is one JSON value, or several one after the other, and yield the records in it."""
    raw = b"".join(chunks)
    source.limits.check_unpacked(len(raw), source.name)
    values = parse_values(raw, source.name)
    if len(values) == 1 and type(values[0]) is dict and records_in(values[0], source.name) == values:
        yield from objects_of([(1, raw)])
        return
    records = values if len(values) > 1 else records_in(values[0], source.name)
    for number, record in enumerate(records, 1):
        yield number, record, b""


FORMATS.register("jsonl")(JsonFormat(".jsonl", ".ndjson"))
FORMATS.register("json")(JsonFormat(".json", ".geojson"))
