"""The syntax tree of a query, as plain records that can be compared.

A chain of one operator (`a + b + c`) is one flat record: nested, a long query would exceed the recursion limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


def method_for(expression: Expression) -> str:
    """Return the name of the method in which a compiler of expressions handles the kind of this one.

    >>> method_for(CountAll())
    '_count_all'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", f"_{type(expression).__name__}").lower()


# Expressions


@dataclass(frozen=True)
class Literal:
    """A number, string, boolean or null."""

    value: Any

    def __eq__(self, other: object) -> bool:  # 1, 1.0 and true are three different literals
        return isinstance(other, Literal) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True)
class Parameter:
    """`$name`."""

    name: str


@dataclass(frozen=True)
class Variable:
    """A name in the query."""

    name: str


@dataclass(frozen=True)
class Property:
    """`base.key`."""

    base: Expression
    key: str


@dataclass(frozen=True)
class Index:
    """`base[index]`."""

    base: Expression
    index: Expression


@dataclass(frozen=True)
class Slice:
    """`base[low..high]`; either bound may be absent."""

    base: Expression
    low: Expression | None
    high: Expression | None


@dataclass(frozen=True)
class ListOf:
    """`[a, b]`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True)
class MapOf:
    """`{a: 1}`."""

    entries: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class MapProjection:
    """`n {.name, .*, key: value, other}`; an entry is (key, expression), `.*` is (None, None)."""

    base: Expression
    entries: tuple[tuple[str | None, Expression | None], ...]


@dataclass(frozen=True)
class Negate:
    """`-x`."""

    operand: Expression


@dataclass(frozen=True)
class Plus:
    """`+x`."""

    operand: Expression


@dataclass(frozen=True)
class Arithmetic:
    """`first op x op y`, from left to right."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class Compare:
    """`first < x <= y`: every neighbouring pair holds."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class Logic:
    """AND, OR or XOR of several."""

    operator: str
    items: tuple[Expression, ...]


@dataclass(frozen=True)
class Not:
    """`NOT x`."""

    operand: Expression


@dataclass(frozen=True)
class Test:
    """`left STARTS WITH right`, ENDS WITH, CONTAINS, IN, =~."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class IsNull:
    """`x IS NULL`; if `negated`, `x IS NOT NULL`."""

    operand: Expression
    negated: bool


@dataclass(frozen=True)
class HasLabels:
    """`x:A&B`: labels of a node or the type of a relationship."""

    operand: Expression
    labels: LabelExpression


