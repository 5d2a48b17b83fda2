"""A result belongs to the graph it was computed from: who comes too late says so and leaves the winner's state."""

from __future__ import annotations

from pathlib import Path

import pytest

import hin
from hin.errors import GraphChanged
from hin.stores.base import open_store
from hin.stores.findings import Findings
from hin.stores.folder import FolderStore


def note(text: str):  # type: ignore[no-untyped-def]
    def write(folder: Path) -> None:
        (folder / "note.txt").write_text(text)

    return write


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        rows = "".join(f'{{"id": "{name}{i}", "text": "{name} words {i}"}}\n' for i in range(3))
        (tmp_path / f"{name}.jsonl").write_text(rows)
    hin.load(tmp_path / "a.jsonl", graph=tmp_path / "g.hin")
    return tmp_path / "g.hin"


def replace_graph(place: Path) -> bytes:
    hin.load(place.parent / "b.jsonl", graph=place, replace=True)
    return (place / "manifest.json").read_bytes()


@pytest.mark.parametrize("name", ["motifs", "embed", "classify"])
def test_a_stage_of_a_replaced_graph_is_not_written(place: Path, name: str) -> None:
    store = open_store(place)
    store.read_graph()
    after = replace_graph(place)
    with pytest.raises(GraphChanged, match="was changed by another process, whose version stays"):
        store.write_stage(name, note("old"), {})
    assert (place / "manifest.json").read_bytes() == after
    assert FolderStore(place).check() == []
    assert FolderStore(place).stage(name) is None
    store.read_graph()  # who reads again may write again
    store.write_stage(name, note("new"), {})


def test_a_classification_of_another_embedding_is_not_written(place: Path) -> None:
    mine, other = open_store(place), open_store(place)
    mine.read_graph()
    mine.write_stage("embed", note("mine"), {})
    other.read_graph()
    other.write_stage("embed", note("other"), {})
    with pytest.raises(GraphChanged):
        mine.write_stage("classify", note("of mine"), {})
    assert FolderStore(place).stage("classify") is None


def test_graph_and_stages_are_never_of_two_states(place: Path) -> None:
    store = open_store(place)
    store.read_graph()
    replace_graph(place)
    FolderStore(place).write_stage("motifs", note("of b"), {})
    with pytest.raises(GraphChanged):
        Findings.of_store(store)


def test_other_motifs_do_not_hinder_an_embedding(place: Path) -> None:
    store = open_store(place)
    store.read_graph()
    store.stage("motifs")
    FolderStore(place).write_stage("motifs", note("other"), {})
    store.write_stage("embed", note("mine"), {})
    assert store.stage("embed") is not None
