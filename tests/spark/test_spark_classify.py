"""`hin embed` and `hin classify` on a cluster: the same labels as on this machine, also when a worker dies."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from classify import MotifClassifier, Run, Workspace
from embed.learn import edges_of, train
from embed.on_engine import DocumentGroups, train_groups
from embed.options import EmbedOptions
from hin.engines.local import LocalEngine
from hin.graph import Graph
from hin.loading import load
from motifs import match_all
from tests.spark.test_spark_predict import TOPICS, write_topics

pytestmark = pytest.mark.spark

OPTIONS = EmbedOptions(dim=16, epochs=2)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return load(write_topics(tmp_path_factory.mktemp("topics") / "documents.jsonl", 240))


def fitted(graph: Graph, place: Path, engine: Any) -> MotifClassifier:
    model = MotifClassifier(
        list(TOPICS), patterns=["author"], min_count=2, classifier="linear", knowledge=None, embed=OPTIONS
    )
    with Workspace(scratch=place) as workspace:
        return model.fit(graph, run=Run(engine=engine), workspace=workspace)


def test_the_labels_are_the_same(spark: Any, graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = fitted(graph, tmp_path, None), fitted(graph, tmp_path, spark)
    assert here.probabilities_.tobytes() == there.probabilities_.tobytes()
    assert not list(tmp_path.iterdir())


def trained(graph: Graph, engine: Any, place: Path) -> tuple[Any, Any]:
    place.mkdir()
    edges = edges_of(graph, match_all(graph, ["term", "author"], min_count=2))
    return edges, train_groups(edges, OPTIONS, engine, place)[0]


def test_groups_learn_the_same_on_any_engine(spark: Any, graph: Graph, tmp_path: Path) -> None:
    edges, here = trained(graph, LocalEngine("local:1"), tmp_path / "here")
    _, there = trained(graph, spark, tmp_path / "there")
    assert here.table.tobytes() == there.table.tobytes() and here.kappa.tobytes() == there.kappa.tobytes()
    assert DocumentGroups.of(edges, OPTIONS).parallel == 2


def whole(graph: Graph, engine: Any, place: Path, options: EmbedOptions) -> Any:
    place.mkdir()
    motif_set = match_all(graph, ["term", "author"], min_count=2)
    return train(graph, motif_set, options, checkpoint=place / "checkpoint", engine=engine)


@pytest.mark.parametrize("threads", [1, 3])
def test_one_worker_learns_what_this_machine_learns(spark: Any, graph: Graph, tmp_path: Path, threads: int) -> None:
    options = replace(OPTIONS, threads=threads)
    here, there = whole(graph, None, tmp_path / "here", options), whole(graph, spark, tmp_path / "there", options)
    for name in ("vectors", "documents", "contexts", "kappa_learned", "kappa_estimated"):
        assert getattr(here, name).tobytes() == getattr(there, name).tobytes(), name
    assert not list((tmp_path / "there").iterdir())


def test_a_worker_killed_in_the_training_is_stood_in_for(
    spark: Any, spark_cluster: Any, graph: Graph, tmp_path: Path, replaced: list[int]
) -> None:
    options = replace(OPTIONS, epochs=600, threads=1)  # some seconds, so that there is one to be killed
    here = whole(graph, None, tmp_path / "here", options)

    def kill(label: str, done: int, total: int | None, note: str = "") -> None:
        written = list((tmp_path / "there").glob(".work-*/files/progress.json"))
        if written and not replaced and 0 < done < (total or 0):
            process = json.loads(written[0].read_text())[-1]
            session = os.getsid(process)  # the worker's: its executor and the Python processes are in it
            replaced.extend(n for n, one in enumerate(spark_cluster.workers) if one.pid == session)
            spark_cluster.kill_worker(replaced[0])

    motif_set = match_all(graph, ["term", "author"], min_count=2)
    (tmp_path / "there").mkdir()
    there = train(graph, motif_set, options, kill, tmp_path / "there" / "checkpoint", engine=spark)
    assert replaced and here.vectors.tobytes() == there.vectors.tobytes()


def test_a_fit_goes_on_when_a_worker_is_killed(
    spark: Any,
    deadly: list[float],
    graph: Graph,
    tmp_path: Path,
) -> None:
    here = fitted(graph, tmp_path, None)
    assert fitted(graph, tmp_path, spark).probabilities_.tobytes() == here.probabilities_.tobytes()
    assert deadly


def test_training_goes_on_when_a_worker_is_killed(
    spark: Any,
    deadly: list[float],
    graph: Graph,
    tmp_path: Path,
) -> None:
    _, here = trained(graph, LocalEngine("local:1"), tmp_path / "here")
    _, there = trained(graph, spark, tmp_path / "there")
    assert np.array_equal(here.table, there.table)
    assert deadly
