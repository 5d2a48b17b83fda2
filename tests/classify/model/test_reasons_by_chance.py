"""A pair that is no more than its parts is not a second reason."""

from __future__ import annotations

import numpy as np
import pytest

from classify.documents.encoder import Encoder
from classify.learners.linear import LinearLearner, LinearModel
from classify.model.explain import InstanceFacts, explain_document
from classify.model.predictor import Predictor
from classify.report.reasons import reasons_of
from hin.graph import Graph
from motifs import MotifSet, match_all
from motifs.samples import make_graph


@pytest.fixture
def graph() -> Graph:
    """Ann and Bob always write together; years are drawn by chance."""
    rng = np.random.default_rng(0)
    author = [["Ann", "Bob"]] * 12 + [[f"a{v}" for v in rng.choice(20, 2, replace=False)] for _ in range(108)]
    return make_graph({"author": author, "year": [[f"y{v}"] for v in rng.integers(2, size=120)]})


def model_of(motif_set: MotifSet, pairs: float) -> tuple[Predictor, InstanceFacts]:
    """Return a model in which single fields speak for the first category, and pairs `pairs` times as much."""
    n = motif_set.n_instances
    strengths = np.concatenate([np.full(len(table), pairs if len(table.fields) > 1 else 1.0) for table in motif_set])
    learner = LinearLearner()
    learner.model = LinearModel(np.outer(strengths, [1, 0, -1]).astype(np.float32), np.zeros(3))
    learner.idf = np.ones(n, dtype=np.float32)
    names, patterns = motif_set.names(), [table.pattern.name for table in motif_set.tables]
    space = (np.ones(n), np.ones((n, 2), np.float32), np.zeros(2, np.float32), np.ones((3, 2), np.float32))
    chance = motif_set.chance().astype(np.float32)
    facts = InstanceFacts(names, patterns, np.asarray(motif_set.offsets), *space, None, chance)
    return Predictor(Encoder.of(motif_set), learner), facts


@pytest.mark.parametrize(
    "patterns", [["author", "year", "author-author", "author-year"], ["author-author", "author-year"]]
)
def test_a_pair_that_chance_explains_gives_its_weight_to_its_parts(graph: Graph, patterns: list[str]) -> None:
    motif_set = match_all(graph, patterns, min_count=2)
    predictor, facts = model_of(motif_set, 0.5)
    encoded = predictor.encoder.encode_range(graph, 0, 1, predictor.length)
    reported = explain_document(predictor, encoded, facts, ["a", "b", "c"], "doc0")
    plain = explain_document(
        predictor, encoded, facts.__class__(**{**facts.__dict__, "chance": None}), ["a", "b", "c"], "doc0"
    )
    shown = {reason["instance"]: reason for reason in reported["reasons"]}
    assert "AUTHOR[Ann]-AUTHOR[Bob]" in shown, "two who belong together are a reason"
    assert shown["AUTHOR[Ann]-AUTHOR[Bob]"]["q"] < 0.05
    pair = next(name for name in facts.names if name.startswith("AUTHOR[Ann]-YEAR"))
    assert (pair in shown) == ("author" not in patterns), "without its parts it is the only reason of its kind"
    assert reported["score"] == pytest.approx(plain["score"])
    assert {reason["instance"] for reason in plain["reasons"]} >= set(shown)
    strongest = reasons_of(
        (predictor, facts), graph, np.array([["a", "b", "c"].index(reported["category"])] * len(graph)), 20
    )
    wanted = {r["instance"] for r in reported["reasons"] if r["weight"] > 0 and r["pattern"] != "prior"}
    assert {facts.names[i] for i in strongest.motifs[0] if i >= 0} == wanted


def test_a_pair_that_says_more_than_its_parts_stays_a_reason(graph: Graph) -> None:
    motif_set = match_all(graph, ["author", "year", "author-year"], min_count=2)
    predictor, facts = model_of(motif_set, 5.0)
    encoded = predictor.encoder.encode_range(graph, 0, 1, predictor.length)
    shown = explain_document(predictor, encoded, facts, ["a", "b", "c"], "doc0")["reasons"]
    assert shown[0]["pattern"] == "author-year" and shown[0]["q"] > 0.05
