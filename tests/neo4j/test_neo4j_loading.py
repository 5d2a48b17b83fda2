"""Loads that are repeated, killed, or cut off by the server end in the same graph."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hin.errors import StoreError
from hin.stores.layout import project
from hin.stores.neo4j.connection import Address, Connection
from hin.stores.neo4j.contents import set_state
from hin.stores.neo4j.failures import NoServer
from hin.stores.neo4j.store import Neo4jStore
from hin.stores.neo4j.writer import Writer
from tests.neo4j.neo4j_samples import sample_findings, sample_graph

pytestmark = pytest.mark.neo4j

EVERYTHING = (
    "MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN labels(n) AS l, properties(n) AS p, type(r) AS t, "
    "properties(r) AS q, labels(m) AS ml, m.number AS mn"
)


def content(store: Neo4jStore) -> list[str]:
    """All nodes and relationships with their properties, in an order of their own."""
    return sorted(str(_in_order(record.data())) for record in store.connection.stream(EVERYTHING))


def _in_order(value: Any) -> Any:
    return sorted((key, _in_order(item)) for key, item in value.items()) if isinstance(value, dict) else value


@pytest.fixture
def store(neo4j_server: Any) -> Any:
    opened = Neo4jStore(neo4j_server.url)
    yield opened
    opened.close()


def test_no_relationship_is_written_twice_when_batches_are_repeated(store: Neo4jStore) -> None:
    graph = sample_graph()
    store.write_graph(graph, options={})
    before = content(store)
    # The server answers, the answer is lost, the driver sends the batch again.
    set_state(store.connection, state="loading")
    for _ in range(2):
        store.connection.write("MATCH (b:HinBatch) DELETE b")
        writer = Writer(store.connection, "again", merge=True)
        writer.write(project(graph))
    set_state(store.connection, state="complete")
    assert content(store) == before


def test_a_batch_whose_key_is_there_is_left_out(store: Neo4jStore) -> None:
    graph = sample_graph(10)
    store.write_graph(graph, options={})
    before = content(store)
    projected = project(graph)
    store.connection.write("CREATE CONSTRAINT hin_batch IF NOT EXISTS FOR (n:HinBatch) REQUIRE n.key IS UNIQUE")
    first = Writer(store.connection, "k")
    first.write_relationships(projected.relationships[:1])
    doubled = content(store)
    assert doubled != before
    again = Writer(store.connection, "k")
    again.done.clear()  # as if this writer had not heard of them
    again.write_relationships(projected.relationships[:1])
    assert content(store) == doubled


def test_a_load_that_was_cut_off_is_finished_by_running_it_again(
    store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = sample_graph(60)
    store.write_graph(graph, options={})
    expected = content(store)
    store.write_graph(sample_graph(5, seed=9), options={})
    monkeypatch.setattr("hin.stores.neo4j.writer.BATCH", 50)
    real = Connection.write
    left = 0

    def write(self: Connection, query: str, **parameters: Any) -> Any:
        nonlocal left
        if "UNWIND" in query:
            left -= 1
            if left < 0:
                raise NoServer("the server is gone")
        return real(self, query, **parameters)

    for allowed in (2, 5, 5):
        left = allowed
        with monkeypatch.context() as patch:
            patch.setattr(Connection, "write", write)
            with pytest.raises(NoServer):
                store.write_graph(graph, options={})
        assert not store.exists()
        with pytest.raises(StoreError, match="was cut off; run the same"):
            store.read_graph()
    store.write_graph(graph, options={})
    assert content(store) == expected
    assert graph.equals(store.read_graph())


def test_what_somebody_took_away_is_put_back(store: Neo4jStore) -> None:
    graph = sample_graph()
    store.write_graph(graph, options={})
    before = content(store)
    store.connection.write("MATCH (d:Document) WHERE d.number < 5 DETACH DELETE d")
    store.connection.write("MATCH ()-[r:HAS_TERM]->() WITH r LIMIT 20 DELETE r")
    assert store.check()
    store.write_graph(graph, options={})
    assert content(store) == before


def test_nodes_of_somebody_else_are_not_touched(store: Neo4jStore) -> None:
    store.connection.write("CREATE (:Author {name: 'mine'}), (:Person {name: 'mine'})")
    with pytest.raises(StoreError, match="Author nodes that hin did not write"):
        store.write_graph(sample_graph(), options={})
    store.connection.write("MATCH (n:Author) DETACH DELETE n")
    store.write_graph(sample_graph(), options={})
    store.write_graph(sample_graph(4, seed=3), options={})
    assert store.connection.read("MATCH (p:Person) RETURN count(*) AS n")[0]["n"] == 1


def test_findings_are_shown_and_replaced(store: Neo4jStore) -> None:
    graph = sample_graph()
    found = sample_findings(graph)
    store.write_graph(graph, options={})
    bare = content(store)
    store.write_findings(found)
    first = content(store)
    store.write_findings(found)
    assert content(store) == first
    count = store.connection.read(
        "MATCH (d:Document)-[:HAS_MOTIF]->(m:Motif)-[i:INDICATES]->(c:Category)<-[:CLASSIFIED_AS]-(d) "
        "RETURN count(*) AS n, min(i.position) AS first"
    )[0]
    assert count["n"] > 0
    assert count["first"] == 1
    store.write_findings(sample_findings(graph, seed=5))
    assert content(store) != first
    store.write_graph(graph, options={})
    assert content(store) == bare


KILLED = """
import sys, time
from hin.stores.neo4j import writer as neo4j_writer
from hin.stores.neo4j.store import Neo4jStore
from tests.neo4j.neo4j_samples import sample_graph
neo4j_writer.BATCH = 40
store = Neo4jStore(sys.argv[1])
def progress(label, done, total, note=""):
    print(label, done, flush=True)
