"""The line to a Neo4j server: where it is, how to talk to it, and what its failures mean to a user."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from hin.errors import BadUsage, HinError, NoSpace, StoreError
from hin.progress import Progress

if TYPE_CHECKING:
    import neo4j

__all__ = ["Address", "Connection", "NoServer", "OldServer", "QueryTimeout", "ReadOnly", "WrongPassword"]

OLDEST = 5
#: How long a managed transaction is tried again while the server is away, in seconds.
PATIENCE = 90.0

T = TypeVar("T")


class NoServer(StoreError):
    """No Neo4j server answers."""


class WrongPassword(StoreError):
    """The server does not know us."""


class OldServer(StoreError):
    """The server is older than what hin's Cypher needs."""


class ReadOnly(BadUsage):
    """A query that writes, without leave to write."""


class QueryTimeout(HinError):
    """A query ran longer than it may."""


@dataclass(frozen=True)
class Address:
    """Where a Neo4j graph lives.

    Examples
    --------
    >>> address = Address.of("neo4j://localhost:7687/papers", {"NEO4J_PASSWORD": "secret"})
    >>> address.url, address.database, address.username
    ('neo4j://localhost:7687', 'papers', 'neo4j')
    >>> Address.of("bolt://db", {"NEO4J_DATABASE": "neo4j"})
    Address(url='bolt://db', database='neo4j', username='neo4j')
    """

    url: str
    database: str | None
    username: str
    password: str = field(repr=False, default="")

    @classmethod
    def of(cls, location: str, environment: Mapping[str, str] | None = None) -> Address:
        """Read a Bolt URL; the database in its path, credentials from the environment."""
        environment = os.environ if environment is None else environment
        try:
            parts = urlsplit(location)
            port = parts.port
        except ValueError as error:
            raise BadUsage(f"{location} is not a Bolt URL: {error}", hint="write neo4j://host:7687/database") from None
        if "@" in parts.netloc:
            raise BadUsage(
                "a password in the URL ends up in logs", hint="set NEO4J_USERNAME and NEO4J_PASSWORD instead"
            )
        if not parts.hostname:
            raise BadUsage(f"{location} names no server", hint="write neo4j://host:7687/database")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        url = f"{parts.scheme}://{host}" + (f":{port}" if port else "") + (f"?{parts.query}" if parts.query else "")
        database = parts.path.strip("/") or environment.get("NEO4J_DATABASE") or None
        if database == "system":
            raise BadUsage("the database `system` is Neo4j's own and holds no graph", hint="name another, or none")
        return cls(url, database, environment.get("NEO4J_USERNAME") or "neo4j", environment.get("NEO4J_PASSWORD") or "")

    def __str__(self) -> str:
        return f"{self.url}/{self.database}" if self.database else self.url


