"""Aggregates: each takes values one by one and gives one at the end. Null is skipped."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

from hin.cypher.errors import CypherValueError
from hin.cypher.values.arithmetic import add, type_name
from hin.cypher.values.order import is_number, order_key

__all__ = ["AGGREGATES", "Aggregate"]


class Aggregate(Protocol):
    """What every aggregate does."""

    def take(self, value: Any, extra: Any) -> None:
        """Take one value that is not null (and, for percentiles, the second argument)."""
        ...

    def give(self) -> Any:
        """Return the result."""
        ...


class Count:
    """How many."""

    def __init__(self) -> None:
        self.n = 0

    def take(self, value: Any, extra: Any) -> None:
        self.n += 1

    def give(self) -> int:
        return self.n


class Collect:
    """All, as a list."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def take(self, value: Any, extra: Any) -> None:
        self.values.append(value)

    def give(self) -> list[Any]:
        return self.values


class Sum:
    """The sum; 0 of nothing."""

    def __init__(self) -> None:
        self.total: Any = 0

    def take(self, value: Any, extra: Any) -> None:
        _need_number("sum", value)
        self.total = add(self.total, value)

    def give(self) -> Any:
        return self.total


class Mean:
    """The average; null of nothing."""

    def __init__(self) -> None:
        self.n, self.mean = 0, 0.0

    def take(self, value: Any, extra: Any) -> None:
        _need_number("avg", value)
        self.n += 1
        self.mean += (value - self.mean) / self.n

    def give(self) -> float | None:
        return self.mean if self.n else None


class Extreme:
    """The smallest or largest in the order of all values."""

    def __init__(self, largest: bool) -> None:
        self.largest = largest
        self.best: Any = None

    def take(self, value: Any, extra: Any) -> None:
        if self.best is None:
            self.best = value
            return
        better = order_key(self.best) < order_key(value) if self.largest else order_key(value) < order_key(self.best)
        if better:
            self.best = value

    def give(self) -> Any:
        return self.best


class Deviation:
    """The standard deviation of a sample or of all."""

    def __init__(self, sample: bool) -> None:
        self.sample = sample
        self.n, self.mean, self.squares = 0, 0.0, 0.0

    def take(self, value: Any, extra: Any) -> None:
        _need_number("stdev", value)
        self.n += 1
        step = value - self.mean
        self.mean += step / self.n
        self.squares += step * (value - self.mean)

    def give(self) -> float | None:
        if self.n < 2:
            return 0.0 if self.n else None
        return math.sqrt(self.squares / (self.n - 1 if self.sample else self.n))


class Percentile:
    """The value below which a share lies; between two values, or the nearest."""

    def __init__(self, between: bool) -> None:
        self.between = between
        self.values: list[Any] = []
        self.share: Any = None

    def take(self, value: Any, extra: Any) -> None:
        _need_number("percentile", value)
        if not is_number(extra) or not 0 <= extra <= 1:
            raise CypherValueError("a percentile outside 0.0 to 1.0", hint="0.5 is the median")
        self.share = extra
        self.values.append(value)

    def give(self) -> Any:
        if not self.values:
            return None
        ordered = sorted(self.values)
        if not self.between:
            place = self.share * len(ordered)
            return ordered[max(0, math.ceil(place) - 1)]
        place = self.share * (len(ordered) - 1)
        low, high = math.floor(place), math.ceil(place)
        if low == high:
            return ordered[low]  # as it is: an integer stays one
        return ordered[low] * (high - place) + ordered[high] * (place - low)


def _need_number(function: str, value: Any) -> None:
    if not is_number(value):
        raise CypherValueError(f"{function}() needs numbers, not {type_name(value)}", hint="convert with toInteger()")


#: By name: how it is made, and how many arguments it takes.
AGGREGATES: dict[str, tuple[Callable[[], Aggregate], int]] = {
    "count": (Count, 1),
    "collect": (Collect, 1),
    "sum": (Sum, 1),
    "avg": (Mean, 1),
    "min": (lambda: Extreme(False), 1),
    "max": (lambda: Extreme(True), 1),
    "stdev": (lambda: Deviation(True), 1),
    "stdevp": (lambda: Deviation(False), 1),
    "percentilecont": (lambda: Percentile(True), 2),
    "percentiledisc": (lambda: Percentile(False), 2),
}
