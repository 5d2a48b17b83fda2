"""The folder store: whole results or none, one writer, honest about damage."""

from __future__ import annotations

import errno
import json
import multiprocessing
from pathlib import Path

import numpy as np
import pytest

import hin
from hin.errors import BadUsage, DamagedGraph, GraphBusy, GraphNotFound, NewerFormat, NoSpace, StoreError
from hin.reading.options import LoadOptions
from hin.stores.base import open_store
from hin.stores.folder import FolderStore
from hin.stores.manifest import FORMAT


@pytest.fixture
def store(papers: Path) -> FolderStore:
    hin.load(papers, links="cites", graph="papers.hin")
    return FolderStore("papers.hin")


def write_number(number: int):
    return lambda folder: np.save(folder / "number.npy", np.array(number))


@pytest.mark.parametrize("place", ["http://localhost:7474", "neo4j:/localhost", "file:///tmp/papers.hin"])
def test_a_url_that_is_no_database_is_no_folder_either(place: str) -> None:
    with pytest.raises(BadUsage, match="cannot hold a graph.*neo4j://host:7687"):
        open_store(place)


def test_what_is_saved_is_what_is_opened(store: FolderStore, papers: Path) -> None:
    assert store.read_graph().equals(hin.load(papers, links="cites"))
    assert isinstance(store.read_graph().tokens.targets, np.memmap)


def test_no_graph() -> None:
    with pytest.raises(GraphNotFound, match="no graph at nowhere.hin; make one with"):
        FolderStore("nowhere.hin").read_graph()
    assert not Path("nowhere.hin").exists()


def test_stages_come_and_go_with_what_they_are_made_from(store: FolderStore, papers: Path) -> None:
    for name in ("motifs", "embed", "classify"):
        store.write_stage(name, write_number(1), {"seed": 1})
    assert store.stage("classify").options == {"seed": 1}
    assert store.stage("classify").inputs == store.stage("embed").identity
    store.write_stage("motifs", write_number(2), {})
    assert store.stage("classify") is not None, "other motifs do not touch an embedding"
    store.write_stage("embed", write_number(2), {})
    assert store.stage("classify") is None
    hin.load(papers, graph="papers.hin", replace=True)
    assert store.stage("embed") is None
    assert sorted(path.name.split("-")[0] for path in store.root.iterdir()) == [".lock", "load", "manifest.json"]


def test_equal_content_has_equal_names(store: FolderStore, papers: Path) -> None:
    hin.load(papers, links="cites", graph="other.hin")
    assert (store.root / "manifest.json").read_bytes() == Path("other.hin/manifest.json").read_bytes()


def test_a_writer_that_fails_leaves_the_old_state(store: FolderStore) -> None:
    before = (store.root / "manifest.json").read_bytes()

    def half(folder: Path) -> None:
        (folder / "half.npy").write_bytes(b"x")
        raise RuntimeError("boom")

    with pytest.raises(RuntimeError):
        store.write_stage("load", half, {})
    assert (store.root / "manifest.json").read_bytes() == before
    assert not list(store.root.glob(".tmp-*"))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk(store: FolderStore, code: int) -> None:
    def full(folder: Path) -> None:
        raise OSError(code, "No space left on device")

    with pytest.raises(NoSpace, match="no space left to write papers.hin; free some, or name another place"):
        store.write_stage("motifs", full, {})
    assert store.read_graph() is not None
    assert not list(store.root.glob(".tmp-*"))


def test_leavings_of_a_killed_writer_are_swept(store: FolderStore) -> None:
    (store.root / ".tmp-load").mkdir()
    (store.root / "embed-0123456789ab").mkdir()
    store.write_stage("motifs", write_number(1), {})
    assert not (store.root / ".tmp-load").exists()
    assert not (store.root / "embed-0123456789ab").exists()


