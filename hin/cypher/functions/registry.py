"""Declare functions: names, argument and result kinds, implementation and SQL, all in one entry."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hin.cypher.errors import CypherValueError
from hin.cypher.sql_terms import NotPushed, Sql
from hin.cypher.values.arithmetic import type_name
from hin.cypher.values.elements import Node, Path, Relationship

_TYPES = {
    "integer": int, "float": float, "string": str, "boolean": bool, "list": list, "map": dict,
    "node": Node, "relationship": Relationship, "path": Path,
}  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """One or several of Cypher's types.

    Examples
    --------
    >>> (STRING | LIST) >> INTEGER
    Signature(arguments=(Kind(names=('string', 'list')),), result=Kind(names=('integer',)))
    """

    names: tuple[str, ...]
    optional: bool = False
    many: bool = False
    #: The kind of a list's items; None if unknown.
    items: Kind | None = None

    def __repr__(self) -> str:
        return f"Kind(names={self.names})"

    def __or__(self, other: Kind) -> Kind:
        lists = [kind.items for kind in (self, other) if "list" in kind.names]
        items = None if None in lists or not lists else functools.reduce(operator.or_, filter(None, lists))
        return Kind(tuple(dict.fromkeys(self.names + other.names)), items=items)

    def __rshift__(self, result: Kind) -> Signature:
        return Signature((self,), result)

    def __rrshift__(self, arguments: tuple[Kind, ...]) -> Signature:
        return Signature(arguments, self)

    def __invert__(self) -> Kind:
        """An argument that may be left out."""
        return replace(self, optional=True)

    @property
    def one(self) -> str:
        """The only type, or `any`."""
        return self.names[0] if len(self.names) == 1 else "any"

    def meets(self, other: Kind) -> bool:
        """Whether a value may be of both kinds."""
        return not set(self.names).isdisjoint(other.names)

    def within(self, *names: str) -> bool:
        """Whether a value is certainly of one of these types."""
        return set(self.names) <= set(names)

    @property
    def types(self) -> frozenset[type]:
        """The Python types of its values."""
        return frozenset(_TYPES[name] for name in self.names if name != "other")

    @property
    def description(self) -> str:
        """The types, for messages."""
        if len(self.names) > 4:
            return "any value" if self.names == ANY.names else "a property"
        return " or ".join(f"{'an' if name[0] == 'i' else 'a'} {name}" for name in self.names if name != "other")


@dataclass(frozen=True)
class Signature:
    """The kinds of a function's arguments and result."""

    arguments: tuple[Kind, ...]
    result: Kind

    @property
    def least(self) -> int:
        """The least number of arguments."""
        return sum(not kind.optional for kind in self.arguments)

    @property
    def most(self) -> int:
        """The largest number of arguments."""
        return 10_000 if self.arguments and self.arguments[-1].many else len(self.arguments)


INTEGER, FLOAT, STRING, BOOLEAN, LIST, MAP, NODE, RELATIONSHIP, PATH = (Kind((name,)) for name in _TYPES)
NUMBER, ANY = INTEGER | FLOAT, Kind(tuple(_TYPES))
#: A property of a node or relationship; on Neo4j it may also be a point or a date.
VALUE = Kind(("boolean", "integer", "float", "string", "list", "other"))


def list_of(items: Kind) -> Kind:
    """Return the kind of lists of one kind of items."""
    return Kind(("list",), items=items)


#: The SQL of a call: a text with `{0}`, `{1}`, or a function of arguments that raises `NotPushed` where SQL differs.
Pushed = str | Callable[..., Sql] | None


@dataclass(frozen=True)
class Function:
    """A function of values; `strict` ones give null for any null. An aggregate's `call` makes a new one."""

    name: str
    signature: Signature
    call: Callable[..., Any]
    strict: bool = True
    sql: Pushed = None
    aggregate: bool = False
    hint: str = "convert the value first"
    #: The kind of the result, if it depends on those of the arguments.
    gives: Callable[..., Kind] | None = None

    @cached_property
    def _types(self) -> list[frozenset[type] | None]:
        """The types that each argument may have; None for any."""
        return [kind.types if kind.names != ANY.names else None for kind in self.signature.arguments]

    @cached_property
    def _plain(self) -> bool:
        """Whether no argument needs a check."""
        return all(types is None for types in self._types)

    def value(self, *values: Any) -> Any:
        """Call the function; raise if an argument is of another kind."""
        if self.strict and None in values:
            return None
        if not self._plain:
            self.check(*values)
        return self.call(*values)

    def check(self, *values: Any) -> None:
        """Raise if an argument, other than null, is of another kind than declared."""
        for i, (value, types) in enumerate(zip(values, self._types, strict=False)):
            if types is not None and value is not None and type(value) not in types:
                message = f"{self.name}() needs {self.signature.arguments[i].description}, not {type_name(value)}"
                raise CypherValueError(message, hint=self.hint)

    def pushed(self, arguments: list[Sql]) -> Sql:
        """Return a call as SQL."""
        if self.sql is None or any(argument.zero for argument in arguments):
            raise NotPushed
        if callable(self.sql):
            return self.sql(*arguments)
        kinds = [argument.kind.lower() for argument in arguments]
        fit = all(kind in wanted.names for kind, wanted in zip(kinds, self.signature.arguments, strict=False))
        if not fit or len(arguments) > self.signature.most:
            raise NotPushed
        finite = all(argument.finite for argument in arguments)
        return Sql(self.sql.format(*(a.text for a in arguments)), self.signature.result.one.upper(), finite=finite)


#: Every function by its name in lower case; a new one is one entry in one file of this folder.
FUNCTIONS: dict[str, Function] = {}


def function(names: str, signature: Signature, **options: Any) -> Callable[[Any], Any]:
    """Declare a function under one or several names (decorator).

    Parameters
    ----------
    names : str
        As people write them; they are found in any case.
    signature : Signature
        `STRING >> INTEGER`, `(STRING, INTEGER, ~INTEGER) >> STRING`; `~` marks what may be left out.
    **options
        `sql`, `strict`, `aggregate`, `hint`, `gives`: see `Function`.

    Examples
    --------
    >>> @function("twice", NUMBER >> NUMBER, sql="(2 * {0})")
    ... def twice(x):
    ...     return 2 * x
    >>> FUNCTIONS.pop("twice").value(4)
    8
    """

    def declare(call: Callable[..., Any]) -> Callable[..., Any]:
        first = names.split()[0]
        for name in names.split():
            FUNCTIONS[name.lower()] = Function(first, signature, call, **options)
        return call

    return declare
