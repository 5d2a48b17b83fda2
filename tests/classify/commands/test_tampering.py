"""A classified graph and a saved model with one file spoiled: no command shows a traceback, `--check` notices."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from hin.stores.folder import _hash_file

pytestmark = pytest.mark.slow

CHECK = ("info", "--check", "--model", "model")
COMMANDS = (
    ("info",),
    ("query", "MATCH (m:Motif)-[:PART]->(p) MATCH (d:Document)-[:CLASSIFIED_AS]->(c) RETURN d.id, m.name LIMIT 3"),
    ("explain", "d1"),
    ("predict", "new.jsonl", "--out", "o.csv"),
    ("predict", "new.jsonl", "--model", "model", "--out", "o.csv"),
    ("evaluate",),
    ("motifs",),
    ("report", "--out", "o.html"),
    CHECK,
)
#: One value of each type that JSON knows, and a number that fits nowhere.
OTHERS: tuple[Any, ...] = (None, True, -1, 10**30, 1.5, "x", [], {}, [[]], ["x"], {"x": 1})
#: Spoiled values between two that are tried: all of them take too long for every day, and are tried every night.
STEP = int(os.environ.get("HIN_TAMPERING_STEP", "11"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a classified graph, its model saved beside it, and new documents."""
    from benchmarks.campaign.material import make_graph

    folder = tmp_path_factory.mktemp("tampering")
    make_graph(folder)
    return folder


