"""The recipe's formulas against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse

from classify.categories.category_file import Category
from classify.categories.finding import CategoryFinding
from classify.categories.keywords import Keyword
from classify.categories.known import Known
from classify.documents.features import Features, inverse_frequency, normalised, weighted
from classify.learners.balance import balanced_sample
from classify.learners.linear import fit_linear
from classify.learners.options import LinearOptions
from classify.model.confidence import expected_accuracy, temperature_for
from classify.recipe.agreement import agree
from classify.recipe.discriminant import discriminant_scores
from classify.recipe.naive_bayes import log_odds, naive_bayes_em
from classify.recipe.name_vectors import (
    NameUnit,
    documents_of,
    find_units,
    meant_parts,
    name_evidence,
    nothing_known,
    place_names,
)
from classify.recipe.options import BayesOptions, NameOptions, PrototypeOptions
from classify.recipe.prototypes import prototypes
from classify.views.base import Space, place
from classify.views.co_occurrence import CooccurrenceView, positive_information
from classify.views.joint import JointView
from classify.views.tf_idf import TfidfView
from embed.vectors import unit_rows
from hin.arrays.linalg import product, svd
from hin.arrays.score_rows import softmax


def features_of(rows: list[list[float]], trust: list[float] | None = None) -> Features:
    counts = sparse.csr_array(np.array(rows, dtype=np.float32))
    values = np.ones(counts.shape[1]) if trust is None else np.array(trust)
    return Features(counts, np.ones(counts.shape[1], dtype=np.bool_), values.astype(np.float32))


def test_weights_are_log_tf_times_idf() -> None:
    weights = weighted(sparse.csr_array(np.array([[3.0, 1.0]], dtype=np.float32)), np.array([2.0, 0.5], np.float32))
    np.testing.assert_allclose(weights.toarray(), [[(1 + np.log(3)) * 2, 0.5]], rtol=1e-6)
    np.testing.assert_allclose(inverse_frequency(np.array([2]), 9), [np.log(10 / 2.5)], rtol=1e-6)


def test_normalising_survives_empty_rows_at_both_ends() -> None:
    rows = normalised(sparse.csr_array(np.array([[0, 0], [3, 4], [0, 0], [0, 2], [0, 0]], dtype=np.float32)))
    np.testing.assert_allclose(rows.toarray(), [[0, 0], [0.6, 0.8], [0, 0], [0, 1], [0, 0]], rtol=1e-6)


def test_products_are_the_same_bits_at_any_number_of_threads() -> None:
    rng = np.random.default_rng(0)
    matrix = sparse.random_array((9001, 50), density=0.2, rng=rng, format="csr", dtype=np.float32)
    dense = rng.standard_normal((50, 7))
    assert product(matrix, dense, 1).tobytes() == product(matrix, dense, 3).tobytes()


def test_svd_is_the_same_bits_with_and_without_a_second_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = sparse.random_array((300, 200), density=0.1, format="csr", dtype=np.float32, rng=np.random.default_rng(0))
    transposed = svd(matrix, 20, np.random.default_rng(1), threads=2)
    monkeypatch.setattr("hin.arrays.linalg._TRANSPOSED", 0)
    straight = svd(matrix, 20, np.random.default_rng(1), threads=2)
    assert all(one.tobytes() == other.tobytes() for one, other in zip(transposed, straight, strict=True))


def test_svd_finds_the_leading_singular_vectors() -> None:
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((40, 12)) * np.array([9, 6, 4, *[0.1] * 9])
    right, values = svd(sparse.csr_array(matrix), 3, np.random.default_rng(1), rounds=4)
    _, true_values, true_right = np.linalg.svd(matrix)
    np.testing.assert_allclose(values, true_values[:3], rtol=1e-3)
    np.testing.assert_allclose(np.abs((right.T * true_right[:3]).sum(axis=1)), 1.0, atol=1e-3)


def test_information_is_the_log_of_observed_over_expected() -> None:
    held = np.array([[1, 1, 0]] * 6 + [[1, 0, 1]] * 2, dtype=np.float32)
    found = positive_information(sparse.csr_array(held), smoothing=1.0).toarray()
    # totals 8, 6, 2 of 16: ln(6 · 16 / (8 · 6)) and ln(2 · 16 / (8 · 2))
    np.testing.assert_allclose(found[:, 0], [0, np.log(2), np.log(2)], rtol=1e-6)


def test_documents_are_the_centred_tfidf_mean_of_their_instances() -> None:
    features = features_of([[1, 0, 1], [0, 1, 1]])
    vectors = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
    space = place(features, vectors, features.unit)
    rare, common = np.log(3 / 1.5), np.log(3 / 2.5)
    documents = unit_rows(np.array([[rare + common, common], [common, rare + common]]))
    np.testing.assert_allclose(space.documents, unit_rows(documents - documents.mean(axis=0)), rtol=1e-4)


def test_instances_count_as_far_as_they_are_trusted() -> None:
    features = features_of([[2, 1], [1, 1]], trust=[0.25, 1])
    joint = JointView(np.eye(2, dtype=np.float32)).rows(features).toarray()
    np.testing.assert_allclose(joint, [[0.25 * (1 + np.log(2)), 1], [0.25, 1]], rtol=1e-6)
    tfidf = TfidfView().rows(features).toarray()
    np.testing.assert_allclose(tfidf, features.unit.toarray() * [[0.5, 1]], rtol=1e-6)


def test_an_instance_without_a_vector_is_where_its_documents_are() -> None:
    features = features_of([[1, 0, 1], [0, 1, 0], [0, 1, 0]])
    view = JointView(np.eye(3, 2, dtype=np.float32))
    space = place(features, view.instances(features, np.random.default_rng(0)), view.rows(features))
    np.testing.assert_allclose(space.instances[2], space.documents[0], rtol=1e-5)


@pytest.mark.parametrize("view", [TfidfView(), CooccurrenceView()])
def test_views_bring_together_what_shares_documents(view: TfidfView | CooccurrenceView) -> None:
    rng = np.random.default_rng(0)
    topic = np.repeat([0, 1], 60)
    rows = rng.random((120, 40)) < np.where(topic[:, None] == np.repeat([0, 1], 20)[None], 0.09, 0.01)
    features = features_of(rows.astype(float).tolist())
    space = place(features, view.instances(features, np.random.default_rng(1)), view.rows(features))
    same = (space.instances[:20] @ space.instances[:20].T).mean()
    other = (space.instances[:20] @ space.instances[20:].T).mean()
    assert same > other + 0.1


def test_a_name_joins_its_words_forms_phrase_and_holders() -> None:
    features = features_of([[1, 1, 0, 1], [1, 0, 1, 0], [0, 1, 1, 0]])
    instances = unit_rows(np.array([[1, 0, 0], [0, 1, 0], [1, 0.2, 0], [0, 0, 1]]))
    documents = unit_rows(np.array([[1, 1, 1], [1, -1, 0], [0, 1, -1]]))
    unit = NameUnit(whole=3, words=(0, 1), forms=((2,), ()), shared=(1, 2))
    found = place_names([[unit]], Space(documents, instances), features, NameOptions())[0]
    family = instances[0] * np.log(3) + instances[2] * np.log(3)
    words = np.log(3) * family / np.linalg.norm(family) + np.log(3) / 2 * instances[1]
    words /= np.linalg.norm(words)
    both = 10 / 11 * words + 1 / 11 * instances[3]  # the phrase is in one document
    both /= np.linalg.norm(both)
    expected = (1 - 0.3 / 11) * both + 0.3 / 11 * documents[0]
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected), rtol=1e-4)


def test_an_uninformative_word_hardly_counts_in_a_name() -> None:
    features = features_of([[1, 1], [1, 1]], trust=[0.01, 1])
    space = Space(np.zeros((2, 2), np.float32), np.eye(2, dtype=np.float32))
    found = place_names([[NameUnit(None, (0, 1), ((), ()), (1, 1))]], space, features, NameOptions(holders=0))
    np.testing.assert_allclose(found[0], np.array([0.1, 1]) / np.hypot(0.1, 1), rtol=1e-5)


def test_views_count_as_far_as_they_agree() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 600)

    def opinion(right: float) -> npt.NDArray[np.float32]:
        said = np.where(rng.random(600) < right, truth, rng.integers(0, 3, 600))
        return np.eye(3, dtype=np.float32)[said]

    found = agree({"good": [opinion(0.9), opinion(0.2)], "fair": [opinion(0.3), opinion(0.8)], "bad": [opinion(0.1)]})
    assert found.shares["good"][0] > 0.9 and found.shares["fair"][1] > 0.9  # the better of name and prototype
    assert found.weights["good"] == 1 and found.weights["fair"] > 4 * found.weights["bad"]
    assert np.mean(found.scores.argmax(axis=1) == truth) > 0.9
    assert abs(found.scores.std() - 1) < 1e-5


def test_a_view_that_stands_alone_keeps_the_start() -> None:
    name, grown = np.array([[2, 0], [0, 2]], np.float32), np.array([[0, 2], [2, 0]], np.float32)
    found = agree({"only": [2 * name, name, grown]})
    assert found.shares == {"only": [1 / 3] * 3} and found.scores.argmax(axis=1).tolist() == [0, 1]


def test_a_form_far_from_its_word_stays_out() -> None:
    features = features_of([[1, 1]])
    space = Space(np.zeros((1, 2), np.float32), np.eye(2, dtype=np.float32))
    found = place_names([[NameUnit(None, (0,), ((1,),), (1,))]], space, features)
    np.testing.assert_allclose(found[0], [1, 0], atol=1e-6)


def test_keywords_are_units_of_their_own_and_missing_ones_are_passed_over() -> None:
    categories = [Category("games", ("arcade", "nowhere"))]
    findings = [
        CategoryFinding("games", "variant", "game", 3, (Keyword("arcade", "arcade", 2), Keyword("nowhere", None, 0)))
    ]
    units = find_units(categories, findings, ["game", "arcade"], start=10)
    assert [unit.whole for unit in units[0]] == [10, 11]


def test_name_evidence_is_the_share_of_the_unit_row() -> None:
    features = features_of([[1, 1, 0], [0, 1, 1]])
    evidence = name_evidence([[NameUnit(0, (0,), ((),), (1,))], [NameUnit(2, (2,), ((),), (1,))]], features)
    np.testing.assert_allclose(evidence[:, 0], features.unit.toarray()[:, 0])
    assert evidence[0, 1] == 0


def test_prototypes_take_what_is_near_one_category_only() -> None:
    same = [1, 0, 0.1]  # in the documents of the first, so it says nothing new
    instances = unit_rows(np.array([[1, 0, 0], [0.8, 0, 0.6], [0, 1, 0], [0, 0.8, 0.6], [-1, -1, 0], same]))
    found = prototypes(instances[[0, 2]], instances, np.array([9] * 6), PrototypeOptions(rounds=1, name=0.2))[0]
    mean = (instances[0] + instances[1]) / 2
    expected = 0.2 * instances[0] + mean / np.linalg.norm(mean)
    np.testing.assert_allclose(found[0], expected / np.linalg.norm(expected), rtol=1e-5)


def test_odds_are_against_the_other_categories() -> None:
    counts = np.array([[4.0, 1.0], [2.0, 3.0]])
    odds = log_odds(counts, counts.sum(axis=0), smoothing=10.0)
    # background .6 and .4 of ten; category 0 has 5 in all, the rest 5
    expected = np.log((4 + 6) / 15) - np.log((2 + 6) / 15)
    np.testing.assert_allclose(odds[0, 0], expected, rtol=1e-9)


def test_one_round_of_em_by_hand() -> None:
    weights = sparse.csr_array(np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32))
    start = np.array([[np.log(3), 0.0], [0.0, np.log(3)]])
    options = BayesOptions(rounds=1, sharpness=1.0, smoothing=1.0, keep=1.0, uniform=0.5)
    logs = naive_bayes_em(weights, start, options)
    # posteriors .75/.25; counts per category (.75, .25) and (.25, .75); smoothing 1, background .5 each
    odds = np.log(1.25 / 2) - np.log(0.75 / 2)
    expected = softmax(np.array([[odds + np.log(0.75), -odds + np.log(0.25)]]))
    np.testing.assert_allclose(np.exp(logs[0]), expected[0], rtol=1e-6)


def test_given_shares_replace_the_prior() -> None:
    weights = sparse.csr_array(np.zeros((2, 1), dtype=np.float32))
    logs = naive_bayes_em(weights, np.zeros((2, 2)), shares=[0.9, 0.1])
    np.testing.assert_allclose(np.exp(logs[0]), [0.9, 0.1], rtol=1e-6)


def test_the_linear_model_minimises_the_loss() -> None:
    rng = np.random.default_rng(0)
    rows = sparse.csr_array(rng.random((30, 4)).astype(np.float32))
    target = rng.dirichlet(np.ones(3), 30)
    model = fit_linear(rows, target, LinearOptions(penalty=0.5, balance=0.0, rounds=500))
    slope = softmax(model.logits(rows)) - target
    gradient = rows.T @ slope + 0.5 * model.coefficients
    np.testing.assert_allclose(gradient, 0, atol=1e-2)
    np.testing.assert_allclose(slope.sum(axis=0), 0, atol=1e-2)


def test_a_balanced_sample_fills_up_from_large_categories() -> None:
    posterior = np.eye(3)[np.repeat([0, 1, 2], [100, 50, 4])]
    chosen = balanced_sample(posterior, 24, np.random.default_rng(0))
    assert np.bincount(posterior[chosen].argmax(axis=1)).tolist() == [10, 10, 4]


def test_the_temperature_makes_the_mean_confidence_the_expected_accuracy() -> None:
    scores = np.random.default_rng(0).standard_normal((200, 4)) * 5
    temperature = temperature_for(scores, 0.7)
    assert softmax(scores / temperature).max(axis=1).mean() == pytest.approx(0.7, abs=1e-4)
    never = {"corpus": np.array([1, 0])}
    assert expected_accuracy(np.array([0, 1]), np.eye(2), never, {"corpus": 1.0}) == 0.5
    # What known documents have corrected is no sign of error.
    assert expected_accuracy(np.array([0, 1]), np.eye(2), never, {"corpus": 1.0}, taught=True) > 0.9


def test_a_name_of_kindred_words_stands_where_they_do() -> None:
    finding = CategoryFinding("chatting", "composed", "chat + chats", 0, words=("chat", "chats"))
    [[unit]] = find_units([Category("chatting")], [finding], ["chat", "mail", "chats"])
    assert (unit.whole, unit.words) == (None, (0, 2))


def test_a_composed_name_is_in_the_documents_that_hold_all_its_words() -> None:
    features = features_of([[1, 1, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]])
    composed, term = NameUnit(None, (0, 1), ((), ()), (1, 1)), NameUnit(2, (2,), ((),), (1,))
    assert [documents_of(unit, features) for unit in (composed, term)] == [2, 2]
    evidence = name_evidence([[composed], [term]], features)
    assert (evidence > 0).tolist() == [[True, False], [False, False], [False, True], [True, True]]


def test_the_only_known_word_of_a_name_is_no_mention_of_it() -> None:
    finding = CategoryFinding("terminate account", "composed", "account", 2, words=("account",))
    [[unit]] = find_units([Category("terminate account")], [finding], ["card", "account"])
    features = features_of([[1, 1], [0, 1], [1, 0]])
    assert unit.whole == 1  # it places the name
    assert not name_evidence([[unit]], features).any()


def test_a_part_counts_where_its_documents_agree_with_the_whole_name() -> None:
    features = features_of([[1, 0, 1], [1, 0, 1], [0, 1, 1], [0, 1, 1]])
    scores = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.float32)
    name, informative, everywhere = (NameUnit(at, (at,), ((),), (1,), part=at != 1) for at in (1, 0, 2))
    given = [[name, informative, everywhere], [name]]
    assert meant_parts(given, scores, [True, True], features) == [[name, informative], [name]]
    assert meant_parts(given, scores, [False, True], features) == given  # the model does not know the name


def test_nothing_known_of_a_name() -> None:
    unknown, word = NameUnit(None, (None,), ((),), (1,)), NameUnit(None, (None,), ((3,),), (1,))
    assert nothing_known([[unknown], [word], [unknown]], None) == [0, 2]
    assert nothing_known([[unknown], [word], [unknown]], Known(np.array([5]), np.array([2]))) == [0]


def test_views_teach_neighbours_and_do_not_swallow_small_categories() -> None:
    rng = np.random.default_rng(0)
    places = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
    truth = np.repeat([0, 1, 2], [200, 200, 8])
    documents = unit_rows((places[truth] + 0.25 * rng.standard_normal((len(truth), 3))).astype(np.float32))
    believed = np.full((len(truth), 3), 0.2)
    believed[np.arange(len(truth)), truth] = 0.6
    wrong = rng.permutation(400)[:120]  # of the large categories, words alone mistake many
    believed[wrong] = believed[wrong][:, [1, 0, 2]]
    scores = discriminant_scores([Space(documents[:, :2], documents), Space(documents[:, 2:], documents)], believed)
    assert (scores.argmax(axis=1) == truth).mean() > 0.97
    assert (scores.argmax(axis=1)[truth == 2] == 2).mean() >= 0.75
    np.testing.assert_allclose([scores.std(), np.abs(scores.mean(axis=1)).max()], [1, 0], atol=1e-4)


def test_views_learn_nothing_from_a_category_without_documents() -> None:
    documents = unit_rows(np.random.default_rng(0).standard_normal((20, 4)).astype(np.float32))
    believed = np.zeros((20, 3))
    believed[:10, 0], believed[10:, 1] = 1.0, 1.0
    scores = discriminant_scores([Space(documents, documents)], believed)
    assert np.isfinite(scores).all() and set(scores.argmax(axis=1)) <= {0, 1, 2}
