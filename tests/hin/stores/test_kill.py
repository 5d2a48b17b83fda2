"""SIGKILL at any point of `load`: the graph opens, and is the old one or the new one."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hin
from hin.errors import GraphNotFound
from hin.graph import Graph
from hin.stores.folder import FolderStore

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")]

RANDOM_KILLS = 12
EVERY = 3  # of the steps; those around the end, where the new graph takes the old one's place, are all tried
Job = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def job() -> Iterator[Job]:
    """Runs a command in a child that can be killed."""
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    script = str(Path(__file__).with_name("kill_runner.py"))
    with subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as runner:
        assert runner.stdin is not None
        assert runner.stdout is not None

        def run(*arguments: str, after: float | None = None, at: int | None = None) -> dict[str, Any]:
            runner.stdin.write(json.dumps({"arguments": arguments, "after": after, "at": at}) + "\n")
            runner.stdin.flush()
            answer: dict[str, Any] = json.loads(runner.stdout.readline())
            return answer

        yield run
        runner.stdin.close()


class Case:
    """A graph on disk, a command that changes it, and the two states that may be found."""

    def __init__(self, folder: Path, mode: str, job: Job) -> None:
        self.job = job
        self.place = folder / "papers.hin"
        self.saved = folder / "saved.hin"
        first, second = folder / "first.jsonl", folder / "second.jsonl"
        first.write_text("".join(self.row(i) for i in range(30)))
        second.write_text("".join(self.row(i) for i in range(30, 70)))
        self.command = ["load", str(second), "--graph", str(self.place), "--quiet"]
        if mode != "create":
            self.command.append(f"--{mode}")
            assert job("load", str(first), "--graph", str(self.saved), "--quiet")["code"] == 0
        self.reset()
        self.old = self.look()
        done = job(*self.command)
        assert done["code"] == 0
        self.steps, self.seconds = done["steps"], done["seconds"]
        new = self.look()
        assert new is not None
        self.new = hin.open(self.keep(folder / "new.hin"))
        self.seen = {"old": 0, "new": 0}

    @staticmethod
    def row(i: int) -> str:
        text = f"black hole number {i} and other words {i % 7}"
        return json.dumps({"id": f"p{i}", "text": text, "author": [f"a{i % 5}", f"b{i % 3}"], "year": 2000 + i}) + "\n"

    def keep(self, target: Path) -> Path:
        shutil.copytree(self.place, target)
        return target

    def reset(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        if self.saved.exists():
            shutil.copytree(self.saved, self.place)

    def look(self) -> Graph | None:
        """What a reader finds; anything but a whole graph or none at all is a failure."""
        try:
            graph = hin.open(self.place)
        except GraphNotFound:
            return None
        assert FolderStore(self.place).check() == []
        return graph

    def check(self) -> None:
        found = self.look()
        if found is None or self.old is None:
            is_old, is_new = found is None and self.old is None, found is not None and found.equals(self.new)
        else:
            old = hin.open(self.saved)
            is_old, is_new = found.equals(old), found.equals(self.new)
        assert is_old or is_new
        self.seen["new" if is_new else "old"] += 1

    def check_that_life_goes_on(self) -> None:
        """A dead writer leaves no lock and no litter that a next one would trip over."""
        again = self.job(*self.command)["code"]
        found = self.look()
        assert found is not None
        assert found.equals(self.new)
        if again == 0:  # otherwise the killed one had come through, and create and append refuse to do it twice
            left = sorted(path.name.split("-")[0] for path in self.place.iterdir())
            assert left == [".lock", "load", "manifest.json"]


@pytest.mark.parametrize("mode", ["create", "replace", "append"])
def test_killed_before_a_step_on_the_disk(tmp_path: Path, job: Job, mode: str) -> None:
    case = Case(tmp_path, mode, job)
    assert case.steps > 20
    for step in sorted({*range(1, case.steps + 1, EVERY), *range(case.steps - 10, case.steps + 1)}):
        case.reset()
        assert job(*case.command, at=step)["killed"]
        case.check()
        if step % 8 == 0:
            case.check_that_life_goes_on()
    assert case.seen["old"] > 0
    assert case.seen["new"] > 0


@pytest.mark.parametrize("mode", ["replace", "append"])
def test_killed_at_a_random_moment(tmp_path: Path, job: Job, mode: str) -> None:
    case = Case(tmp_path, mode, job)
    moments = random.Random(0)
    for number in range(RANDOM_KILLS):
        case.reset()
        job(*case.command, after=moments.uniform(0, 1.1 * case.seconds))
        case.check()
        if number % 5 == 0:
            case.check_that_life_goes_on()
