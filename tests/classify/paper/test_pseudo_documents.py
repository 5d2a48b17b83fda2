"""Selection, retrieval and generation against hand-worked examples and their distributions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from classify.categories.name_vector import NameVector
from classify.paper.generation import generate, sample_vmf
from classify.paper.options import GenerationOptions
from classify.paper.retrieval import count_indicative, retrieve
from classify.paper.selection import SelectionOptions, instance_orders, select_instances, selection_rows
from hin.errors import BadUsage
from hin.graph import Csr
from motifs import match_all
from motifs.samples import tiny_graph


def unit(*rows: list[float]) -> np.ndarray:
    table = np.array(rows, dtype=np.float32)
    return table / np.linalg.norm(table, axis=1, keepdims=True)


# Two names (0, 1) and six other instances, by hand: cosines with name 0 fall from 2 to 7.
VECTORS = unit([1, 0], [0, 1], [9, 1], [8, 2], [7, 3], [3, 7], [2, 8], [1, 9])
KAPPA = np.array([1.0, 1.0, 1.9, 2.0, 5.0, 3.0, 2.5, 1.0])
NAMES = [NameVector((0,), VECTORS[0], 1.0), NameVector((1,), VECTORS[1], 1.0)]
ONES = np.ones(8, dtype=np.int64)


def test_the_nearest_instances_twice_as_specific_as_the_name_are_selected() -> None:
    first, second = select_instances(VECTORS, KAPPA, ONES, NAMES, SelectionOptions(size=3))
    assert first.instances.tolist() == [0, 3, 4]
    assert second.instances.tolist() == [1, 6, 5]
    assert first.cosines == pytest.approx([1, 8 / np.hypot(8, 2), 7 / np.hypot(7, 3)], abs=1e-6)
    assert (first.eta, first.note) == (2.0, "")


def test_without_specificity_the_nearest_win_whatever_their_kappa() -> None:
    chosen = select_instances(VECTORS, KAPPA, ONES, NAMES, SelectionOptions(size=3, specificity=False))
    assert chosen[0].instances.tolist() == [0, 2, 3]


def test_without_higher_order_combinations_are_left_out() -> None:
    orders = np.array([1, 1, 1, 2, 1, 1, 2, 1])
    chosen = select_instances(VECTORS, KAPPA, orders, NAMES, SelectionOptions(3, 1.5, higher_order=False))
    assert chosen[0].instances.tolist() == [0, 2, 4]


def test_eta_is_lowered_for_the_category_where_too_few_pass_and_the_note_says_so() -> None:
    names = [NameVector((0,), VECTORS[0], 1.0), NameVector((1,), VECTORS[1], 4.0)]
    first, second = select_instances(VECTORS, KAPPA, ONES, names, SelectionOptions(size=3))
    assert first.note == ""
    # Four of eight must pass; the fourth largest kappa is 2.0.
    assert second.eta == pytest.approx(0.5)
    assert "only 0 instances have at least 2 times the name's kappa" in second.note
    assert second.instances.tolist() == [1, 6, 5]


def test_a_name_of_kappa_zero_selects_without_dividing_by_it() -> None:
    names = [NameVector((0,), VECTORS[0], 0.0), NameVector((1,), VECTORS[1], 0.0)]
    assert len(select_instances(VECTORS, KAPPA * 0, ONES, names)[0].instances) == 8


def test_keywords_come_right_after_the_name() -> None:
    names = [NameVector((0, 5), VECTORS[0], 1.0), NAMES[1]]
    assert select_instances(VECTORS, KAPPA, ONES, names, SelectionOptions(size=3))[0].instances.tolist() == [0, 5, 3]


@given(st.integers(0, 2**32 - 1), st.floats(0, 4))
def test_selected_instances_pass_the_threshold_and_are_sorted(seed: int, eta: float) -> None:
    rng = np.random.default_rng(seed)
    vectors, kappa = unit(*rng.standard_normal((60, 4)).tolist()), rng.random(60)
    names = [NameVector((i,), vectors[i], float(kappa[i])) for i in range(3)]
    for name, chosen in zip(
        names, select_instances(vectors, kappa, np.ones(60), names, SelectionOptions(10, eta)), strict=True
    ):
        others = chosen.instances[1:]
        assert len(set(chosen.instances.tolist())) == len(chosen.instances) == 10
        assert (kappa[others] >= min(eta, chosen.eta) * name.kappa - 1e-9).all()
        assert (np.diff(chosen.cosines[1:]) <= 0).all()
        assert chosen.eta <= eta


@pytest.mark.parametrize("options", [{"size": 0}, {"eta": -1}, {"eta": float("nan")}])
def test_senseless_selections_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(BadUsage):
        SelectionOptions(**options)  # type: ignore[arg-type]


def test_selection_records_have_the_shape_of_hin_select() -> None:
    motifs = match_all(tiny_graph(), ["term", "venue", "venue-year"], min_count=1)
    n = motifs.n_instances
    vectors, web = np.eye(n, dtype=np.float32), motifs.find("TERM[web]")
    assert web is not None
    chosen = select_instances(
        vectors, np.ones(n), instance_orders(motifs), [NameVector((web,), vectors[web], 1.0)], SelectionOptions(size=1)
    )
    assert selection_rows(chosen, ["web"], motifs, np.ones(n)) == [
        {"category": "web", "position": 1, "pattern": "term", "instance": "TERM[web]", "kappa": 1.0, "cosine": 1.0,
         "documents": 3}
    ]  # fmt: skip
    assert sorted(set(instance_orders(motifs).tolist())) == [1, 2]


def test_scores_count_indicative_instances_once_a_document() -> None:
    edges = Csr.from_lists([[0, 1, 2], [2, 3], [], [4]])
    scores = count_indicative(edges, [np.array([0, 1]), np.array([1, 3])], 5)
    assert scores.tolist() == [[2, 1], [0, 1], [0, 0], [0, 0]]


def test_retrieved_documents_are_exclusive_and_best_first() -> None:
    scores = np.array([[1, 0, 0], [3, 0, 0], [5, 1, 0], [0, 2, 0], [3, 0, 0]])
    found = retrieve(scores, 2)
    assert [r.documents.tolist() for r in found] == [[1, 4], [3], []]
    assert found[0].scores.tolist() == [3, 3]
    closer = retrieve(scores, 2, np.array([[0.0] * 3, [0.1] * 3, [0.0] * 3, [0.0] * 3, [0.9] * 3]))
    assert closer[0].documents.tolist() == [4, 1]


def test_a_category_that_retrieves_nothing_is_empty_not_an_error() -> None:
    assert [len(r.documents) for r in retrieve(np.zeros((3, 2), dtype=np.int32), 5)] == [0, 0]
    assert [len(r.documents) for r in retrieve(np.ones((3, 2), dtype=np.int32), 5)] == [0, 0]


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_retrieval_obeys_its_criterion(seed: int, size: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 3, size=(40, 3)).astype(np.int32)
    for column, found in enumerate(retrieve(scores, size)):
        rest = np.delete(scores, column, axis=1)
        allowed = np.flatnonzero((rest.sum(axis=1) == 0) & (scores[:, column] > 0))
        assert len(found.documents) == min(size, len(allowed))
        assert set(found.documents.tolist()) <= set(allowed.tolist())
        left = np.setdiff1d(allowed, found.documents)
        if len(left):
            assert scores[left, column].max() <= found.scores.min()


@pytest.mark.parametrize(("dim", "concentration"), [(100, 200.0), (100, 20.0), (5, 50.0), (3, 1.0)])
def test_vmf_draws_follow_the_distribution(dim: int, concentration: float) -> None:
    mean = np.full(dim, 1 / np.sqrt(dim))
    drawn = sample_vmf(mean, concentration, 4000, np.random.default_rng(1)).astype(np.float64)
    assert np.linalg.norm(drawn, axis=1) == pytest.approx(np.ones(4000), abs=1e-5)
    theirs = stats.vonmises_fisher(mean, concentration).rvs(4000, random_state=np.random.default_rng(2))
    assert stats.ks_2samp(drawn @ mean, theirs @ mean).pvalue > 1e-3
    across = np.eye(dim)[0] - mean * mean[0]
    assert stats.ks_2samp(drawn @ across, theirs @ across).pvalue > 1e-3


def test_vmf_with_no_concentration_is_uniform() -> None:
    drawn = sample_vmf(np.eye(3)[0], 0.0, 4000, np.random.default_rng(0))
    assert stats.kstest(drawn[:, 0], stats.uniform(-1, 2).cdf).pvalue > 1e-3


def test_generated_documents_mix_the_nearest_by_the_softmax_of_their_affinity() -> None:
    vectors = unit([1, 0, 0], [0.9, 0.44, 0], [0.5, 0.87, 0], [-1, 0, 0], [0, 0, 1])
    options = GenerationOptions(concentration=1e6, neighbours=3)
    made = generate(vectors, np.arange(5), [vectors[0]], 1, 30_000, np.random.default_rng(0), options)
    weight = np.exp(vectors[:3] @ vectors[0])
    assert np.bincount(made.ids, minlength=5) / 30_000 == pytest.approx([*(weight / weight.sum()), 0, 0], abs=0.01)


def test_generated_documents_hold_candidates_only_and_have_the_length_asked_for() -> None:
    vectors = unit(*np.random.default_rng(0).standard_normal((30, 8)).tolist())
    made = generate(vectors, np.arange(10, 30), [vectors[0], vectors[1]], 4, 7, np.random.default_rng(0))
    assert made.offsets.tolist() == [7 * i for i in range(9)]
    assert made.ids.min() >= 10
    again = generate(vectors, np.arange(10, 30), [vectors[0], vectors[1]], 4, 7, np.random.default_rng(0))
    assert np.array_equal(made.ids, again.ids)
    longer = generate(vectors, np.arange(30), [vectors[0]], 1, 7, np.random.default_rng(0), GenerationOptions(length=3))
    assert len(longer.ids) == 3


@pytest.mark.parametrize("options", [{"concentration": -1}, {"neighbours": 0}, {"length": 0}])
def test_senseless_generation_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(BadUsage):
        GenerationOptions(**options)
