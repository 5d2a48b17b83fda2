"""Convert options to flags of `hin classify`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from classify.options import ClassifyOptions
from hin.option_fields import Shown, flag_of

#: Where the work runs never shapes a result.
_NO_MATTER = ("threads",)


def option_flags(options: ClassifyOptions) -> list[str]:
    """Return the flags of all options that differ from their defaults, quoted for a shell.

    >>> option_flags(ClassifyOptions(patterns=["venue", "author-venue"], abstain_below=0.5))
    ['--pattern', 'venue', '--pattern', 'author-venue', '--abstain-below', '0.5']
    >>> option_flags(ClassifyOptions())
    []
    """
    return list(_flags(options))


def _flags(options: Any) -> Iterator[str]:
    for entry in fields(options):
        value, how = getattr(options, entry.name), entry.metadata.get("hin")
        if is_dataclass(value):
            if "only" in entry.metadata:
                yield from _flags(value)
            continue
        default = entry.default_factory() if entry.default_factory is not MISSING else entry.default
        if value == default or not isinstance(how, Shown) or entry.name in _NO_MATTER:
            continue
        flag = flag_of(entry.name, how)
        if isinstance(value, bool):
            yield flag if value else f"--no-{flag.removeprefix('--')}"
        else:
            for one in value if isinstance(value, list | tuple) else [value]:
                yield from (flag, shlex.quote(str(one)))
