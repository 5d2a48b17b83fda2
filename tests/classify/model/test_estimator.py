"""The estimator from end to end on corpora whose truth is planted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

import hin
from classify import (
    LEARNERS,
    Category,
    JointView,
    Learner,
    MotifClassifier,
    PaperOptions,
    RecipeOptions,
    TfidfView,
    View,
    ViewSource,
)
from classify.evaluation import true_codes
from classify.learners.cnn_options import CNNOptions
from classify.learners.linear import LinearLearner
from embed import EmbedOptions
from hin.errors import BadInput, BadUsage, DamagedGraph, MissingStage, UnknownName
from hin.graph import Graph

pytestmark = pytest.mark.slow

NAMES = ["apples", "pears"]
QUICK = EmbedOptions(dim=32, epochs=20)
SHORT = RecipeOptions(cnn_steps=40, cnn_documents=1000, cnn=CNNOptions(epochs=2))
COMMON = [f"word{i}" for i in range(60)]


def planted(seed: int = 0, n: int = 2400) -> list[dict[str, Any]]:
    """Venue and year say nothing alone and all together; three texts in ten name their category."""
    rng = np.random.default_rng(seed)
    records = []
    for i in range(n):
        venue, year = rng.integers(8), rng.integers(8)
        category = int(venue + year) % 2
        words = rng.choice(COMMON, 6).tolist()
        if rng.random() < 0.3:
            words.insert(3, NAMES[category])
        records.append(
            {
                "id": f"d{i}",
                "text": " ".join(words),
                "venue": f"V{venue}",
                "year": int(2000 + year),
                "label": NAMES[category],
            }
        )
    return records


def load(path: Path, records: list[dict[str, Any]]) -> Graph:
    path.write_text("\n".join(json.dumps(record) for record in records))
    return hin.load(path)


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    return planted()


@pytest.fixture(scope="module")
def graph(records: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return load(tmp_path_factory.mktemp("planted") / "d.jsonl", records)


@pytest.fixture(scope="module")
def model(graph: Graph) -> MotifClassifier:
    return MotifClassifier(NAMES, ["venue", "year", "venue-year"], embed=QUICK, recipe=SHORT, n_jobs=1).fit(graph)


def accuracy(model: MotifClassifier, graph: Graph) -> float:
    return float(np.mean(model.labels_ == true_codes(graph.labels, model.classes_)))


def test_higher_order_wins_where_only_venue_and_year_together_tell(model: MotifClassifier, graph: Graph) -> None:
    single = MotifClassifier(NAMES, ["venue", "year"], embed=QUICK, recipe=SHORT).fit(graph)
    assert accuracy(model, graph) > 0.75
    assert accuracy(single, graph) < accuracy(model, graph) - 0.1


def test_the_truth_is_never_read(graph: Graph, model: MotifClassifier) -> None:
    blind = MotifClassifier(NAMES, ["venue", "year", "venue-year"], embed=QUICK, recipe=SHORT, n_jobs=1).fit(
        replace(graph, labels=None)
    )
    assert blind.probabilities_.tobytes() == model.probabilities_.tobytes()


def test_the_same_bits_at_any_number_of_threads(graph: Graph, model: MotifClassifier) -> None:
    other = MotifClassifier(NAMES, ["venue", "year", "venue-year"], embed=QUICK, recipe=SHORT, n_jobs=3).fit(graph)
    assert other.probabilities_.tobytes() == model.probabilities_.tobytes()


def test_weights_of_reasons_add_up_to_the_score(model: MotifClassifier, graph: Graph) -> None:
    scores = model.decision_function(graph)
    for row in (0, 7, 500):
        found = model.explain(graph.documents[row])
        assert sum(reason["weight"] for reason in found["reasons"]) == pytest.approx(found["score"], abs=1e-12)
        assert found["score"] == pytest.approx(scores[row].max(), abs=1e-5)
        assert found["category"] == model.classes_[int(scores[row].argmax())]
        assert found["runner_up"]["category"] != found["category"]
        assert found["runner_up"]["score"] <= found["score"] + 1e-5
        # The CNN's part is attributed to instances, too.
        assert {reason["pattern"] for reason in found["reasons"]} <= {"term", "venue", "year", "venue-year", "prior"}


def test_the_planted_reason_is_found(model: MotifClassifier, graph: Graph) -> None:
    reasons = model.explain(graph.documents[0])["reasons"]
    instances = [reason for reason in reasons if reason["kappa"] is not None]
    assert "venue-year" in [reason["pattern"] for reason in instances[:3]]
    facts = {"kappa", "cosine", "meaning", "expected", "lift", "q"}
    assert set(instances[0]) == {"pattern", "instance", "weight"} | facts


def test_another_category_can_be_explained(model: MotifClassifier, graph: Graph) -> None:
    label = model.explain(graph.documents[0])
    other = model.explain(graph.documents[0], category=label["runner_up"]["category"])
    assert other["category"] != label["category"]
    assert other["score"] == pytest.approx(label["runner_up"]["score"], abs=1e-5)
    # The winner is no runner-up, whichever category is explained.
    assert other["winner"]["category"] == label["winner"]["category"] == label["category"]
    assert other["runner_up"] == label["runner_up"]
    with pytest.raises(UnknownName, match="no category 'plums'"):
        model.explain(graph.documents[0], category="plums")


def test_a_saved_model_gives_the_graphs_documents_the_same_scores(
    model: MotifClassifier, graph: Graph, records: list[dict[str, Any]], tmp_path: Path
) -> None:
    model.save(tmp_path / "m.hin")
    loaded = MotifClassifier.load(tmp_path / "m.hin")
    assert loaded.decision_function(records).tobytes() == model.scores_.tobytes()
    assert (loaded.predict(records[:5]) == model.predict(graph)[:5]).all()
    assert loaded.predict_proba(records[:5]).tobytes() == model.probabilities_[:5].tobytes()
    assert loaded.explain(records[3])["score"] == model.explain("d3")["score"]


def test_saving_twice_gives_the_same_bytes(model: MotifClassifier, tmp_path: Path) -> None:
    for name in ("a", "b"):
        model.save(tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "b").iterdir())
    assert all((tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() for name in files)


def test_new_documents_with_unseen_words_and_values_get_a_label(model: MotifClassifier) -> None:
    new = [{"text": "quux apples", "venue": "V9", "year": 2077}, {"text": ""}, {"text": "pears", "venue": ["V1", "V2"]}]
    assert model.predict(new).tolist()[0] == "apples"
    proba = model.predict_proba(new)
    np.testing.assert_allclose(proba.sum(axis=1), 1)


def test_a_label_does_not_depend_on_the_documents_beside_it(
    model: MotifClassifier, records: list[dict[str, Any]]
) -> None:
    together = model.decision_function(records[:50])
    alone = np.concatenate([model.decision_function([record]) for record in records[:50]])
    assert together.tobytes() == alone.tobytes()


def test_scikit_learns_habits(graph: Graph) -> None:
    model = MotifClassifier(NAMES, preset="paper")
    assert MotifClassifier(**model.get_params()).get_params() == model.get_params()
    assert clone(model.set_params(random_state=3)).random_state == 3
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        model.set_params(depth=3)
    assert is_classifier(model)
    with pytest.raises(BadUsage, match="has not been fitted"):
        model.predict(graph)
    with pytest.raises(BadUsage, match="preset is 'best'; expected 'default' or 'paper'"):
        MotifClassifier(NAMES, preset="best").fit(graph)  # type: ignore[arg-type]


@pytest.mark.parametrize("classifier", ["linear", "cnn"])
def test_either_classifier_alone(graph: Graph, classifier: str) -> None:
    patterns = ["venue", "year", "venue-year"]
    model = MotifClassifier(NAMES, patterns, classifier=classifier, embed=QUICK, recipe=SHORT).fit(graph)
    found = model.explain("d0")
    assert sum(reason["weight"] for reason in found["reasons"]) == pytest.approx(found["score"])
    assert type(model.predictor_.learner) is LEARNERS.get(classifier)


def test_a_mistyped_classifier_or_view_is_reported_before_the_work(graph: Graph) -> None:
    def at_work(*reported: Any) -> None:
        raise AssertionError("work began")

    with pytest.raises(BadUsage, match="no classifier called linaer.*did you mean linear"):
        MotifClassifier(NAMES, classifier="linaer").fit(graph, progress=at_work)
    with pytest.raises(BadUsage, match="no view called tfidf.*did you mean tf-idf"):
        MotifClassifier(NAMES, recipe=RecipeOptions(views=("joint", "tfidf"))).fit(graph, progress=at_work)


def test_a_view_and_a_learner_can_come_from_elsewhere(graph: Graph, tmp_path: Path) -> None:
    class Constant(LinearLearner):
        """Always the same scores, and reasons that are not attributed to instances."""

        weights = Learner.weights

        def scores(self, documents: Any, threads: int = 1) -> Any:
            return np.tile([1.0, -1.0], (len(documents), 1))

    def lengths(source: ViewSource) -> View:
        vectors = np.zeros((len(source.vectors), 2), dtype=np.float32)
        terms = slice(source.first_term, source.first_term + len(source.terms))
        vectors[terms] = [[1.0, float(len(term))] for term in source.terms]
        return JointView(vectors, "lengths")

    LEARNERS.register("constant")(Constant)
    try:
        recipe = replace(SHORT, views=("joint", lengths, TfidfView(rank=5)))
        model = MotifClassifier(NAMES, ["venue"], classifier="constant", embed=QUICK, recipe=recipe).fit(graph)
        model.save(tmp_path / "m")
        assert set(model.soft_labels_.views) == {"lengths", "tf-idf", "joint"}
        assert set(MotifClassifier.load(tmp_path / "m").predict(graph)) == {"apples"}
        assert [r["instance"] for r in model.explain("d0")["reasons"] if r["weight"]] == ["the words together"]
    finally:
        del LEARNERS._parts["constant"]


def test_the_preset_paper_predicts_and_is_saved(graph: Graph, tmp_path: Path) -> None:
    model = MotifClassifier(
        NAMES, ["venue-year"], preset="paper", embed=QUICK, paper=PaperOptions(cnn=CNNOptions(epochs=2))
    ).fit(graph)
    model.save(tmp_path / "m.hin")
    loaded = MotifClassifier.load(tmp_path / "m.hin")
    assert (loaded.predict(graph) == np.array(NAMES)[model.labels_]).all()


def test_no_name_stops_a_run_and_an_unknown_one_leaves_its_category_empty(graph: Graph) -> None:
    composed = MotifClassifier(["apples", "word1 quux"], [], embed=QUICK, recipe=SHORT).fit(graph)
    assert "word1 quux: occurs nowhere as written; stands for word1" in composed.notes_
    names = ["apples", "pears", "xqzzt"]
    empty = MotifClassifier(names, [], embed=QUICK, recipe=SHORT).fit(graph)
    assert empty.notes_[0] == "xqzzt: occurs nowhere, and nothing is known of it: its category stays empty"
    assert set(empty.labels_.tolist()) == {0, 1}
    with pytest.raises(UnknownName, match="'xqzzt'.*add words"):
        MotifClassifier(names, [], strict_names=True).fit(graph)
    with pytest.raises(BadInput, match="at least two|1 categories"):
        MotifClassifier(["apples"]).fit(graph)


def test_keywords_and_shares_are_used(graph: Graph) -> None:
    def apples(share: float) -> float:
        names = [Category("apples", share=share), Category("pears", keywords=("word1",))]
        model = MotifClassifier(names, [], embed=QUICK, recipe=SHORT, classifier="linear").fit(graph)
        return float(np.mean(model.labels_ == 0))

    assert apples(0.95) > apples(0.5) + 0.1


def test_a_damaged_or_missing_model_is_reported(model: MotifClassifier, tmp_path: Path) -> None:
    with pytest.raises(MissingStage, match="no model"):
        MotifClassifier.load(tmp_path)
    model.save(tmp_path / "m")
    (tmp_path / "m" / "linear-idf.npy").unlink()
    with pytest.raises(DamagedGraph, match="no readable model"):
        MotifClassifier.load(tmp_path / "m")


def test_a_model_with_numbers_that_are_none_is_refused(model: MotifClassifier, tmp_path: Path) -> None:
    model.save(tmp_path / "m")
    kinds = 0
    for file in sorted((tmp_path / "m").glob("*.npy")):
        array = np.load(file)
        if array.dtype.kind == "f" and array.size:
            kinds += 1
            altered = array.copy()
            altered.reshape(-1)[0] = np.nan if kinds % 2 else np.inf
            np.save(file, altered)
            with pytest.raises(
                DamagedGraph, match=f"{file.name} is damaged: it holds numbers that are NaN or infinite"
            ):
                MotifClassifier.load(tmp_path / "m")
            np.save(file, array)
    assert kinds > 4
    MotifClassifier.load(tmp_path / "m")


def test_explaining_without_the_graph_asks_for_the_document(model: MotifClassifier, tmp_path: Path) -> None:
    model.save(tmp_path / "m")
    with pytest.raises(BadUsage, match="no graph"):
        MotifClassifier.load(tmp_path / "m").explain("d3")


def test_a_view_can_be_left_out(graph: Graph) -> None:
    model = MotifClassifier(
        NAMES, ["venue-year"], embed=QUICK, recipe=replace(SHORT, views=("joint",)), classifier="linear"
    ).fit(graph)
    assert set(model.soft_labels_.views) == {"joint"}


def test_a_few_known_labels_are_held_and_teach(graph: Graph, tmp_path: Path) -> None:
    truth = true_codes(graph.labels, NAMES)
    given: list[str | None] = [None] * len(graph)
    swapped = [NAMES[1 - code] for code in truth]  # the user means the opposite of what the names say
    for row in range(0, len(graph), 4):
        given[row] = swapped[row]
    model = MotifClassifier(NAMES, ["venue-year"], classifier="linear", embed=QUICK, recipe=SHORT).fit(graph, given)
    assert all(model.classes_[model.labels_[row]] == label for row, label in enumerate(given) if label)
    assert model.probabilities_[0].max() == 1.0 and len(model.known_) == len(graph) // 4
    rest = [row for row, label in enumerate(given) if label is None]
    assert np.mean([model.classes_[model.labels_[row]] == swapped[row] for row in rest]) > 0.8
    assert any("labelled by you" in note for note in model.notes_)
    model.save(tmp_path / "m")
    reported = MotifClassifier.load(tmp_path / "m").explain("d0", graph)
    assert reported["known"] == reported["category"] == swapped[0] and "known" not in model.explain("d1")
    with pytest.raises(BadUsage, match="names alone"):
        MotifClassifier(NAMES, ["venue-year"], preset="paper").fit(graph, given)
