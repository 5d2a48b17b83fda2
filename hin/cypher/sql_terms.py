"""Expressions and variables in SQL: a text, and the known properties of its values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hin.cypher.folder.layout import NodeTable, RelationshipTable
    from hin.cypher.sql.block import Block


class NotPushed(Exception):
    """Raised for a valid part of a query that SQL cannot compute: the interpreter does."""


@dataclass(frozen=True)
class Sql:
    """An expression.

    Attributes
    ----------
    text : str
    kind : str
        INTEGER, FLOAT, STRING, BOOLEAN, NULL, NODE, RELATIONSHIP, or one of these with `[]`.
    bits : int
        An upper bound on an integer's bits: the interpreter computes what might overflow, because SQL reorders sums;
        integers that a double cannot hold are not compared with floats.
    finite : bool
        A float that is certainly finite: SQL orders NaN differently from Cypher.
    zero : bool
        A float sum: null stands for the integer 0 of no values.
    signed : bool
        A float that may be -0.0: Neo4j orders it below 0, SQL treats the two as equal.
    nonzero : bool
        A constant other than 0.
    finish : function, optional
        Converts SQL's value to the result; the kind is then COMPUTED, which only a column can have.
    """

    text: str
    kind: str
    bits: int = 40
    finite: bool = True
    zero: bool = False
    signed: bool = False
    nonzero: bool = False
    finish: Callable[[Any], Any] | None = None

    @property
    def groups(self) -> bool:
        """Whether SQL groups equal values as Cypher does: no NaN, no -0.0 beside 0, no 0 beside 0.0."""
        if self.kind != "FLOAT":
            return self.kind != "COMPUTED"
        return self.finite and not self.signed and not self.zero


def one_of(text: str, values: list[Sql]) -> Sql:
    """Return an expression that gives one of several values, all of one kind or null."""
    kinds = {value.kind for value in values} - {"NULL"}
    if len(kinds) != 1 or any(value.zero for value in values):
        raise NotPushed
    flags = max(value.bits for value in values), all(value.finite for value in values)
    return Sql(text, kinds.pop(), *flags, signed=any(value.signed for value in values))


@dataclass(frozen=True)
class SqlVariable:
    """A variable of the query: an expression, and for nodes and relationships where they may lie."""

    sql: Sql
    block: Block
    nodes: tuple[NodeTable, ...] = ()
    relationships: tuple[RelationshipTable, ...] = ()
    nullable: bool = False


def kind_of_value(value: Any) -> str:
    """Return the kind of a constant; lists must be of one kind.

    >>> kind_of_value([1, None]), kind_of_value("a")
    ('INTEGER[]', 'STRING')
    """
    if value is None:
        return "NULL"
    names = {bool: "BOOLEAN", int: "INTEGER", float: "FLOAT", str: "STRING"}
    if isinstance(value, list):
        kinds = {kind_of_value(item) for item in value} - {"NULL"}
        if len(kinds) != 1 or "[]" in str(kinds):
            raise NotPushed
        return kinds.pop() + "[]"
    if type(value) not in names or (isinstance(value, float) and not -1e100 < value < 1e100):
        raise NotPushed
    return names[type(value)]
