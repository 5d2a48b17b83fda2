"""Functions of lists, maps and of anything."""

from __future__ import annotations

from typing import Any

from hin.cypher.errors import CypherValueError, QueryTooLarge
from hin.cypher.functions.registry import Functions, need_integer, need_list
from hin.cypher.values.arithmetic import LONGEST, type_name
from hin.cypher.values.order import equal

__all__ = ["LISTS"]

LISTS = Functions()


@LISTS.add("size", 1)
def size(value: Any) -> int:
    """Return the items of a list or the characters of a string."""
    if isinstance(value, (list, str)):
        return len(value)
    raise CypherValueError(f"size() needs a list or a string, not {type_name(value)}", hint="use length() for a path")


@LISTS.add("char_length character_length", 1)
def characters(value: Any) -> int:
    """Return the characters of a string."""
    if isinstance(value, str):
        return len(value)
    raise CypherValueError(f"char_length() needs a string, not {type_name(value)}", hint="use size()")


@LISTS.add("isempty", 1)
def is_empty(value: Any) -> bool:
    """Return whether a list, string or map has nothing in it."""
    if isinstance(value, (list, str, dict)):
        return not value
    raise CypherValueError(f"isEmpty() needs a list, string or map, not {type_name(value)}", hint="use IS NULL")


@LISTS.add("head", 1)
def head(values: Any) -> Any:
    """Return the first item."""
    need_list("head", values)
    return values[0] if values else None


@LISTS.add("last", 1)
def last(values: Any) -> Any:
    """Return the last item."""
    need_list("last", values)
    return values[-1] if values else None


@LISTS.add("tail", 1)
def tail(values: Any) -> Any:
    """Return all but the first item."""
    need_list("tail", values)
    return values[1:]


@LISTS.add("reverse", 1)
def reverse(value: Any) -> Any:
    """Back to front."""
    if isinstance(value, (list, str)):
        return value[::-1]
    raise CypherValueError(f"reverse() needs a list or a string, not {type_name(value)}", hint="give one")


@LISTS.add("range", 2, 3, strict=False)
def range_(start: int, end: int, step: int = 1) -> list[int]:
    """Whole numbers, both ends included.

    >>> range_(1, 7, 3), range_(3, 1)
    ([1, 4, 7], [])
    """
    need_integer("range", start, end, step)
    if step == 0:
        raise CypherValueError("range() with a step of 0", hint="give another step")
    if (end - start) // step > LONGEST:
        raise QueryTooLarge("range() would make a list that is too long")
    return list(range(start, end + (1 if step > 0 else -1), step))


@LISTS.add("coalesce", 1, 10_000, strict=False)
def coalesce(*values: Any) -> Any:
    """Return the first that is not null."""
    return next((value for value in values if value is not None), None)


@LISTS.add("nullif", 2, strict=False)
def null_if(value: Any, other: Any) -> Any:
    """Return the value, or null when it equals the other."""
    return None if equal(value, other) else value
