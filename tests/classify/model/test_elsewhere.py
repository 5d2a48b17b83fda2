"""A whole fit on an engine that gets and gives pickles alone, as a cluster's: the same bytes as on threads."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from classify import MotifClassifier, Run, Workspace
from embed.options import EmbedOptions
from hin.engines.local import LocalEngine
from hin.graph import Graph
from hin.loading import load
from tests.spark.test_spark_predict import TOPICS, write_topics


class Elsewhere(LocalEngine):
    """Workers that see nothing but what travels to them."""

    here = False
    cores = 2

    def __init__(self) -> None:
        super().__init__("local:1")
        self.alone: list[str] = []

    def map(self, work: Any, blocks: Any) -> Iterator[Any]:
        blocks = list(blocks)
        reported = repr(work)
        self.alone += [name for name in ("_keep", "_train_network") if name in reported]
        there = pickle.loads(pickle.dumps(work))
        return (pickle.loads(pickle.dumps(there(block))) for block in blocks)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return load(write_topics(tmp_path_factory.mktemp("topics") / "documents.jsonl", 240))


def test_samples_and_the_cnn_are_worked_on_by_a_worker(graph: Graph, tmp_path: Path) -> None:
    def fitted(name: str, engine: Any) -> MotifClassifier:
        (tmp_path / name).mkdir()
        model = MotifClassifier(
            list(TOPICS), patterns=["author"], min_count=2, knowledge=None, embed=EmbedOptions(dim=16, epochs=2)
        )
        with Workspace(scratch=tmp_path / name) as workspace:
            model.fit(graph, run=Run(engine=engine), workspace=workspace)
            kept[name] = [file.name for file in (tmp_path / name).rglob("*.npy")]
        return model

    there, kept = Elsewhere(), {}
    one, other = fitted("here", None), fitted("there", there)
    assert one.probabilities_.tobytes() == other.probabilities_.tobytes()
    assert there.alone == ["_keep", "_keep", "_train_network"]  # two views of samples, and the network
    assert len(kept["there"]) == 2 and not kept["here"]
    assert not list((tmp_path / "there").iterdir())


def test_a_folder_that_keeps_nothing_leaves_the_work_here(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept").write_text("a file where the folder should be")
    monkeypatch.setattr(Workspace, "files", lambda *_: tmp_path / "kept")
    model = MotifClassifier(
        list(TOPICS), patterns=["author"], min_count=2, knowledge=None, classifier="linear",
        embed=EmbedOptions(dim=16, epochs=2),
    )  # fmt: skip
    with Workspace(scratch=tmp_path) as workspace:
        model.fit(graph, run=Run(engine=Elsewhere()), workspace=workspace)
    assert np.isfinite(model.probabilities_).all()
