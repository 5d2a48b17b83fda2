"""A server that does not answer keeps nobody waiting beyond the time that a query has."""

from __future__ import annotations

import gc
import os
import signal
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

from hin.errors import QueryTimeout
from hin.stores.neo4j.deadline import DeadlinePassed, run_within
from hin.stores.neo4j.failures import NoServer
from hin.stores.querying import QueryOptions, query


@contextmanager
def threads_joined() -> Iterator[None]:
    """Wait for the threads of queries that were given up.

    A server that ends between the handshake and the driver's first message makes the driver (6.4) leave a connection
    half made, about which the garbage collector complains in whichever test runs by then.
    """
    there = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - there:
        thread.join(60)
        assert not thread.is_alive()


class Opened:
    """Stands for a driver that the work holds."""


def test_an_error_of_the_work_keeps_nothing_alive() -> None:
    def work() -> None:
        opened = Opened()
        held.append(weakref.ref(opened))
        raise ValueError("no")

    held: list[weakref.ref[Opened]] = []
    gc.disable()
    try:
        with pytest.raises(ValueError, match="no"):
            run_within(60, work, lambda: lambda: None)
        assert held[0]() is None
    finally:
        gc.enable()


def test_what_late_work_has_opened_is_closed_at_its_end_whatever_happens() -> None:
    go_on, closed = threading.Event(), threading.Event()
    held: list[weakref.ref[Opened]] = []

    def work() -> None:
        opened = Opened()
        held.append(weakref.ref(opened))
        go_on.wait()
        raise ValueError("the server has gone")

    def close() -> None:
        closed.set()
        raise OSError("nobody waits for this, so it may not reach a test that runs by now")

    gc.disable()
    try:
        with pytest.raises(DeadlinePassed):
            run_within(0.01, work, lambda: close)
        assert not closed.is_set()
        before = threading.active_count()
        go_on.set()
        assert closed.wait(60)
        while threading.active_count() >= before:
            time.sleep(0.01)
        assert held[0]() is None
    finally:
        gc.enable()


def test_a_port_that_never_answers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.stores.neo4j.connection.ANSWER", 0.5)
    with threads_joined(), socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"neo4j://127.0.0.1:{listener.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(NoServer, match="takes connections and has not answered"):
            query(url, "RETURN 1")
        assert time.monotonic() - start < 30


def test_a_query_does_not_wait_for_a_silent_port_longer_than_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.stores.neo4j.query.GRACE", 0.1)
    with threads_joined(), socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"neo4j://127.0.0.1:{listener.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(QueryTimeout, match="the server has not answered"):
            query(url, "RETURN 1", QueryOptions(timeout=0.5))
        assert time.monotonic() - start < 30


@pytest.mark.neo4j
def test_a_query_on_a_paused_server_ends(neo4j_tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.stores.neo4j.query.GRACE", 0.5)
    with neo4j_tool.temporary_server(heap="256m", pagecache="32m") as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        assert query(server.url, "RETURN 1 AS x").rows == [(1,)]
        process: Any = server.process
        with threads_joined():
            os.kill(process.pid, signal.SIGSTOP)
            try:
                start = time.monotonic()
                with pytest.raises(QueryTimeout, match="the server has not answered"):
                    query(server.url, "RETURN 1 AS x", QueryOptions(timeout=1))
                assert time.monotonic() - start < 30
            finally:
                os.kill(process.pid, signal.SIGCONT)