class Connection:
    """One driver, opened on first use.

    Examples
    --------
    >>> Connection(Address.of("neo4j://localhost")).is_open
    False
    """

    def __init__(self, address: Address, *, patience: float = PATIENCE) -> None:
        self.address = address
        self.patience = patience
        self._driver: neo4j.Driver | None = None

    @property
    def is_open(self) -> bool:
        """Whether the server has been asked yet."""
        return self._driver is not None

    @property
    def driver(self) -> neo4j.Driver:
        """The driver, after the server has answered, knows us and is new enough."""
        if self._driver is None:
            import neo4j

            # Retries are told by the progress display (`telling`), not by log lines in the middle of it.
            logging.getLogger("neo4j").addHandler(logging.NullHandler())
            with self.failures():
                driver = neo4j.GraphDatabase.driver(
                    self.address.url,
                    auth=(self.address.username, self.address.password),
                    max_transaction_retry_time=self.patience,
                    connection_acquisition_timeout=60,
                    connection_timeout=10,
                    notifications_min_severity="OFF",
                    user_agent="hin",
                )
                try:
                    check_version(driver.get_server_info().agent)
                except BaseException:
                    driver.close()
                    raise
            self._driver = driver
        return self._driver

    def close(self) -> None:
        """Hang up."""
        if self._driver is not None:
            self._driver.close()
            self._driver = None

    def __del__(self) -> None:
        # A driver that is only collected warns; stores are often used once and dropped.
        try:
            self.close()
        except Exception:
            self._driver = None

    @contextmanager
    def session(self, *, write: bool = False, notes: bool = False) -> Iterator[neo4j.Session]:
        """A session whose access mode the server enforces; with `notes` it also says what it finds odd in a query."""
        import neo4j

        mode = neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS
        given: dict[str, Any] = {"notifications_min_severity": "WARNING"} if notes else {}
        driver = self.driver
        with (
            self.failures(),
            driver.session(database=self.address.database, default_access_mode=mode, **given) as session,
        ):
            yield session

    def read(self, query: str, **parameters: Any) -> list[Any]:
        """All records of a small answer, in a managed transaction."""
        with self.session() as session:
            return session.execute_read(lambda tx: list(tx.run(query, parameters)))

    def write(self, query: str, **parameters: Any) -> list[Any]:
        """Run a statement that may be repeated, in a managed transaction."""
        with self.session(write=True) as session:
            return session.execute_write(lambda tx: list(tx.run(query, parameters)))

    def stream(self, query: str, **parameters: Any) -> Iterator[Any]:
        """Records one after the other as the server finds them; never all at once in memory."""
        with self.session() as session, session.begin_transaction() as transaction:
            yield from transaction.run(query, parameters)

    @contextmanager
    def telling(self, progress: Progress) -> Iterator[None]:
        """Let a person know while transactions are tried again: a server that restarts takes its time."""
        handler = _Retries(progress, self.address)
        logger = logging.getLogger("neo4j")
        logger.addHandler(handler)
        try:
            yield
        finally:
            logger.removeHandler(handler)

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Turn the driver's exceptions into hin's."""
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            yield
        except (DriverError, Neo4jError, OSError, ValueError) as error:
            if isinstance(error, ValueError) and not isinstance(error, UnicodeError):
                raise
            raise translate(error, self.address) from None


class _Retries(logging.Handler):
    """Hears from the driver that it tries again."""

    def __init__(self, progress: Progress, address: Address) -> None:
        super().__init__(logging.WARNING)
        self.progress = progress
        self.address = address

    def emit(self, record: logging.LogRecord) -> None:
        if "will be retried" in str(record.msg):
            self.progress(f"waiting for {self.address.url}", 0, None)


def check_version(agent: str) -> None:
    """Refuse a server that is too old.

    Examples
    --------
    >>> check_version("Neo4j/5.26.30")
    >>> check_version("Neo4j/4.4.12")
    Traceback (most recent call last):
    ...
    hin.neo4j_connection.OldServer: the server is Neo4j 4.4.12; hin needs Neo4j 5 or newer: ...
    """
    found = re.match(r"Neo4j/((\d+)\.\S*)", agent)
    if found and int(found[2]) < OLDEST:
        raise OldServer(
            f"the server is Neo4j {found[1]}", hint=f"hin needs Neo4j {OLDEST} or newer: see docker/compose.yaml"
        )


def translate(error: Exception, address: Address) -> HinError:
    """What a driver's exception means, in one line with a remedy."""
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
        "the query writes, and `hin query` is read-only", hint="add --write if that is what you want"
    ),
    "Statement.SyntaxError": lambda text, address: BadUsage(f"the query is not Cypher: {text}"),
    "Statement.ParameterMissing": lambda text, address: BadUsage(text, hint="give it with --param name=value"),
    # A transaction that timed out while it waited for a lock.
    "Transaction.LockClientStopped": lambda text, address: QueryTimeout(
        "the query ran out of time", hint="give it more with --timeout SECONDS, or ask for less"
    ),
    "Transaction.TransactionTimedOut": lambda text, address: QueryTimeout(
        "the query ran out of time", hint="give it more with --timeout SECONDS, or ask for less"
    ),
    "Transaction.TransactionCommitFailed": lambda text, address: _full_disk(address),
    "Transaction.TransactionLogError": lambda text, address: _full_disk(address),
    # What a full disk leaves behind: the database refuses everything until the server starts anew.
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
