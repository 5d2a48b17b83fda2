"""`compile_prefix`: compile as many clauses of a query as possible to one SQL statement."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from hin.cypher.folder.column import Column
from hin.cypher.folder.layout import Layout, NodeTable, RelationshipTable
from hin.cypher.meaning.walk import free_variables, has_aggregate, pattern_variables
from hin.cypher.run.clauses import Runner
from hin.cypher.sql.block import Block, Head, Tables
from hin.cypher.sql.projections import Projections
from hin.cypher.sql_terms import NotPushed, SqlVariable
from hin.cypher.syntax import tree

#: DuckDB takes long to plan larger statements, and planning cannot be interrupted.
MOST_CLAUSES = 25
MOST_CHARACTERS = 60_000


@dataclass(frozen=True)
class Statement:
    """A SQL statement, the tables it needs, its columns, and the number of clauses it replaces."""

    text: str
    tables: dict[NodeTable | RelationshipTable, tuple[str, dict[str, Column]]]
    parameters: dict[str, Any]
    columns: dict[str, SqlVariable]
    clauses: int
    #: The WHERE of the last clause, where SQL would lose the order of its rows.
    test: tree.Expression | None = None
    head: Head | None = None

    def rest(self, clauses: tuple[tree.Clause, ...]) -> tuple[tree.Clause, ...]:
        """Return the clauses that the statement does not cover."""
        left = clauses[self.clauses :]
        return left if self.test is None else (tree.Projection((), True, test=self.test), *left)


def compile_prefix(
    clauses: tuple[tree.Clause, ...], runner: Runner, layout: Layout, rows: int | None
) -> Statement | None:
    """Compile as many of the first clauses as possible; `rows` limits the last RETURN. None if that saves nothing."""
    best: Statement | None = None
    if not isinstance(clauses[0], tree.Match):
        return None
    compiler = Compiler(runner, layout)
    tables = Tables()
    block = Block(tables)
    for i, clause in enumerate(clauses[:MOST_CLAUSES]):
        test = None
        if isinstance(clause, tree.Projection) and clause.order and clause.test is not None:
            clause, test = replace(clause, test=None), clause.test
        try:
            block = compiler.clause(clause, block, rows)
            if test is not None and not free_variables(test) <= set(block.variables):
                raise NotPushed
        except NotPushed:
            return best
        made = compiler.statement(block, i + 1)
        if made is not None and len(made.text) > MOST_CHARACTERS:
            return best
        best = best if made is None else replace(made, test=test)
        if isinstance(clause, tree.Projection) and clause.order and not clause.final:
            return best  # later clauses rely on the order, which SQL would lose
    return best


class Compiler(Projections):
    """Compiles clauses one after the other."""

    def clause(self, clause: tree.Clause, block: Block, rows: int | None) -> Block:
        """Return the block after a clause."""
        if isinstance(clause, tree.Match):
            return self._optional(clause, block) if clause.optional else self._match(clause, block)
        if isinstance(clause, tree.Projection):
            after = self.project(clause, block, rows if clause.final else None)
            if clause.test is not None:
                narrowed = clause.distinct or any(has_aggregate(item.expression) for item in clause.items)
                if not narrowed and not free_variables(clause.test) <= set(after.variables):
                    raise NotPushed
                after.where.append(self.condition(clause.test, after))
            return after
        raise NotPushed

    def statement(self, block: Block, clauses: int) -> Statement | None:
        """Return a block as a whole statement."""
        names = {name: f"o{i}" for i, name in enumerate(n for n in block.variables if not n.startswith(" "))}
        columns = {name: block.variables[name] for name in names}
        if any(not _fetchable(variable.sql.kind) for variable in columns.values()):
            return None
        return self._whole(block, names, columns, clauses)

    def _whole(self, block: Block, names: dict[str, str], columns: dict[str, SqlVariable], clauses: int) -> Statement:
        if block.plain is not None:
            text, aliases = block.plain
            columns = {name: columns[name] for name in aliases if name in columns}
            made = _statement(f"{self._views(block)} {text}", block.tables, columns, clauses)
            head = block.head and replace(block.head, text=f"{self._views(block)} {block.head.text}")
            return replace(made, head=head)
        texts = ", ".join(f"{columns[name].sql.text} AS {alias}" for name, alias in names.items()) or "1 AS o0"
        return _statement(f"{self._views(block)} {block.select(texts)}", block.tables, columns, clauses)

    def _views(self, block: Block) -> str:
        views = block.tables.views
        return "".join(f"{', ' if i else 'WITH '}{n} AS MATERIALIZED ({text})" for i, (n, text) in enumerate(views))

    def _match(self, clause: tree.Match, block: Block) -> Block:
        before = self._nested(block)
        self.match(clause.paths, clause.test, before)
        return before

    def _nested(self, block: Block) -> Block:
        """Return a block over another one, so that conditions of one MATCH stay apart from those of the next."""
        if not block.scans and not block.source and not block.extra:
            return Block(block.tables)
        names = {name: block.tables.fresh("v") for name in block.variables if not name.startswith(" ")}
        text = block.select(", ".join(f"{block.variables[n].sql.text} AS {alias}" for n, alias in names.items()) or "1")
        return self._after(text, names, {name: block.variables[name] for name in names}, block)

    def _optional(self, clause: tree.Match, block: Block) -> Block:
        """Number the rows and left-join them with the matches of each."""
        if not block.scans and not block.source and not block.extra:
            raise NotPushed
        tables = block.tables
        names = {name: tables.fresh("v") for name in block.variables if not name.startswith(" ")}
        columns = "".join(f", {block.variables[n].sql.text} AS {alias}" for n, alias in names.items())
        view = tables.fresh("w")
        tables.views.append((view, block.select(f"row_number() OVER () AS k{columns}")))
        inner = self._over(view, names, block)
        self.match(clause.paths, clause.test, inner)
        new = [name for name in sorted(pattern_variables(clause.paths)) if name not in names]
        made = {name: tables.fresh("v") for name in new}
        texts = "".join(f", {inner.variables[n].sql.text} AS {alias}" for n, alias in made.items())
        number = inner.source.split(" AS ")[-1] if inner.source else ""
        found = tables.fresh("m")
        outer = self._over(view, names, block)
        alias = outer.source.split(" AS ")[-1] if outer.source else ""
        right = inner.select(f"{number}.k AS k{texts}")
        outer.source = f"{outer.source} LEFT JOIN ({right}) AS {found} ON {found}.k = {alias}.k"
        for name in new:
            variable = inner.variables[name]
            sql = replace(variable.sql, text=f"{found}.{made[name]}")
            outer.variables[name] = replace(variable, sql=sql, block=outer, nullable=True)
        return outer

    def _over(self, view: str, names: dict[str, str], block: Block) -> Block:
        alias = block.tables.fresh("q")
        made = Block(block.tables, f"{view} AS {alias}")
        for name, column in names.items():
            variable = block.variables[name]
            made.variables[name] = replace(variable, sql=replace(variable.sql, text=f"{alias}.{column}"), block=made)
        return made


def _fetchable(kind: str) -> bool:
    plain = ("INTEGER", "FLOAT", "STRING", "BOOLEAN", "NULL", "NODE", "RELATIONSHIP", "COMPUTED")
    return kind.removesuffix("[]") in plain


def _statement(text: str, tables: Tables, columns: dict[str, SqlVariable], clauses: int) -> Statement:
    """Make a statement with the tables and parameters that its text uses; those of abandoned clauses are left out."""
    words = set(re.findall(r"\b[a-z]\d+\b", text))
    needed = {}
    for table, name in tables.names.items():
        if name in words:
            found: dict[str, Column] = {}
            for key, alias in tables.columns[table].items():
                column = tables.derived.get((table, key)) or table.column(key)
                if column is not None and alias in words:
                    found[alias] = column
            needed[table] = (name, found)
    parameters = {name: value for name, value in tables.parameters.items() if name in words}
    return Statement(text, needed, parameters, columns, clauses)
