"""The report's reasons are those of `explain`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from classify.encoder import Encoder, record_of
from classify.explain import InstanceFacts, explain_document
from classify.linear import LinearModel
from classify.predictor import Predictor
from classify.report_reasons import reasons_of
from hin.graph import Graph
from motifs import MotifSet, Pattern, match_all
from tests.classify.report_samples import sample_graph


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return sample_graph(tmp_path_factory.mktemp("graph"), documents=60)


@pytest.fixture(scope="module")
def motif_set(graph: Graph) -> MotifSet:
    return match_all(graph, [Pattern("term"), Pattern("author"), Pattern("author-year")], min_count=2)


def predictor_of(motif_set: MotifSet) -> Predictor:
    rng = np.random.default_rng(0)
    n = motif_set.n_instances
    linear = LinearModel(rng.normal(size=(n, 3)).astype(np.float32), np.zeros(3, dtype=np.float32))
    return Predictor(Encoder.of(motif_set), rng.random(n).astype(np.float32) + 0.1, linear, None, 0.0)


def test_the_strongest_reasons_are_those_of_explain(graph: Graph, motif_set: MotifSet, tmp_path: Path) -> None:
    predictor = predictor_of(motif_set)
    n, names = motif_set.n_instances, motif_set.names()
    facts = InstanceFacts(
        names, [table.pattern.name for table in motif_set.tables], np.asarray(motif_set.offsets), np.ones(n),
        np.ones((n, 2), np.float32), np.zeros(2, np.float32), np.ones((3, 2), np.float32),
    )  # fmt: skip
    labels = np.concatenate([predictor.scores(part) for part in predictor.encoder.encode_graph(graph)]).argmax(axis=1)
    reasons = reasons_of(predictor, graph, labels, 3)
    assert reasons is not None
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
    reasons = reasons_of(predictor_of(motif_set), graph, np.full(len(graph), -1), 3)
    assert reasons is not None
    assert (reasons.motifs == -1).all()


def test_a_model_without_a_linear_part_has_none(graph: Graph, motif_set: MotifSet) -> None:
    predictor = predictor_of(motif_set)
    alone = Predictor(predictor.encoder, predictor.idf, None, None, 1.0)
    assert reasons_of(alone, graph, np.zeros(len(graph), dtype=np.int64)) is None