def test_views_and_scratch_of_a_killed_command_go_with_the_next_writer(store: FolderStore) -> None:
    (abandoned := store.root / ".work-killed").mkdir()
    (abandoned / "owner.lock").touch()
    store.write_stage("embed", write_number(1), {})
    (store.root / ".views" / "some").mkdir(parents=True)
    store.write_stage("motifs", write_number(1), {})
    assert not abandoned.exists()
    assert (store.root / ".views" / "some").exists(), "they were made from an embedding that is still there"
    store.write_graph(store.read_graph(), options={})
    assert not (store.root / ".views").exists()


def _hold(location: str, held: object, release: object) -> None:
    with FolderStore(location).lock():
        held.set()  # type: ignore[attr-defined]
        release.wait(20)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_two_writers_exclude_each_other(store: FolderStore) -> None:
    context = multiprocessing.get_context("spawn")
    held, release = context.Event(), context.Event()
    other = context.Process(target=_hold, args=("papers.hin", held, release))
    other.start()
    assert held.wait(30)
    try:
        with pytest.raises(GraphBusy, match="another process is writing to papers.hin; wait until it has ended"):
            store.write_stage("motifs", write_number(1), {})
    finally:
        release.set()
        other.join()
    store.write_stage("motifs", write_number(1), {})


def test_a_newer_format_is_refused(store: FolderStore) -> None:
    path = store.root / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": FORMAT + 1}))
    with pytest.raises(NewerFormat, match=f"papers.hin has format {FORMAT + 1}, this version reads up to {FORMAT}"):
        store.read_graph()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "x"}'])
def test_a_broken_manifest(store: FolderStore, content: str) -> None:
    (store.root / "manifest.json").write_text(content)
    with pytest.raises(DamagedGraph):
        store.read_graph()


def test_check_finds_every_damaged_file(store: FolderStore) -> None:
    assert store.check() == []
    folder = store.stage("load").path
    (folder / "labels.npy").write_bytes(b"rubbish")
    (folder / "terms.arrow").unlink()
    assert store.check() == [
        f"{folder.name}/labels.npy is not what was written",
        f"{folder.name}/terms.arrow is missing",
    ]
    with pytest.raises(DamagedGraph, match="hin info --check"):
        store.read_graph()


def test_other_peoples_folders_are_left_alone(papers: Path) -> None:
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("years of work")
    with pytest.raises(StoreError, match="mine is a folder with other things in it"):
        hin.load(papers, graph="mine")
    assert [path.name for path in Path("mine").iterdir()] == ["thesis.txt"]


def test_a_file_in_the_way(papers: Path) -> None:
    Path("occupied").write_text("")
    with pytest.raises(StoreError, match="occupied is a file, not a folder"):
        hin.load(papers, graph="occupied")


def test_loading_the_same_again_mends_a_damaged_graph(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    place = tmp_path / "g.hin"
    hin.load(tmp_path / "a.jsonl", graph=str(place))
    names = next(place.rglob("documents.arrow"))
    whole = names.read_bytes()
    names.write_bytes(whole[:-20])
    hin.load_into(str(place), [str(tmp_path / "a.jsonl")], LoadOptions(replace=True))
    assert names.read_bytes() == whole
    assert FolderStore(place).check() == []


def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    (tmp_path / "mine.txt").write_text("keep")
    (tmp_path / "g.hin").mkdir()
    (tmp_path / "g.hin" / ".lock").symlink_to(tmp_path / "mine.txt")
    with pytest.raises(StoreError, match="is a link"):
        hin.load(tmp_path / "a.jsonl", graph=str(tmp_path / "g.hin"))
    assert (tmp_path / "mine.txt").read_text() == "keep"


def test_a_link_in_the_place_of_scratch_is_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("keep")
    (tmp_path / "g.hin").mkdir()
    for name in (".tmp-scratch", ".tmp-load-x", "load-0123456789ab"):
        (tmp_path / "g.hin" / name).symlink_to(tmp_path / "mine")
    hin.load(tmp_path / "a.jsonl", graph=str(tmp_path / "g.hin"))
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.tex"]
    assert not any(path.is_symlink() for path in (tmp_path / "g.hin").iterdir())
