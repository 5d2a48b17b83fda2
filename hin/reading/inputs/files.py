"""Resolve the paths a user gives into files, and name them in messages."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable

from hin.errors import BadInput, BadUsage
from hin.reading.inputs.places import InputPath, is_url, members_of

#: The name of the standard input in messages.
STDIN = "standard input"

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

#: Endings of compressed files.
PACKED = (".gz", ".xz", ".zst", ".zstd", ".bz2")


def expand_pattern(path: str) -> list[str]:
    """Return the files that match a pattern, sorted; a path that exists, or is not a pattern, is returned as it is.

    >>> expand_pattern("-"), expand_pattern("nowhere/*.jsonl")
    (['-'], [])
    """
    if os.path.exists(path) or is_url(path) or not glob.has_magic(path):
        return [path]
    return sorted(glob.glob(path, recursive=True))


def expand_paths(paths: Paths) -> list[str]:
    """List the files that paths and patterns stand for, patterns in sorted order; ``-`` is the standard input.

    A zip archive stands for the files in it; ``data.db::articles`` names a part of a file.

    >>> expand_paths("-")
    ['-']
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not given:
        raise BadUsage("no file is named", hint="name one or more files, or - for the standard input")
    files: list[str] = []
    for path in [os.fspath(path) for path in given]:
        if InputPath(path).exists:
            files.extend(members_of(path))
        elif glob.has_magic(path):
            found = [name for name in expand_pattern(path) if not os.path.isdir(name)]
            if not found:
                raise BadInput(f"no file matches {path!r}", hint="check the pattern and the folder")
            files.extend(member for name in found for member in members_of(name))
        else:
            raise BadInput(f"{InputPath(path).file}: no such file", hint="check the name and the folder")
    if files.count("-") > 1:
        raise BadUsage("the standard input is named twice", hint="it can be read once: name - once")
    return files


def display_name(file: str) -> str:
    """Return a file's name as messages show it.

    >>> display_name("-")
    'standard input'
    """
    return STDIN if file == "-" else file
