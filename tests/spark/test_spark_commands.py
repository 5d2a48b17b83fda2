"""Every command on every engine: the same files, labels, reasons and figures as on one thread."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hin.engines.local import LocalEngine
from hin.stores.folder import FolderStore
from tests.classify.commands.test_killed import killed, scratch
from tests.spark.test_spark_predict import TOPICS, write_topics

pytestmark = pytest.mark.spark

QUICK = ["--dim", "16", "--epochs", "2", "-p", "author", "--min-count", "2"]
FIT = [*QUICK, "--classifier", "linear", "--knowledge", "none"]


class Kept:
    """An engine that commands do not close: one session serves all tests."""

    def __init__(self, engine: Any) -> None:
        self.engine, self.mapped = engine, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def map(self, *arguments: Any) -> Any:
        self.mapped += 1
        return self.engine.map(*arguments)

    def close(self) -> None:
        """Stay open."""


@pytest.fixture
def on(hin: Callable, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run a command of the command line on an engine, in this process."""

    def run(engine: Any, *arguments: object) -> Any:
        with monkeypatch.context() as patch:
            patch.setenv("HIN_ENGINE", "given")  # without a name, commands open no engine but use threads
            patch.setattr("hin.engines.base.open_engine", lambda _=None: engine)
            done = hin(*arguments)
        assert done.code == 0, done.err
        return done

    return run


def topics(folder: Path) -> tuple[Path, Path]:
    """Documents with labels, and the categories."""
    plain, labels = write_topics(folder / "plain.jsonl", 240), folder / "labels.txt"
    rows = [json.loads(line) for line in plain.read_text().splitlines()]
    file = folder / "documents.jsonl"
    file.write_text("".join(json.dumps({**row, "label": row["author"][0].split("-")[0]}) + "\n" for row in rows))
    labels.write_text("\n".join(TOPICS) + "\n")
    return file, labels


def files_of(graph: Path, stage: str) -> dict[str, bytes]:
    found = FolderStore(graph).stage(stage)
    assert found is not None
    return {str(path.relative_to(found.path)): path.read_bytes() for path in found.path.rglob("*") if path.is_file()}


def test_all_commands_say_the_same(engine: Any, on: Callable, tmp_path: Path) -> None:
    there, one = Kept(engine), LocalEngine("local:1")
    file, labels = topics(tmp_path)
    graphs = {}
    for number, where in enumerate((one, there)):
        graphs[number] = graph = tmp_path / str(number) / "papers.hin"
        graph.parent.mkdir()
        on(where, "load", file, "--graph", graph)
        on(where, "motifs", "-p", "author", "--min-count", "2", "--graph", graph)
        on(where, "embed", *QUICK, "--categories", labels, "--graph", graph)
    for stage in ("load", "motifs", "embed"):
        assert files_of(graphs[1], stage) == files_of(graphs[0], stage)
        options = [FolderStore(graph).stage(stage).options for graph in graphs.values()]
        assert options[0] == options[1]
    reported: list[list[Any]] = []
    for where, graph in zip((one, there), graphs.values(), strict=True):
        folder, place = graph.parent, ["--graph", graph]
        there.mapped = 0
        on(where, "classify", "-c", labels, *FIT, *place, "--out", folder / "labels.csv")
        on(where, "predict", file, "--model", *folder.glob("papers.hin/classify-*/model"), "--out", folder / "new.csv")
        fitted = there.mapped
        report = on(where, "report", *place, "--out", folder / "report.html", "--json").json
        if not there.here and where is there:
            assert 0 < fitted < there.mapped  # the reasons were looked for there, too
        evaluated = on(where, "evaluate", *place, "--pseudo", "--json").json
        reasons = on(where, "explain", "d7", *place, "--json").json
        written = [(folder / name).read_bytes() for name in ("labels.csv", "new.csv", "report.html")]
        reported.append([*written, report["documents"], evaluated, reasons])
    assert reported[1] == reported[0]


def test_rounds_are_asked_for_and_noted(spark: Any, on: Callable, tmp_path: Path) -> None:
    file, _ = topics(tmp_path)
    graph, there = tmp_path / "papers.hin", Kept(spark)
    on(LocalEngine("local:1"), "load", file, "--graph", graph)
    on(there, "embed", *QUICK, "--worker-memory", "0", "--graph", graph)
    stage = FolderStore(graph).stage("embed")
    assert stage is not None
    assert stage.options["groups"] == {"parallel": 2, "turns": 1, "epochs": 2, "worker_memory": 0}
    assert there.mapped >= 2  # a turn a pass
    # It serves as well, here and there.
    assert on(LocalEngine("local:1"), "embed", *QUICK, "--graph", graph, "--json").json["trained"] is False


def test_the_driver_killed_inside_a_fit_leaves_the_finished_stages(spark: Any, on: Callable, tmp_path: Path) -> None:
    file, labels = topics(tmp_path)
    graph, out = tmp_path / "papers.hin", tmp_path / "labels.csv"
    here = Kept(spark)
    on(here, "load", file, "--graph", graph)
    asked = ["classify", "-c", str(labels), *FIT, "--graph", str(graph), "--out", str(out)]
    # The session of the other tests has all cores of the cluster: a driver with workers of its own is killed.
    killed(asked, {"HIN_ENGINE": "spark:local[2]"})
    store = FolderStore(graph)
    assert store.check() == [] and store.stage("classify") is None and not out.exists()
    before = files_of(graph, "embed")
    assert scratch(graph)
    on(here, *asked)
    assert files_of(graph, "embed") == before and out.exists() and not scratch(graph)
