"""Specificity in closed form, on data whose concentration is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from embed import Edges
from embed.specificity import concentration, fold, mean_cosines


@pytest.mark.parametrize("kappa", [20.0, 100.0, 400.0])
def test_concentration_recovers_the_kappa_of_von_mises_fisher_samples(kappa: float) -> None:
    centre = np.zeros(50)
    centre[0] = 1
    sample = stats.vonmises_fisher(centre, kappa).rvs(4000, random_state=1)
    length = np.linalg.norm(sample.mean(axis=0)) ** 2
    assert concentration(np.array([length]), 50)[0] == pytest.approx(kappa, rel=0.05)


def test_mean_cosines_are_those_of_all_pairs_of_documents() -> None:
    generator = np.random.default_rng(0)
    documents = generator.normal(size=(30, 8)).astype(np.float32)
    rows = [sorted(generator.permutation(6)[:3].tolist()) for _ in range(30)]
    rows[0] = [6]  # an instance in one document only
    offsets = np.cumsum([0, *map(len, rows)])
    flat = np.array(sum(rows, []), np.int32)
    edges = Edges(offsets, flat, np.zeros(31, np.int64), np.empty(0, np.int32), 7, 0, 0)
    units = documents / np.linalg.norm(documents, axis=1, keepdims=True)
    units = units - units.mean(axis=0)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    found = mean_cosines(edges, documents)
    assert np.isnan(found[6])
    for m in range(6):
        mine = [d for d in range(30) if m in rows[d]]
        pairs = [units[a] @ units[b] for a in mine for b in mine if a != b]
        assert found[m] == pytest.approx(np.mean(pairs), abs=1e-5)


def test_a_document_without_weight_has_no_direction() -> None:
    vectors = np.eye(3, dtype=np.float32)
    folded = fold(np.array([0, 1, 1]), np.array([2], np.int32), np.ones(3, np.float32), vectors)
    assert folded.tolist() == [[0, 0, 1], [0, 0, 0]]
