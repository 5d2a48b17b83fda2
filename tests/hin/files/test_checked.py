"""Altered files are found on opening, by name, before a compiled loop meets them."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hin
from hin.errors import DamagedGraph
from hin.files.checked import check_text, load_array
from hin.graph import Csr
from hin.info import describe
from hin.stores.folder import FolderStore


@pytest.fixture
def place(tmp_path: Path) -> Path:
    rows = [
        {
            "id": f"p{i}",
            "text": f"mining graph {i}",
            "author": ["Ann", "Bob"],
            "label": "x",
            "cites": ["p0", "z"],
        }
        for i in range(4)
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    hin.load(tmp_path / "a.jsonl", links="cites", graph=tmp_path / "g.hin")
    return tmp_path / "g.hin"


def numbers(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Path], None]:
    def alter(path: Path) -> None:
        np.save(path, change(np.load(path)))

    return alter


def flip(position: int) -> Callable[[Path], None]:
    def alter(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[position] ^= 0x40
        path.write_bytes(data)

    return alter


def set_first(value: int) -> Callable[[np.ndarray], np.ndarray]:
    def change(array: np.ndarray) -> np.ndarray:
        array[0] = value
        return array

    return change


def touch(graph: hin.Graph) -> None:
    """Ask for everything that is in a graph."""
    for edges in (graph.tokens, *(graph.edges(name) for name in graph.edge_types)):
        assert len(edges.targets) == edges.n_edges and (edges.counts is None or len(edges.counts) == edges.n_edges)


ALTERED = [
    ("terms.targets.npy", numbers(set_first(10**6))),
    ("terms.targets.npy", numbers(set_first(-1))),
    ("tokens.targets.npy", numbers(set_first(10**6))),
    ("tokens.targets.npy", numbers(lambda a: a[:-1])),
    ("field0.offsets.npy", numbers(lambda a: a[::-1].copy())),
    ("field0.offsets.npy", numbers(lambda a: a + 1)),
    ("field0.offsets.npy", numbers(lambda a: a.astype(np.int32))),
    ("field0.targets.npy", numbers(lambda a: a.astype(np.float32))),
    ("terms.counts.npy", numbers(lambda a: a[:-1])),
    ("link0.targets.npy", numbers(set_first(4))),
    ("labels.npy", numbers(set_first(7))),
    ("labels.npy", lambda path: path.write_bytes(b"")),
    ("labels.npy", lambda path: path.write_bytes(b"PK\x03\x04")),
    ("documents.arrow", lambda path: path.write_bytes(path.read_bytes()[:-40])),
    ("graph.json", lambda path: path.write_text("[]")),
    ("graph.json", lambda path: path.write_text('{"fields": 3}')),
    ("graph.json", lambda path: path.write_text("[" * 100_000)),
]


@pytest.mark.parametrize(("file", "alter"), ALTERED, ids=[f"{file}-{i}" for i, (file, _) in enumerate(ALTERED)])
def test_an_altered_file_is_named(place: Path, file: str, alter: Callable[[Path], None]) -> None:
    path = next(place.glob(f"load-*/{file}"))
    alter(path)
    with pytest.raises(DamagedGraph, match=file.partition(".")[0]):
        touch(hin.open(place))


@pytest.mark.parametrize("number", [-1, 10**6, 2**31 - 1])
def test_counting_finds_what_is_out_of_range(place: Path, number: int) -> None:
    numbers(set_first(number))(next(place.glob("load-*/terms.targets.npy")))
    graph = hin.open(place)
    for ask in (lambda: describe(graph), lambda: graph.document_frequency, lambda: graph.edges("term").row(0)):
        with pytest.raises(DamagedGraph, match="terms.targets.npy is damaged: numbers out of range"):
            ask()


def test_stored_edges_are_handed_on_checked(place: Path) -> None:
    edges = hin.open(place).edges("term")
    copied = pickle.loads(pickle.dumps(edges))
    assert type(copied) is Csr and copied.equals(edges)
    numbers(set_first(10**6))(next(place.glob("load-*/terms.targets.npy")))
    with pytest.raises(DamagedGraph):
        pickle.dumps(hin.open(place).edges("term"))


def test_a_name_that_is_no_text_is_found_when_it_is_asked_for(place: Path) -> None:
    path = next(place.glob("load-*/documents.arrow"))
    whole = path.read_bytes()
    first = hin.open(place).documents[0].encode()
    path.write_bytes(whole.replace(first, b"\xff" * len(first)))
    for ask in (lambda names: names[0], lambda names: names[:2], lambda names: names.take([0]), list,
                lambda names: names.tolist(), lambda names: names.arrow, lambda names: names.index("x"),
                pickle.dumps):  # fmt: skip
        with pytest.raises(DamagedGraph, match="documents.arrow is damaged: a name is not UTF-8"):
            ask(hin.open(place).documents)


NAMES = ["Köln", "", "ß", "x" * 50, "日本", "é", "Bonn"]


def test_text_is_reported_from_bytes() -> None:
    import pyarrow as pa

    for names in (NAMES, [], [""], ["", "é"], NAMES * 50):
        whole = pa.array(names, pa.large_string())
        for part in (whole, whole[1:], whole[2:4]):
            check_text(Path("a/b"), part)
    blob = "".join(NAMES).encode()
    for cut in range(len(blob) + 1):
        pieces = pa.array([blob[:cut], blob[cut:]], pa.large_binary()).view(pa.large_string())
        try:
            pieces.validate(full=True)
            check_text(Path("a/b"), pieces)
        except ValueError:  # Arrow, string by string, and we must be of one mind
            with pytest.raises(DamagedGraph, match="not UTF-8"):
                check_text(Path("a/b"), pieces)
    for bad in (b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80"):
        with pytest.raises(DamagedGraph, match="not UTF-8"):
            check_text(Path("a/b"), pa.array([b"ok", bad], pa.large_binary()).view(pa.large_string()))


def test_every_flipped_bit_of_an_offset_is_harmless(place: Path) -> None:
    """One bit in Arrow's offsets made pyarrow read outside of its buffers."""
    path = next(place.glob("load-*/texts.arrow"))
    whole = path.read_bytes()
    for position in range(0, len(whole), 3):
        flip(position)(path)
        try:
            graph = hin.open(place)
            assert [graph.texts.title(i, 20) for i in range(len(graph))]
        except (DamagedGraph, UnicodeDecodeError):
            pass
        path.write_bytes(whole)


