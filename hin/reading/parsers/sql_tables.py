"""Choose the table or the query of a database to read, and convert its rows to records."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from hin.errors import BadInput
from hin.human import did_you_mean
from hin.reading.parsers.arrow_cells import plain_cell
from hin.reading.parsers.number_spelling import Cell
from hin.reading.parsers.several_tables import table_with_texts, typical_length

_QUERY = re.compile(r"\s*(select|with|values|from)\s", re.IGNORECASE)


def quoted(identifier: str) -> str:
    """Return an identifier as SQL text, whatever characters it has.

    >>> quoted('say "hi" twice')
    '"say ""hi"" twice"'
    """
    if "\0" in identifier:
        raise BadInput(f"the name {identifier!r} cannot be quoted", hint="rename the table")
    return '"' + identifier.replace('"', '""') + '"'


def select_from(
    part: str | None,
    tables: Sequence[str],
    name: str,
    rows_of: Callable[[str], Iterable[Sequence[Any]]],
    add_note: Callable[[str], None] = lambda note: None,
) -> str:
    """Return the query to run: for the named table, the user's own query, or the table with the longest texts.

    `rows_of` runs a query, and `add_note` is called with a note if there are several tables.

    >>> select_from(None, ["articles"], "a.db", list), select_from("select 1", [], "a.db", list)
    ('SELECT * FROM "articles"', 'select 1')
    """
    listed = ", ".join(tables[:20]) or "no tables"
    if part is None:
        if len(tables) == 1:
            return f"SELECT * FROM {quoted(tables[0])}"
        if not tables:
            raise BadInput(f"{name}: the database has no tables", hint="expected a table of records")
        lengths = {table: typical_length(rows_of(f"SELECT * FROM {quoted(table)} LIMIT 200")) for table in tables}
        found, note = table_with_texts(lengths, name, "tables")
        add_note(note)
        return f"SELECT * FROM {quoted(found)}"
    if part in tables:
        return f"SELECT * FROM {quoted(part)}"
    if _QUERY.match(part):
        return part
    raise BadInput(f"{name}: no table {part!r}", hint=f"{did_you_mean(part, tables)}there are {listed}")


def records_of(columns: Sequence[str], rows: Iterable[Sequence[Any]], name: str) -> Iterator[tuple[int, Any, bytes]]:
    """Number the rows and convert their values to plain ones; strings are cells, which may spell lists.

    >>> [row for _, row, _ in records_of(["id", "tags"], [(1, "['a']")], "a.db")]
    [{'id': 1, 'tags': "['a']"}]
    """
    twice = next((column for i, column in enumerate(columns) if column in columns[:i]), None)
    if twice is not None:
        raise BadInput(f"{name}: two columns are called {twice!r}", hint="rename one in the query with AS")
    for number, row in enumerate(rows, 1):
        yield number, dict(zip(columns, map(_cell, row), strict=True)), b""


def _cell(value: Any) -> Any:
    if type(value) is str:
        return Cell(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return plain_cell(value)
