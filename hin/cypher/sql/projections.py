"""WITH and RETURN as SQL: columns, groups, order, pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hin.cypher.functions.table import FUNCTIONS
from hin.cypher.meaning.projections import Slots, all_items, in_columns
from hin.cypher.meaning.walk import has_aggregate, replaced
from hin.cypher.sql.block import Block, Head
from hin.cypher.sql.patterns import SqlPatterns
from hin.cypher.sql_terms import NotPushed, Sql, SqlVariable
from hin.cypher.syntax import tree


class Projections(SqlPatterns):
    """Compiles WITH and RETURN."""

    def project(self, clause: tree.Projection, block: Block, rows: int | None) -> Block:
        """Return the block after a projection; `rows` limits the rows of the last one."""
        items = all_items(clause, {name for name in block.variables if not name.startswith(" ")})
        written = items
        grouped = any(has_aggregate(item.expression) for item in items)
        block, items = self._grouped(items, block) if grouped else (block, items)
        names = {item.name: block.tables.fresh("v") for item in items}
        values = {item.name: self._column(item.expression, block) for item in items}
        if clause.distinct and not all(value.sql.groups for value in values.values()):
            raise NotPushed
        columns = [f"{value.sql.text} AS {names[name]}" for name, value in values.items()]
        inner = dict(block.variables)
        narrowed = grouped or clause.distinct
        if narrowed:
            block.variables = {}
        block.variables.update(values)
        keys = self._keys(clause, written, block)
        hidden = [] if clause.distinct else [text for text, _ in keys]
        ties = [] if narrowed else [v.sql.text for n, v in inner.items() if v.sql.kind in ("NODE", "RELATIONSHIP")]
        columns += [f"{text} AS s{i}" for i, text in enumerate([*hidden, *ties])]
        selected = f"{'DISTINCT ' if clause.distinct else ''}{', '.join(columns)}"
        text = block.select(selected)
        if clause.distinct:
            order = [f"{names[item.name]} {way}" for item, way in self._distinct_keys(clause, written, values)]
        else:
            order = [f"s{i} {way}" for i, (_, way) in enumerate(keys)]
        order += [f"s{len(hidden) + i}" for i in range(len(ties))] if not narrowed else list(names.values())
        page = self._page(clause, rows)
        if clause.order or page or clause.final:
            whole = f"SELECT {', '.join(names.values())} FROM ({{}}) ORDER BY {', '.join(order or ['1'])}{page}"
            after = self._after(whole.format(text), names, values, block)
            if not (clause.order or narrowed) and ties and "LIMIT" in page and len(block.scans + block.extra) > 1:
                first = next(v for v in inner.values() if v.sql.text == ties[0])
                after.head = self._head(first, whole, selected, block, int(page.split()[1]))
            return after
        return self._after(text, names, values, block)

    def _head(self, first: SqlVariable, whole: str, selected: str, block: Block, rows: int) -> Head:
        name = block.tables.fresh("p")
        tables = first.nodes or first.relationships
        text = whole.format(block.select(selected, also=[f"{first.sql.text} < ${name}"]))
        return Head(text, name, min(t.first for t in tables), max(t.first + t.count for t in tables), rows)

    def _after(self, text: str, names: dict[str, str], values: dict[str, SqlVariable], block: Block) -> Block:
        alias = block.tables.fresh("q")
        after = Block(block.tables, f"({text}) AS {alias}", plain=(text, names))
        for name, value in values.items():
            sql = replace(value.sql, text=f"{alias}.{names[name]}")
            after.variables[name] = replace(value, sql=sql, block=after)
        return after

    def _column(self, expression: tree.Expression, block: Block) -> SqlVariable:
        if isinstance(expression, tree.Variable):
            return block.variables[expression.name]
        sql = self.value(expression, block)
        if sql.kind.removesuffix("[]") not in ("NODE", "RELATIONSHIP"):
            return SqlVariable(sql, block)
        found = [block.variables[part.name] for part in _givers(expression)]
        nodes = dict.fromkeys(table for variable in found for table in variable.nodes)
        relationships = dict.fromkeys(table for variable in found for table in variable.relationships)
        return SqlVariable(sql, block, tuple(nodes), tuple(relationships), nullable=True)

    def _grouped(self, items: tuple[tree.Item, ...], block: Block) -> tuple[Block, tuple[tree.Item, ...]]:
        """Return a block of groups, and the columns over it: aggregates and keys have become its variables."""
        gathered, slots = Slots(items), dict[str, SqlVariable]()
        over = tuple(replace(item, expression=replaced(item.expression, gathered)) for item in items)
        keys = gathered.keys
        for item in keys:
            slots[f" key {item.name}"] = self._column(item.expression, block)
            if not slots[f" key {item.name}"].sql.groups:
                raise NotPushed
        for i, call in enumerate(gathered.aggregates):
            slots[f" aggregate {i}"] = self._aggregate(call, block)
        names = {name: block.tables.fresh("v") for name in slots}
        columns = ", ".join(f"{value.sql.text} AS {names[name]}" for name, value in slots.items())
        groups = ", ".join(slots[f" key {item.name}"].sql.text for item in keys)
        text = block.select(columns, f" GROUP BY {groups}" if groups else "")
        made = self._after(text, names, slots, block)
        for item in keys:  # a property of a grouped node may be used beside the aggregates
            if isinstance(item.expression, tree.Variable):
                made.variables[item.expression.name] = made.variables[f" key {item.name}"]
        literal = {item.name: item.expression for item in keys if isinstance(item.expression, tree.Literal)}
        over = tuple(replace(i, expression=literal.get(i.name, i.expression)) for i in over)
        return made, over

    def _aggregate(self, call: tree.Expression, block: Block) -> SqlVariable:
        if isinstance(call, tree.CountAll):
            return SqlVariable(Sql("count(*)", "INTEGER"), block)
        assert isinstance(call, tree.Call)
        value, push = self._column(call.arguments[0], block), FUNCTIONS[call.name].sql
        if value.sql.zero or (call.distinct and not value.sql.groups) or not callable(push):
            raise NotPushed
        if not all(self._settled(argument) for argument in call.arguments[1:]):
            raise NotPushed
        more = [self.python_value(argument) for argument in call.arguments[1:]]
        made = push(value.sql, "DISTINCT " if call.distinct else "", *more)
        return replace(SqlVariable(made, block), nodes=value.nodes, relationships=value.relationships)

    def _keys(self, clause: tree.Projection, items: tuple[tree.Item, ...], block: Block) -> list[tuple[str, str]]:
        if clause.distinct:
            return []
        found = []
        for sort in clause.order:
            expression = in_columns(sort.expression, items)
            if has_aggregate(expression):
                raise NotPushed
            sql = self.value(expression, block)
            found.append((sql.text, _way(sql, sort.descending)))
        return found

    def _distinct_keys(
        self, clause: tree.Projection, items: tuple[tree.Item, ...], values: dict[str, SqlVariable]
    ) -> list[tuple[tree.Item, str]]:
        """Return the sort keys after DISTINCT, which must be columns."""
        found = []
        for sort in clause.order:
            hits = [i for i in items if sort.expression in (i.expression, tree.Variable(i.name))]
            if not hits:
                raise NotPushed
            found.append((hits[0], _way(values[hits[0].name].sql, sort.descending)))
        return found

    def _page(self, clause: tree.Projection, rows: int | None) -> str:
        skip = 0 if clause.skip is None else self._bound(clause.skip)
        limit = None if clause.limit is None else self._bound(clause.limit)
        if skip + (limit or 0) > 2**62:
            raise NotPushed
        bounds = [bound for bound in (limit, rows) if bound is not None]
        page = f" LIMIT {min(bounds)}" if bounds else ""
        return page + (f" OFFSET {skip}" if skip else "")

    def _bound(self, expression: tree.Expression) -> int:
        value = self.python_value(expression)
        if type(value) is not int or value < 0:
            raise NotPushed  # the interpreter raises the error
        return value


def _givers(expression: tree.Expression) -> Iterator[tree.Variable]:
    """Yield the variables whose node or relationship coalesce() or CASE may return."""
    if isinstance(expression, tree.Variable):
        yield expression
    elif isinstance(expression, tree.Case):
        for part in (*(value for _, value in expression.branches), expression.default or tree.Literal(None)):
            yield from _givers(part)
    elif isinstance(expression, tree.Call) and expression.name == "coalesce":
        for part in expression.arguments:
            yield from _givers(part)
    elif not (isinstance(expression, tree.Literal) and expression.value is None):
        raise NotPushed


def _way(sql: Sql, descending: bool) -> str:
    if sql.kind not in ("INTEGER", "FLOAT", "STRING", "BOOLEAN", "NULL") or sql.zero or sql.signed:
        raise NotPushed
    return "DESC NULLS FIRST" if descending else "ASC NULLS LAST"
