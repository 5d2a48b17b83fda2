"""Traverse a query's tree: children, aggregates, free variables, replacement."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from hin.cypher.functions.table import FUNCTIONS
from hin.cypher.syntax import tree


def children(part: Any) -> Iterator[Any]:
    """Yield the records directly inside a record."""
    for field in dataclasses.fields(part):
        yield from _records(getattr(part, field.name))


def parts_of(part: Any) -> Iterator[Any]:
    """Yield a record and all records inside of it."""
    yield part
    for child in children(part):
        yield from parts_of(child)


def _records(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for item in value:
            yield from _records(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield value


def is_aggregate(part: Any) -> bool:
    """Check whether an expression is an aggregate itself."""
    if isinstance(part, tree.Call):
        return part.name in FUNCTIONS and FUNCTIONS[part.name].aggregate
    return isinstance(part, tree.CountAll)


def has_aggregate(part: Any) -> bool:
    """Check whether an expression contains an aggregate; those of a subquery are its own.

    >>> from hin.cypher.syntax.parser import parse
    >>> has_aggregate(parse("RETURN 1 + sum(x)").parts[0][0].items[0].expression)
    True
    """
    if isinstance(part, tree.Subquery):
        return False
    return is_aggregate(part) or any(has_aggregate(child) for child in children(part))


def pattern_variables(paths: tuple[tree.PathPattern, ...]) -> set[str]:
    """Return the names that patterns bind."""
    found: set[str | None] = set()
    for path in paths:
        found.add(path.variable)
        found |= {node.variable for node in path.nodes} | {step.variable for step in path.relationships}
    return {name for name in found if name is not None}


def free_variables(part: Any) -> set[str]:
    """Return the names an expression needs from outside.

    >>> from hin.cypher.syntax.parser import parse
    >>> sorted(free_variables(parse("RETURN [x IN xs WHERE x > y]").parts[0][0].items[0].expression))
    ['xs', 'y']
    """
    if isinstance(part, tree.Variable):
        return {part.name}
    if isinstance(part, (tree.ListComprehension, tree.Quantifier)):
        inner = free_variables(part.test) if part.test is not None else set()
        if isinstance(part, tree.ListComprehension) and part.value is not None:
            inner |= free_variables(part.value)
        return free_variables(part.source) | (inner - {part.variable})
    if isinstance(part, tree.Reduce):
        inner = free_variables(part.value) - {part.variable, part.total}
        return free_variables(part.source) | free_variables(part.start) | inner
    if isinstance(part, (tree.NodePattern, tree.RelationshipPattern)):
        inner = set().union(*(free_variables(child) for child in children(part)))
        return inner | ({part.variable} if part.variable else set())
    if isinstance(part, tree.Unwind):
        return free_variables(part.source) | {part.variable}
    return set().union(*(free_variables(child) for child in children(part)))


def replaced(part: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy in which the records that `change` maps to another one are replaced."""
    new = change(part)
    if new is not None:
        return new
    if isinstance(part, tree.Subquery):
        return part
    values = {field.name: _replaced(getattr(part, field.name), change) for field in dataclasses.fields(part)}
    return dataclasses.replace(part, **values)


def _replaced(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, tuple):
        return tuple(_replaced(item, change) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return replaced(value, change)
    return value
