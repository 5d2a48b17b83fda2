"""`hin classify` killed with SIGKILL inside the fit: the folder is as before, and a second run goes on from there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from embed.sgd.trainer import Trainer
from hin.demo.corpus import DemoOptions, write_demo
from hin.stores.folder import FolderStore

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs SIGKILL")]

ROOT = Path(__file__).resolve().parents[3]
QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue", "--classifier", "linear", "--knowledge", "none"]
#: Ends the process where naive Bayes has half of its rounds behind it: encoded documents and views lie in files.
DEADLY = """\
import os, signal, sys
import classify.recipe.soft_labels as recipe
recipe.discriminant_scores = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
from cli import main
main(sys.argv[1:])
"""


def killed(arguments: list[str], environment: Mapping[str, str]) -> None:
    """Run a command that kills itself inside the fit."""
    everything = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    ended = subprocess.run([sys.executable, "-c", DEADLY, *arguments], env=everything, capture_output=True, timeout=300)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()


def scratch(graph: Path) -> list[Path]:
    return list(graph.glob(".work-*"))


def test_a_second_run_goes_on_from_the_finished_stages(
    hin: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, graph, out = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin", tmp_path / "out.csv"
    hin("load", files.documents, "--graph", graph)
    loaded = FolderStore(graph).stage("load")
    asked = ["classify", "-c", str(files.labels), *QUICK, "--graph", str(graph), "--out", str(out)]
    killed(asked, {})
    store = FolderStore(graph)
    assert store.check() == [] and store.stage("classify") is None and not out.exists()
    assert loaded is not None and store.stage("load") == loaded
    assert store.stage("embed") is not None and scratch(graph)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the embedding was trained already")

    with monkeypatch.context() as only:
        only.setattr(Trainer, "run", never)
        assert hin(*asked).code == 0
    assert out.exists() and not scratch(graph) and FolderStore(graph).stage("classify") is not None
    first, again = out.read_bytes(), tmp_path / "again.hin"
    hin("load", files.documents, "--graph", again)
    hin(*asked[:-4], "--graph", again, "--out", out)  # never interrupted
    assert out.read_bytes() == first
