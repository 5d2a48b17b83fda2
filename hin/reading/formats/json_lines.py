"""JSON Lines, and a JSON array of objects: the first character tells which, whatever the file's name says."""

from __future__ import annotations

from collections.abc import Iterator

from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.source import Source
from hin.reading.parsers.json_array import array_elements
from hin.reading.parsers.json_objects import objects_of
from hin.reading.parsers.lines import lines_of


class JsonFormat:
    """One object a line, or one array of objects."""

    def __init__(self, *endings: str) -> None:
        self.endings = endings

    def matches(self, head: bytes) -> bool:
        """Never: a table may begin with a bracket too."""
        return False

    def rows(self, source: Source) -> Iterator[Row]:
        """Parse the objects; memory stays bounded by the largest one."""
        if source.head().removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[":
            return objects_of(array_elements(source.text(), source.limits.record), blank_is_bad=True)
        return objects_of(lines_of(source.text(), source.limits.record))


FORMATS.register("jsonl")(JsonFormat(".jsonl", ".ndjson"))
FORMATS.register("json")(JsonFormat(".json"))
