"""One contract for both stores: what is written comes back, stages and all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hin.errors import GraphChanged, GraphNotFound
from hin.stores.base import Store, open_store
from hin.stores.findings import Findings
from hin.stores.folder import FolderStore
from tests.neo4j.neo4j_samples import hostile_graph, sample_findings, sample_graph

pytestmark = pytest.mark.neo4j


@pytest.fixture(params=["folder", "neo4j"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "folder":
        yield open_store(tmp_path / "papers.hin")
        return
    server = request.getfixturevalue("neo4j_server")
    opened = open_store(server.url, model=tmp_path / "papers.model")
    yield opened
    opened.close()  # type: ignore[attr-defined]


def test_an_empty_place_has_no_graph(store: Store) -> None:
    assert not store.exists()
    with pytest.raises(GraphNotFound):
        store.read_graph()


@pytest.mark.parametrize("make", [sample_graph, hostile_graph, lambda: sample_graph(20, loops=True)])
def test_a_graph_comes_back_as_it_was(store: Store, make: Any) -> None:
    graph = make()
    store.write_graph(graph, options={"inputs": [{"file": "x"}]})
    assert store.exists()
    back = store.read_graph()
    assert graph.equals(back)
    assert dict(back.schema) == dict(graph.schema)
    assert {k: (v.rows.tolist(), v.names) for k, v in back.dangling.items()} == {
        k: (v.rows.tolist(), v.names) for k, v in graph.dangling.items()
    }
    loaded = store.stage("load")
    assert loaded is not None
    assert loaded.options == {"inputs": [{"file": "x"}]}
    assert store.check() == []


def test_writing_again_changes_nothing(store: Store) -> None:
    graph = sample_graph()
    store.write_graph(graph, options={})
    store.write_graph(graph, options={})
    assert graph.equals(store.read_graph())


def test_another_graph_takes_the_place_of_the_first(store: Store) -> None:
    first, second = sample_graph(30), sample_graph(12, seed=1)
    store.write_graph(first, options={})
    store.write_stage("motifs", sample_findings(first).save, {})
    store.write_graph(second, options={})
    assert second.equals(store.read_graph())
    assert store.stage("motifs") is None


def test_stages_are_kept_and_dropped_with_the_one_before(store: Store) -> None:
    graph = sample_graph()
    found = sample_findings(graph)
    store.write_graph(graph, options={})
    assert store.stage("motifs") is None
    store.write_stage("motifs", found.save, {"min_count": 2})
    store.write_stage("embed", lambda folder: (folder / "x").write_text("x") and None, {"dim": 3})
    kept = store.stage("embed")
    assert kept is not None
    assert kept.options == {"dim": 3}
    assert (kept.path / "x").read_text() == "x"
    assert Findings.of_store(store).identity() == found.identity()
    store.write_stage("classify", lambda folder: (folder / "y").write_text("y") and None, {})
    assert store.stage("classify") is not None
    store.write_stage("embed", lambda folder: (folder / "x").write_text("z") and None, {"dim": 4})
    assert store.stage("classify") is None
    changed = store.stage("embed")
    assert changed is not None
    assert changed.options == {"dim": 4}


def test_two_writers_exclude_one_another(store: Store) -> None:
    from hin.errors import GraphBusy

    other = type(store)(store.location)
    with store.lock(), pytest.raises(GraphBusy, match="another process is writing"), other.lock():
        pass
    with other.lock():
        pass


@pytest.mark.parametrize("name", ["motifs", "embed", "classify"])
def test_a_stage_of_a_replaced_graph_is_not_written(store: Store, tmp_path: Path, name: str) -> None:
    store.write_graph(sample_graph(30), options={})
    store.read_graph()
    winner = open_store(store.location, None if isinstance(store, FolderStore) else tmp_path / "other.model")
    winner.write_graph(sample_graph(12, seed=1), options={})
    with pytest.raises(GraphChanged, match="by another process, whose version stays"):
        store.write_stage(name, lambda folder: None, {})
    assert len(winner.read_graph()) == 12
    assert winner.stage(name) is None
    assert winner.check() == []
    winner.close()
