"""Compile MATCH to joins: a relationship is a table scan, a node the id at its end; none is used twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hin.cypher.folder.layout import Layout, NodeTable
from hin.cypher.meaning.walk import free_variables
from hin.cypher.run.clauses import Runner
from hin.cypher.run.matching import asked_properties
from hin.cypher.sql.block import Block, Scan
from hin.cypher.sql.expressions import SqlExpressions
from hin.cypher.sql.inference import PatternStep, Shape, infer
from hin.cypher.sql_terms import NotPushed, Sql, SqlVariable
from hin.cypher.syntax import tree

#: The longest path of variable length that is written out as joins.
LONGEST = 5
#: DuckDB plans joins of more tables slowly and badly.
MOST_NODES = 16


class SqlPatterns(SqlExpressions):
    """Compiles patterns, and expressions that hold them."""

    def __init__(self, runner: Runner, layout: Layout) -> None:
        super().__init__(runner)
        self.layout = layout

    def match(self, paths: tuple[tree.PathPattern, ...], test: tree.Expression | None, block: Block) -> None:
        """Compile patterns and their WHERE into a block: its variables, scans and conditions."""
        if sum(len(path.nodes) for path in paths) > MOST_NODES:
            raise NotPushed
        shape = infer(self.layout, paths, block)
        for key, nodes in shape.patterns.items():
            pairs = [pair for node in nodes for pair in asked_properties(node, test)]
            shape.asked[key] = [pair for pair in pairs if self._settled(pair[1])]
        if any(not tables for tables in shape.nodes.values()) or any(not step.ways for step in shape.steps):
            self._match_nothing(shape, block)
        else:
            self._join(shape, block)
        for key, patterns in shape.patterns.items():
            for pattern in patterns:
                self._add_conditions(pattern, block.variables[key], block)
        for step in shape.steps:
            if step.pattern.variable is not None:
                self._add_conditions(step.pattern, block.variables[step.pattern.variable], block)
        if test is not None:
            block.where += self._tests(test, shape, block)

    def _tests(self, test: tree.Expression, shape: Shape, block: Block) -> list[str]:
        """Return the conditions of a WHERE.

        A comparison other than `=` between variables that the pattern joins anyway is wrapped in CASE, which makes it a
        filter. DuckDB would take the plain comparison for a selective join and start with it, which gives most pairs.
        """
        component = shape.components()
        found = []
        for part in test.items if isinstance(test, tree.Logic) and test.operator == "AND" else (test,):
            text = self.condition(part, block)
            if isinstance(part, tree.Compare) and all(sign != "=" for sign, _ in part.rest):
                components = [component.get(name, "") for name in free_variables(part)]
                if len(components) > 1 and len(set(components)) == 1:
                    text = f"CASE WHEN {text} THEN TRUE END"
            found.append(text)
        return found

    def _match_nothing(self, shape: Shape, block: Block) -> None:
        """Bind the variables of a pattern that no label or type fits, so that it gives no row."""
        block.extra.append(f"(SELECT 1 AS g WHERE FALSE) AS {block.tables.fresh('e')}")
        for key in shape.nodes:
            if key not in block.variables:
                block.variables[key] = SqlVariable(Sql("CAST(NULL AS BIGINT)", "NODE"), block, tuple(self.layout.nodes))
        for step in shape.steps:
            if step.pattern.length is not None or step.pattern.properties is not None:
                raise NotPushed
            if step.pattern.variable is not None and step.pattern.variable not in block.variables:
                tables = tuple(self.layout.relationships)
                sql = Sql("CAST(NULL AS BIGINT)", "RELATIONSHIP")
                block.variables[step.pattern.variable] = SqlVariable(sql, block, (), tables)

    def _join(self, shape: Shape, block: Block) -> None:
        """Join the scans of all steps and bind the variables of the nodes."""
        bound: dict[str, str] = {}
        for key in shape.nodes:
            if key in block.variables:
                bound[key] = block.variables[key].sql.text
        used: list[tuple[PatternStep, Scan | str]] = []
        for step in shape.steps:
            if step.pattern.length is None:
                used.append((step, self._join_step(step, block, bound)))
            else:
                used.append((step, self._join_path(step, shape, block, bound)))
            self._forbid_reuse(used, block)
        for key, tables in shape.nodes.items():
            if key not in bound:
                scan = block.scan_nodes(tables)
                bound[key] = f"{scan.alias}.g"
                block.own[bound[key]] = scan
        for key, tables in shape.nodes.items():
            known = block.variables.get(key)
            if known is not None and len(known.nodes) > len(tables):
                block.where.append(_within(bound[key], tables))
            elif known is None:
                block.variables[key] = SqlVariable(Sql(bound[key], "NODE"), block, tuple(tables))
            if known is not None and known.nullable:
                block.where.append(f"{bound[key]} IS NOT NULL")

    def _join_step(self, step: PatternStep, block: Block, bound: dict[str, str]) -> Scan:
        """Add the scan of one relationship, joined at its two nodes."""
        pattern = step.pattern
        both = {forward for _, forward in step.ways} == {True, False}
        scan = block.scan(step.ways, both=both)
        self._join_ends(step, f"{scan.alias}.a", f"{scan.alias}.b", block, bound)
        number = f"{scan.alias}.rid"
        block.own[number] = scan
        name = pattern.variable
        if name is not None and name in block.variables:
            if block.variables[name].sql.kind != "RELATIONSHIP":
                raise NotPushed
            block.where.append(f"{number} = {block.variables[name].sql.text}")
        else:
            tables = tuple(dict.fromkeys(table for table, _ in step.ways))
            made = SqlVariable(Sql(number, "RELATIONSHIP"), block, (), tables)
            if name is not None:
                block.variables[name] = made
            elif pattern.properties is not None or pattern.test is not None:
                self._add_conditions(pattern, made, block)
        return scan

    def _join_ends(self, step: PatternStep, start: str, end: str, block: Block, bound: dict[str, str]) -> None:
        """Bind the two nodes of a step to columns, or equate these with what the nodes are bound to already."""
        for key, number in ((step.start, start), (step.end, end)):
            if key in bound:
                block.where.append(f"{bound[key]} = {number}")
            else:
                bound[key] = number

    def _join_path(self, step: PatternStep, shape: Shape, block: Block, bound: dict[str, str]) -> str:
        """Add a path of variable length as a union of joins, one for each length; return its alias."""
        pattern = step.pattern
        assert pattern.length is not None
        low, high = pattern.length
        if high is None or high > LONGEST or pattern.properties is not None or pattern.test is not None or high < low:
            raise NotPushed
        both = {forward for _, forward in step.ways} == {True, False}
        texts = []
        for length in range(low, high + 1):
            inner = Block(block.tables)
            scans = [inner.scan(step.ways, both=both) for _ in range(length)]
            if length == 0:
                inner.scan_nodes(shape.nodes[step.start])
                number = f"{inner.scans[0].alias}.g"
                texts.append(inner.select(f"{number} AS a, {number} AS b, CAST([] AS BIGINT[]) AS rids"))
                continue
            inner.where += [f"{one.alias}.b = {two.alias}.a" for one, two in zip(scans, scans[1:], strict=False)]
            for i, one in enumerate(scans):  # no plain `<>`, as in `_tests`
                inner.where += [f"{one.alias}.rid - {two.alias}.rid <> 0" for two in scans[i + 1 :]]
            self._anchor(step, shape, inner, scans)
            taken = ", ".join(f"{scan.alias}.rid" for scan in scans)
            texts.append(inner.select(f"{scans[0].alias}.a AS a, {scans[-1].alias}.b AS b, [{taken}] AS rids"))
        alias = block.tables.fresh("e")
        block.extra.append(f"({' UNION ALL '.join(texts)}) AS {alias}")
        self._join_ends(step, f"{alias}.a", f"{alias}.b", block, bound)
        for key, number in ((step.start, f"{alias}.a"), (step.end, f"{alias}.b")):
            block.where.append(_within(number, shape.nodes[key]))  # `ways` fit any step; only the ends must have labels
        if pattern.variable is not None:
            tables = tuple(dict.fromkeys(table for table, _ in step.ways))
            block.variables[pattern.variable] = SqlVariable(Sql(f"{alias}.rids", "RELATIONSHIP[]"), block, (), tables)
        return alias

    def _anchor(self, step: PatternStep, shape: Shape, inner: Block, scans: list[Scan]) -> None:
        """Filter a path of variable length by the properties of its ends, so that it starts from few nodes."""
        for key, number in ((step.start, f"{scans[0].alias}.a"), (step.end, f"{scans[-1].alias}.b")):
            if shape.asked[key]:
                scan = inner.scan_nodes(shape.nodes[key])
                end = SqlVariable(Sql(f"{scan.alias}.g", "NODE"), inner, tuple(shape.nodes[key]))
                inner.own[end.sql.text] = scan
                inner.variables[" end"] = end
                inner.where.append(f"{end.sql.text} = {number}")
                for name, value in shape.asked[key]:
                    wanted = tree.Compare(tree.Property(tree.Variable(" end"), name), (("=", value),))
                    inner.where.append(self.condition(wanted, inner))

    def _forbid_reuse(self, used: list[tuple[PatternStep, Any]], block: Block) -> None:
        """Require that the last step uses no relationship of an earlier one."""
        step, here = used[-1]
        tables = {table for table, _ in step.ways}
        for other, there in used[:-1]:
            if not tables & {table for table, _ in other.ways}:
                continue
            if isinstance(here, Scan) and isinstance(there, Scan):  # no plain `<>`, as in `_tests`
                block.where.append(f"{here.alias}.rid - {there.alias}.rid <> 0")
            elif isinstance(here, Scan) or isinstance(there, Scan):
                one, many = (here, there) if isinstance(here, Scan) else (there, here)
                block.where.append(f"NOT list_contains({many}.rids, {one.alias}.rid)")
            else:
                block.where.append(f"NOT list_has_any({here}.rids, {there}.rids)")

    def _add_conditions(
        self, part: tree.NodePattern | tree.RelationshipPattern, variable: SqlVariable, block: Block
    ) -> None:
        """Add the conditions inside a pattern's brackets: properties and WHERE."""
        if part.properties is not None:
            assert isinstance(part.properties, tree.MapOf)
            block.variables[" part"] = variable  # no variable of a query has a space
            for key, value in part.properties.entries:
                wanted = tree.Compare(tree.Property(tree.Variable(" part"), key), (("=", value),))
                block.where.append(self.condition(wanted, block))
            del block.variables[" part"]
        if part.test is not None:
            block.where.append(self.condition(part.test, block))

    # Patterns inside expressions

    def _pattern_test(self, e: tree.PatternTest, block: Block) -> Sql:
        inner = Block(block.tables, parent=block)
        self.match((e.path,), None, inner)
        return Sql(f"EXISTS ({inner.select('1')})", "BOOLEAN")

    def _pattern_comprehension(self, e: tree.PatternComprehension, block: Block) -> Sql:
        inner = Block(block.tables, parent=block)
        self.match((e.path,), e.test, inner)
        value = self.value(e.value, inner)
        if value.kind not in ("INTEGER", "FLOAT", "STRING", "BOOLEAN") or value.zero or inner.extra:
            raise NotPushed
        order = ", ".join(f"{scan.alias}.rid" for scan in inner.scans if not scan.of_nodes)
        found = inner.select(f"list({value.text} ORDER BY {order})")
        return Sql(f"coalesce(({found}), [])", value.kind + "[]")

    def _subquery(self, e: tree.Subquery, block: Block) -> Sql:
        if len(e.query.parts) != 1 or e.kind == "COLLECT":
            raise NotPushed
        inner = Block(block.tables, parent=block)
        for clause in e.query.parts[0]:
            if not isinstance(clause, tree.Match) or clause.optional:
                raise NotPushed
            self.match(clause.paths, clause.test, inner)
        if e.kind == "EXISTS":
            return Sql(f"EXISTS ({inner.select('1')})", "BOOLEAN")
        return Sql(f"({inner.select('count(*)')})", "INTEGER")


def _within(number: str, tables: Sequence[NodeTable]) -> str:
    """Return the condition that a node is in one of some tables."""
    return f"({' OR '.join(f'{number} BETWEEN {t.first} AND {t.first + t.count - 1}' for t in tables)})"