@pytest.fixture
def run(home: Path, hin: Callable, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run a command on the graph; anything but a result or one line fails the test."""
    monkeypatch.chdir(home)

    def run(command: tuple[str, ...], what: str) -> int:
        done = hin(*command, "--graph", "g.hin")
        assert "Traceback" not in done.err and "unexpected" not in done.err, f"{what}: {command}: {done.err}"
        assert not done.code or done.err.splitlines()[-1].startswith("hin: "), f"{what}: {command}: {done.err}"
        return int(done.code)

    return run


def files_of(home: Path) -> list[Path]:
    """Return the files of the graph and of the model whose content no other file determines."""
    found = [path for name in ("g.hin", "model") for path in sorted((home / name).rglob("*")) if path.is_file()]
    # The lock is empty, the mark of a model is for `--save-model`, views are made again, and a past classification
    # shares the bytes of the stage's files.
    found = [path for path in found if path.name not in (".lock", ".made-by-hin") and ".views" not in path.parts]
    return [path for path in found if ".classifications" not in path.parts or path.stat().st_nlink == 1]


def spoiled(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a value with one part of it, the first of each list and object in it, of another type."""
    for other in OTHERS:
        if type(other) is not type(value):
            yield repr(other), other
    if isinstance(value, list) and value:
        yield from ((f"[0] {how}", [part, *value[1:]]) for how, part in spoiled(value[0]))
    if isinstance(value, dict):
        alike = all(isinstance(part, str) for part in value.values())
        for key in list(value)[: 2 if alike else None]:
            yield f"without {key}", {other: part for other, part in value.items() if other != key}
            yield from ((f"{key} {how}", {**value, key: part}) for how, part in spoiled(value[key]))


def forge(home: Path, path: Path) -> None:
    """Write the hash of a file that was changed into the manifest."""
    manifest = home / "g.hin" / "manifest.json"
    described = json.loads(manifest.read_text())
    for entry in described["stages"].values():
        folder = manifest.parent / entry["folder"]
        if path.is_relative_to(folder):
            entry["files"][path.relative_to(folder).as_posix()] = _hash_file(path)
    manifest.write_text(json.dumps(described))


def test_a_file_that_is_short_empty_or_gone_is_noticed(home: Path, run: Callable[..., int]) -> None:
    assert run(CHECK, "untouched") == 0
    others = cycle(COMMANDS[:-2])
    for path in files_of(home):
        data, what = path.read_bytes(), path.relative_to(home).as_posix()
        for way, content in (
            ("cut", data[: len(data) // 2]),
            ("short", data[:-1]),
            ("zeros", bytes(len(data))),
            ("", None),
        ):
            if content is None:
                path.rename(home / "aside")  # and not removed: a past classification shares the file
            else:
                path.write_bytes(content)
            if way == "short" and path.suffix == ".json":  # a line end
                continue
            if way == "cut":
                run(next(others), f"{what} {way}")
            cached = ".knowledge" in path.parts  # made again where it cannot be read, so nothing is wrong
            assert run(CHECK, f"{what} {way}") == (0 if cached else 1), f"{what} {way}"
        (home / "aside").replace(path)
        path.write_bytes(data)


@pytest.mark.parametrize(
    "name", ["cnn-hidden_bias.npy", "linear-idf.npy", "categories.npy", "nearest.npy", "vectors.npy"]
)
def test_a_check_reads_what_the_hashes_do_not_tell(home: Path, run: Callable[..., int], name: str) -> None:
    manifest = (home / "g.hin" / "manifest.json").read_bytes()
    for path in [path for path in files_of(home) if path.name == name]:
        data = path.read_bytes()
        path.write_bytes(data[:-1])
        forge(home, path)
        assert run(CHECK, str(path)) == 1, path
        path.write_bytes(data)
        (home / "g.hin" / "manifest.json").write_bytes(manifest)


@pytest.mark.parametrize(("stage", "option"), [("classify", "categories"), ("embed", "patterns")])
def test_an_option_that_is_gone_is_reported(home: Path, run: Callable[..., int], stage: str, option: str) -> None:
    manifest = home / "g.hin" / "manifest.json"
    data = manifest.read_text()
    spoiled_manifest = json.loads(data)
    del spoiled_manifest["stages"][stage]["options"][option]
    manifest.write_text(json.dumps(spoiled_manifest))
    try:
        for command in COMMANDS:
            run(command, f"{stage} without {option}")
        assert run(("evaluate", "--pseudo"), f"{stage} without {option}") == 1
    finally:
        manifest.write_text(data)


@pytest.mark.parametrize("value", [3, None, "x", {}, ["x", 3], [["x"]]])
def test_fields_of_another_type_are_reported(home: Path, run: Callable[..., int], value: Any) -> None:
    [path] = (home / "g.hin").glob("load-*/graph.json")
    data = path.read_text()
    path.write_text(json.dumps({**json.loads(data), "fields": value}))
    try:
        assert {run(command, f"fields {value!r}") for command in COMMANDS if "model" not in command} == {1}
    finally:
        path.write_text(data)


@pytest.mark.parametrize("value", ["missing", {}, [[]], "x"])
def test_options_of_another_type_are_reported(home: Path, run: Callable[..., int], value: Any) -> None:
    path = home / "g.hin" / "manifest.json"
    data = path.read_text()
    described = json.loads(data)
    options = described["stages"]["classify"]["options"]
    if value == "missing":
        del options["retrieved"]
    else:
        options["retrieved"] = value
    path.write_text(json.dumps(described))
    try:
        assert run(("evaluate",), f"retrieved {value!r}") == 1
    finally:
        path.write_text(data)


def test_values_of_another_type_are_reported(home: Path, run: Callable[..., int]) -> None:
    others, tried, faults = cycle(COMMANDS[:-2]), 0, []
    manifest = (home / "g.hin" / "manifest.json").read_bytes()
    for path in [path for path in files_of(home) if path.suffix == ".json"]:
        data = path.read_text()
        for number, (how, value) in enumerate(spoiled(json.loads(data))):
            if number % STEP:
                continue
            path.write_text(json.dumps(value))
            if path.name != "manifest.json":
                forge(home, path)
            what = f"{path.relative_to(home)}: {how}"
            for command in (next(others), CHECK):
                try:
                    run(command, what)
                except AssertionError as error:  # go on: one run lists them all
                    faults.append(str(error).splitlines()[0])
            tried += 1
            path.write_text(data)
            (home / "g.hin" / "manifest.json").write_bytes(manifest)
    assert not faults, "\n".join(faults)
    assert tried > 100
