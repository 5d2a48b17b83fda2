"""Equality with null, comparison with null, the order of all values, and the key under which values group.

Three different relations, as Cypher has them: `=` (null is unknown), `<` (only like with like), and the total order of
ORDER BY, in which null is last and NaN the largest number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hin.cypher.errors import CypherRefused
from hin.cypher.values.elements import Node, Path, Relationship


def is_number(value: Any) -> bool:
    """Check whether a value is an integer or a float; a boolean is neither.

    >>> is_number(1), is_number(True)
    (True, False)
    """
    return type(value) in (int, float)


def equal(left: Any, right: Any) -> bool | None:
    """`left = right`: None when it cannot be known.

    Examples
    --------
    >>> equal(1, 1.0), equal(1, True), equal([1, None], [1, 2]), equal([1, None], [2, None])
    (True, False, None, False)
    """
    if left is None or right is None:
        return None
    if isinstance(left, list):
        return _equal_lists(left, right) if isinstance(right, list) else False
    if isinstance(left, dict):
        return _equal_maps(left, right) if isinstance(right, dict) else False
    if is_number(left):
        return is_number(right) and _same_number(left, right)
    return type(left) is type(right) and bool(left == right)


def _same_number(left: Any, right: Any) -> bool:
    """Check whether two numbers are equal; Neo4j is inconsistent for integers that a float cannot hold."""
    if type(left) is not type(right) and left != right and float(left) == float(right):
        raise CypherRefused("an integer beyond 2^53 beside a float", hint="compare integers, or convert with toFloat()")
    return bool(left == right)


def _equal_lists(left: list[Any], right: list[Any]) -> bool | None:
    if len(left) != len(right):
        return False
    return _all(equal(a, b) for a, b in zip(left, right, strict=True))


def _equal_maps(left: dict[str, Any], right: dict[str, Any]) -> bool | None:
    if left.keys() != right.keys():
        return False
    return _all(equal(value, right[key]) for key, value in left.items())


def _all(answers: Any) -> bool | None:
    known: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            known = None
    return known


def compare(left: Any, right: Any) -> int | None:
    """-1, 0 or 1; None when the two cannot be compared; 2 when one is NaN (no comparison holds).

    Examples
    --------
    >>> compare(1, 2.5), compare("b", "a"), compare(1, "a"), compare([1, 2], [1])
    (-1, 1, None, 1)
    """
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        if math.isnan(left) or math.isnan(right):
            return 2
        if _same_number(left, right) and _negative_zero(left) != _negative_zero(right):
            raise CypherRefused("0 compared with -0.0: Neo4j answers inconsistently", hint="add 0 to it: x + 0 > y")
        return int(left > right) - int(left < right)
    if type(left) is not type(right):
        return None
    if isinstance(left, (str, bool)):
        return int(left > right) - int(left < right)
    if isinstance(left, dict):
        raise CypherRefused("maps compared by < or >", hint="compare their values")
    if isinstance(left, list):
        for a, b in zip(left, right, strict=False):
            found = compare(a, b)
            if found != 0:
                return found
        return (len(left) > len(right)) - (len(left) < len(right))
    if left == right:
        return 0
    raise CypherRefused("nodes, relationships or paths in order: Neo4j's own numbers", hint="compare a property")


def _negative_zero(value: Any) -> int:
    """Return 1 for -0.0, which ORDER BY puts below 0 and 0.0 although it equals them; else 0."""
    return int(value == 0 and math.copysign(1, value) < 0)


_RANK = {dict: 0, Node: 1, Relationship: 2, list: 3, Path: 4, str: 5, bool: 6, int: 7, float: 7}


@dataclass(slots=True)
class _Unordered:
    """A node or relationship among others: Neo4j orders them by numbers of its own."""

    id: int

    def __lt__(self, other: _Unordered) -> bool:
        raise CypherRefused("nodes or relationships in order: Neo4j's own numbers", hint="order by a property")


def order_key(value: Any) -> tuple[Any, ...]:
    """Return a key that sorts values as ORDER BY does.

    >>> sorted([None, 1, "a", True, [1], 0.5, float("nan")], key=order_key)
    [[1], 'a', True, 0.5, 1, nan, None]
    """
    if value is None:
        return (9,)
    rank = _RANK[type(value)]
    if rank == 7:
        return (7, 1, 0) if math.isnan(value) else (7, 0, value, -_negative_zero(value))
    if isinstance(value, (Node, Relationship)):
        return rank, _Unordered(value.id)
    if isinstance(value, list):
        return rank, tuple(map(order_key, value))
    if isinstance(value, Path):
        return rank, *([_Unordered(n.id)] for n in value.nodes)
    if isinstance(value, dict):
        keys = sorted(value)
        return rank, len(keys), tuple(keys), tuple(order_key(value[key]) for key in keys)
    return rank, value


class _Alone:
    """A grouping key of NaN, which equals only itself."""

    __slots__ = ("value",)

    def __init__(self, value: float) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Alone) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def grouping_key(value: Any) -> Any:
    """Return a hashable key, equal for values that DISTINCT does not distinguish (null and null, 1 and 1.0).

    >>> grouping_key([1, None]) == grouping_key([1.0, None]), grouping_key(1) == grouping_key(True)
    (True, False)
    """
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, float):
        return _Alone(value) if math.isnan(value) else value
    if isinstance(value, list):
        return ("list", *map(grouping_key, value))
    if isinstance(value, dict):
        return ("map", frozenset((key, grouping_key(item)) for key, item in value.items()))
    return value
