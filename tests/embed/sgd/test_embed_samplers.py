"""Random choices against their exact probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from scipy import stats

from embed import EmbedOptions
from embed.sgd.kernel_tables import EdgeTables
from embed.sgd.lane_kernel import gather_rows
from embed.sgd.noise import AliasTable, keep_probability
from embed.sgd.random_kernel import below, draw, lane_key, noise_index, unit
from embed.sgd.trainer import Trainer, lane_buffers
from tests.embed.planted import TERM_OFFSET, planted_edges


@njit
def sample(accept, alias, key, n):  # type: ignore[no-untyped-def]
    counts = np.zeros(accept.size, np.int64)
    for i in range(n):
        counts[noise_index(draw(key, np.uint64(i)), accept, alias)] += 1
    return counts


@njit
def sample_below(bound, key, n):  # type: ignore[no-untyped-def]
    counts = np.zeros(bound, np.int64)
    for i in range(n):
        counts[below(draw(key, np.uint64(i)), bound)] += 1
    return counts


@njit
def sample_unit(key, n):  # type: ignore[no-untyped-def]
    out = np.empty(n, np.float32)
    for i in range(n):
        out[i] = unit(draw(key, np.uint64(i)))
    return out


@pytest.mark.parametrize("power", [0.0, 0.75, 1.0])
def test_negatives_follow_the_degree_power(power: float) -> None:
    degrees = np.random.default_rng(1).integers(0, 300, 200)
    table = AliasTable.of_degrees(degrees, power)
    expected = degrees.astype(float) ** power * (degrees > 0)
    counts = sample(table.accept, table.alias, np.uint64(7), 400_000)
    assert counts[expected == 0].sum() == 0
    some = expected > 0
    result = stats.chisquare(counts[some], 400_000 * expected[some] / expected.sum())
    assert result.pvalue > 0.001


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=40))
def test_an_alias_table_holds_exactly_the_probabilities_it_was_made_from(weights: list[float]) -> None:
    values = np.array(weights)
    if values.sum() < 1e-3:
        return
    assert AliasTable.of(values).probabilities() == pytest.approx(values / values.sum(), abs=1e-6)


def test_numbers_below_a_bound_and_units_are_uniform() -> None:
    counts = sample_below(13, np.uint64(3), 130_000)
    assert stats.chisquare(counts).pvalue > 0.001
    assert stats.kstest(sample_unit(np.uint64(5), 50_000), "uniform").pvalue > 0.001


def test_neighbouring_lanes_and_seeds_have_unrelated_numbers() -> None:
    keys = {
        int(lane_key(np.uint64(seed), step, 8, lane)) for seed in range(5) for step in range(50) for lane in range(8)
    }
    assert len(keys) == 5 * 50 * 8
    first, second = (sample_unit(lane_key(np.uint64(0), 0, 8, lane), 20_000) for lane in (0, 1))
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.03


def test_subsampling_keeps_rare_terms_and_thins_frequent_ones() -> None:
    counts = np.array([5, 500, 50_000, 449_495])
    keep = keep_probability(counts, 1e-3)
    ratio = 1e-3 / (counts / counts.sum())
    assert keep == pytest.approx(np.minimum(1, np.sqrt(ratio) + ratio), rel=1e-5)
    assert np.all(keep_probability(counts, 0) == 1)
    # t is never below the share of 20 occurrences
    assert np.all(keep_probability(np.array([20, 10, 3]), 1e-9) == 1)


def gathered(options: EmbedOptions, repeats: int) -> tuple[Trainer, list[np.ndarray], list[np.ndarray]]:
    """Kept tokens and term negatives of many draws of the first lane."""
    edges, _ = planted_edges(documents=64)
    trainer = Trainer(edges, options)
    order = trainer.plan.epoch(0)
    counts = edges.token_counts()
    keep = keep_probability(counts, options.subsample)
    keep_instance = np.ones(edges.n_instances, np.float32)
    documents = AliasTable.of_degrees(edges.document_degrees(), 0.75)
    terms = AliasTable.of_degrees(counts, 0.75)
    corpus = EdgeTables(
        order.pieces, order.lanes, edges.instances, edges.tokens, keep_instance, keep, documents.accept,
        documents.alias, terms.accept, terms.alias,
    )  # fmt: skip
    lanes = lane_buffers(trainer.plan, trainer.shape, trainer.parameters.table.shape[1])
    kept, negatives = [], []
    for i in range(repeats):
        gather_rows(
            0,
            0,
            1,
            trainer.parameters.table,
            trainer.parameters.kappa,
            trainer.shape,
            corpus,
            lanes,
            np.uint64(i * 77 + 1),
        )
        rows = lanes.rows[0]
        n = lanes.ends[0, 0, 1]
        kept.append(rows[lanes.token_lefts[0, :n]] - TERM_OFFSET)
        negatives.append(rows[lanes.term_pool[0]] - edges.n_instances)
    return trainer, kept, negatives


def test_a_lane_keeps_tokens_and_draws_negatives_with_the_right_chances() -> None:
    options = EmbedOptions(dim=8, subsample=0.02, threads=1, epochs=1, lanes=1, lane_documents=1)
    trainer, kept, negatives = gathered(options, 400)
    edges = trainer.edges
    piece = trainer.plan.epoch(0).pieces[0]
    text = edges.tokens[piece[3] : piece[4]]
    keep = keep_probability(edges.token_counts(), options.subsample)
    observed = np.bincount(np.concatenate(kept), minlength=edges.n_terms)
    expected = 400 * np.bincount(text, weights=keep[text], minlength=edges.n_terms)
    spread = np.sqrt(np.maximum(expected, 1))
    assert np.all(np.abs(observed - expected) < 5 * spread)
    drawn = np.bincount(np.concatenate(negatives), minlength=edges.n_terms)
    noise = edges.token_counts() ** 0.75
    assert stats.chisquare(drawn, drawn.sum() * noise / noise.sum()).pvalue > 0.001
