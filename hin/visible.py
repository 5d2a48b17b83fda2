"""Escape text from others before it is shown: names may contain what a terminal or a spreadsheet would interpret."""

from __future__ import annotations

import re
from typing import Any

# Control characters, line separators, characters that reverse the text's direction, tags, halves of surrogate pairs.
# Joiners stay: Persian, Hindi and emoji are written with them.
_INTERPRETED = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"
_INTERPRETED += "\ud800-\udfff\U000e0000-\U000e007f"
_IN_TEXT = re.compile(f"[{_INTERPRETED}]")
_IN_LINE = re.compile(f"[\t\n{_INTERPRETED}]")
# What a spreadsheet takes for a formula; a quote before it makes it text.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def visible(text: str, one_line: bool = False) -> str:
    r"""Escape everything in a text that a terminal would interpret rather than show.

    Parameters
    ----------
    one_line : bool
        Escape tabs and line breaks too.

    Examples
    --------
    >>> print(visible("red \x1b[31m, turned \u202e"))
    red \x1b[31m, turned \u202e
    >>> print(visible("two\nlines", one_line=True))
    two\nlines
    """
    return (_IN_LINE if one_line else _IN_TEXT).sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def visible_json(text: str) -> str:
    r"""Escape everything in JSON that a terminal would interpret; its value stays the same.

    >>> print(visible_json('{"name": "\u202e"}'))
    {"name": "\u202e"}
    """
    return _IN_TEXT.sub(_escape_in_json, text)


def _escape_in_json(found: re.Match[str]) -> str:
    return "".join(f"\\u{unit:04x}" for unit in _utf16(ord(found[0])))


def _utf16(code: int) -> tuple[int, ...]:
    if code < 0x10000:
        return (code,)
    return 0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code - 0x10000 & 0x3FF)


def as_is(value: Any) -> Any:
    """Return a cell unchanged."""
    return value


def guard_cell(value: Any) -> Any:
    """Put a quote before a cell of a CSV file that a spreadsheet would take for a formula.

    Numbers stay as they are. `unguard_cell` undoes it.

    Examples
    --------
    >>> [guard_cell(cell) for cell in ("=1+1", "-2.5", "'@x", "plain", -3)]
    ["'=1+1", '-2.5', "''@x", 'plain', -3]
    """
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return "'" + value
    return value


def unguard_cell(value: str) -> str:
    """Undo `guard_cell`.

    >>> [unguard_cell(cell) for cell in ("'=1+1", "-2.5", "''@x", "plain")]
    ['=1+1', '-2.5', "'@x", 'plain']
    """
    return value[1:] if value.startswith("'") and guard_cell(value[1:]) == value else value
