"""Functions of strings; characters are code points, as in Neo4j."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, cast

from hin.cypher.errors import CypherRefused, CypherValueError, QueryTooLarge
from hin.cypher.functions.registry import INTEGER, LIST, STRING, function, list_of
from hin.cypher.values.arithmetic import LONGEST

#: The characters on which Java's `strip`, Cypher's trim and Python's strip disagree.
_DOUBTFUL = "\x1c\x1d\x1e\x1f\x85\xa0\u2007\u202f\ufeff"

function("toUpper upper", STRING >> STRING)(str.upper)
function("toLower lower", STRING >> STRING)(str.lower)


@function("bTrim", (STRING, ~STRING) >> STRING)
def both_trim(text: str, letters: str | None = None) -> str:
    """Strip white space, or given characters, at both ends."""
    return str(right_trim(left_trim(text, letters), letters))


@function("trim", STRING >> STRING)
def trim(text: str) -> str:
    """Strip white space at both ends."""
    return str(both_trim(text))


@function("lTrim", (STRING, ~STRING) >> STRING)
def left_trim(text: str, letters: str | None = None) -> str:
    """Strip white space, or given characters, at the start."""
    return _known_space(text).lstrip() if letters is None else text.lstrip(letters) if letters else text


@function("rTrim", (STRING, ~STRING) >> STRING)
def right_trim(text: str, letters: str | None = None) -> str:
    """Strip white space, or given characters, at the end."""
    return _known_space(text).rstrip() if letters is None else text.rstrip(letters) if letters else text


def _known_space(text: str) -> str:
    rest = text.strip()
    ends = text[: len(text) - len(text.lstrip())] + text[len(text.rstrip()) :] + rest[:1] + rest[-1:]
    if any(letter in _DOUBTFUL for letter in ends):
        raise CypherRefused("trim() of an unusual space", hint="use replace()")
    return text


@function("normalize", (STRING, ~STRING) >> STRING)
def normalize(text: str, form: str = "NFC") -> str:
    """Convert to one of Unicode's normal forms.

    >>> normalize("e\\u0301")
    'é'
    """
    if form not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise CypherValueError(f"normalize() has no form {form!r}", hint="use NFC, NFD, NFKC or NFKD")
    return unicodedata.normalize(cast(Literal["NFC"], form), text)


@function("substring", (STRING, INTEGER, ~INTEGER) >> STRING)
def substring(text: str, start: int, length: int | None = None) -> str:
    """Return the part from a position (0 is the first).

    >>> substring("étude", 1, 2)
    'tu'
    """
    if not 0 <= start < 2**31 or (length is not None and not 0 <= length < 2**31):
        raise CypherValueError("substring() from or with less than 0, or 2^31", hint="positions start at 0")
    return text[start:] if length is None else text[start : start + length]


@function("left", (STRING, INTEGER) >> STRING)
def left(text: str, length: int) -> str:
    """Return the first characters."""
    if length < 0:
        raise CypherValueError("left() of less than 0 characters", hint="lengths start at 0")
    return text[:length]


@function("right", (STRING, INTEGER) >> STRING)
def right(text: str, length: int) -> str:
    """Return the last characters."""
    if length < 0:
        raise CypherValueError("right() of less than 0 characters", hint="lengths start at 0")
    return text[max(0, len(text) - length) :]


@function("replace", (STRING, STRING, STRING) >> STRING)
def replace(text: str, old: str, new: str) -> str:
    """Replace every `old`."""
    if len(text) + (text.count(old) if old else len(text) + 1) * len(new) > LONGEST:
        raise QueryTooLarge("replace() would make a string that is too long")
    if not old and max(text, default="") > "\uffff":
        raise CypherRefused("replace() of nothing between characters beyond U+FFFF", hint="search for something")
    return text.replace(old, new)


@function("split", (STRING, STRING | LIST) >> list_of(STRING))
def split(text: str, at: str | list[str]) -> list[str] | None:
    """Split at every delimiter; an empty one splits between all characters.

    >>> split("abc", ""), split("a,b;c", [",", ";"])
    (['a', 'b', 'c'], ['a', 'b', 'c'])
    """
    marks = at if isinstance(at, list) else [at]
    if None in marks:
        return None
    if any(not isinstance(mark, str) for mark in marks):
        raise CypherValueError("split() at something that is no string", hint="split at strings")
    if "" in marks and (len(marks) > 1 or max(text, default="") > "\uffff"):
        said = "split() at nothing and something, or between characters beyond U+FFFF"
        raise CypherRefused(said, hint="split at something")
    if "" in marks:
        return list(text) or [""]
    return re.split("|".join(map(re.escape, marks)), text) if marks else [text]


@function("char_length character_length", STRING >> INTEGER, hint="use size()")
def characters(value: str) -> int:
    """Return the characters of a string."""
    return len(value)
