"""The bulk import makes the graph that a load over Bolt makes."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import hin
from hin.errors import BadUsage
from hin.stores.neo4j.bulk_import import COMMAND_FILE, write_import_files
from hin.stores.neo4j.store import Neo4jStore
from tests.neo4j.neo4j_samples import hostile_graph, sample_findings, sample_graph
from tests.neo4j.test_neo4j_loading import content

pytestmark = pytest.mark.neo4j


def import_command(folder: Path, database: str = "neo4j") -> list[str]:
    """Return the arguments for `neo4j-admin` in an exported folder's script."""
    script = (folder / COMMAND_FILE).read_text(encoding="utf-8")
    words = shlex.split(script[script.index(" database import ") :])
    return [database if word.startswith("${1") else word for word in words if word.strip()]


def test_imported_by_the_admin_tool_it_equals_a_load_over_bolt(
    neo4j_tool: ModuleType, neo4j_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = sample_graph()
    found = sample_findings(graph)
    over_bolt = Neo4jStore(neo4j_server.url)
    over_bolt.write_graph(graph, options={"a": 1})
    over_bolt.write_findings(found)
    expected = content(over_bolt)
    over_bolt.close()

    folder = tmp_path / "import"
    folder.mkdir()
    write_import_files(folder, graph, findings=found, options={"a": 1})
    assert "neo4j-admin" in (folder / COMMAND_FILE).read_text()
    server = neo4j_tool.Server(tmp_path / "home", heap="512m", pagecache="64m")
    monkeypatch.chdir(folder)
    server.admin(*import_command(folder))
    with server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        store = Neo4jStore(server.url, model=tmp_path / "model")
        assert content(store) == expected
        assert graph.equals(store.read_graph())
        assert store.exists()
        store.write_graph(graph, options={"a": 1})
        assert graph.equals(store.read_graph())
        store.close()
        server.stop()
        hostile = hostile_graph()
        second = hin.export(hostile, "neo4j-import", out=tmp_path / "second")
        monkeypatch.chdir(second)
        server.admin(*import_command(second))
        server.start()
        again = Neo4jStore(server.url, model=tmp_path / "model")
        assert hostile.equals(again.read_graph())
        again.close()


def test_the_script_is_a_command_that_a_shell_understands(tmp_path: Path) -> None:
    folder = hin.export(sample_graph(5), "neo4j-import", out=tmp_path / "a b")
    done = subprocess.run(
        [str(folder / COMMAND_FILE), "papers"], env={"NEO4J_ADMIN": "/bin/echo", "PATH": "/bin:/usr/bin"},
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.stdout.split()[:4] == ["database", "import", "full", "papers"]
    assert done.stdout.split() == import_command(folder, "papers")


def test_a_folder_with_things_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    with pytest.raises(BadUsage, match="no export that hin wrote"):
        hin.export(sample_graph(3), "neo4j-import", out=tmp_path)
