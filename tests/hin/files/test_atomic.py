"""Files and folders are whole or absent, and nothing of anybody else is touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hin.files.atomic
import hin.files.swap
from hin.errors import BadUsage, NoSpace
from hin.files.atomic import MARK, atomic_file, atomic_folder


def leavings(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".tmp")]


def test_a_file_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def write() -> None:
        with atomic_file(target) as temporary:
            temporary.write_text("half")
            raise OSError(28, "No space left on device")

    with pytest.raises(NoSpace, match=r"no space left to write .*a\.txt"):
        write()
    assert target.read_text() == "old"
    assert leavings(tmp_path) == []


def test_results_are_as_readable_as_other_files(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    with atomic_file(tmp_path / "a") as temporary:
        temporary.write_text("")
    with atomic_folder(tmp_path / "f", "example") as folder:
        (folder / "b").write_text("")
    (tmp_path / "g").mkdir()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert (tmp_path / "f").stat().st_mode == (tmp_path / "g").stat().st_mode


@pytest.mark.parametrize("exchange", [True, False], ids=["one call", "two renames"])
def test_a_folder_is_replaced_whole(tmp_path: Path, exchange: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not exchange:
        monkeypatch.setattr(hin.files.swap, "_exchange", lambda *_: False)
    for text in ("old", "new"):
        with atomic_folder(tmp_path / "f", "example") as folder:
            (folder / f"{text}.txt").write_text(text)
    assert sorted(path.name for path in (tmp_path / "f").iterdir()) == [MARK, "new.txt"]
    assert leavings(tmp_path) == []


@pytest.mark.slow
def test_there_is_a_folder_at_every_moment(tmp_path: Path) -> None:
    """A reader that looks all the time never finds the folder gone or half."""
    watch = (
        "import os, sys\n"
        "print('ready', flush=True)\nseen = set()\n"
        "while not os.path.exists(sys.argv[1] + '.done'):\n    seen.add(os.path.exists(sys.argv[1] + '/a.txt'))\n"
        "print(seen)"
    )
    with atomic_folder(tmp_path / "f", "example") as folder:
        (folder / "a.txt").write_text("0")
    reader = subprocess.Popen([sys.executable, "-c", watch, str(tmp_path / "f")], stdout=subprocess.PIPE, text=True)
    assert reader.stdout is not None and reader.stdout.readline() == "ready\n"
    for _ in range(300):
        with atomic_folder(tmp_path / "f", "example") as folder:
            (folder / "a.txt").write_text("x")
    (tmp_path / "f.done").touch()
    assert reader.communicate()[0].strip() == "{True}"


@pytest.mark.parametrize("kind", ["no mark", "another kind", "more inside", "a link inside"])
def test_only_what_hin_wrote_is_replaced(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "f"
    if kind == "no mark":
        target.mkdir()
        (target / "graph.json").write_text("{}")
    else:
        with atomic_folder(target, "model" if kind == "another kind" else "export") as folder:
            (folder / "a.txt").write_text("x")
    if kind == "a link inside":
        (target / "thesis.tex").symlink_to(tmp_path)
    else:
        (target / "thesis.tex").write_text("mine")
    before = sorted(target.iterdir())

    def write() -> None:
        with atomic_folder(target, "export") as folder:
            (folder / "a.txt").write_text("y")

    with pytest.raises(BadUsage, match="name a new or an empty folder"):
        write()
    assert sorted(target.iterdir()) == before


def test_a_result_never_goes_into_a_graph(tmp_path: Path) -> None:
    import hin

    (tmp_path / "papers.jsonl").write_text('{"id": "p1", "text": "Mining graphs"}')
    hin.load(tmp_path / "papers.jsonl", graph=tmp_path / "g.hin")
    (tmp_path / "link").symlink_to(tmp_path / "g.hin")
    before = (tmp_path / "g.hin" / "manifest.json").read_bytes()
    for place in ("g.hin/manifest.json", "g.hin/new.csv", "link/manifest.json", "link/../g.hin/x"):
        with pytest.raises(BadUsage, match="inside the graph"):
            atomic_file(tmp_path / place).__enter__()
    with pytest.raises(BadUsage, match="inside the graph"):
        atomic_folder(tmp_path / "g.hin" / "tables", "export").__enter__()
    assert (tmp_path / "g.hin" / "manifest.json").read_bytes() == before


def test_a_device_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadUsage, match="not an ordinary file"):
        atomic_file(tmp_path / "pipe").__enter__()


def test_a_killed_writer_is_cleaned_up_after_and_a_living_one_is_not(tmp_path: Path) -> None:
    stay = (
        "import sys, time\nfrom hin.files.atomic import atomic_file, atomic_folder\n"
        "with atomic_file(sys.argv[1] + '/a'), atomic_folder(sys.argv[1] + '/b', 'example'):\n"
        "    print('ready', flush=True)\n    time.sleep(60)"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", stay, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    assert len(leavings(tmp_path)) == 4
    writers[0].kill()
    writers[0].wait()
    with atomic_file(tmp_path / "c") as temporary:
        temporary.write_text("x")
    assert len(leavings(tmp_path)) == 2, "the living writer keeps its own"
    writers[1].kill()
    for writer in writers:
        writer.communicate()
    with atomic_folder(tmp_path / "d", "example"):
        pass
    assert leavings(tmp_path) == []


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("mine")
    (tmp_path / ".hin-planted.tmp").symlink_to(tmp_path / "mine")
    with atomic_file(tmp_path / "a") as temporary:
        temporary.write_text("x")
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "mine"


def test_windows_opens_no_folder_and_replaces_no_open_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, replace, close = os.open, os.replace, os.close
    handles: set[int] = set()

    def open_file(path: str, *how: int, **more: Any) -> int:
        if os.path.isdir(path):
            raise PermissionError(13, "Permission denied", path)
        return opened(path, *how, **more)

    def make(*how: object, **more: object) -> tuple[int, str]:
        made = mkstemp(*how, **more)
        handles.add(made[0])
        return made

    def close_file(handle: int) -> None:
        handles.discard(handle)
        close(handle)

    def replace_closed(source: Path, target: Path) -> None:
        if handles:
            raise PermissionError(32, "The process cannot access the file", str(source))
        replace(source, target)

    mkstemp = hin.files.atomic.tempfile.mkstemp
    monkeypatch.setattr(hin.files.atomic, "fcntl", None)
    monkeypatch.setattr(hin.files.atomic.tempfile, "mkstemp", make)
    for name, function in (("open", open_file), ("close", close_file), ("replace", replace_closed)):
        monkeypatch.setattr(hin.files.atomic.os, name, function)
    for _ in range(2):
        with atomic_file(tmp_path / "a") as temporary:
            temporary.write_text("x")
        with atomic_folder(tmp_path / "b", "example") as folder:
            (folder / "c").write_text("y")
    # `rmtree` on this system opens folders, so what was replaced stays here.
    assert ((tmp_path / "a").read_text(), (tmp_path / "b" / "c").read_text()) == ("x", "y")
    assert not handles
