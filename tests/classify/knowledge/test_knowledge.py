"""Knowledge of words: the built-in model, other folders, spreading through the corpus, and how far it is trusted."""

from __future__ import annotations

import json
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import hin
from classify import Category, MotifClassifier, RecipeOptions
from classify.categories.adding_instances import drop_common_parts
from classify.categories.finding import CategoryFinding
from classify.categories.meaning import find_by_meaning
from classify.documents.features import Features
from classify.knowledge.corpus_knowledge import Knowledge, names_of
from classify.knowledge.opening import open_model
from classify.knowledge.static import built_in_model
from classify.learners.cnn_options import CNNOptions
from classify.model.calibration import share_offsets
from classify.model.confidence import expected_accuracy, gets_category
from classify.model.prediction_files import prediction_records
from classify.recipe.meaning import drop_spelled_alike, fit_corpus_map, names_by_meaning, nearest_terms
from classify.recipe.opinions import opinion_weights, retained_of
from classify.recipe.options import BayesOptions
from classify.recipe.outside import Outside
from classify.recipe.seeds import Seeds
from classify.recipe.soft_labels import _Opinions
from classify.run import Run
from classify.views.base import Space
from embed import EmbedOptions
from embed.vectors import unit_rows
from hin.errors import BadInput, UnknownName
from hin.graph import Graph
from motifs import match_all

