"""The report's reasons are those of `explain`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hin
from classify import MotifClassifier
from classify.commands.arguments import ClassifyCommand
from classify.commands.classification import run_classify
from classify.documents.encoder import Encoder
from classify.documents.records import record_of
from classify.learners.base import TrainingData
from classify.learners.cnn import CNNLearner
from classify.learners.cnn_options import CNNOptions
from classify.learners.linear import LinearLearner, LinearModel
from classify.model.explain import InstanceFacts, explain_document
from classify.model.predictor import Predictor
from classify.options import ClassifyOptions
from classify.report.data import report_data
from classify.report.reasons import reasons_of
from classify.report.sources import inputs_of
from classify.stored_classification import stored_classification
from embed import EmbedOptions
from hin.console import Console
from hin.demo.corpus import DemoOptions, write_demo
from hin.graph import Graph
from motifs import MotifSet, Pattern, match_all
from tests.classify.report.report_samples import sample_graph

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return sample_graph(tmp_path_factory.mktemp("graph"), documents=60)


@pytest.fixture(scope="module")
def motif_set(graph: Graph) -> MotifSet:
    return match_all(graph, [Pattern("term"), Pattern("author"), Pattern("author-year")], min_count=2)


def predictor_of(motif_set: MotifSet) -> Predictor:
    rng = np.random.default_rng(0)
    n = motif_set.n_instances
    learner = LinearLearner()
    learner.model = LinearModel(rng.normal(size=(n, 3)).astype(np.float32), np.zeros(3))
    learner.idf = rng.random(n).astype(np.float32) + 0.1
    return Predictor(Encoder.of(motif_set), learner)


def test_the_strongest_reasons_are_those_of_explain(graph: Graph, motif_set: MotifSet, tmp_path: Path) -> None:
    predictor = predictor_of(motif_set)
    n, names = motif_set.n_instances, motif_set.names()
    facts = InstanceFacts(
        names, [table.pattern.name for table in motif_set.tables], np.asarray(motif_set.offsets), np.ones(n),
        np.ones((n, 2), np.float32), np.zeros(2, np.float32), np.ones((3, 2), np.float32),
    )  # fmt: skip
    labels = np.concatenate([predictor.scores(part) for part in predictor.encoder.encode_graph(graph)]).argmax(axis=1)
    reasons = reasons_of((predictor, None), graph, labels, 3)
    for document in range(0, 60, 7):
        encoded = predictor.encoder.encode_batch(record_of(graph, document), predictor.length)
        why = explain_document(predictor, encoded, facts, ["a", "b", "c"], "x")["reasons"]
        wanted = sorted((row["weight"] for row in why if row["kappa"] and row["weight"] > 0), reverse=True)[:3]
        assert reasons.weights[document][: len(wanted)] == pytest.approx(wanted, rel=1e-4)
        by_name = {row["instance"]: row["weight"] for row in why}
        for motif, weight in zip(reasons.motifs[document], reasons.weights[document], strict=True):
            if motif >= 0:
                assert by_name[names[motif]] == pytest.approx(weight, rel=1e-4)


def test_a_document_without_a_category_has_no_reasons(graph: Graph, motif_set: MotifSet) -> None:
    reasons = reasons_of((predictor_of(motif_set), None), graph, np.full(len(graph), -1), 3)
    assert (reasons.motifs == -1).all()


def test_a_text_classifier_alone_has_reasons_too(graph: Graph, motif_set: MotifSet) -> None:
    predictor = predictor_of(motif_set)
    parts = list(predictor.encoder.encode_graph(graph, 20))
    rng = np.random.default_rng(1)
    truth, n = rng.integers(0, 3, len(graph)), motif_set.n_instances
    vectors, idf = rng.normal(size=(n, 4)).astype(np.float32), np.ones(n, dtype=np.float32)
    text = CNNLearner({"cnn": CNNOptions(epochs=30)}).fit(TrainingData(parts, np.eye(3)[truth], vectors, idf))
    alone = Predictor(predictor.encoder, text, 20)
    labels = alone.scores(parts[0]).argmax(axis=1)
    weights = text.weights(parts[0], labels)
    reported = weights.instances.sum(axis=1) + weights.prior + weights.together
    assert reported == pytest.approx(alone.scores(parts[0]).max(axis=1))
    assert (reasons_of((alone, None), graph, labels).motifs[:, 0] >= 0).all()


def test_a_classified_store_gives_the_report_all_its_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_demo(tmp_path, DemoOptions(documents=200))
    place = tmp_path / "demo.hin"
    graph = hin.load(tmp_path / "documents.jsonl", graph=place)
    quick = EmbedOptions(dim=16, epochs=3)
    command = ClassifyCommand(
        tmp_path / "labels.txt",
        options=ClassifyOptions(["venue-year"], classifier="linear", embed=quick, abstain_below=0.5),
        graph=str(place),
    )
    run_classify(command, Console(quiet=True))
    inputs = inputs_of(hin.open_store(place))
    data = report_data(inputs)
    assert data.source.reasons is not None
    assert data.summary["charts"]["map"] is not None
    assert data.summary["charts"]["confidence"]["abstain"] == 0.5
    assert data.summary["charts"]["confidence"]["without"] == (data.source.predicted < 0).sum()
    known = sum(sum(data.summary["charts"]["confidence"][name]) for name in ("right", "wrong", "unknown"))
    assert known == len(graph)  # those without a category are drawn too, left of the line
    stored = stored_classification(hin.open_store(place))
    assert data.source.ranked.second is not None
    ranked = np.sort(np.asarray(stored.probabilities), axis=1)
    given = data.source.predicted >= 0
    assert data.source.ranked.confidence == pytest.approx(ranked[:, -1], abs=1e-6)
    assert data.source.ranked.second[1][given] == pytest.approx(ranked[given, -2], abs=1e-6)
    assert data.source.ranked.second[1][~given] == pytest.approx(ranked[~given, -1], abs=1e-6)
    # What a document's row says is what `hin explain` says.
    model = MotifClassifier.load(stored.model)
    document = int(np.flatnonzero(given)[0])
    why = {row["instance"]: row["weight"] for row in model.explain(graph.documents[document], graph)["reasons"]}
    names = data.source.motifs.names.take(
        data.source.reasons.motifs[document][data.source.reasons.motifs[document] >= 0]
    ).to_pylist()
    assert [why[name] for name in names] == pytest.approx(data.source.reasons.weights[document][: len(names)], rel=1e-3)
    assert names[0] == max((name for name in why if "[" in name), key=lambda name: why[name])
