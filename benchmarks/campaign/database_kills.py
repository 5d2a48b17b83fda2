"""Kills of loads into Neo4j: what is there afterwards is whole or says that it is not, and the next load mends it."""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
from pathlib import Path
from typing import IO

from benchmarks.campaign.attempts import Tally, call, child, complaints
from benchmarks.campaign.material import records
from benchmarks.common import docker_script

__all__ = ["run_database_kills"]

_SIZES = (400, 500)


def run_database_kills(count: int, seed: int, tally: Tally, seconds: float | None = None) -> None:
    """Kill loads at random moments, look, and load again."""
    end = None if seconds is None else time.monotonic() + seconds
    with (
        tempfile.TemporaryDirectory() as place,
        docker_script("neo4j_server").temporary_server(heap="512m", pagecache="64m") as server,
    ):
        os.environ.update(server.environment)
        folder = Path(place)
        for size in _SIZES:
            (folder / f"{size}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in records(size, size)))
        _answer(folder, "load", f"{_SIZES[0]}.jsonl", "--replace")  # the first one also makes the indexes
        start = time.monotonic()
        _answer(folder, "load", f"{_SIZES[1]}.jsonl", "--replace")
        took = time.monotonic() - start
        for i in range(count):
            if end is not None and time.monotonic() > end:
                break
            rng = random.Random(f"database {seed} {i}")
            tally.add(i, "load into Neo4j", _kill(folder, _SIZES[i % 2], rng.random() * took))


def _kill(folder: Path, size: int, delay: float) -> list[str]:
    command = ("load", f"{size}.jsonl", "--replace")
    with child(lambda pipe: os._exit(call(folder, *command)[0])) as (number, _):
        time.sleep(delay)
        os.kill(number, signal.SIGKILL)
        os.waitpid(number, 0)
    code, out, err = _answer(folder, "info", "--json")
    found = complaints(code, err, "info after a kill:")
    if not code and json.loads(out)["documents"] not in _SIZES:
        found.append(f"half | info shows {json.loads(out)['documents']} documents")
    code, _, err = _answer(folder, *command)
    found += [f"does not go on | {err[-300:]}"] if code else []
    code, out, err = _answer(folder, "info", "--json", "--check")
    if code or json.loads(out)["documents"] != size:
        found.append(f"not mended | {err[-300:]}{out[:100]}")
    return found


def _answer(folder: Path, *command: str) -> tuple[int, str, str]:
    """Run a command to its end in a child, as the driver's threads do not survive a fork."""

    def work(pipe: IO[str]) -> None:
        pipe.write(json.dumps(call(folder, *command)))

    with child(work) as (_, lines):
        code, out, err = json.loads(lines.read() or '[-1, "", "it crashed"]')
    return code, out, err
