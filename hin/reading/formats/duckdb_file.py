"""DuckDB databases: ``data.duckdb::articles``, or ``data.duckdb::SELECT ...``; read-only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from typing import Any

from hin.engines.local import core_count
from hin.errors import BadInput
from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.source import Source
from hin.reading.parsers.sql_tables import records_of, select_from

#: A query may read this database only: no files, no network, no settings.
_CLOSED: dict[str, Any] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "lock_configuration": "true",
}


class DuckDbFormat:
    """A table, a view or a query of a database file."""

    endings = (".duckdb", ".ddb")

    def matches(self, head: bytes) -> bool:
        """Recognise DuckDB files by the magic bytes at offset eight."""
        return head[8:12] == b"DUCK"

    def rows(self, source: Source) -> Iterator[Row]:
        """Read the rows in the database's order."""
        import duckdb

        with source.on_disk() as path:
            try:
                # By itself, DuckDB takes all cores of the machine, also those that this process may not use.
                config = {**_CLOSED, "threads": core_count()}
                with closing(duckdb.connect(path, read_only=True, config=config)) as database:
                    names = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'"
                    tables = [name for (name,) in database.execute(names).fetchall()]
                    query = select_from(
                        source.part,
                        tables,
                        source.place.file,
                        lambda sql: database.execute(sql).fetchall(),
                        source.add_note,
                    )
                    found = database.execute(query)
                    columns = [column[0] for column in found.description or ()]
                    rows = chain.from_iterable(iter(lambda: found.fetchmany(4096), []))
                    yield from records_of(columns, rows, source.name)
            except (duckdb.Error, UnicodeDecodeError, OverflowError, ValueError) as error:
                reason = str(error).split("\n")[0]
                what = f"{source.place.file}: the database cannot be read ({reason})"
                raise BadInput(what, hint="check the table or the query; only reading is allowed") from None


FORMATS.register("duckdb")(DuckDbFormat())
