"""Run attempts in forked children, so that a crash or a hang is seen, counted, and stops nothing else."""

from __future__ import annotations

import io
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

__all__ = ["Attempt", "Tally", "call", "child", "complaints", "run_attempts", "warm_up"]

#: Seconds after which an attempt counts as hanging; generous, since the machine may be busy.
PATIENCE = 1200.0
BATCH = 40


@dataclass(frozen=True)
class Attempt:
    """One attack: what it is about, and what does it in an empty folder and returns what went wrong."""

    kind: str
    run: Callable[[Path], list[str]]


@dataclass
class Tally:
    """What came of the attempts."""

    attempts: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, number: int, kind: str, failures: Sequence[str]) -> None:
        """Count one attempt."""
        self.attempts[kind] += 1
        for failure in failures:
            self.failures[f"{kind}: {failure.partition(' | ')[0]}"] += 1
            self.examples.append(f"attempt {number}, {kind}: {failure}")

    def show(self) -> None:
        """Print attempts and failures by kind."""
        width = max([len(kind) for kind in self.attempts] or [0])
        for kind, count in sorted(self.attempts.items()):
            bad = {k: n for k, n in self.failures.items() if k.startswith(f"{kind}: ")}
            reported = ", ".join(f"{k.partition(': ')[2]} {n}" for k, n in sorted(bad.items())) or "none"
            print(f"{kind:{width}}  {count:6,} attempts, failures: {reported}")
        print(f"{sum(self.attempts.values()):,} attempts, {sum(self.failures.values()):,} failures")
        for line in self.examples[:20]:
            print(f"  {line[:600]}")


def warm_up() -> None:
    """Import what the commands need once, in the process that is forked; nothing here may start threads."""
    import numpy  # noqa: F401
    import pyarrow
    import pyarrow.parquet  # noqa: F401

    import motifs.commands  # noqa: F401

    # A power cut is not what is tried here, and waiting for the disk is most of what a small load does.
    os.fsync = lambda handle: None


def call(folder: Path, *arguments: str, given: str = "") -> tuple[int, str, str]:
    """Run a command in this process as the shell would; returns its exit code and what it printed."""
    import cli

    os.chdir(folder)
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(given.encode())), out, err
    code: object = 0
    try:
        cli.main(list(arguments))
    except SystemExit as ended:
        code = ended.code
    finally:
        for stream in (out, err):
            stream.flush()
        sys.stdin, sys.stdout, sys.stderr = streams
    said = [stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err)]  # type: ignore[attr-defined]
    return int(code or 0) if isinstance(code, int) or code is None else 1, said[0], said[1]


def complaints(code: int, err: str, what: str = "") -> list[str]:
    """List the faults of how a command ended: anything but a result or one line."""
    last = (err.strip().splitlines() or [""])[-1]
    found = []
    if "Traceback (most" in err or "hin: unexpected" in err:
        found.append(f"traceback | {what} {last}")
    elif code not in (0, 1, 2):
        found.append(f"exit {code} | {what} {last}")
    elif code and not any(line.startswith(("hin: ", '{"error":')) for line in err.splitlines()):
        found.append(f"no message | {what} {last}")
    if "Warning: " in err:
        found.append(f"warning | {what} {err.strip()[-300:]}")
    return found


def run_attempts(attempts: Sequence[Attempt], tally: Tally, seconds: float | None = None, first: int = 0) -> None:
    """Run attempts in children of some each; what kills a child counts against the attempt that was running."""
    end = None if seconds is None else time.monotonic() + seconds
    at = first
    while at < len(attempts) and (end is None or time.monotonic() < end):
        at = _batch(attempts, at, min(at + BATCH, len(attempts)), tally, end)
        print(f"  {at:,} of {len(attempts):,}, {sum(tally.failures.values()):,} failures", file=sys.stderr, flush=True)


def _batch(attempts: Sequence[Attempt], start: int, stop: int, tally: Tally, end: float | None) -> int:
    """Run some attempts in one child; returns the first that was not run."""

    def work(pipe: IO[str]) -> None:
        for number in range(start, stop):
            with _folder() as folder:
                try:
                    failures = attempts[number].run(folder)
                except Exception as error:  # a fault of the attempt itself must be seen too
                    failures = [f"attempt broke | {type(error).__name__}: {error}"]
            pipe.write(json.dumps(failures) + "\n")
            pipe.flush()
            if end is not None and time.monotonic() > end:
                break

    with child(work) as (number, lines):
        at = start
        while at < stop:
            line = _next_line(lines)
            if line:
                tally.add(at, attempts[at].kind, json.loads(line))
            elif line is None:
                os.kill(number, signal.SIGKILL)
                tally.add(at, attempts[at].kind, ["hang"])
                return at + 1
            else:
                status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
                if status == 0:  # out of time
                    return at
                tally.add(at, attempts[at].kind, [f"crash | signal {-status}"])
                return at + 1
            at += 1
    return at


@contextmanager
def child(work: Callable[[IO[str]], None]) -> Iterator[tuple[int, IO[str]]]:
    """Fork a child that works and writes lines; gives its number and the lines."""
    read, write = os.pipe()
    number = os.fork()
    if number == 0:
        code = 1
        try:
            os.close(read)
            os.setsid()
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            with os.fdopen(write, "w") as pipe:
                work(pipe)
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    lines = os.fdopen(read)
    try:
        yield number, lines
    finally:
        lines.close()
        try:
            if os.waitpid(number, os.WNOHANG)[0] == 0:
                os.waitpid(number, 0)
        except ChildProcessError:
            pass


def _next_line(lines: IO[str]) -> str | None:
    """Return a line, an empty one at the end, None if nothing comes for too long."""
    ready, _, _ = select.select([lines], [], [], PATIENCE)
    return lines.readline() if ready else None


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="hin-campaign-"))
    try:
        yield folder
    finally:
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
