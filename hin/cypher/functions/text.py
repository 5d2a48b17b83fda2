"""Functions of strings; characters are code points, as in Neo4j."""

from __future__ import annotations

from hin.cypher.errors import CypherRefused, CypherValueError, QueryTooLarge
from hin.cypher.functions.registry import Functions, need_integer, need_text
from hin.cypher.values.arithmetic import LONGEST

__all__ = ["TEXT"]

TEXT = Functions()
#: What Java's `strip` and Cypher's trim take away and Python's does not, or the other way round.
_DOUBTFUL = "\x1c\x1d\x1e\x1f\x85\xa0\u2007\u202f\ufeff"


@TEXT.add("toupper upper", 1)
def to_upper(text: str) -> str:
    """Return in upper case."""
    need_text("toUpper", text)
    return text.upper()


@TEXT.add("tolower lower", 1)
def to_lower(text: str) -> str:
    """Return in lower case."""
    need_text("toLower", text)
    return text.lower()


@TEXT.add("trim", 1)
def trim(text: str) -> str:
    """Without white space at both ends."""
    return str(right_trim(left_trim(text)))


@TEXT.add("ltrim", 1)
def left_trim(text: str) -> str:
    """Without white space at the start."""
    need_text("ltrim", text)
    _known_space(text)
    return text.lstrip()


@TEXT.add("rtrim", 1)
def right_trim(text: str) -> str:
    """Without white space at the end."""
    need_text("rtrim", text)
    _known_space(text)
    return text.rstrip()


def _known_space(text: str) -> None:
    rest = text.strip()
    ends = text[: len(text) - len(text.lstrip())] + text[len(text.rstrip()) :] + rest[:1] + rest[-1:]
    if any(letter in _DOUBTFUL for letter in ends):
        raise CypherRefused("trim() of an unusual space", hint="use replace()")


@TEXT.add("substring", 2, 3)
def substring(text: str, start: int, length: int | None = None) -> str:
    """Return the part from a position (0 is the first).

    >>> substring("étude", 1, 2)
    'tu'
    """
    need_text("substring", text)
    need_integer("substring", start)
    if length is not None:
        need_integer("substring", length)
    if not 0 <= start < 2**31 or (length is not None and not 0 <= length < 2**31):
        raise CypherValueError("substring() from or with less than 0, or 2^31", hint="positions start at 0")
    return text[start:] if length is None else text[start : start + length]


@TEXT.add("left", 2)
def left(text: str, length: int) -> str:
    """Return the first characters."""
    need_text("left", text)
    need_integer("left", length)
    if length < 0:
        raise CypherValueError("left() of less than 0 characters", hint="lengths start at 0")
    return text[:length]


@TEXT.add("right", 2)
def right(text: str, length: int) -> str:
    """Return the last characters."""
    need_text("right", text)
    need_integer("right", length)
    if length < 0:
        raise CypherValueError("right() of less than 0 characters", hint="lengths start at 0")
    return text[max(0, len(text) - length) :]


@TEXT.add("replace", 3)
def replace(text: str, old: str, new: str) -> str:
    """With every `old` replaced."""
    need_text("replace", text, old, new)
    if len(text) + (text.count(old) if old else len(text) + 1) * len(new) > LONGEST:
        raise QueryTooLarge("replace() would make a string that is too long")
    if not old:
        raise CypherRefused("replace() of an empty string", hint="give something to search for")
    return text.replace(old, new)


@TEXT.add("split", 2)
def split(text: str, at: str | list[str]) -> list[str]:
    """Cut at every delimiter."""
    need_text("split", text)
    if isinstance(at, list) or at == "":
        raise CypherRefused("split() at nothing or at several delimiters", hint="split at one string")
    need_text("split", at)
    return text.split(at)