@pytest.mark.parametrize("what", ["file", "folder", "manifest", "pipe"])
def test_no_link_is_followed_out_of_a_graph(place: Path, what: str) -> None:
    outside = place.parent / "outside"
    shutil.copytree(place, outside)
    target = next(place.glob("load-*"))
    if what == "folder":
        shutil.rmtree(target)
        target.symlink_to(outside / target.name)
    elif what == "manifest":
        (place / "manifest.json").unlink()
        (place / "manifest.json").symlink_to(outside / "manifest.json")
    else:
        (target / "terms.arrow").unlink()
        if what == "pipe":
            os.mkfifo(target / "terms.arrow")
        else:
            (target / "terms.arrow").symlink_to(outside / target.name / "terms.arrow")
    with pytest.raises(DamagedGraph):
        hin.open(place)
    with pytest.raises(DamagedGraph):
        hin.copy(place, place.parent / "copy.hin")


def test_a_pipe_in_place_of_the_manifest_is_not_waited_for(place: Path) -> None:
    (place / "manifest.json").unlink()
    os.mkfifo(place / "manifest.json")
    with pytest.raises(DamagedGraph, match="not an ordinary file"):
        FolderStore(place).stage("load")
    with pytest.raises(DamagedGraph):
        hin.export(place, "csv", place.parent / "tables")


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m["stages"]["load"].update(folder="../outside/load-0123456789ab"),
        lambda m: m["stages"]["load"].update(folder="/etc"),
        lambda m: m["stages"]["load"]["files"].update({"../../x": "0"}),
        lambda m: m["stages"]["load"]["files"].update({"/etc/passwd": "0"}),
        lambda m: m["stages"]["load"].update(files=[]),
        lambda m: m["stages"]["load"].update(options=None),
        lambda m: m["stages"].update(load=3),
        lambda m: m["stages"].update(other=m["stages"]["load"]),
        lambda m: m["stages"].update(embed={**m["stages"]["load"], "folder": "embed-0123456789ab"}),
        lambda m: m.update(stages=[]),
        lambda m: m.update(format=True),
    ],
)
def test_a_manifest_is_checked_to_the_last_entry(place: Path, change: Callable[[dict], None]) -> None:
    path = place / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))
    for use in (hin.open, lambda p: FolderStore(p).check(), lambda p: FolderStore(p).stage("embed")):
        with pytest.raises(DamagedGraph):
            use(place)


def test_a_head_that_python_cannot_even_cut_is_damage(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(3))
    data = (tmp_path / "a.npy").read_bytes()
    (tmp_path / "a.npy").write_bytes(data.replace(b"(3,), }", b"((((((("))
    with pytest.raises(DamagedGraph, match=r"a\.npy is damaged"):
        load_array(tmp_path / "a.npy", "int64")
