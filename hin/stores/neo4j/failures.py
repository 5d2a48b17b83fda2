"""Translate failures of a Neo4j server into errors of one line with a remedy."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from hin.errors import BadUsage, HinError, NoSpace, QueryTimeout, ReadOnly, StoreError

if TYPE_CHECKING:
    from hin.stores.neo4j.connection import Address

OLDEST = 5


class NoServer(StoreError):
    """No Neo4j server answers."""


class WrongPassword(StoreError):
    """The server rejected the credentials."""


class OldServer(StoreError):
    """The server is older than hin's Cypher requires."""


def check_version(agent: str) -> None:
    """Refuse a server that is too old.

    Examples
    --------
    >>> check_version("Neo4j/5.26.30")
    >>> check_version("Neo4j/4.4.12")
    Traceback (most recent call last):
    ...
    hin.stores.neo4j.failures.OldServer: the server is Neo4j 4.4.12; hin needs Neo4j 5 or newer: ...
    """
    found = re.match(r"Neo4j/((\d+)\.\S*)", agent)
    if found and int(found[2]) < OLDEST:
        raise OldServer(
            f"the server is Neo4j {found[1]}", hint=f"hin needs Neo4j {OLDEST} or newer: see docker/compose.yaml"
        )


def translate(error: Exception, address: Address) -> HinError:
    """Translate a driver's exception into one line with a remedy."""
    from neo4j import exceptions

    code = getattr(error, "code", None) or ""
    text = " ".join(str(getattr(error, "message", None) or error).split())
    for known, make in _BY_CODE.items():
        if known in code:
            return make(text, address)
    if isinstance(error, UnicodeError):
        return BadUsage(f"a value cannot be sent: {text}", hint="remove the lone surrogate from it")
    if re.search(r"no space left|out of disk|disk full|insufficient space", text, re.IGNORECASE):
        return _full_disk(address)
    if isinstance(error, exceptions.UnsupportedServerProduct) or "handshake" in text.lower():
        return OldServer(f"{address} does not speak this driver's Bolt", hint=f"hin needs Neo4j {OLDEST} or newer")
    if isinstance(error, exceptions.AuthError):
        return _wrong_password(text, address)
    if isinstance(error, (exceptions.ServiceUnavailable, exceptions.SessionExpired, OSError)):
        secure = address.url.partition("://")[0].partition("+")[2]
        tls = "write neo4j:// where it speaks without encryption; " if secure else ""
        return NoServer(
            f"no Neo4j server answers at {address.url}",
            hint=f"start one (docker/compose.yaml or docker/neo4j_server.py) or check the URL; {tls}"
            "a load that was cut off goes on when it is run again",
        )
    if isinstance(error, exceptions.ConfigurationError):
        return BadUsage(f"{address.url}: {text}", hint="write neo4j://host:7687/database")
    return StoreError(f"Neo4j at {address} refused: {text}", hint=f"code {code}" if code else None)


def silent_server(address: Address, seconds: float) -> HinError:
    """Return the error of a port that takes connections and never answers."""
    return NoServer(
        f"{address.url} takes connections and has not answered within {seconds:g} s",
        hint="is it a Neo4j server's Bolt port (7687), and does the server run?",
    )


def not_cypher(text: str, hint: str | None = None) -> BadUsage:
    """Return the error of a query that the server cannot read."""
    return BadUsage(f"the query is not Cypher: {text}", hint=hint)


def _wrong_password(text: str, address: Address) -> HinError:
    return WrongPassword(
        f"{address.url} does not accept the password of user {address.username!r}",
        hint="set NEO4J_USERNAME and NEO4J_PASSWORD",
    )


def _full_disk(address: Address) -> HinError:
    return NoSpace(
        f"{address} cannot store any more: its disk is full, or fails",
        hint="free some space on the server, start it again, then run this again to go on",
    )


def _wrong_database(text: str, address: Address) -> HinError:
    return StoreError(
        f"{address.url} has no database {address.database!r}",
        hint="name one that is there in the URL's path or in NEO4J_DATABASE (Community has `neo4j` only)",
    )


_BY_CODE: dict[str, Callable[[str, Address], HinError]] = {
    "Security.Unauthorized": _wrong_password,
    "Security.CredentialsExpired": lambda text, address: WrongPassword(
        f"the password of user {address.username!r} has expired", hint="set a new one with `ALTER CURRENT USER`"
    ),
    "Security.AuthenticationRateLimit": lambda text, address: WrongPassword(
        f"{address.url} was given a wrong password too often", hint="wait a few seconds, then set the right one"
    ),
    "Security.Forbidden": lambda text, address: StoreError(
        f"user {address.username!r} may not do this: {text}", hint="ask the server's administrator for the right"
    ),
    "Database.DatabaseNotFound": _wrong_database,
    "Statement.AccessMode": lambda text, address: ReadOnly(
        "the query writes, and queries are read-only", hint="add `write=True` if that is what you want"
    ),
    "Statement.SyntaxError": lambda text, address: not_cypher(text),
    "Statement.ParameterMissing": lambda text, address: BadUsage(text, hint="give it with --param name=value"),
    # A transaction that timed out while it waited for a lock.
    "Transaction.LockClientStopped": lambda text, address: QueryTimeout(
        "the query ran out of time", hint="give it more with `timeout=SECONDS`, or ask for less"
    ),
    "Transaction.TransactionTimedOut": lambda text, address: QueryTimeout(
        "the query ran out of time", hint="give it more with `timeout=SECONDS`, or ask for less"
    ),
    "Transaction.TransactionCommitFailed": lambda text, address: _full_disk(address),
    "Transaction.TransactionLogError": lambda text, address: _full_disk(address),
    # After a full disk: the database refuses everything until the server is restarted.
    "Transaction.TransactionStartFailed": lambda text, address: StoreError(
        f"{address} has stopped after an error of its own, most often a full disk",
        hint="see the server's log, free some space there, start the server again, then run this again to go on",
    ),
    "General.OutOfMemoryError": lambda text, address: StoreError(
        "the server ran out of memory", hint="give it more heap (server.memory.heap.max_size)"
    ),
    "General.MemoryPoolOutOfMemoryError": lambda text, address: StoreError(
        "the query needs more memory than the server allows", hint="ask for less, or give the server more heap"
    ),
}
