"""Rows of two engines side by side, types too: floats to nine digits, because their sums depend on their order."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from hin.cypher.query import QueryResult


def same_rows(one: QueryResult, other: QueryResult, *, ordered: bool = False) -> bool:
    """Whether two answers are the same, in order or as a bag."""
    if ordered:  # side by side, because a number may lie where rounding parts what is equal
        return _alike(one.rows, other.rows)
    left, right = ([tuple(map(_rounded, row)) for row in result.rows] for result in (one, other))
    return Counter(left) == Counter(right)


def server_repeats(text: str, mine: QueryResult, theirs: QueryResult) -> bool:
    """Whether the two differ only in that the server gives a row twice though it says DISTINCT.

    It does so after a relationship of variable length, and where floats differ in their last digits.
    """
    kinds = [{tuple(map(_rounded, row)) for row in result.rows} for result in (mine, theirs)]
    distinct = " RETURN DISTINCT " in text and ("*" in text or "avg(" in text)
    return distinct and kinds[0] == kinds[1] and len(mine.rows) <= len(theirs.rows)


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)
    return type(one) is type(other) and bool(one == other)


def _rounded(value: Any) -> Any:
    if isinstance(value, (bool, int)):
        return type(value).__name__, value  # Python holds True, 1 and 1.0 to be equal
    if isinstance(value, float):
        return "float", float(f"{value:.9g}")
    if isinstance(value, list):
        return ("list", *map(_rounded, value))
    if isinstance(value, dict):
        return tuple(sorted((key, _rounded(item)) for key, item in value.items()))
    return value
