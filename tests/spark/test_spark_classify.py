"""`hin embed` and `hin classify` on a cluster: the same labels as on this machine, also when a worker dies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from classify import MotifClassifier
from embed.learn import edges_of
from embed.on_engine import Grouping, train_groups
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
    return model.fit(graph, engine=engine, scratch=place)


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
    assert Grouping.of(edges, OPTIONS).sides == 2


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
