"""One writer at a time: a lock that a dead writer cannot leave behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from hin.errors import GraphBusy, QueryTimeout, StoreError
from hin.stores.neo4j import queries as cypher
from hin.stores.neo4j.connection import Connection
from hin.stores.neo4j.failures import NoServer

#: How long to wait for the lock if other transactions cannot be listed, in seconds.
PATIENCE = 20


@contextmanager
def writer_lock(connection: Connection) -> Iterator[None]:
    """Keep other writers out by a transaction that stays open; a dead writer's lock goes with its connection."""
    connection.write(cypher.CONSTRAINT_OF_LOCK)
    busy = GraphBusy(
        f"another process is writing to {connection.address}", hint="wait until it has ended, then run this again"
    )
    try:
        writers = connection.read(cypher.WRITERS)[0]["n"]
    except NoServer:
        raise
    except StoreError:  # a user may lack the privilege to list them; then the lock below decides
        writers = 0
    if writers:
        raise busy
    with connection.session(write=True) as session:
        try:
            with connection.failures(), session.begin_transaction(timeout=PATIENCE) as attempt:
                attempt.run(cypher.TAKE_LOCK).consume()
                attempt.rollback()
        except QueryTimeout:
            raise busy from None
        holder = session.begin_transaction(metadata={"hin": "writer"})
        try:
            holder.run(cypher.TAKE_LOCK).consume()
            yield
        finally:
            # The server may have been restarted meanwhile; then the lock is gone anyway.
            with suppress(Exception):
                holder.rollback()
