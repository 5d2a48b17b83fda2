"""Clauses as steps over rows, and whole queries as chains of steps."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from typing import Any

from hin.cypher.errors import CypherValueError
from hin.cypher.functions.registry import ANY
from hin.cypher.meaning.projections import all_items, in_columns
from hin.cypher.meaning.walk import has_aggregate, pattern_variables
from hin.cypher.run.conditions import truth
from hin.cypher.run.context import Context, Evaluate, Row
from hin.cypher.run.evaluate import Evaluator
from hin.cypher.run.grouping import Grouping
from hin.cypher.run.matching import Matcher
from hin.cypher.run.procedures import procedure_rows
from hin.cypher.syntax import tree
from hin.cypher.values.order import grouping_key, order_key


class Runner(Evaluator):
    """Run queries and the patterns and subqueries nested in expressions."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.draw = random.Random(0).random  # the same query gives the same rows, rand() or not

    def query(self, query: tree.Query, row: Row, columns: tuple[str, ...], kept: Row | None = None) -> Iterator[Row]:
        """Return the rows of a query, starting from one row; every WITH passes the outer names in `kept` on."""
        parts = [self.part(part, iter([dict(row)]), kept or {}) for part in query.parts]
        rows: Iterator[Row] = itertools.chain.from_iterable(parts)
        return rows if query.keep_all or len(parts) == 1 else self.distinct(rows, columns)

    def part(self, clauses: tuple[tree.Clause, ...], rows: Iterator[Row], kept: Row) -> Iterator[Row]:
        """Pass rows through the clauses, one after the other."""
        for clause in clauses:
            rows = self.clause(clause, rows, kept)
        return rows

    def clause(self, clause: tree.Clause, rows: Iterator[Row], kept: Row) -> Iterator[Row]:
        """Pass rows through one clause."""
        if isinstance(clause, tree.Match):
            return self._match(clause, rows)
        if isinstance(clause, tree.Unwind):
            return self._unwind(clause, rows)
        if isinstance(clause, tree.CallQuery):
            return self._call_query(clause, rows)
        if isinstance(clause, tree.CallProcedure):
            return self._call_procedure(clause, rows)
        assert isinstance(clause, tree.Projection)
        return self._projection(clause, rows, kept)

    def _match(self, clause: tree.Match, rows: Iterator[Row]) -> Iterator[Row]:
        matcher = Matcher(self.context, clause.paths, self.make, clause.test)
        test = None if clause.test is None else self.make(clause.test)
        names = pattern_variables(clause.paths)
        for row in rows:
            hit = False
            for found in matcher.rows(row):
                if test is None or truth(test(found)) is True:
                    hit = True
                    yield found
            if clause.optional and not hit:
                yield {**dict.fromkeys(names), **row}

    def _unwind(self, clause: tree.Unwind, rows: Iterator[Row]) -> Iterator[Row]:
        source = self.make(clause.source)
        for row in rows:
            values = source(row)
            for value in [] if values is None else values if isinstance(values, list) else [values]:
                self.context.budget.spend()
                yield {**row, clause.variable: value}

    def _call_procedure(self, clause: tree.CallProcedure, rows: Iterator[Row]) -> Iterator[Row]:
        found = procedure_rows(clause.name, self.context.graph)
        for row in rows:
            for given in found:
                yield {**row, **{name: given[column] for column, name in clause.yields}}

    def _call_query(self, clause: tree.CallQuery, rows: Iterator[Row]) -> Iterator[Row]:
        last = clause.query.parts[0][-1]
        returns = isinstance(last, tree.Projection) and last.final
        columns: tuple[str, ...] | None = None if returns else ()
        for row in rows:
            names = tuple(row) if clause.imports == ("*",) else clause.imports
            outer = {name: row[name] for name in names}
            columns = self.columns(clause.query, set(outer), clause.keeps) if columns is None else columns
            found = False
            for inner in self.query(clause.query, outer, columns, outer if clause.keeps else None):
                found = True
                yield {**row, **{name: inner[name] for name in columns}} if returns else row
                if not returns:
                    break
            if clause.optional and not found:
                yield {**row, **dict.fromkeys(columns)}

    def columns(self, query: tree.Query, scope: set[str], keep: bool = True) -> tuple[str, ...]:
        """Return the columns of a query that has been checked."""
        from hin.cypher.meaning.scope import Checker

        return Checker().query(query, dict.fromkeys(scope, ANY), kind="CALL", keep=keep)

    # WITH and RETURN

    def _projection(self, clause: tree.Projection, rows: Iterator[Row], kept: Row) -> Iterator[Row]:
        if clause.limit is not None and self._bound(self.make(clause.limit), "LIMIT") == 0:
            return  # columns that are not used are not computed
        if clause.everything:
            first = next(rows, None)
            if first is None:
                return
            rows = itertools.chain([first], rows)
            items = all_items(clause, {name for name in first if name not in kept})
        else:
            items = clause.items
        made = self._columns(clause, items, rows)
        if clause.order:
            made = self._sorted(clause, items, made)
        test = None if clause.test is None else self.make(clause.test)
        for row, beside in self._page(clause, made):
            if test is None or truth(test({**kept, **beside, **row})) is True:
                yield {**kept, **row} if kept and not clause.final else row

    def _columns(
        self, clause: tree.Projection, items: tuple[tree.Item, ...], rows: Iterator[Row]
    ) -> Iterator[tuple[Row, Row]]:
        """Return the columns, and the further names in the scope of ORDER BY."""
        if any(has_aggregate(item.expression) for item in items):
            self.grouping = Grouping(self.context, items, self.make)
            made: Iterator[tuple[Row, Row]] = self.grouping.rows(rows)
        else:
            values = [(item.name, self.make(item.expression)) for item in items]
            made = (({name: value(row) for name, value in values}, row) for row in rows)
        if not clause.distinct:
            return made
        names = tuple(item.name for item in items)
        return ((row, row) for row in self.distinct((columns for columns, _ in made), names))

    def distinct(self, rows: Iterable[Row], columns: tuple[str, ...]) -> Iterator[Row]:
        """Yield each distinct row once."""
        seen: set[Any] = set()
        for row in rows:
            self.context.budget.spend()
            key = tuple(grouping_key(row[name]) for name in columns)
            if key not in seen:
                seen.add(key)
                yield row

    def _sorted(
        self, clause: tree.Projection, items: tuple[tree.Item, ...], made: Iterator[tuple[Row, Row]]
    ) -> Iterator[tuple[Row, Row]]:
        narrowed = clause.distinct or any(has_aggregate(item.expression) for item in items)
        keys = [(self.make(in_columns(sort.expression, items)), sort.descending) for sort in clause.order]
        pairs = []
        for columns, beside in made:
            self.context.budget.spend()
            scope = {**({} if narrowed and clause.distinct else beside), **columns}
            pairs.append(([order_key(key(scope)) for key, _ in keys], columns, beside))
        for i in reversed(range(len(keys))):
            pairs.sort(key=lambda pair: pair[0][i], reverse=keys[i][1])
            self.context.budget.check()
        return iter([(columns, beside) for _, columns, beside in pairs])

    def _page(self, clause: tree.Projection, rows: Iterator[tuple[Row, Row]]) -> Iterator[tuple[Row, Row]]:
        skip = 0 if clause.skip is None else self._bound(self.make(clause.skip), "SKIP")
        limit = None if clause.limit is None else self._bound(self.make(clause.limit), "LIMIT")
        if skip + (limit or 0) > 2**63 - 1:
            raise CypherValueError("SKIP and LIMIT add up to more than an integer holds", hint="use a smaller LIMIT")
        return itertools.islice(rows, skip, None if limit is None else skip + limit)

    def _bound(self, value: Evaluate, word: str) -> int:
        found = value({})
        if type(found) is not int or found < 0:
            raise CypherValueError(f"{word} needs a whole number from 0", hint=f"for example {word} 10")
        return found

    # Patterns and queries inside expressions

    def _call(self, e: tree.Call) -> Evaluate:
        return (lambda row: self.draw()) if e.name == "rand" else super()._call(e)

    def _pattern_test(self, e: tree.PatternTest) -> Evaluate:
        matcher = Matcher(self.context, (e.path,), self.make)
        return lambda row: next(matcher.rows(row), None) is not None

    def _pattern_comprehension(self, e: tree.PatternComprehension) -> Evaluate:
        matcher = Matcher(self.context, (e.path,), self.make)
        test = None if e.test is None else self.make(e.test)
        value = self.make(e.value)
        return lambda row: [value(at) for at in matcher.rows(row) if test is None or truth(test(at)) is True]

    def _subquery(self, e: tree.Subquery) -> Evaluate:
        last = e.query.parts[0][-1]
        returns = isinstance(last, tree.Projection) and last.final
        known: list[tuple[str, ...]] = [] if returns else [()]

        def get(row: Row) -> Any:
            if not known:
                known.append(self.columns(e.query, set(row)))
            columns = known[0]
            rows = self.query(e.query, row, columns, row)
            if e.kind == "EXISTS":
                return next(rows, None) is not None
            if e.kind == "COUNT":
                return sum(1 for _ in rows)
            return [inner[columns[0]] for inner in rows]

        return get