FOOD = ["pasta", "sauce", "tomato", "cheese", "oven", "recipe", "bake", "dinner", "soup", "bread", "salad", "butter"]
MUSIC = [
    "guitar",
    "piano",
    "song",
    "melody",
    "band",
    "concert",
    "chord",
    "drummer",
    "singer",
    "album",
    "violin",
    "rhythm",
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    rng = np.random.default_rng(1)
    records = [
        {
            "id": f"d{i}",
            "text": " ".join(rng.choice(FOOD if i % 2 else MUSIC, 8)),
            "label": "cooking" if i % 2 else "tunes",
        }
        for i in range(400)
    ]
    path = tmp_path_factory.mktemp("food") / "documents.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records))
    return hin.load(path)


def model(**given: Any) -> MotifClassifier:
    return MotifClassifier(
        ["cooking", "tunes"], [], classifier="linear", embed=EmbedOptions(dim=16, epochs=4),
        recipe=RecipeOptions(cnn=CNNOptions(epochs=1)), **given,
    )  # fmt: skip


def test_the_built_in_model_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    built_in_model.cache_clear()
    dog, puppy, tax = built_in_model().encode(["dog", "puppy", "tax"])
    assert dog @ puppy > dog @ tax


def test_names_that_occur_nowhere_are_placed_by_what_they_mean(graph: Graph) -> None:
    fitted = model().fit(graph)
    truth = np.arange(400) % 2 == 0
    assert [f.status for f in fitted.findings_] == ["meaning", "meaning"]
    assert any("placed by what it means" in note for note in fitted.notes_)
    assert ((fitted.labels_ == 1) == truth).mean() > 0.95
    assert 0 < fitted.soft_labels_.shares["knowledge"] < 1


def test_a_capital_letter_makes_no_name_unknown() -> None:
    rows = [{"id": str(i), "text": ("eye ear retina" if i % 2 else "gold ring necklace")} for i in range(20)]
    graph, model = hin.load(rows, phrases=False), built_in_model()
    assert model.knows("sensory organs") and not model.knows("Sensory organs")
    both = [CategoryFinding(name, "missing", None, 0) for name in ("sensory organs", "Sensory organs")]
    small, capital = find_by_meaning(both, graph, model)
    assert small.status == "meaning" and capital.words == small.words


def test_where_no_name_is_known_there_is_nothing_to_do(graph: Graph) -> None:
    with pytest.raises(UnknownName, match="nothing is known of their names: 'cooking', 'tunes'"):
        model(knowledge="none").fit(graph)


def test_a_description_is_read_as_meaning(graph: Graph) -> None:
    described = [Category("xqzzt", description="cooking"), Category("vvkkw", description="music")]
    assert names_of(described) == [["xqzzt", "cooking"], ["vvkkw", "music"]]
    fitted = MotifClassifier(described, []).fit(graph)
    plain = MotifClassifier(["cooking", "music"], []).fit(graph)
    assert [f.status for f in fitted.findings_] == ["meaning", "meaning"]
    assert (fitted.labels_ == plain.labels_).mean() > 0.9


def test_labels_with_knowledge_are_the_same_at_any_number_of_threads(graph: Graph) -> None:
    one, two = (model(n_jobs=threads).fit(graph).scores_ for threads in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_a_folder_of_static_vectors_is_read(tmp_path: Path) -> None:
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer, models, pre_tokenizers

    cutter = Tokenizer(models.WordLevel({"red": 0, "green": 1, "?": 2}, unk_token="?"))
    cutter.pre_tokenizer = pre_tokenizers.Whitespace()
    cutter.save(str(tmp_path / "tokenizer.json"))
    save_file({"embeddings": np.eye(3, dtype=np.float32)}, tmp_path / "model.safetensors")
    opened = open_model(str(tmp_path))
    assert opened is not None
    assert np.allclose(opened.encode(["red red green"]), [[0.894, 0.447, 0.0]], atol=1e-3)
    # All of these documents have `red`, so it predicts nothing of them.
    assert opened.read(["red green", "red", "red"])[0, 1] > 0.9


def test_a_folder_that_holds_no_model_is_reported_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no model.*wordllama"):
        open_model(tmp_path)
    with pytest.raises(BadInput, match="there is no folder"):
        open_model(tmp_path / "absent")
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(BadInput, match="cannot read the word vectors"):
        open_model(tmp_path)


def test_spreading_keeps_what_documents_of_a_kind_have_in_common() -> None:
    rng = np.random.default_rng(0)
    kind = np.arange(200) % 2
    space = Space(np.eye(2, dtype=np.float32)[kind], np.eye(2, dtype=np.float32))
    noisy = (np.eye(4)[kind] + rng.normal(0, 2, (200, 4))).astype(np.float32)
    found = fit_corpus_map([space], np.arange(100), noisy[:100])
    assert (unit_rows(found.documents) @ np.eye(4)[:2].T).argmax(axis=1).tolist() == kind.tolist()
    assert found.instances.argmax(axis=1).tolist() == [0, 1]


def test_a_rare_name_moves_further_towards_the_words_that_mean_the_same() -> None:
    counts = sparse.csr_array(np.eye(3, dtype=np.float32))
    features = Features(counts, np.ones(3, bool), np.ones(3, dtype=np.float32))
    near = np.array([[0.0, 0.0], [0.9, 0.1], [0.2, 0.8]], dtype=np.float32)
    axes = np.eye(3, dtype=np.float32)
    stand_ins = nearest_terms(near, np.arange(3), features, [Space(axes, axes)], 1)
    assert [terms.tolist() for terms, _ in stand_ins] == [[1], [2]]
    names = np.stack([axes[0], axes[0]])
    moved = names_by_meaning(names, Space(axes, axes), stand_ins, np.array([1000, 1]), 10.0)
    assert moved[0, 0] > 0.99
    assert moved[1, 2] > 0.9
    unknown = names_by_meaning(np.zeros_like(names), Space(axes, axes), stand_ins, np.array([0, 0]), 0.0)
    assert unknown.argmax(axis=1).tolist() == [1, 2]


def test_terms_that_are_only_spelled_like_a_name_do_not_stand_for_it() -> None:
    found = [(np.array([7, 8, 9]), np.array([0.9, 0.8, 0.7], dtype=np.float32))]
    [(terms, weights)] = drop_spelled_alike(found, ["Garten"], {7: "karten", 8: "beet", 9: "gartenbau"}.__getitem__)
    assert (terms.tolist(), weights.round(1).tolist()) == ([8, 9], pytest.approx([0.8, 0.7]))


def test_terms_of_the_same_documents_stand_for_a_name_once() -> None:
    features = Features(sparse.csr_array(np.eye(4, dtype=np.float32)), np.ones(4, bool), np.ones(4, dtype=np.float32))
    near = np.array([[0.9, 0.1], [0.8, 0.1], [0.7, 0.1], [0.1, 0.9]], dtype=np.float32)
    places = np.array([[1, 0, 0], [0.99, 0.141, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
    stand_ins = nearest_terms(near, np.arange(4), features, [Space(places, places)], 2)
    assert [terms.tolist() for terms, _ in stand_ins] == [[0, 2], [3]]
    assert stand_ins[0][1].tolist() == pytest.approx([0.9, 0.7])


def test_an_opinion_that_the_documents_do_not_confirm_hardly_counts() -> None:
    rng = np.random.default_rng(0)
    kind = np.arange(600) % 3
    counts = sparse.csr_array((np.eye(3)[kind].repeat(20, axis=1) * (rng.random((600, 60)) < 0.4)).astype(np.float32))
    features = Features(counts, np.ones(60, bool), np.ones(60, dtype=np.float32))
    good = np.eye(3, dtype=np.float32)[kind]
    bad = np.eye(3, dtype=np.float32)[rng.integers(3, size=600)]
    kept = retained_of(
        {"corpus": good, "knowledge": bad}, features, np.zeros_like(good), bayes=BayesOptions(smoothing=10.0)
    )
    weights = opinion_weights(kept)
    assert weights["corpus"] == 1
    assert weights["knowledge"] < 0.3
    assert kept["corpus"] > kept["knowledge"]


def features_of_words(n_categories: int, words: int = 1) -> Features:
    """200 documents of each category, with words of its own."""
    kind = np.repeat(np.arange(n_categories), 200)
    counts = sparse.csr_array(np.eye(n_categories, dtype=np.float32)[kind].repeat(words, axis=1))
    return Features(counts, np.ones(counts.shape[1], bool), np.ones(counts.shape[1], dtype=np.float32))


@pytest.mark.parametrize(("words", "least", "most"), [(1, 2.0, 5.0), (60, 1.0, 1.1)])
def test_with_few_words_a_category_knowledge_weighs_more(words: int, least: float, most: float) -> None:
    features = features_of_words(3, words)  # 200 or 12,000 words a category
    nothing: dict[str, Space] = {}
    opinions = _Opinions(features, nothing, Seeds([[], [], []], [[], [], []]), RecipeOptions(), 0, Run(threads=1))
    weights = opinions._weights({"corpus": 0.8, "knowledge": 0.8})
    assert weights["corpus"] == 1 and least < weights["knowledge"] < most


def test_with_few_words_a_category_knowledge_weighs_most_in_english() -> None:
    kept = {"corpus": 0.8, "knowledge": 0.8}
    languages = ("german", "english")
    german, english = (opinion_weights(kept, evidence=200.0, language=one)["knowledge"] for one in languages)
    assert english > 2 * german > 2
    seeds = Seeds([[], []], [[], []], language="english")
    opinions = _Opinions(features_of_words(2), {}, seeds, RecipeOptions(), 0, Run(threads=1))
    assert opinions._weights(kept)["knowledge"] == pytest.approx(english)


@pytest.mark.parametrize("best", ["smoothed", "unsmoothed"])
def test_smoothing_that_drowns_what_a_model_says_is_left_out(best: str) -> None:
    rng = np.random.default_rng(0)
    kind = np.arange(600) % 3
    counts = sparse.csr_array((np.eye(3)[kind].repeat(20, axis=1) * (rng.random((600, 60)) < 0.4)).astype(np.float32))
    features = Features(counts, np.ones(60, bool), np.ones(60, dtype=np.float32))
    good, bad = np.eye(3, dtype=np.float32)[kind], np.eye(3, dtype=np.float32)[rng.integers(3, size=600)]
    nothing: dict[str, Space] = {}
    recipe = RecipeOptions(bayes=BayesOptions(smoothing=10.0))
    opinions = _Opinions(features, nothing, Seeds([[], [], []], [[], [], []]), recipe, 0, Run(threads=1))
    scores, unsmoothed = (good, bad) if best == "smoothed" else (bad, good)
    model = Outside(None, None, good, good, scores, 600, unsmoothed)  # type: ignore[arg-type]
    assert opinions._choose_smoothing(model)[0] is good
    assert opinions._choose_smoothing(replace(model, scores=bad, unsmoothed=None))[0] is bad


def test_a_document_with_nothing_to_go_on_gets_no_category(graph: Graph, tmp_path: Path) -> None:
    fitted = model().fit(graph)
    proba = fitted.predict_proba([{"text": "pasta sauce"}, {"text": ""}, {"text": "zzz qqq"}])
    assert gets_category(proba).tolist() == [True, False, False]
    records = list(prediction_records(["a", "b", "c"], fitted.classes_, proba))
    assert [record["category"] for record in records] == ["cooking", None, None]
    reported = fitted.explain({"id": "b", "text": "zzz qqq"})
    assert reported["category"] is None
    assert "nothing to go on" in reported["note"]


def test_a_reason_shows_how_near_a_word_is_in_meaning_also_after_reading_the_model_back(
    graph: Graph, tmp_path: Path
) -> None:
    fitted = model().fit(graph)
    fitted.save(tmp_path / "m")
    reported = MotifClassifier.load(tmp_path / "m").explain({"text": "recipe bread"})
    assert reported == fitted.explain({"text": "recipe bread"})
    near = {reason["instance"]: reason["meaning"] for reason in reported["reasons"]}
    assert near["TERM[recipe]"] > 0.1
    assert near["how common the category is"] is None


def test_labels_fall_into_the_shares_that_were_asked_for(graph: Graph) -> None:
    given = [Category("pasta", share=0.7), Category("guitar", share=0.3)]
    fitted = MotifClassifier(given, [], classifier="linear", embed=EmbedOptions(dim=16, epochs=4)).fit(graph)
    assert abs(float((fitted.labels_ == 0).mean()) - 0.7) <= 0.03
    reported = fitted.explain("d0")
    assert abs(sum(reason["weight"] for reason in reported["reasons"]) - reported["score"]) < 1e-9
    again = fitted.decision_function([{"text": "pasta piano oven song"}])
    explained = fitted.explain({"text": "pasta piano oven song"})["score"]
    assert abs(float(again.max()) - explained) < 1e-4


def test_offsets_reach_uneven_shares() -> None:
    scores = np.random.default_rng(0).normal(size=(5000, 4)) + np.array([2.0, 0.0, 0.0, -1.0])
    asked = [0.1, 0.2, 0.3, 0.4]
    found = np.bincount((scores + share_offsets(scores, asked)).argmax(axis=1), minlength=4) / 5000
    assert np.abs(found - asked).max() <= 0.01


def test_a_value_of_nearly_every_document_makes_no_combination(tmp_path: Path) -> None:
    rows = [
        {"id": f"d{i}", "text": "film", "country": "USA" if i else "Peru", "keyword": "slasher" if i % 2 else "heist"}
        for i in range(40)
    ]
    path = tmp_path / "films.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    found = match_all(hin.load(path), ["country", "keyword", "country-keyword"], min_count=1)
    kept = drop_common_parts(found)
    assert "COUNTRY[USA]-KEYWORD[slasher]" in found.names()
    assert [name for name in kept.names() if name.startswith("COUNTRY[USA]-")] == []
    assert "COUNTRY[USA]" in kept.names()
    assert "COUNTRY[Peru]-KEYWORD[heist]" in kept.names()
    table = kept.table("country-keyword")
    assert table is not None
    assert table.incidence.row(0).tolist() == [0]


def test_confidence_follows_clearness_and_agreement() -> None:
    start = np.log(np.array([[0.9, 0.1]] * 10)) / 2
    labels = np.zeros(10, dtype=np.int64)
    sure = expected_accuracy(labels, start, {"corpus": labels}, {"corpus": 1.0})
    doubtful = expected_accuracy(
        labels, start, {"corpus": labels, "knowledge": 1 - labels}, {"corpus": 1, "knowledge": 1}
    )
    assert sure == 0.97
    assert abs(doubtful - 1.23 * 0.9 / 2) < 1e-9


def test_documents_are_read_once_for_all_fits(tmp_path: Path) -> None:
    texts = ["the film", "a tax return", "movies and films"]
    read: list[int] = []

    def some(rows: Any) -> list[str]:
        read.append(len(rows))
        return [texts[i] for i in rows]

    asked = Knowledge(built_in_model(), [["film"]], some, keep=tmp_path / "kept")
    rows, vectors = asked.read(3, np.random.default_rng(0))
    again = asked.read(3, np.random.default_rng(0))
    assert read == [3] and again[0].tolist() == rows.tolist() and np.array_equal(again[1], vectors)
    asked.read(2, np.random.default_rng(0))  # other documents are not the same
    assert read == [3, 2]


def test_a_model_that_sees_the_bytes_of_a_script_has_no_say() -> None:
    texts = [
        f"{word} 안녕하세요 {other}"
        for word, other in (("축구 경기", "선수"), ("주식 시장", "은행"))
        for _ in range(30)
    ]
    graph = hin.load([{"id": str(i), "text": text} for i, text in enumerate(texts)], text="text")

    def fitted(knowledge: str) -> MotifClassifier:
        given = {"knowledge": knowledge, "classifier": "linear", "random_state": 0, "n_jobs": 1}
        return MotifClassifier(categories=["축구", "주식"], **given).fit(graph)

    found, without = fitted("wordllama"), fitted("none")
    assert found.used_["views"]["knowledge"] == 0
    assert list(found.predict(graph)) == list(without.predict(graph))
