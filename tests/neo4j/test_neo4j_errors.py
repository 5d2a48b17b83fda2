"""What goes wrong on the way to a server is one line that says what to do."""

from __future__ import annotations

import socket
from types import ModuleType
from typing import Any

import neo4j.exceptions
import pytest

from hin.errors import BadUsage, HinError, NoSpace, QueryTimeout, ReadOnly, StoreError
from hin.stores.neo4j.connection import Address, Connection
from hin.stores.neo4j.failures import NoServer, OldServer, WrongPassword, check_version, translate
from hin.stores.neo4j.read_only import NotReadOnly
from hin.stores.querying import QueryOptions, query

pytestmark = pytest.mark.neo4j


def test_wrong_password(neo4j_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "wrong")
    with pytest.raises(WrongPassword, match="does not accept the password of user 'neo4j'; set NEO4J_USERNAME"):
        query(neo4j_server.url, "RETURN 1")


def test_wrong_database(neo4j_server: Any) -> None:
    with pytest.raises(StoreError, match="no database 'nowhere'; name one that is there"):
        query(f"{neo4j_server.url}/nowhere", "RETURN 1")


def test_the_database_may_be_in_the_path_or_the_environment(neo4j_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert query(f"{neo4j_server.url}/neo4j", "RETURN 1 AS x").rows == [(1,)]
    monkeypatch.setenv("NEO4J_DATABASE", "nowhere")
    with pytest.raises(StoreError, match="no database 'nowhere'"):
        query(neo4j_server.url, "RETURN 1")


def test_no_server(neo4j_tool: ModuleType) -> None:
    with pytest.raises(NoServer, match="no Neo4j server answers at .* start one"):
        query(f"neo4j://127.0.0.1:{neo4j_tool.free_port()}", "RETURN 1")


def test_encryption_that_the_server_may_not_speak_is_named(neo4j_server: Any) -> None:
    with pytest.raises(NoServer, match="write neo4j:// where it speaks without encryption"):
        query(neo4j_server.url.replace("neo4j://", "bolt+s://"), "RETURN 1")


def test_old_server() -> None:
    with pytest.raises(OldServer, match=r"the server is Neo4j 4\.4\.3; hin needs Neo4j 5"):
        check_version("Neo4j/4.4.3")


@pytest.mark.parametrize(
    ("code", "message", "kind", "said"),
    [
        ("Neo.DatabaseError.General.UnknownError", "No space left on device", NoSpace, "free some space on the server"),
        # What a server on a full disk was seen to say, first and from then on.
        (
            "Neo.DatabaseError.Transaction.TransactionCommitFailed",
            "Could not apply the transaction: Transaction #183 {started ...} to the store after written to log.",
            NoSpace,
            "its disk is full, or fails; free some space on the server, start it again",
        ),
        ("Neo.DatabaseError.Transaction.TransactionLogError", "Could not append", NoSpace, "free some space"),
        (
            "Neo.DatabaseError.Transaction.TransactionStartFailed",
            "The database has encountered a critical error, and needs to be restarted.",
            StoreError,
            "most often a full disk; see the server's log",
        ),
        ("Neo.ClientError.Security.Forbidden", "no", StoreError, "ask the server's administrator"),
        ("Neo.ClientError.Security.CredentialsExpired", "", WrongPassword, "ALTER CURRENT USER"),
        ("Neo.ClientError.Security.AuthenticationRateLimit", "", WrongPassword, "wait a few seconds"),
        ("Neo.TransientError.General.OutOfMemoryError", "", StoreError, "more heap"),
        ("Neo.ClientError.Statement.ParameterMissing", "Expected parameter(s): x", BadUsage, "--param"),
        ("Neo.ClientError.Some.Thing", "odd", StoreError, "code Neo.ClientError.Some.Thing"),
    ],
)
def test_what_the_server_says_becomes_one_line(code: str, message: str, kind: type[HinError], said: str) -> None:
    error = neo4j.exceptions.Neo4jError._hydrate_neo4j(code=code, message=message)
    made = translate(error, Address.of("neo4j://db", {}))
    assert isinstance(made, kind)
    assert said in str(made)
    assert "\n" not in str(made)


@pytest.mark.parametrize("url", ["neo4j://", "neo4j://host:port", "neo4j://me:secret@host", "bolt://host/system"])
def test_bad_urls(url: str) -> None:
    with pytest.raises(BadUsage) as caught:
        Address.of(url, {})
    assert "secret" not in str(caught.value)


def test_queries_read_unless_they_may_write(neo4j_server: Any) -> None:
    url = neo4j_server.url
    for text in ("CREATE (:X)", "MATCH (n) DETACH DELETE n", "CALL { CREATE (:X) } RETURN 1", "MERGE (n:X) RETURN n"):
        with pytest.raises(ReadOnly, match="add `write=True`"):
            query(url, text)
    assert query(url, "MATCH (n:X) RETURN count(n) AS n").rows == [(0,)]
    query(url, "CREATE (:X {name: $name})", QueryOptions(parameters={"name": "`'\"}) //"}, write=True))
    assert query(url, "MATCH (n:X) RETURN n.name AS name").rows == [("`'\"}) //",)]


def test_time_and_rows_are_limited(neo4j_server: Any) -> None:
    url = neo4j_server.url
    result = query(url, "UNWIND range(1, 50) AS x RETURN x", QueryOptions(limit=10))
    assert len(result.rows) == 10
    assert result.cut
    with pytest.raises(QueryTimeout, match="timeout=SECONDS"):
        query(url, "UNWIND range(1, 1000000000) AS x RETURN sum(x) AS s", QueryOptions(timeout=0.5))


def test_what_is_not_cypher_is_said_so(neo4j_server: Any) -> None:
    with pytest.raises(BadUsage, match="the query is not Cypher"):
        query(neo4j_server.url, "MATCH everything")
    with pytest.raises(BadUsage, match="--param"):
        query(neo4j_server.url, "RETURN $x")


def test_a_closed_connection_opens_again(neo4j_server: Any) -> None:
    connection = Connection(Address.of(neo4j_server.url))
    assert connection.read("RETURN 1 AS x")[0]["x"] == 1
    connection.close()
    assert connection._driver is None
    assert connection.read("RETURN 2 AS x")[0]["x"] == 2
    connection.close()


def test_names_that_nothing_has_are_reported(neo4j_server: Any, hin: Any) -> None:
    asked = "MATCH (v:Venu {nam: 'x'})<-[:HAS_VENU]-(d) RETURN v"
    result = query(neo4j_server.url, asked)
    assert result.rows == []
    reported = {"the database has no label 'Venu'", "the database has no relationship 'HAS_VENU'"}
    assert set(result.notes) == reported | {"the database has no property 'nam'"}
    shown = hin("query", asked, "--graph", neo4j_server.url, "--format", "json")
    assert shown.json == []
    assert "the database has no label 'Venu'\n" in shown.err


def test_the_server_of_the_script_opens_no_files_but_its_own(neo4j_server: Any) -> None:
    with pytest.raises(HinError, match="refused"):
        query(neo4j_server.url, f"LOAD CSV FROM 'file://{__file__}' AS line RETURN line", QueryOptions(write=True))


@pytest.mark.parametrize(
    "text",
    [
        "LOAD CSV FROM {url} AS line RETURN line",
        "MATCH (n) WITH n LIMIT 1 // \\u000aLOAD CSV FROM {url} AS line RETURN line",
        "RETURN COLLECT {{ LOAD /* */ CSV FROM {url} AS line RETURN line }} AS lines",
        "MATCH (n) WITH n LIMIT 1 LOAD\u00a0CSV FROM {url} AS line RETURN line",
        "CALL () {{ load csv from {url} as line RETURN line }} RETURN line",
    ],
)
def test_nothing_is_sent_to_an_address(neo4j_server: Any, text: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        url = f"'http://127.0.0.1:{listener.getsockname()[1]}/'"
        with pytest.raises(NotReadOnly, match="write=True"):
            query(neo4j_server.url, text.format(url=url))
        with pytest.raises(TimeoutError):
            listener.accept()


@pytest.mark.parametrize(
    "text",
    [
        "UNWIND [1] AS as CALL db.clearQueryCaches() YIELD value RETURN value",
        "USE neo4j SHOW TRANSACTIONS",
        "SHOW TRANSACTIONS YIELD transactionId AS t TERMINATE TRANSACTION t",
        "MATCH (n) SET n.x = 1",
        "CREATE INDEX FOR (n:Author) ON (n.x)",
        "CALL (*) { CREATE (:X) } RETURN 1",
        "MATCH (n) CALL (n) { SET n.x = 1 } IN TRANSACTIONS RETURN n",
    ],
)
def test_nothing_else_is_done_without_write(neo4j_server: Any, text: str) -> None:
    with pytest.raises((NotReadOnly, ReadOnly)):
        query(neo4j_server.url, text)


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, [1, 2**70], {"a": 2**63}, "\ud800"])
def test_a_parameter_that_no_server_takes_is_named(neo4j_server: Any, value: Any) -> None:
    with pytest.raises(BadUsage, match=r"the parameter \$x"):
        query(neo4j_server.url, "RETURN $x", x=value)
