"""Expressions as SQL, where SQL means the same; everything else raises `NotPushed` and is left to the interpreter."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hin.cypher.errors import CypherValueError
from hin.cypher.folder.layout import NodeTable
from hin.cypher.functions.table import FUNCTIONS
from hin.cypher.meaning.walk import children, free_variables, has_aggregate
from hin.cypher.run.clauses import Runner
from hin.cypher.run.regex import has_edges, java_pattern
from hin.cypher.sql.block import Block
from hin.cypher.sql_terms import NotPushed, Sql, SqlVariable, kind_of_value, one_of
from hin.cypher.syntax import tree
from hin.cypher.values.elements import fits
from hin.errors import HinError

_UNSETTLED = (tree.Subquery, tree.PatternTest, tree.PatternComprehension)


class SqlExpressions:
    """Compiles expressions, with a method for each kind; patterns inside them are compiled by a subclass."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner

    def value(self, expression: tree.Expression, block: Block) -> Sql:
        """Compile a value."""
        self.runner.context.budget.spend()
        if self._settled(expression):
            return self.constant(expression, block)
        maker: Callable[[Any, Block], Sql] | None = getattr(self, tree.method_for(expression), None)
        try:
            if maker is None:
                raise NotPushed
            return maker(expression, block)
        except NotPushed:
            return self._derived(expression, block)

    def condition(self, expression: tree.Expression, block: Block) -> str:
        """Compile a condition."""
        found = self.value(expression, block)
        if found.kind not in ("BOOLEAN", "NULL"):
            raise NotPushed
        return f"({found.text})" if found.kind == "BOOLEAN" else "CAST(NULL AS BOOLEAN)"

    def _settled(self, expression: tree.Expression) -> bool:
        """Check whether the value is the same for every row."""
        return not free_variables(expression) and not has_aggregate(expression) and _pure(expression)

    def constant(self, expression: tree.Expression, block: Block) -> Sql:
        """Evaluate a value that does not depend on rows, and pass it as a parameter."""
        value = self.python_value(expression)
        kind = kind_of_value(value)
        if kind == "NULL":
            return Sql("NULL", "NULL")
        bits = value.bit_length() if kind == "INTEGER" else 64
        cast = {"INTEGER": "BIGINT", "FLOAT": "DOUBLE", "STRING": "VARCHAR", "BOOLEAN": "BOOLEAN"}[kind.rstrip("[]")]
        text = f"CAST({block.tables.bind(value)} AS {cast}{'[]' if kind.endswith('[]') else ''})"
        signed = kind == "FLOAT" and value == 0 and math.copysign(1, value) < 0
        return Sql(text, kind, bits, signed=signed, nonzero=kind in ("INTEGER", "FLOAT") and value != 0)

    def python_value(self, expression: tree.Expression) -> Any:
        """Evaluate an expression without variables; raise `NotPushed` if that fails, as the run may never reach it."""
        try:
            return self.runner.make(expression)({})
        except CypherValueError:
            raise NotPushed from None

    def _variable(self, e: tree.Variable, block: Block) -> Sql:
        if block.variables[e.name].sql.kind == "COMPUTED":
            raise NotPushed
        return block.variables[e.name].sql

    def _property(self, e: tree.Property, block: Block) -> Sql:
        if not isinstance(e.base, tree.Variable):
            raise NotPushed
        variable = block.variables[e.base.name]
        if variable.sql.kind not in ("NODE", "RELATIONSHIP"):
            raise NotPushed
        return block.property_of(variable, e.key)

    def _index(self, e: tree.Index, block: Block) -> Sql:
        base, at = self._list(e.base, block), self._position(e.index)
        if base.kind not in ("STRING[]", "INTEGER[]", "BOOLEAN[]"):
            raise NotPushed
        return Sql(f"({base.text})[{at + 1 if at >= 0 else at}]", base.kind[:-2], 64)

    def _slice(self, e: tree.Slice, block: Block) -> Sql:
        base = self._list(e.base, block)
        low, high = (None if bound is None else self._position(bound) for bound in (e.low, e.high))
        if not base.kind.endswith("[]") or not 0 <= min(low or 0, high or 0) <= max(low or 0, high or 0) < 2**31:
            raise NotPushed
        return replace(base, text=f"({base.text})[{(low or 0) + 1}:{'' if high is None else high}]")

    def _list(self, e: tree.Expression, block: Block) -> Sql:
        if has_aggregate(e):  # collect() has the order of its rows here, in SQL that of its values
            raise NotPushed
        return self.value(e, block)

    def _position(self, e: tree.Expression) -> int:
        value = self.python_value(e) if self._settled(e) else None
        if type(value) is not int:
            raise NotPushed
        return value

    def _negate(self, e: tree.Negate, block: Block) -> Sql:
        operand = self.value(e.operand, block)
        if operand.kind not in ("INTEGER", "FLOAT"):
            raise NotPushed
        return replace(operand, text=f"(0 - {operand.text})", signed=False)  # as Neo4j has it: never -0.0

    def _arithmetic(self, e: tree.Arithmetic, block: Block) -> Sql:
        if len(e.rest) > 3:  # longer chains could overflow to infinity
            raise NotPushed
        left = self.value(e.first, block)
        for sign, operand in e.rest:
            left = _combined(sign, left, self.value(operand, block), operand)
        return left

    def _compare(self, e: tree.Compare, block: Block) -> Sql:
        left, parts = self.value(e.first, block), []
        for sign, operand in e.rest:
            right = self.value(operand, block)
            parts.append(_compared(sign, left, right))
            left = right
        return Sql(f"({' AND '.join(parts)})", "BOOLEAN")

    def _logic(self, e: tree.Logic, block: Block) -> Sql:
        items = [self.condition(item, block) for item in e.items]
        if e.operator != "XOR":
            return Sql(f"({f' {e.operator} '.join(items)})", "BOOLEAN")
        text = items[0]
        for item in items[1:]:
            text = f"({text} <> {item})"
        return Sql(text, "BOOLEAN")

    def _not(self, e: tree.Not, block: Block) -> Sql:
        return Sql(f"(NOT {self.condition(e.operand, block)})", "BOOLEAN")

    def _test(self, e: tree.Test, block: Block) -> Sql:
        left = self.value(e.left, block)
        if e.operator == "IN":
            return self._in(left, e.right, block)
        names = {"STARTS WITH": "starts_with", "ENDS WITH": "suffix", "CONTAINS": "contains"}
        if e.operator == "=~":
            return self._fits(left, e.right, block)
        right = self.value(e.right, block)
        if e.operator not in names or {left.kind, right.kind} != {"STRING"}:
            raise NotPushed
        return Sql(f"{names[e.operator]}({left.text}, {right.text})", "BOOLEAN")

    def _fits(self, left: Sql, right: tree.Expression, block: Block) -> Sql:
        """Compile `=~` with a pattern that is the same for all rows; both engines use RE2."""
        pattern = self.python_value(right) if self._settled(right) else None
        if left.kind != "STRING" or not isinstance(pattern, str) or (made := java_pattern(pattern)).startswith("(?i)"):
            raise NotPushed
        if has_edges(made):
            raise NotPushed
        return Sql(f"regexp_matches({left.text}, {block.tables.bind(made)})", "BOOLEAN")

    def _in(self, left: Sql, right: tree.Expression, block: Block) -> Sql:
        if not self._settled(right):
            raise NotPushed
        values = self.python_value(right)
        if not isinstance(values, list) or len(values) > 10_000:
            raise NotPushed
        if not values:
            return Sql("FALSE", "BOOLEAN")
        known = [value for value in values if value is not None]
        if not known or left.kind not in ("INTEGER", "STRING", "BOOLEAN") or kind_of_value(known) != left.kind + "[]":
            raise NotPushed
        text = f"{left.text} IN ({', '.join(block.tables.bind(value) for value in known)})"
        if len(known) < len(values):  # not found, but it may be the null
            text = f"CASE WHEN {text} THEN TRUE ELSE NULL END"
        return Sql(f"({text})", "BOOLEAN")

    def _is_null(self, e: tree.IsNull, block: Block) -> Sql:
        operand = self.value(e.operand, block)
        if operand.zero:
            raise NotPushed
        return Sql(f"({operand.text} IS {'NOT ' if e.negated else ''}NULL)", "BOOLEAN")

    def _has_labels(self, e: tree.HasLabels, block: Block) -> Sql:
        if not isinstance(e.operand, tree.Variable):
            raise NotPushed
        variable = block.variables[e.operand.name]
        places = variable.nodes or variable.relationships
        if not places:
            raise NotPushed
        names = [(place, place.label if isinstance(place, NodeTable) else place.type) for place in places]
        return Sql(by_place(variable, [(p, "TRUE" if fits(e.labels, (n,)) else "FALSE") for p, n in names]), "BOOLEAN")

    def _call(self, e: tree.Call, block: Block) -> Sql:
        if e.name in ("labels", "type") and isinstance(e.arguments[0], tree.Variable):
            return self._named(e.name, block.variables[e.arguments[0].name], block)
        if FUNCTIONS[e.name].sql is None:
            raise NotPushed
        return FUNCTIONS[e.name].pushed([self.value(argument, block) for argument in e.arguments])

    def _named(self, name: str, variable: SqlVariable, block: Block) -> Sql:
        if name == "labels" and variable.nodes:
            texts = [(table, f"[{block.tables.bind(table.label)}]") for table in variable.nodes]
            return Sql(by_place(variable, texts), "STRING[]")
        if name == "type" and variable.relationships:
            types = [(table, block.tables.bind(table.type)) for table in variable.relationships]
            return Sql(f"CAST({by_place(variable, types)} AS VARCHAR)", "STRING")
        raise NotPushed

    def _case(self, e: tree.Case, block: Block) -> Sql:
        branches = []
        for test, value in e.branches:
            when = test if e.operand is None else tree.Compare(e.operand, (("=", test),))
            branches.append((self.condition(when, block), self.value(value, block)))
        default = self.value(e.default, block) if e.default is not None else Sql("NULL", "NULL")
        values = [value for _, value in branches] + [default]
        text = " ".join(f"WHEN {test} THEN {value.text}" for test, value in branches)
        return one_of(f"(CASE {text} ELSE {default.text} END)", values)

    def _derived(self, expression: tree.Expression, block: Block) -> Sql:
        """Compile a function of one node to a column that is computed once for all candidate nodes."""
        from hin.cypher.sql.derived import derived_columns

        names = free_variables(expression)
        if len(names) != 1 or has_aggregate(expression) or not _pure(expression):
            raise NotPushed
        variable = block.variables[next(iter(names))]
        if not variable.nodes or variable.nullable or variable.sql.kind != "NODE":
            raise NotPushed
        try:
            columns, kind = derived_columns(self.runner, expression, next(iter(names)), variable.nodes)
        except HinError:  # a value that fails may belong to a node that no row reaches
            raise NotPushed from None
        used = tuple((name, repr(self.runner.context.parameter(name))) for name in sorted(_parameters(expression)))
        return block.derive(variable, (expression, used), columns, kind)


