"""The interface of a file format, and the detection of a file's format."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from hin.reading.inputs.files import PACKED
from hin.reading.inputs.places import InputPath
from hin.reading.inputs.source import Source
from hin.registry import Registry

#: One record of a file: its line (or row), the object or the `Problem` it has (None: empty cells), and its bytes.
Row = tuple[int, Any, bytes]


class Format(Protocol):
    """A file format: recognises its files and parses them into rows."""

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of such files' names, in lower case, such as ``.csv``."""

    def matches(self, head: bytes) -> bool:
        """Check whether a file's first bytes are unmistakably of this format."""

    def rows(self, source: Source) -> Iterator[Row]:
        """Yield the records one by one; a broken one is yielded as a `Problem` in its place."""


#: Every format by name. Other packages add theirs through entry points of the group `hin.formats`.
FORMATS: Registry[Format] = Registry("file format", package="hin.reading.formats", group="hin.formats")


#: The format of plain text, one document per line; beside tables such a file is a note.
_LINES = "txt"


def format_by_name(file: str) -> str | None:
    """Return the format for the ending of a file's name, or None.

    >>> format_by_name("papers.csv.gz"), format_by_name("papers")
    ('csv', None)
    """
    stem, ending = os.path.splitext(file.lower())
    if ending in PACKED:
        ending = os.path.splitext(stem)[1]
    return next((name for name in FORMATS.names() if ending in FORMATS.get(name).endings), None)


def data_members(files: Sequence[str]) -> list[str]:
    """Leave out the archive members that are not data: names that show no format, if other members' names do.

    Notes (`.txt`) beside tables and the files that macOS adds are left out too.

    >>> data_members(["a.csv", "papers"])
    ['a.csv', 'papers']
    """
    places = [InputPath(file) for file in files]
    formats = [format_by_name(place.own_name) for place in places]
    tables = {place.file for place, name in zip(places, formats, strict=True) if name not in (None, _LINES)}
    has_known_ending = [
        not place.in_archive or (name is not None and not _is_note(place, name, tables))
        for place, name in zip(places, formats, strict=True)
    ]
    archives = {place.file for place, known in zip(places, has_known_ending, strict=True) if known and place.in_archive}
    return [
        file
        for file, place, known in zip(files, places, has_known_ending, strict=True)
        if known or place.file not in archives
    ]


def _is_note(place: InputPath, name: str, tables: set[str]) -> bool:
    parts = (place.part or "").split("/")
    return "__MACOSX" in parts or parts[-1].startswith("._") or (name == _LINES and place.file in tables)


def format_of(source: Source, wanted: str | None = None) -> Format:
    """Return the format of a file: the wanted one, else by its first bytes, its name, or its first character."""
    if wanted is not None:
        return FORMATS.get(wanted)
    head = source.first_bytes()
    formats = [FORMATS.get(name) for name in FORMATS.names()]
    certain = next((kind for kind in formats if kind.matches(head)), None)
    if certain is not None:
        return certain
    named = format_by_name(source.file_name.partition("?")[0])  # a URL may continue after the name
    return FORMATS.get(named or _guess(source.head()))


def _guess(head: bytes) -> str:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start in (b"[", b"{", b""):
        return "jsonl"
    return "tsv" if b"\t" in head.split(b"\n", 1)[0] else "csv"