@dataclass(frozen=True)
class Call:
    """A function, its name in lower case; `written` is the user's spelling."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False
    written: str = field(default="", compare=False)


@dataclass(frozen=True)
class CountAll:
    """`count(*)`."""


@dataclass(frozen=True)
class Case:
    """CASE, with or without an operand; several values of one WHEN are several branches."""

    operand: Expression | None
    branches: tuple[tuple[Expression, Expression], ...]
    default: Expression | None


@dataclass(frozen=True)
class ListComprehension:
    """`[x IN source WHERE test | value]`."""

    variable: str
    source: Expression
    test: Expression | None
    value: Expression | None


@dataclass(frozen=True)
class Quantifier:
    """all, any, none, single."""

    kind: str
    variable: str
    source: Expression
    test: Expression


@dataclass(frozen=True)
class Reduce:
    """`reduce(total = start, x IN source | value)`."""

    total: str
    start: Expression
    variable: str
    source: Expression
    value: Expression


@dataclass(frozen=True)
class PatternTest:
    """A pattern as a condition: whether it has a match; `called` if it was written `exists(...)`."""

    path: PathPattern
    called: bool = False


@dataclass(frozen=True)
class PatternComprehension:
    """`[(a)-->(b) WHERE test | value]`."""

    path: PathPattern
    test: Expression | None
    value: Expression


@dataclass(frozen=True)
class Subquery:
    """EXISTS, COUNT or COLLECT of a query."""

    kind: str
    query: Query


Expression = (
    Literal
    | Parameter
    | Variable
    | Property
    | Index
    | Slice
    | ListOf
    | MapOf
    | MapProjection
    | Negate
    | Plus
    | Arithmetic
    | Compare
    | Logic
    | Not
    | Test
    | IsNull
    | HasLabels
    | Call
    | CountAll
    | Case
    | ListComprehension
    | Quantifier
    | Reduce
    | PatternTest
    | PatternComprehension
    | Subquery
)

# Labels: a name, or ("!", x), ("&", x, y, ...), ("|", x, y, ...), ("%",)
LabelExpression = str | tuple[Any, ...]

# Patterns


@dataclass(frozen=True)
class NodePattern:
    """`(variable:Label {key: value} WHERE test)`."""

    variable: str | None
    labels: LabelExpression | None = None
    properties: Expression | None = None
    test: Expression | None = None


@dataclass(frozen=True)
class RelationshipPattern:
    """`-[variable:TYPE*low..high {key: value}]->`; direction 1 is right, -1 left, 0 either."""

    variable: str | None
    types: LabelExpression | None
    direction: int
    length: tuple[int, int | None] | None = None
    properties: Expression | None = None
    test: Expression | None = None
    #: Whether the length was written `{1,2}`, `+` or `*` after the relationship.
    quantified: bool = False


@dataclass(frozen=True)
class PathPattern:
    """Nodes joined by relationships; `shortest` is None, 'one' or 'all'."""

    variable: str | None
    nodes: tuple[NodePattern, ...]
    relationships: tuple[RelationshipPattern, ...]
    shortest: str | None = None

    def elements(self) -> Iterator[NodePattern | RelationshipPattern]:
        """Yield nodes, then relationships."""
        yield from self.nodes
        yield from self.relationships


# Clauses


@dataclass(frozen=True)
class Match:
    """MATCH or OPTIONAL MATCH."""

    paths: tuple[PathPattern, ...]
    test: Expression | None
    optional: bool


@dataclass(frozen=True)
class Unwind:
    """UNWIND a list into rows."""

    source: Expression
    variable: str


@dataclass(frozen=True)
class Item:
    """One column: its expression and its name; `named` when the user gave the name."""

    expression: Expression
    name: str
    named: bool


@dataclass(frozen=True)
class Sort:
    """One key of ORDER BY."""

    expression: Expression
    descending: bool


@dataclass(frozen=True)
class Projection:
    """WITH or RETURN (`final`)."""

    items: tuple[Item, ...]
    everything: bool = False
    distinct: bool = False
    order: tuple[Sort, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    test: Expression | None = None
    final: bool = False


@dataclass(frozen=True)
class CallQuery:
    """`CALL (x) { ... }`, or the older `CALL { WITH x ... }`.

    In the newer form, the imported variables stay visible after every WITH inside (`keeps`); in the older one, a later
    WITH drops those that it does not name.
    """

    query: Query
    imports: tuple[str, ...]
    optional: bool = False
    keeps: bool = True


@dataclass(frozen=True)
class CallProcedure:
    """`CALL db.labels() YIELD label AS x`, with its columns as (column, name)."""

    name: str
    yields: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Create:
    """CREATE, parsed for two reasons: an error can name it, and tests fill a graph with it."""

    paths: tuple[PathPattern, ...]


@dataclass(frozen=True)
class Refused:
    """A clause that is known but not supported here."""

    what: str
    hint: str


Clause = Match | Unwind | Projection | CallQuery | CallProcedure | Create | Refused


@dataclass(frozen=True)
class Query:
    """One or several parts joined by UNION ALL (`keep_all`) or UNION; `mode` is None, 'EXPLAIN' or 'PROFILE'."""

    parts: tuple[tuple[Clause, ...], ...]
    keep_all: bool = True
    mode: str | None = None