def _pure(expression: Any) -> bool:
    if isinstance(expression, _UNSETTLED) or (isinstance(expression, tree.Call) and expression.name == "rand"):
        return False
    return all(_pure(child) for child in children(expression))


def _parameters(expression: Any) -> set[str]:
    if isinstance(expression, tree.Parameter):
        return {expression.name}
    return set().union(*(_parameters(child) for child in children(expression)))


def by_place(variable: SqlVariable, texts: list[tuple[Any, str]]) -> str:
    """Return one of several texts, by the table that a node or relationship is in; null where it is null."""
    if len(texts) == 1 and not variable.nullable:
        return texts[0][1]
    number = variable.sql.text
    cases = " ".join(
        f"WHEN {number} BETWEEN {place.first} AND {place.first + place.count - 1} THEN {text}" for place, text in texts
    )
    return f"(CASE {cases} ELSE NULL END)"


def _compared(sign: str, left: Sql, right: Sql) -> str:
    if "NULL" in (left.kind, right.kind):
        return "CAST(NULL AS BOOLEAN)"
    if left.zero or right.zero or not (left.finite and right.finite):
        raise NotPushed
    if (left.signed or right.signed) and sign not in ("=", "<>") and not (left.nonzero or right.nonzero):
        raise NotPushed
    if left.kind != right.kind:
        if {left.kind, right.kind} != {"INTEGER", "FLOAT"} or max(_bits(left), _bits(right)) > 53:
            raise NotPushed
    elif left.kind in ("NODE", "RELATIONSHIP"):
        if sign not in ("=", "<>"):
            raise NotPushed
    elif left.kind not in ("INTEGER", "FLOAT", "STRING", "BOOLEAN"):
        raise NotPushed
    return f"({left.text} {sign} {right.text})"


