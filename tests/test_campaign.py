"""A little of each campaign; `make bench RUN=campaign` is the long one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.campaign.attempts import Attempt, Tally, complaints, run_attempts
from benchmarks.campaign.mangling import mangle

ROOT = Path(__file__).parents[1]


def _crash(folder: Path) -> list[str]:
    os.kill(os.getpid(), signal.SIGKILL)  # as a crash would, without its noise
    return []


def test_crashes_and_failures_are_counted_and_the_rest_goes_on() -> None:
    tally = Tally()
    attempts = [Attempt("good", lambda folder: []), Attempt("bad", _crash), Attempt("wrong", lambda folder: ["x | y"])]
    run_attempts(attempts, tally)
    assert dict(tally.attempts) == {"good": 1, "bad": 1, "wrong": 1}
    assert dict(tally.failures) == {"bad: crash": 1, "wrong: x": 1}


def test_what_counts_as_a_failure() -> None:
    assert complaints(1, "hin: no such file; look again\n") == []
    assert complaints(1, "hin: unexpected ValueError in a.py, line 1: x\n")
    assert complaints(1, "Traceback (most recent call last):\n  ...\nValueError: x\n")
    assert complaints(1, "")
    assert complaints(-11, "")


def test_the_same_seed_gives_the_same_faults() -> None:
    data = bytes(range(256)) * 9
    assert mangle(data, random.Random(3)) == mangle(data, random.Random(3)) != data


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "count"), [("files", 78), ("names", 20), ("tampering", 24), ("kills", 4)])
def test_a_short_campaign(kind: str, count: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks", "campaign", kind, "--count", str(count), "--seed", "1"]
    reported = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert reported.returncode == 0, reported.stdout[-3000:] + reported.stderr[-2000:]
