"""Conditions that may be unknown: comparisons, tests of strings and lists, quantifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hin.cypher.errors import CypherRefused
from hin.cypher.run.regex import matches
from hin.cypher.values.arithmetic import type_name
from hin.cypher.values.order import compare, equal


def truth(value: Any) -> bool | None:
    """Return a condition's value; raise unless it is true, false or null.

    >>> truth(None), truth(True)
    (None, True)
    """
    if value is None or isinstance(value, bool):
        return value
    # Neo4j takes a list for `x <> []`, an integer or a text now for false, now for a mistake.
    raise CypherRefused(f"{type_name(value)} where a condition is needed", hint="compare it with something")


def xor(values: list[bool | None]) -> bool | None:
    """Check whether an odd number of conditions is true; null if one is null.

    >>> xor([True, False]), xor([True, None])
    (True, None)
    """
    return None if None in values else sum(map(bool, values)) % 2 == 1


def quantified(kind: str, answers: list[bool | None]) -> bool | None:
    """Return the value of all, any, none or single, given the values for each item.

    >>> quantified("ANY", [False, None]), quantified("SINGLE", [True, False])
    (None, True)
    """
    true, unknown = answers.count(True), None in answers
    if kind == "ANY":
        return True if true else None if unknown else False
    if kind == "NONE":
        return False if true else None if unknown else True
    if kind == "ALL":
        return False if False in answers else None if unknown else True
    return False if true > 1 else None if unknown else true == 1


def _is_in(left: Any, right: Any) -> bool | None:
    if right is None:
        return None
    answers = [equal(left, item) for item in (right if isinstance(right, list) else [right])]
    return True if True in answers else None if None in answers else False


def _matches(left: Any, right: Any) -> bool | None:
    if left is None or right is None:
        return None
    if not isinstance(left, str) or not isinstance(right, str):
        return None
    return matches(left, right)


def _texts(how: Callable[[str, str], bool]) -> Callable[[Any, Any], bool | None]:
    return lambda left, right: how(left, right) if isinstance(left, str) and isinstance(right, str) else None


TESTS: dict[str, Callable[[Any, Any], bool | None]] = {
    "STARTS WITH": _texts(str.startswith),
    "ENDS WITH": _texts(str.endswith),
    "CONTAINS": _texts(lambda left, right: right in left),
    "IN": _is_in,
    "=~": _matches,
}


def _unequal(left: Any, right: Any) -> bool | None:
    answer = equal(left, right)
    return None if answer is None else not answer


def _by(*signs: int) -> Callable[[Any, Any], bool | None]:
    def holds(left: Any, right: Any) -> bool | None:
        found = compare(left, right)
        return None if found is None else found in signs

    return holds


COMPARE: dict[str, Callable[[Any, Any], bool | None]] = {
    "=": equal, "<>": _unequal, "<": _by(-1), ">": _by(1), "<=": _by(-1, 0), ">=": _by(1, 0),
}  # fmt: skip
