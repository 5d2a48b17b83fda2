"""Rows of two engines side by side: numbers to nine digits, because sums of floats depend on their order."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hin.query import QueryResult


def same_rows(one: QueryResult, other: QueryResult, *, ordered: bool = False) -> bool:
    """Whether two answers are the same, in order or as a bag."""
    left, right = ([tuple(map(_rounded, row)) for row in result.rows] for result in (one, other))
    return left == right if ordered else Counter(left) == Counter(right)


def _rounded(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return ("list", *map(_rounded, value))
    if isinstance(value, dict):
        return tuple(sorted((key, _rounded(item)) for key, item in value.items()))
    return value
