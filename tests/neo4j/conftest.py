"""One Neo4j server for the whole session; each test finds it empty."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks.common import docker_script


@pytest.fixture(scope="session")
def neo4j_tool() -> ModuleType:
    """The server script; tests are skipped where it cannot run, and fail there in CI."""
    module = docker_script("neo4j_server")
    if problem := module.missing_tools():
        if os.environ.get("CI"):
            pytest.fail(f"the Neo4j tests must run in CI: {problem}")
        pytest.skip(problem)
    return module


class Running:
    """A server that somebody else started: HIN_TEST_NEO4J=URL,PASSWORD. Everything in it is removed."""

    def __init__(self, given: str) -> None:
        self.url, _, self.password = given.partition(",")
        self.environment = {"NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": self.password, "HIN_GRAPH": self.url}


@pytest.fixture(scope="session")
def neo4j_session_server(neo4j_tool: ModuleType) -> Iterator[Any]:
    if given := os.environ.get("HIN_TEST_NEO4J"):
        yield Running(given)
        return
    with neo4j_tool.temporary_server(heap="768m", pagecache="128m") as server:
        yield server


@pytest.fixture
def neo4j_server(neo4j_session_server: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """A running server with nothing in it, and the environment that hin reads."""
    server = neo4j_session_server
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HIN_MODEL", str(tmp_path / "neo4j.model"))
    monkeypatch.delenv("NEO4J_DATABASE", raising=False)
    empty(server)
    return server


@pytest.fixture(scope="module")
def both_engines(neo4j_session_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any]]:
    """The same graph and findings as an open folder and in Neo4j."""
    from hin.stores.folder import FolderStore
    from hin.stores.neo4j.store import Neo4jStore
    from hin.stores.querying import open_graph
    from tests.neo4j.neo4j_samples import sample_findings, sample_graph

    home = tmp_path_factory.mktemp("engines")
    graph = sample_graph()
    found = sample_findings(graph)
    folder = FolderStore(home / "papers.hin")
    folder.write_graph(graph, options={})
    folder.write_stage("motifs", found.save, {})
    empty(neo4j_session_server)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in neo4j_session_server.environment.items():
            patch.setenv(name, value)
        store = Neo4jStore(neo4j_session_server.url, model=home / "papers.model")
    store.write_graph(graph, options={})
    store.write_findings(found)
    yield open_graph(folder), store
    store.close()


def empty(server: Any) -> None:
    """Remove every node, constraint and index."""
    import neo4j

    with neo4j.GraphDatabase.driver(server.url, auth=("neo4j", server.password)) as driver:
        while driver.execute_query("MATCH (n) WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS n").records[0]["n"]:
            pass
        for record in driver.execute_query("SHOW CONSTRAINTS YIELD name").records:
            driver.execute_query("DROP CONSTRAINT `" + record["name"].replace("`", "``") + "`")
        for record in driver.execute_query("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name").records:
            driver.execute_query("DROP INDEX `" + record["name"].replace("`", "``") + "`")