def _bits(side: Sql) -> int:
    return side.bits if side.kind == "INTEGER" else 0


def _combined(sign: str, left: Sql, right: Sql, operand: tree.Expression) -> Sql:
    kinds = {left.kind, right.kind}
    if left.zero or right.zero:
        raise NotPushed
    if sign == "||" and kinds != {"STRING"}:
        raise NotPushed
    if sign in ("+", "||") and kinds == {"STRING"}:
        return Sql(f"({left.text} || {right.text})", "STRING")
    if sign == "+" and kinds == {"STRING", "INTEGER"}:
        return Sql(f"(CAST({left.text} AS VARCHAR) || CAST({right.text} AS VARCHAR))", "STRING")
    if not kinds <= {"INTEGER", "FLOAT"} or sign == "^":
        raise NotPushed
    if kinds == {"INTEGER"}:
        if sign in "/%":
            nonzero = isinstance(operand, tree.Literal) and operand.value not in (0, None)
            if not nonzero:  # a division by zero is an error in Cypher, null in SQL
                raise NotPushed
            return Sql(f"({left.text} {'//' if sign == '/' else '%'} {right.text})", "INTEGER", left.bits)
        bits = left.bits + right.bits if sign == "*" else max(left.bits, right.bits) + 1
        if bits > 62:
            raise NotPushed
        return Sql(f"({left.text} {sign} {right.text})", "INTEGER", bits)
    if sign == "%":
        raise NotPushed
    if max(_bits(left), _bits(right)) > 53:
        raise NotPushed
    texts = [f"CAST({side.text} AS DOUBLE)" for side in (left, right)]
    nonzero = isinstance(operand, tree.Literal) and operand.value not in (0, None)
    if sign == "/" and right.kind == "INTEGER" and not nonzero:
        number = right.text  # 0 is an error: a cast that fails leaves it to the interpreter
        texts[1] = f"CAST(CASE WHEN {number} = 0 THEN 'x' || {number} ELSE CAST({number} AS VARCHAR) END AS DOUBLE)"
    finite = left.finite and right.finite and (sign != "/" or nonzero)
    return Sql(f"({texts[0]} {sign} {texts[1]})", "FLOAT", finite=finite, signed=sign in "*/" or left.signed)
