"""Which files are meant, and what is in them."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable

from hin.errors import BadInput, BadUsage
from hin.reading.compression import STDIN

__all__ = ["Paths", "expand_paths", "format_by_content", "format_by_name", "is_packed", "matching", "shown"]

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

_ENDINGS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_PACKED = (".gz", ".xz", ".zst", ".zstd", ".bz2")


def matching(path: str) -> list[str]:
    """What a pattern matches, in sorted order; a path that is there, or is no pattern, is itself.

    >>> matching("-"), matching("nowhere/*.jsonl")
    (['-'], [])
    """
    if os.path.exists(path) or not glob.has_magic(path):
        return [path]
    return sorted(glob.glob(path, recursive=True))


def expand_paths(paths: Paths) -> list[str]:
    """List the files that paths and patterns name, patterns in sorted order; ``-`` is the standard input.

    >>> expand_paths("-")
    ['-']
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not given:
        raise BadUsage("no file is named", hint="name one or more files, or - for the standard input")
    files: list[str] = []
    for path in [os.fspath(path) for path in given]:
        if path == "-" or os.path.exists(path):
            files.append(path)
        elif glob.has_magic(path):
            found = [name for name in matching(path) if not os.path.isdir(name)]
            if not found:
                raise BadInput(f"no file matches {path!r}", hint="check the pattern and the folder")
            files.extend(found)
        else:
            raise BadInput(f"{path}: no such file", hint="check the name and the folder")
    if files.count("-") > 1:
        raise BadUsage("the standard input is named twice", hint="it can be read once: name - once")
    for path in files:
        if os.path.isdir(path):
            hint = f"name the files in it, for example '{path.rstrip('/')}/*.jsonl'"
            raise BadInput(f"{path}: a folder, not a file", hint=hint)
    return files


def shown(file: str) -> str:
    """A file as messages call it.

    >>> shown("-")
    'standard input'
    """
    return STDIN if file == "-" else file


def is_packed(file: str) -> bool:
    """Whether a file's name says that it is compressed.

    >>> is_packed("papers.jsonl.xz")
    True
    """
    return file.lower().endswith(_PACKED)


def format_by_name(file: str) -> str | None:
    """The format that a file's name tells of.

    >>> format_by_name("papers.csv.gz"), format_by_name("papers")
    ('csv', None)
    """
    stem, ending = os.path.splitext(file.lower())
    if ending in _PACKED:
        ending = os.path.splitext(stem)[1]
    return _ENDINGS.get(ending)


def format_by_content(head: bytes, kind: str | None) -> str:
    """The format: what the name says, but a JSON array and lines are told apart by their first character.

    >>> format_by_content(b'[{"id": 1}]', "jsonl"), format_by_content(b"id,text", None)
    ('json', 'csv')
    """
    if kind in (None, "json", "jsonl"):
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        if head.startswith(b"PAR1"):
            return "parquet"
        if kind is None and start not in (b"[", b"{", b""):
            line = head.split(b"\n", 1)[0]
            return "tsv" if b"\t" in line else "csv"
        return "json" if start == b"[" else "jsonl"
    return kind
