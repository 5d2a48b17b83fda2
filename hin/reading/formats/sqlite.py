"""SQLite databases: ``data.db::articles``, or ``data.db::SELECT ...``; read-only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import quote

from hin.errors import BadInput
from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.source import Source
from hin.reading.parsers.sql_tables import records_of, select_from

#: A query may only read: no ATTACH (it would open other files), no PRAGMA, no change.
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


class SqliteFormat:
    """A table, a view or a query of a database file."""

    endings = (".sqlite", ".sqlite3", ".db3")

    def matches(self, head: bytes) -> bool:
        """Recognise SQLite files by their first bytes."""
        return head.startswith(b"SQLite format 3\0")

    def rows(self, source: Source) -> Iterator[Row]:
        """Read the rows in the database's order."""
        with source.on_disk() as path:
            try:
                with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)) as database:
                    names = (
                        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
                    )
                    tables = [name for (name,) in database.execute(names + " ORDER BY rowid")]
                    query = select_from(source.part, tables, source.place.file, database.execute, source.add_note)
                    database.set_authorizer(_deny_writes)
                    # Called regularly, so that Ctrl-C also interrupts a long query without results.
                    database.set_progress_handler(lambda: 0, 1_000_000)
                    found = database.execute(query)
                    yield from records_of([column[0] for column in found.description or ()], found, source.name)
            except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
                what = f"{source.place.file}: the database cannot be read ({error})"
                raise BadInput(what, hint="check the table or the query; only reading is allowed") from None


def _deny_writes(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION and second == "load_extension":
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY


FORMATS.register("sqlite")(SqliteFormat())
