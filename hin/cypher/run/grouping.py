"""Columns with aggregates: rows are grouped by the other columns, then each aggregate is computed per group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hin.cypher.functions.aggregates import Aggregate
from hin.cypher.functions.table import FUNCTIONS
from hin.cypher.meaning.projections import Slots
from hin.cypher.meaning.walk import has_aggregate, replaced
from hin.cypher.run.context import Context, Row
from hin.cypher.run.matching import Make
from hin.cypher.syntax import tree
from hin.cypher.values.order import grouping_key


class Grouping:
    """The columns of one projection that has aggregates."""

    def __init__(self, context: Context, items: tuple[tree.Item, ...], make: Make) -> None:
        self.context = context
        slots = Slots(items)
        self.keys, self.aggregates = slots.keys, slots.aggregates
        self.key_values = [make(item.expression) for item in self.keys]
        over = [item for item in items if has_aggregate(item.expression)]
        self.results = [(item.name, make(replaced(item.expression, slots))) for item in over]
        self.arguments = [
            [] if isinstance(call, tree.CountAll) else [make(argument) for argument in getattr(call, "arguments", ())]
            for call in self.aggregates
        ]

    def rows(self, rows: Iterable[Row]) -> Iterator[tuple[Row, Row]]:
        """Yield (columns, a representative row) for each group, in the order they were first seen."""
        groups: dict[Any, tuple[list[Any], list[_Gathering]]] = {}
        for row in rows:
            self.context.budget.spend()
            values = [value(row) for value in self.key_values]
            key = tuple(map(grouping_key, values))
            group = groups.get(key)
            if group is None:
                group = groups[key] = (values, self._fresh())
            for gathering, arguments in zip(group[1], self.arguments, strict=True):
                gathering.take([argument(row) for argument in arguments])
        if not groups and not self.keys:
            groups[()] = ([], self._fresh())
        for values, gatherings in groups.values():
            columns = {item.name: value for item, value in zip(self.keys, values, strict=True)}
            inner: Row = {f" key {name}": value for name, value in columns.items()}
            for item, value in zip(self.keys, values, strict=True):
                if isinstance(item.expression, tree.Variable):
                    inner[item.expression.name] = value
            inner.update({f" aggregate {i}": gathering.give() for i, gathering in enumerate(gatherings)})
            yield {**columns, **{name: value(inner) for name, value in self.results}}, inner

    def _fresh(self) -> list[_Gathering]:
        return [_Gathering(call) for call in self.aggregates]


class _Gathering:
    """One aggregate of one group."""

    def __init__(self, call: tree.Expression) -> None:
        self.every = isinstance(call, tree.CountAll)
        name = "count" if isinstance(call, tree.CountAll) else getattr(call, "name", "")
        self.function = FUNCTIONS[name]
        self.aggregate: Aggregate = self.function.call()
        self.seen: set[Any] | None = set() if getattr(call, "distinct", False) else None

    def take(self, values: list[Any]) -> None:
        if self.every:
            self.aggregate.take(None, None)
            return
        if values[0] is None:
            return
        if self.seen is not None:
            key = grouping_key(values[0])
            if key in self.seen:
                return
            self.seen.add(key)
        self.function.check(*values)
        self.aggregate.take(values[0], values[1] if len(values) > 1 else None)

    def give(self) -> Any:
        return self.aggregate.give()