store.write_graph(sample_graph(300), options={}, progress=progress)
print("complete", flush=True)
store.close()
"""


def test_a_killed_load_is_finished_by_running_it_again(store: Neo4jStore, neo4j_server: Any) -> None:
    graph = sample_graph(300)
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", KILLED, neo4j_server.url], env=environment, stdout=subprocess.PIPE, text=True
        )

    process = start()
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("writing HAS_TERM") and not line.strip().endswith(" 0"):
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert not store.exists()
    again = start()
    out, _ = again.communicate(timeout=120)
    assert "complete" in out
    assert graph.equals(store.read_graph())
    assert store.check() == []


def test_the_server_may_restart_in_the_middle_of_a_load(
    neo4j_tool: ModuleType, tmp_path: Path, monkeypatch: Any
) -> None:
    graph = sample_graph(300)
    server = neo4j_tool.Server(tmp_path / "home", heap="512m", pagecache="64m").start()
    stopped, restarted = threading.Event(), threading.Event()
    reported: set[str] = set()

    def restart() -> None:
        server.stop()
        stopped.set()
        server.start(detached=True)  # not tied to this thread, which ends soon
        restarted.set()

    try:
        monkeypatch.setattr("hin.stores.neo4j.writer.BATCH", 200)
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("HIN_MODEL", str(tmp_path / "model"))
        store = Neo4jStore(server.url)
        thread = threading.Thread(target=restart)

        def progress(label: str, done: int, total: int | None, note: str = "") -> None:
            reported.add(label)
            if label == "writing HAS_TERM" and done and thread.ident is None:
                thread.start()
                assert stopped.wait(120)

        store.write_graph(graph, options={}, progress=progress)
        thread.join()
        assert restarted.is_set()
        assert f"waiting for {server.url}" in reported
        assert graph.equals(store.read_graph())
        store.close()
    finally:
        server.stop()


def test_a_server_that_goes_away_for_good_is_one_line(neo4j_tool: ModuleType, tmp_path: Path, monkeypatch: Any) -> None:
    connection = Connection(Address.of(f"neo4j://127.0.0.1:{neo4j_tool.free_port()}", {}), patience=1)
    with pytest.raises(NoServer, match="no Neo4j server answers at neo4j://127.0.0.1:.*start one"):
        connection.read("RETURN 1")
