"""Documents in blocks from a folder: what is found is what one pass over everything in memory finds."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from classify.categories.known import Known
from classify.documents.encoder import Encoded
from classify.documents.feature_blocks import FeatureBlocks
from classify.documents.features import Features
from classify.documents.sequences import Sequences
from classify.documents.stored_documents import StoredDocuments
from classify.recipe.naive_bayes import naive_bayes_em
from classify.recipe.options import BayesOptions
from classify.views.base import place
from classify.views.joint import JointView
from classify.views.placing import place_view
from classify.views.tf_idf import TfidfView
from hin.arrays import stored_rows
from hin.arrays.linalg import add_product
from hin.arrays.row_blocks import RowBlocks, _CachedBlocks, in_blocks
from hin.arrays.stored_rows import BLOCK, StoredRows
from hin.engines.local import LocalEngine

INSTANCES = 30


def some_counts(documents: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    counts = sparse.random_array((documents, INSTANCES), density=0.2, rng=rng, format="csr", dtype=np.float32)
    counts.data = np.ceil(4 * counts.data).astype(np.float32)
    return counts


def stored(counts: Any, folder: Path) -> StoredDocuments:
    none = Sequences.of([])
    blocks = [
        Encoded(counts[first : first + BLOCK], Sequences.of([[first]] * min(BLOCK, counts.shape[0] - first)))
        for first in range(0, counts.shape[0], BLOCK)
    ] or [Encoded(counts, none)]
    return StoredDocuments.of(folder / "encoded", blocks, counts.shape[1])


def both(tmp_path: Path, documents: int = 2 * BLOCK + 5, threads: int = 2) -> tuple[Features, FeatureBlocks]:
    counts = some_counts(documents)
    single, trust = np.ones(INSTANCES, dtype=np.bool_), np.linspace(0.1, 1, INSTANCES, dtype=np.float32)
    engine = LocalEngine(f"local:{threads}")
    return Features(counts, single, trust), FeatureBlocks(
        stored(counts, tmp_path), single, trust, None, engine, tmp_path
    )


def test_features_in_blocks_tell_the_same(tmp_path: Path) -> None:
    whole, blocks = both(tmp_path)
    assert blocks.documents.tolist() == whole.documents.tolist()
    assert blocks.idf.tobytes() == whole.idf.tobytes() and blocks.n_documents == whole.n_documents
    rows = np.array([3, BLOCK - 1, BLOCK, 2 * BLOCK + 4])
    for kind in ("counts", "weights", "unit", "trusted"):
        assert (getattr(blocks, kind)[rows] != getattr(whole, kind)[rows]).nnz == 0
    blocks.look_up([7, 9])
    for instance in (7, 9, 11):
        assert blocks.holders(instance).tolist() == whole.holders(instance).tolist()
        assert blocks.mentions(instance)[1].tobytes() == whole.mentions(instance)[1].tobytes()


def test_counts_beyond_the_documents_are_added(tmp_path: Path) -> None:
    counts = some_counts(BLOCK + 3)
    more = sparse.csr_array(([1.0], ([BLOCK + 1], [4])), shape=counts.shape, dtype=np.float32)
    ones = np.ones(INSTANCES, dtype=np.float32)
    blocks = FeatureBlocks(stored(counts, tmp_path), ones > 0, ones, more, LocalEngine("local:1"), tmp_path)
    assert (blocks.counts[np.arange(BLOCK + 3)] != counts + more).nnz == 0


@pytest.mark.parametrize("known", [None, Known(np.array([1, BLOCK + 2]), np.array([0, 2]))])
def test_naive_bayes_is_the_same_bytes_from_a_folder_and_at_any_number_of_threads(
    tmp_path: Path, known: Known | None
) -> None:
    whole, blocks = both(tmp_path, threads=3)
    scores = np.random.default_rng(1).normal(size=(whole.n_documents, 3)).astype(np.float32)
    counted = BayesOptions(known_weight=5.0)
    one = naive_bayes_em(whole.weights, scores, counted, known=known)
    assert naive_bayes_em(whole.weights, scores, counted, known=known, threads=2).tobytes() == one.tobytes()
    assert naive_bayes_em(blocks.weights, scores, counted, known=known).tobytes() == one.tobytes()


@pytest.mark.parametrize("unknown", [0, 4])
def test_a_view_places_documents_in_blocks_as_it_would_in_memory(tmp_path: Path, unknown: int) -> None:
    whole, blocks = both(tmp_path)
    vectors = np.random.default_rng(2).normal(size=(INSTANCES, 8)).astype(np.float32)
    vectors[:unknown] = 0
    view = JointView(vectors)
    expected = place(whole, vectors, view.rows(whole))
    found = place_view(blocks, view, np.random.default_rng(0))
    np.testing.assert_allclose(np.asarray(found.documents), expected.documents, atol=2e-6)
    np.testing.assert_allclose(np.asarray(found.instances), expected.instances, atol=2e-6)
    np.testing.assert_allclose(found.documents[:] @ np.ones((8, 1)), found.documents @ np.ones((8, 1)), atol=1e-5)


def test_the_tf_idf_view_of_a_sample_leaves_what_it_lacks_to_its_documents(tmp_path: Path) -> None:
    whole, blocks = both(tmp_path)
    few = TfidfView(rank=4, most_documents=3)
    one, two = (few.instances(f, np.random.default_rng(0)) for f in (whole, blocks))
    assert one.tobytes() == two.tobytes()
    lacking = ~one.any(axis=1)
    assert lacking.any()
    space = place_view(blocks, few, np.random.default_rng(0))
    assert np.asarray(space.instances)[lacking].any(axis=1).all()


@pytest.mark.parametrize("few", [0, 1 << 20])  # mapped, and cached in memory
def test_rows_in_files_are_cut_and_picked_like_an_array(
    tmp_path: Path, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hin.arrays.stored_rows._FEW", few)
    values = np.random.default_rng(0).normal(size=(BLOCK + 7, 3)).astype(np.float32)
    rows = StoredRows.of(tmp_path / "rows", values)
    picked = np.array([BLOCK + 6, 0, 0, BLOCK])
    assert rows[picked].tobytes() == values[picked].tobytes()
    assert rows[BLOCK - 2 : BLOCK + 2].tobytes() == values[BLOCK - 2 : BLOCK + 2].tobytes()
    assert rows[BLOCK].tobytes() == values[BLOCK].tobytes() and len(rows) == len(values)
    rows.write(1, values[BLOCK:] + 1)
    assert rows[BLOCK:].tobytes() == (values[BLOCK:] + 1).tobytes()
    sent = pickle.dumps(rows)
    assert len(sent) < 1000 and pickle.loads(sent)[picked].tobytes() == rows[picked].tobytes()


@given(st.lists(st.integers(0, 60), max_size=5), st.integers(0, 9))
def test_any_split_into_blocks_gives_the_same_bytes(cuts: list[int], seed: int) -> None:
    counts = some_counts(60, seed)
    dense = np.random.default_rng(seed).normal(size=(60, 5)).astype(np.float32)
    whole, parts = np.zeros((INSTANCES, 5), np.float32), np.zeros((INSTANCES, 5), np.float32)
    add_product(counts, dense, whole)
    edges = [0, *sorted(cuts), 60]
    for first, last in zip(edges, edges[1:], strict=False):
        add_product(counts[first:last], dense[first:last], parts, threads=2)
    assert parts.tobytes() == whole.tobytes()


def test_large_counts_survive_the_file(tmp_path: Path) -> None:
    counts = sparse.csr_array(np.array([[300.0, 0.0], [1.0, 2.0]], dtype=np.float32))
    found = StoredDocuments.of(tmp_path, [Encoded(counts, Sequences.of([[0], [1, 0]]))], 2)
    assert found[0].counts.toarray().tolist() == counts.toarray().tolist()
    assert found.sequences_of(np.array([1])).row(0).tolist() == [1, 0]


def test_sums_over_no_rows_are_zero() -> None:
    rows = in_blocks(sparse.csr_array((0, 3), dtype=np.float32))
    assert rows.total(lambda part, number, sums: None, [((2,), "float64")])[0].tolist() == [0, 0]
    assert stored_rows.row_blocks(0) == []


def test_rows_are_held_where_all_of_them_fit() -> None:
    read: list[int] = []

    def block(number: int) -> sparse.csr_array:
        read.append(number)
        return sparse.csr_array(np.eye(2, dtype=np.float32))

    rows = RowBlocks(block, (2 * BLOCK, 2), LocalEngine("local:1"))
    cached = rows.cached()
    for _ in range(3):
        list(cached.each(lambda part, number: part.sum()))
    assert read == [0, 1]
    small = replace(cached, read=_CachedBlocks(block, 2, most=40))  # room for one of the two
    read.clear()
    for _ in range(2):
        list(small.each(lambda part, number: part.sum()))
    assert read == [0, 1, 0, 1]
