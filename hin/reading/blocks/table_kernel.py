"""Where the rows of a table end: the inner loop."""

from __future__ import annotations

from typing import Any

from hin.engines.compiling import njit

__all__ = ["row_ends"]

_QUOTE, _NEWLINE, _RETURN = 34, 10, 13


@njit(cache=True, nogil=True)
def row_ends(text: Any, delimiter: int) -> int:
    """Return the end of the last whole row of a text that begins with one; 0 if none ends, -1 if quotes are out of
    place.
    """
    last = 0
    quoted = False
    fresh = True  # at the start of a cell, where a quote opens it
    i = 0
    while i < len(text):
        char = text[i]
        if quoted:
            if char == _QUOTE:
                if i + 1 < len(text) and text[i + 1] == _QUOTE:
                    i += 1
                else:
                    quoted = False
                    after = text[i + 1] if i + 1 < len(text) else _NEWLINE
                    if after != delimiter and after != _NEWLINE and after != _RETURN:
                        return -1
        elif char == _NEWLINE:
            last = i + 1
            fresh = True
        elif char == _RETURN:
            if i + 1 < len(text) and text[i + 1] != _NEWLINE:
                return -1
        elif char == delimiter:
            fresh = True
        elif char == _QUOTE and fresh:
            quoted = True
            fresh = False
        else:
            fresh = False
        i += 1
    return last
