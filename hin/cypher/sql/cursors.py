"""Cursors with a cache of plans: a repeated statement is planned once, as on a server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

    from hin.cypher.sql.compiler import Statement

#: How many plans each cursor caches.
_PLANS = 50


class Cursors:
    """The cursors of one database; each is lent to one query at a time."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._free: list[Cursor] = []

    @contextmanager
    def lent(self) -> Iterator[Cursor]:
        """Lend a cursor; after an error it is not used again."""
        try:
            cursor = self._free.pop()
        except IndexError:
            cursor = Cursor(self._connection.cursor())
        yield cursor
        self._free.append(cursor)


class Cursor:
    """A cursor of DuckDB, and the statements that it has run.

    Examples
    --------
    >>> from hin.cypher.sql.compiler import Statement
    >>> from hin.cypher.sql.duck import connect
    >>> cursor, asked = Cursor(connect(100)), Statement("SELECT $p1 || 'x'", {}, {"p1": "it's"}, {}, 1)
    >>> for _ in range(3):
    ...     cursor.run(asked)
    >>> cursor.duck.fetchall(), cursor.plans
    ([("it'sx",)], {"SELECT 'it''s' || 'x'": 'plan0'})
    """

    def __init__(self, duck: duckdb.DuckDBPyConnection) -> None:
        self.duck = duck
        #: The name of a statement's plan; None after its first run.
        self.plans: dict[str, str | None] = {}
        self._count = 0

    def run(self, statement: Statement) -> None:
        """Run a statement; the second run prepares a plan, later ones reuse it."""
        text = _written_out(statement.text, statement.parameters)
        if text is None:
            self.duck.execute(statement.text, statement.parameters)
            return
        if text not in self.plans:
            self._forget()
            self.plans[text] = None
            self.duck.execute(statement.text, statement.parameters)
            return
        if self.plans[text] is None:
            name, self._count = f"plan{self._count}", self._count + 1
            self.duck.execute(f"PREPARE {name} AS {text}")
            self.plans[text] = name
        self.duck.execute(f"EXECUTE {self.plans[text]}")

    def _forget(self) -> None:
        while len(self.plans) >= _PLANS:
            name = self.plans.pop(next(iter(self.plans)))
            if name is not None:
                self.duck.execute(f"DEALLOCATE {name}")


def _written_out(text: str, parameters: Mapping[str, Any]) -> str | None:
    """Return a statement with its values in it, or None if they are not whole numbers and plain strings.

    The planner sees the values in this way, and skips what they rule out.

    >>> _written_out("SELECT CAST($p1 AS BIGINT)", {"p1": 3}), _written_out("SELECT $p1", {"p1": 0.5})
    ('SELECT CAST(3 AS BIGINT)', None)
    """
    literals = {}
    for name, value in parameters.items():
        if type(value) is int:
            literals[name] = str(value)
        elif type(value) is str and value.isprintable() and len(value) < 1000:
            literals[name] = "'" + value.replace("'", "''") + "'"
        else:
            return None
    return re.sub(r"\$(p\d+)", lambda found: literals[found[1]], text) if literals else text
