"""Functions of lists, maps and of anything."""

from __future__ import annotations

import functools
import operator
from dataclasses import replace
from typing import Any

from hin.cypher.errors import CypherRefused, CypherValueError, QueryTooLarge
from hin.cypher.functions.registry import ANY, BOOLEAN, INTEGER, LIST, MAP, STRING, Kind, function, list_of
from hin.cypher.sql_terms import NotPushed, Sql, one_of
from hin.cypher.values.arithmetic import LONGEST
from hin.cypher.values.order import equal


def _size(value: Sql) -> Sql:
    if value.kind != "STRING" and not value.kind.endswith("[]"):
        raise NotPushed
    return Sql(f"{'length' if value.kind == 'STRING' else 'len'}({value.text})", "INTEGER")


def _item(values: Kind) -> Kind:
    return values.items or ANY


function("size", (LIST | STRING) >> INTEGER, sql=_size, hint="use length() for a path")(len)
function("isEmpty", (LIST | STRING | MAP) >> BOOLEAN, hint="use IS NULL")(lambda value: not value)
function("head", LIST >> ANY, gives=_item)(lambda values: values[0] if values else None)
function("last", LIST >> ANY, gives=_item)(lambda values: values[-1] if values else None)
function(
    "reverse", (LIST | STRING) >> ANY, gives=lambda kind: kind if kind.within("list", "string") else LIST | STRING
)(lambda value: value[::-1])
function("tail", LIST >> LIST, gives=lambda kind: kind)(lambda values: values[1:])


@function("range", (INTEGER, INTEGER, ~INTEGER) >> list_of(INTEGER), strict=False)
def range_(start: int | None, end: int | None, step: int | None = 1) -> range:
    """Return a range of whole numbers, both ends included; the caller makes the list.

    >>> list(range_(1, 7, 3)), list(range_(3, 1))
    ([1, 4, 7], [])
    """
    if start is None or end is None or step is None:
        raise CypherValueError("range() with null", hint="give integers")
    if step == 0:
        raise CypherValueError("range() with a step of 0", hint="give another step")
    if (end - start) // step > LONGEST:
        raise QueryTooLarge("range() would make a list that is too long")
    if 0 < (start - end) * (1 if step > 0 else -1) < abs(step):
        differ = f"range({start}, {end}, {step}): Neo4j gives [{start}], openCypher's tests an empty list"
        raise CypherRefused(differ, hint="leave out such ends: CASE WHEN a <= b THEN range(a, b, 3) ELSE [] END")
    return range(start, end + (1 if step > 0 else -1), step)


def _any_of(*kinds: Kind) -> Kind:
    return functools.reduce(operator.or_, kinds)


def _coalesce(*values: Sql) -> Sql:
    return one_of(f"coalesce({', '.join(value.text for value in values)})", list(values))


@function("coalesce", (replace(ANY, many=True),) >> ANY, strict=False, sql=_coalesce, gives=_any_of)
def coalesce(*values: Any) -> Any:
    """Return the first value that is not null."""
    return next((value for value in values if value is not None), None)


@function("nullIf", (ANY, ANY) >> ANY, strict=False)
def null_if(value: Any, other: Any) -> Any:
    """Return the value, or null when it equals the other."""
    return None if equal(value, other) else value
