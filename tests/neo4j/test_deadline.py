"""A server that does not answer keeps nobody waiting beyond the time that a query has."""

from __future__ import annotations

import os
import signal
import socket
import time
from types import ModuleType
from typing import Any

import pytest

from hin.errors import QueryTimeout
from hin.stores.neo4j.failures import NoServer
from hin.stores.querying import QueryOptions, query


def test_a_port_that_never_answers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.stores.neo4j.connection.ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"neo4j://127.0.0.1:{listener.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(NoServer, match="takes connections and has not answered"):
            query(url, "RETURN 1")
        assert time.monotonic() - start < 10


def test_a_query_does_not_wait_for_a_silent_port_longer_than_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.stores.neo4j.query.GRACE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"neo4j://127.0.0.1:{listener.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(QueryTimeout, match="the server has not answered"):
            query(url, "RETURN 1", QueryOptions(timeout=0.5))
        assert time.monotonic() - start < 10


@pytest.mark.neo4j
def test_a_query_on_a_paused_server_ends(neo4j_tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.stores.neo4j.query.GRACE", 0.5)
    with neo4j_tool.temporary_server(heap="256m", pagecache="32m") as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        assert query(server.url, "RETURN 1 AS x").rows == [(1,)]
        process: Any = server.process
        os.kill(process.pid, signal.SIGSTOP)
        try:
            start = time.monotonic()
            with pytest.raises(QueryTimeout, match="the server has not answered"):
                query(server.url, "RETURN 1 AS x", QueryOptions(timeout=1))
            assert time.monotonic() - start < 15
        finally:
            os.kill(process.pid, signal.SIGCONT)
