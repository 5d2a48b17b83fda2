"""Kills at any moment of every command that writes: what was there stays, or what comes is whole."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.campaign.attempts import Tally, call, child
from benchmarks.campaign.material import records

__all__ = ["WRITERS", "run_kills"]

_SMALL = ("--dim", "8", "--epochs", "1", "--min-count", "1", "--categories", "labels.txt")
#: How many attempts pass over the commands that train, which take most of the time.
_RARE = 4
#: Commands that write, in a folder that has a graph with all stages; `{out}` is where the first run wrote too.
WRITERS: tuple[tuple[str, ...], ...] = (
    ("load", "other.jsonl", "--graph", "g.hin", "--replace"),
    ("load", "new.jsonl", "--graph", "g.hin", "--append"),
    ("load", "other.jsonl", "--graph", "fresh.hin"),
    ("motifs", "--graph", "g.hin", "--pattern", "author", "--min-count", "1", "--out", "motifs.csv"),
    ("embed", "--graph", "g.hin", "--dim", "12", "--epochs", "1", "--min-count", "1"),
    ("classify", "--graph", "g.hin", *_SMALL, "--seed", "1", "--out", "out.csv", "--save-model", "model"),
    ("predict", "new.jsonl", "--graph", "g.hin", "--out", "out.csv"),
    ("export", "csv", "--graph", "g.hin", "--out", "tables"),
    ("export", "graphml", "--graph", "g.hin", "--out", "g.graphml"),
    ("report", "--graph", "g.hin", "--out", "report.html"),
    ("query", "MATCH (d:Document) RETURN d.id", "--graph", "g.hin", "--format", "csv", "--out", "query.csv"),
    ("copy", "g.hin", "copy.hin", "--replace"),
)


def run_kills(count: int, seed: int, graph: Path, tally: Tally, seconds: float | None = None) -> None:
    """Kill each command at random moments of its run, and look at what is left."""
    home = Path(tempfile.mkdtemp(prefix="hin-kills-")) / "home"
    shutil.copytree(graph.parent, home)
    (home / "other.jsonl").write_text("".join(json.dumps(row) + "\n" for row in records(30, 2)))
    end = None if seconds is None else time.monotonic() + seconds
    known: dict[int, tuple[dict[str, str], dict[str, str], float]] = {}
    for i in range(count):
        if end is not None and time.monotonic() > end:
            break
        which = i % len(WRITERS)
        if WRITERS[which][0] in ("embed", "classify") and i // len(WRITERS) % _RARE:
            which = (i // len(WRITERS)) % 3  # a load instead
        if which not in known:
            known[which] = _whole(home, WRITERS[which])
        rng = random.Random(f"kills {seed} {i}")
        tally.add(i, WRITERS[which][0], _kill(home, WRITERS[which], known[which], rng))
    shutil.rmtree(home.parent, ignore_errors=True)


def _prepare(home: Path) -> Path:
    folder = home.parent / "kill"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(home, folder)
    for name in ("out.csv", "motifs.csv", "query.csv", "g.graphml", "report.html"):
        (folder / name).write_text("old")
    shutil.copytree(home / "g.hin", folder / "copy.hin")
    return folder


def _whole(home: Path, command: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str], float]:
    """Run a command to its end; returns what is there before and after, and how long it took."""
    folder = _prepare(home)
    before, start = _state(folder), time.monotonic()
    with child(lambda pipe: pipe.write(json.dumps(call(folder, *command))) and None) as (_, lines):
        code, _, err = json.loads(lines.read() or '[-1, "", "it crashed"]')
    if code:
        raise SystemExit(f"{' '.join(command)} ended with {code} without being killed: {err}")
    return before, _state(folder), time.monotonic() - start


def _kill(
    home: Path, command: tuple[str, ...], known: tuple[dict[str, str], dict[str, str], float], rng: random.Random
) -> Sequence[str]:
    before, after, seconds = known
    folder = _prepare(home)
    with child(lambda pipe: os._exit(call(folder, *command)[0])) as (number, _):
        time.sleep(rng.random() * seconds)
        os.kill(number, signal.SIGKILL)
        os.waitpid(number, 0)
    found = []
    what = " ".join(command)[:60]
    left = _state(folder)
    for name, digest in left.items():
        if digest not in (before.get(name), after.get(name)):
            found.append(f"half | {what}: {name}")
    # Of a graph only the documents must be there: what was found in them goes when they change.
    kept = [name for name in before if ":" not in name or name.endswith(":load")]
    found += [f"lost | {what}: {name}" for name in kept if name not in left]
    found += _afterwards(folder, command, what)
    return found


def _afterwards(folder: Path, command: tuple[str, ...], what: str) -> list[str]:
    """List the faults of a second run of a killed command: it must work, and remove what the first one left."""

    def work(pipe: object) -> None:
        again = (*command, "--update") if "--append" in command else command
        if "fresh.hin" in command and (folder / "fresh.hin" / "manifest.json").exists():
            again = (*command, "--replace")
        code, _, err = call(folder, *again)
        checked, _, reported = call(folder, "info", "--check", "--graph", "g.hin")
        pipe.write(json.dumps([code or checked, err[-200:] + reported[-200:]]))  # type: ignore[attr-defined]

    with child(work) as (_, lines):
        code, err = json.loads(lines.read() or '[1, "no answer"]')
    found = [f"does not go on | {what}: {err}"] if code else []
    left = [p.name for p in folder.rglob(".*") if p.name.startswith((".hin-", ".tmp-"))]
    return found + ([f"leavings | {what}: {left[:3]}"] if left else [])


def _state(folder: Path) -> dict[str, str]:
    """Return a digest of everything a user can see: files, folders of results, the stages of graphs."""
    state = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or (path.is_dir() and not any(p.name[0] != "." for p in path.iterdir())):
            continue
        if path.suffix == ".hin":
            if (path / "manifest.json").exists():  # a stage's folder is named by the hashes of its files
                stages = json.loads((path / "manifest.json").read_bytes())["stages"]
                state |= {f"{path.name}:{stage}": entry["folder"] for stage, entry in stages.items()}
            continue
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        digest = hashlib.sha256()
        for file in files:
            if file.is_file():
                digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + _content(file))
        state[path.name] = digest.hexdigest()
    return state


def _content(file: Path) -> bytes:
    """Return a file's bytes; of a report, which holds the time it was made, only whether it is complete."""
    data = file.read_bytes()
    return b"whole" if file.suffix == ".html" and data.rstrip().endswith(b"</html>") else data
