"""Tampered graphs and models: every file that hin keeps, spoiled, under every command that reads it."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.campaign.attempts import Attempt, call, complaints
from benchmarks.campaign.mangling import mangle, mangle_array

__all__ = ["tampering_attempts"]

_SMALL = ("--dim", "8", "--epochs", "1", "--min-count", "1")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("info",),
    ("info", "--check"),
    ("motifs",),
    ("motifs", "--pattern", "venue-author", "--min-count", "1"),
    ("motifs", "--discover"),
    ("query", "MATCH (d:Document)-[:HAS_VENUE]->(v) RETURN d.id, v.name"),
    ("query", "MATCH (m:Motif)-[:INDICATES]->(c:Category) RETURN m.name, c.name"),
    ("export", "graphml", "-o", "o.graphml"),
    ("export", "csv", "-o", "o"),
    ("export", "jsonl", "-o", "o.jsonl"),
    ("export", "neo4j-import", "-o", "o"),
    ("embed", *_SMALL, "--pattern", "venue"),
    ("embed", "--nearest", "VENUE[games 0]"),
    ("select", "--categories", "labels.txt", *_SMALL),
    ("explain", "d1"),
    ("evaluate",),
    ("evaluate", "--pseudo"),
    ("report", "--out", "o.html"),
    ("predict", "new.jsonl", "--out", "o.csv"),
    ("predict", "new.jsonl", "--model", "model", "--out", "o.jsonl"),
    ("copy", "g.hin", "h.hin"),
    ("load", "new.jsonl", "--append"),
    ("classify", "--categories", "labels.txt", *_SMALL),
)


def tampering_attempts(count: int, seed: int, graph: Path) -> list[Attempt]:
    """Return attempts on copies of a graph's folder and of the model beside it."""
    home = graph.parent
    files = sorted(
        path.relative_to(home).as_posix()
        for path in (*graph.rglob("*"), *(home / "model").rglob("*"))
        if path.is_file() and path.name != ".lock"
    )
    made = []
    for i in range(count):
        rng = random.Random(f"tampering {seed} {i}")
        # A step through the files that has no factor in common with them meets every pair in time.
        made.append(_attempt(files[i % len(files)], COMMANDS[(i // len(files) + i) % len(COMMANDS)], home, rng))
    return made


def _attempt(file: str, command: tuple[str, ...], home: Path, rng: random.Random) -> Attempt:
    def run(folder: Path) -> list[str]:
        for name in ("g.hin", "model"):
            shutil.copytree(home / name, folder / name)
        for name in ("new.jsonl", "labels.txt"):
            shutil.copy(home / name, folder / name)
        (folder / "outside.txt").write_text("keep")
        how = _tamper(folder / file, rng)
        place = () if command[0] == "copy" else ("--graph", "g.hin")
        code, _, err = call(folder, *command, *place)
        found = complaints(code, err, f"{file} ({how}) under {' '.join(command)}:")
        if (folder / "outside.txt").read_text() != "keep":
            found.append(f"wrote outside | {file} ({how}) under {' '.join(command)}")
        return found

    return Attempt(re.sub(r"-[0-9a-f]{12}/", "/", re.sub(r"/\d+-", "/N-", file)).removeprefix("g.hin/"), run)


def _tamper(path: Path, rng: random.Random) -> str:
    """Spoil one file; returns how."""
    data = path.read_bytes()
    ways: list[tuple[str, Callable[[], Any]]] = [
        ("mangled", lambda: path.write_bytes(mangle(data, rng))),
        ("mangled", lambda: path.write_bytes(mangle(data, rng))),
        ("empty", lambda: path.write_bytes(b"")),
        ("cut", lambda: path.write_bytes(data[: rng.randrange(len(data) + 1)])),
        ("gone", lambda: path.unlink()),
        ("link", lambda: _replace(path, lambda: path.symlink_to("../../outside.txt"))),
        ("folder", lambda: _replace(path, path.mkdir)),
        ("pipe", lambda: _replace(path, lambda: os.mkfifo(path))),
        ("another", lambda: path.write_bytes(rng.choice(_siblings(path)).read_bytes())),
    ]
    if path.suffix == ".npy":
        ways += [("numbers", lambda: path.write_bytes(mangle_array(data, rng)))] * 6
    if path.suffix == ".json":
        ways += [("values", lambda: path.write_text(json.dumps(_odd_json(json.loads(data), rng))))] * 6
    how, spoil = rng.choice(ways)
    spoil()
    return how


def _siblings(path: Path) -> list[Path]:
    return sorted(other for other in path.parent.iterdir() if other.is_file() and other.suffix == path.suffix)


def _replace(path: Path, make: Callable[[], Any]) -> None:
    path.unlink()
    make()


_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    float("nan"),
    "",
    "../../outside.txt",
    "/etc/passwd",
    "\0",
    "\ud800",
    [],
    {},
    [[]],
    ["x"],
)


def _odd_json(value: Any, rng: random.Random) -> Any:
    """Return JSON with one value, key or entry that should not be there, anywhere in it."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        kind = rng.random()
        if kind < 0.15:
            return {k: v for k, v in value.items() if k != key}
        if kind < 0.25:
            return {**value, rng.choice(("x", "../x", "__proto__", "")): value[key]}
        return {**value, key: _odd_json(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], _odd_json(value[at], rng), *value[at + rng.randrange(2) :]]
    return rng.choice(_VALUES)
