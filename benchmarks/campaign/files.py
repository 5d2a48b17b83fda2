"""Mangled files: every format, spoiled at random, through `hin load`."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from benchmarks.campaign.attempts import Attempt, call, complaints
from benchmarks.campaign.mangling import mangle
from benchmarks.campaign.material import input_files

__all__ = ["file_attempts"]


def file_attempts(count: int, seed: int) -> list[Attempt]:
    """Return attempts with files that are not what they were."""
    with tempfile.TemporaryDirectory() as place:
        whole = input_files(Path(place))
    names = sorted(whole)
    return [_attempt(names[i % len(names)], whole, random.Random(f"files {seed} {i}")) for i in range(count)]


def _attempt(name: str, whole: dict[str, bytes], rng: random.Random) -> Attempt:
    def run(folder: Path) -> list[str]:
        asked, _, _ = name.partition("/")
        for other, data in whole.items():
            if other == name or (asked != name and other.startswith(f"{asked}/")):
                path = folder / other
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(mangle(data, rng) if other == name else data)
        skip = ("--on-error", "skip") if rng.random() < 0.3 else ()
        code, _, err = call(folder, "load", asked, "--graph", "g.hin", *skip)
        found = complaints(code, err, name)
        if code and (folder / "g.hin" / "manifest.json").exists():
            found.append(f"half a result | {name} {err[-200:]}")
        if not code and rng.random() < 0.2:
            code, _, err = call(folder, "info", "--check", "--graph", "g.hin")
            found += complaints(code, err, f"{name} info") + (["not readable | " + err[-200:]] if code else [])
        return found

    return Attempt(name, run)
