"""The connection to a Neo4j server."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlsplit

import platformdirs

from hin.errors import BadUsage
from hin.progress import Progress
from hin.stores.neo4j.deadline import DeadlinePassed, run_within
from hin.stores.neo4j.failures import check_version, silent_server, translate

if TYPE_CHECKING:
    import neo4j

#: How long a managed transaction is tried again while the server is away, in seconds.
PATIENCE = 90.0
#: How long a port may take to answer as a Neo4j server, in seconds.
ANSWER = 20.0

T = TypeVar("T")


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

    @property
    def model_folder(self) -> Path:
        """The folder of the user's data for the vectors and models of the database.

        >>> [Address.of(place, {}).model_folder.name for place in ("bolt://[::1]/Papers", "neo4j://db:7688")]
        ['papers@%3A%3A1-7687', 'neo4j@db-7688']
        """
        server = urlsplit(self.url)
        # Neo4j's names of databases, like hosts, are the same in capitals; the port comes last: no two share a name.
        database, host = (quote(name.lower(), safe="") for name in (self.database or "neo4j", server.hostname or ""))
        folder = platformdirs.user_data_path("hin", appauthor=False) / "neo4j"
        return folder / f"{database}@{host}-{server.port or 7687}"


class Connection:
    """One driver, opened on first use.

    Examples
    --------
    >>> Connection(Address.of("neo4j://localhost")).address.url
    'neo4j://localhost'
    """

    def __init__(self, address: Address, *, patience: float = PATIENCE) -> None:
        self.address = address
        self.patience = patience
        self._driver: neo4j.Driver | None = None

    @property
    def driver(self) -> neo4j.Driver:
        """The driver, once the server has answered, accepted the credentials, and is new enough."""
        if self._driver is None:
            import neo4j

            # Retries are shown by the progress display (`reporting_to`), not by log lines in the middle of it.
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
                    check_version(run_within(ANSWER, lambda: driver.get_server_info().agent, lambda: driver.close))
                except DeadlinePassed:
                    raise silent_server(self.address, ANSWER) from None
                except BaseException:
                    driver.close()
                    raise
            self._driver = driver
        return self._driver

    def abandon(self) -> Callable[[], None]:
        """Drop a connection whose server does not answer; return a function that closes it once it does."""
        driver, self._driver = self._driver, None
        return driver.close if driver is not None else lambda: None

    def close(self) -> None:
        """Close the connection."""
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
        """Open a session whose access mode the server enforces; with `notes` the server also comments on the query."""
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
        """Return all records of a small answer, in a managed transaction."""
        with self.session() as session:
            return session.execute_read(lambda tx: list(tx.run(query, parameters)))

    def write(self, query: str, **parameters: Any) -> list[Any]:
        """Run a statement that may be repeated, in a managed transaction."""
        with self.session(write=True) as session:
            return session.execute_write(lambda tx: list(tx.run(query, parameters)))

    def stream(self, query: str, **parameters: Any) -> Iterator[Any]:
        """Yield records one after the other as the server finds them; never all at once in memory."""
        with self.session() as session, session.begin_transaction() as transaction:
            yield from transaction.run(query, parameters)

    @contextmanager
    def reporting_to(self, progress: Progress) -> Iterator[None]:
        """Report to the progress callback while transactions are retried, for example while a server restarts."""
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
    """A log handler for the driver's messages about retries."""

    def __init__(self, progress: Progress, address: Address) -> None:
        super().__init__(logging.WARNING)
        self.progress = progress
        self.address = address

    def emit(self, record: logging.LogRecord) -> None:
        if "will be retried" in str(record.msg):
            self.progress(f"waiting for {self.address.url}", 0, None)
