"""Aggregates: each consumes values one by one and returns one at the end. Null is skipped."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from hin.cypher.errors import CypherValueError
from hin.cypher.functions.registry import ANY, FLOAT, INTEGER, LIST, NUMBER, Signature, function, list_of
from hin.cypher.sql_terms import NotPushed, Sql
from hin.cypher.values.arithmetic import LARGEST, SMALLEST
from hin.cypher.values.order import order_key

__all__ = ["Aggregate"]


class Aggregate(Protocol):
    """The interface of an aggregate."""

    def take(self, value: Any, extra: Any) -> None:
        """Add one value that is not null (and, for percentiles, the second argument)."""
        ...

    def give(self) -> Any:
        """Return the result."""
        ...


class Count:
    """Count the values."""

    def __init__(self) -> None:
        self.n = 0

    def take(self, value: Any, extra: Any) -> None:
        self.n += 1

    def give(self) -> int:
        return self.n


class Collect:
    """Collect the values into a list."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def take(self, value: Any, extra: Any) -> None:
        self.values.append(value)

    def give(self) -> list[Any]:
        return self.values


class Sum:
    """Sum the values; 0 if there are none. Integers become a float where 64 bits do not hold them."""

    def __init__(self) -> None:
        self.total: Any = 0

    def take(self, value: Any, extra: Any) -> None:
        self.total += value
        if type(self.total) is int and not SMALLEST <= self.total <= LARGEST:
            self.total = float(self.total)

    def give(self) -> Any:
        return self.total


class Mean:
    """Average the values; null if there are none."""

    def __init__(self) -> None:
        self.n, self.mean, self.endless = 0, 0.0, 0.0

    def take(self, value: Any, extra: Any) -> None:
        self.n += 1
        if math.isfinite(value):
            self.mean += (value - self.mean) / self.n
        else:
            self.endless += value

    def give(self) -> float | None:
        return (self.endless or self.mean) if self.n else None


class Extreme:
    """Find the smallest or largest value in the order of all values."""

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
    """Compute the standard deviation of a sample or of the population."""

    def __init__(self, sample: bool) -> None:
        self.sample = sample
        self.n, self.mean, self.squares = 0, 0.0, 0.0

    def take(self, value: Any, extra: Any) -> None:
        self.n += 1
        step = value - self.mean
        self.mean += step / self.n
        self.squares += step * (value - self.mean)

    def give(self) -> float | None:
        if self.n < 2:
            return 0.0 if self.n else None
        return math.sqrt(self.squares / (self.n - 1 if self.sample else self.n))


class Percentile:
    """Compute a percentile: interpolated between two values, or the nearest value."""

    def __init__(self, between: bool) -> None:
        self.between = between
        self.values: list[Any] = []
        self.share: Any = None

    def take(self, value: Any, extra: Any) -> None:
        if extra is None or not 0 <= extra <= 1:
            raise CypherValueError("a percentile outside 0.0 to 1.0", hint="0.5 is the median")
        self.share = extra
        self.values.append(value)

    def give(self) -> Any:
        if not self.values:
            return None
        ordered = sorted(self.values, key=order_key if any(map(math.isnan, self.values)) else None)
        if not self.between:
            place = self.share * len(ordered)
            return ordered[max(0, math.ceil(place) - 1)]
        place = self.share * (len(ordered) - 1)
        low, high = math.floor(place), math.ceil(place)
        if low == high:
            return ordered[low]  # unchanged: an integer stays one
        return ordered[low] * (high - place) + ordered[high] * (place - low)


# As SQL: of a value, and of DISTINCT or nothing.


def _collected(value: Sql, distinct: str) -> Sql:
    if value.kind not in ("INTEGER", "FLOAT", "STRING", "NODE", "RELATIONSHIP"):
        raise NotPushed
    gathered = f"list({distinct}{value.text} ORDER BY {value.text}) FILTER (WHERE {value.text} IS NOT NULL)"
    return Sql(f"coalesce({gathered}, [])", value.kind + "[]")


def _extreme(name: str) -> Callable[[Sql, str], Sql]:
    def push(value: Sql, distinct: str) -> Sql:
        if value.kind not in ("INTEGER", "FLOAT", "STRING") or not value.finite or value.signed:
            raise NotPushed
        return replace(value, text=f"{name}({value.text})", nonzero=False)

    return push


def _total(name: str) -> Callable[[Sql, str], Sql]:
    def push(value: Sql, distinct: str) -> Sql:
        inner = f"{distinct}{value.text}"
        if value.kind == "INTEGER" and name == "sum":  # of fewer rows than 2^40
            return Sql(f"CAST(coalesce(sum({inner}), 0) AS BIGINT)", "INTEGER", min(64, value.bits + 40))
        if value.kind == "INTEGER":
            return Sql(f"avg({inner})", "FLOAT")
        if value.kind != "FLOAT" or not value.finite:
            raise NotPushed
        # In order, so that the last digits do not depend on threads.
        total = f"{name}({inner} ORDER BY {value.text})"
        if name == "avg":  # of equal values exactly that value: groups with the same mean stay equal, as on Neo4j
            same = f"min({value.text}) = max({value.text})"
            total = f"CASE WHEN {same} THEN min({value.text}) + 0.0 ELSE {total} END"
        return Sql(total, "FLOAT", finite=False, zero=name == "sum")

    return push


def _computed(make: Callable[[], Aggregate]) -> Callable[..., Sql]:
    """Gather the values in SQL, in order, so that the last digits do not depend on threads; the rest is Python's."""

    def push(value: Sql, distinct: str, share: Any = 0) -> Sql:
        if value.kind not in ("INTEGER", "FLOAT") or not value.finite or type(share) not in (int, float):
            raise NotPushed

        def finish(values: list[Any] | None) -> Any:
            gathering = make()
            for item in values or ():
                gathering.take(item, share)
            return gathering.give()

        gathered = f"list({distinct}{value.text} ORDER BY {value.text}) FILTER (WHERE {value.text} IS NOT NULL)"
        return Sql(gathered, "COMPUTED", finish=finish)

    return push


def _counted(value: Sql, distinct: str) -> Sql:
    return Sql(f"count({distinct}{value.text})", "INTEGER")


_NEEDS = "convert with toInteger()"
function("count", ANY >> INTEGER, aggregate=True, sql=_counted)(Count)
function("collect", ANY >> LIST, aggregate=True, sql=_collected, gives=list_of)(Collect)
function("sum", NUMBER >> NUMBER, aggregate=True, sql=_total("sum"), hint=_NEEDS)(Sum)
function("avg", NUMBER >> FLOAT, aggregate=True, sql=_total("avg"), hint=_NEEDS)(Mean)
function("min", ANY >> ANY, aggregate=True, sql=_extreme("min"), gives=lambda kind: kind)(lambda: Extreme(False))
function("max", ANY >> ANY, aggregate=True, sql=_extreme("max"), gives=lambda kind: kind)(lambda: Extreme(True))
_COMPUTED: list[tuple[str, Signature, Callable[[], Aggregate]]] = [
    ("stDev", NUMBER >> FLOAT, lambda: Deviation(True)),
    ("stDevP", NUMBER >> FLOAT, lambda: Deviation(False)),
    ("percentileCont", (NUMBER, NUMBER) >> NUMBER, lambda: Percentile(True)),
    ("percentileDisc", (NUMBER, NUMBER) >> NUMBER, lambda: Percentile(False)),
]
for _name, _kinds, _make in _COMPUTED:
    function(_name, _kinds, aggregate=True, sql=_computed(_make), hint=_NEEDS)(_make)
