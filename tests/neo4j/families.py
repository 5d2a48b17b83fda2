"""The families of queries by name: each gives as many as wanted, the same ones every time."""

from __future__ import annotations

from collections.abc import Callable

from tests.neo4j.deep_family import Deep
from tests.neo4j.query_family import Family
from tests.neo4j.wide_family import Wide, ordered_patterns

__all__ = ["FAMILIES"]


def _drawn(family: type[Family]) -> Callable[[int, int], list[str]]:
    return lambda first, count: [family(seed).query() for seed in range(first, first + count)]


def _mixed(first: int, count: int) -> list[str]:
    """Two of the wide family, one of the deep one, and so on."""
    return [
        Deep(seed // 3).query() if seed % 3 == 2 else Wide(seed - seed // 3).query()
        for seed in range(first, first + count)
    ]


#: By name: a function of the first seed and of how many.
FAMILIES: dict[str, Callable[[int, int], list[str]]] = {
    "plain": _drawn(Family),
    "wide": _drawn(Wide),
    "deep": _drawn(Deep),
    "mixed": _mixed,
    "ordered": lambda first, count: ordered_patterns()[first : first + count],
}
