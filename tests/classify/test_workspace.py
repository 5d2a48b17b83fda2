"""The one memory of a pipeline: by key, the newest result of each step, and files that go when they are stale."""

from __future__ import annotations

from pathlib import Path

import pytest

import hin
from classify.workspace import Workspace


@pytest.fixture
def place(tmp_path: Path) -> Path:
    hin.load([{"id": "1", "text": "cats and dogs"}], id="id", text="text", graph=tmp_path / "g.hin")
    return tmp_path / "g.hin"


def test_the_newest_result_of_a_step_is_held_and_its_scratch_files_go_with_it() -> None:
    with Workspace() as workspace:
        first = workspace.remember("words", "a", lambda: workspace.place("words", "a"))
        assert workspace.remember("words", "a", lambda: Path("never")) is first and first.is_dir()
        second = workspace.remember("words", "b", lambda: workspace.place("words", "b"))
        assert second.is_dir() and not first.exists()
    assert not second.exists()


def test_files_of_another_embedding_are_removed_when_new_ones_were_kept(place: Path) -> None:
    store = hin.open_store(place)
    for key in ("one", "two"):
        with Workspace(store) as workspace:
            folder = workspace.files(key)
            folder.mkdir(parents=True)
            assert folder == store.workspace / ".views" / key
    assert [folder.name for folder in (store.workspace / ".views").iterdir()] == ["two"]
    with Workspace(store) as workspace:
        workspace.files("three")  # asked for, but nothing was written
    assert [folder.name for folder in (store.workspace / ".views").iterdir()] == ["two"]


def test_a_stored_graph_is_reported_by_its_content_any_other_object_by_itself(place: Path) -> None:
    one, other = (Workspace(hin.open_store(place)) for _ in range(2))
    assert one.identity(one.graph) == other.identity(other.graph) != one.identity(other.graph)
    assert one.identity(("a", 1)) == other.identity(("a", 1)) != one.identity(("a", 2))
