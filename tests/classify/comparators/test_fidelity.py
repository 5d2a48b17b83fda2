"""Each system where its own idea must win, and where it cannot."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from classify.comparators.hgt import HGT, sample_part
from classify.comparators.hin2vec import Hin2Vec, pairs_of
from classify.comparators.metacat import MetaCat
from classify.comparators.parts.nodes import NumberedNodes, nodes_of
from classify.comparators.parts.reading import read_documents
from classify.comparators.parts.walks import neighbours_by_kind, walk_along
from classify.comparators.westclass import WeSTClassMetadata
from classify.documents.sequences import Sequences
from tests.classify.comparators.planted import accuracy, planted
from tests.classify.comparators.small import meta, small, west


@pytest.mark.slow
def test_words_decide_for_westclass():
    task, truth = planted("text")
    assert accuracy(west().run(task), truth) > 0.85


@pytest.mark.slow
def test_westclass_with_metadata_finds_what_the_text_hides():
    task, truth = planted("structure")
    plain, more = accuracy(west().run(task), truth), accuracy(west(WeSTClassMetadata).run(task), truth)
    assert plain < 0.6
    assert more > plain + 0.05


@pytest.mark.slow
def test_structure_decides_for_metapath2vec_and_hin2vec():
    task, truth = planted("structure")
    assert accuracy(small("metapath2vec").run(task), truth) > 0.8
    assert accuracy(Hin2Vec(walks=20, batch=512).run(task), truth) > 0.6


@pytest.mark.slow
def test_a_motif_decides_for_meta():
    task, truth = planted("motif")
    new = np.arange(len(truth)) % 2 == 0  # the dialect in which no name ever stands
    found, alone = meta().run(task), meta(iterations=1).run(task)
    assert np.mean(found.labels[new] == truth[new]) > 0.8
    assert np.mean(alone.labels[new] == truth[new]) < 0.6


@pytest.mark.slow
def test_metacat_learns_from_what_motifclass_retrieves():
    task, truth = planted("text")
    assert accuracy(small("metacat").run(task), truth) > 0.7


class _Seen(Exception):
    """What a system handed to its classifier: enough for a test."""


def test_metacat_invents_documents_of_words_and_repeats_given_ones_where_there_are_few(monkeypatch):
    task, _ = planted("structure")
    given = [SimpleNamespace(documents=np.array(rows)) for rows in ([0, 3], [1], [2, 5, 8])]

    def fit(self, sequences, vectors, targets, *_, **__):
        raise _Seen(sequences, targets)

    monkeypatch.setattr(
        "classify.comparators.metacat.select_motifs", lambda _: SimpleNamespace(retrieved=lambda _: given)
    )
    monkeypatch.setattr("classify.learners.cnn_model.CNNClassifier.fit", fit)
    with pytest.raises(_Seen) as seen:
        MetaCat(samples=100_000, length=30, documents=30).run(task)
    sequences, targets = seen.value.args
    reading = read_documents(task, task.field_names)
    assert sequences.ids.max() < reading.terms[1] < reading.size
    assert targets.sum(axis=0).tolist() == [30 + 11 * 3] * 3


def test_the_network_of_meta_reads_text_alone(monkeypatch):
    task, _ = planted("text")

    def cut(sequences, *_):
        raise _Seen(sequences)

    monkeypatch.setattr("classify.comparators.parts.han.to_sentences", cut)
    with pytest.raises(_Seen) as seen:
        meta().run(task)
    reading = read_documents(task, task.field_names)
    assert seen.value.args[0].ids.max() < reading.terms[1] < reading.size


@pytest.mark.slow
def test_hgt_learns_which_nodes_are_linked():
    from sklearn.metrics import roc_auc_score

    task, _ = planted("structure")
    nodes = nodes_of(task)
    first, second = nodes.edges.nonzero()
    made = np.random.default_rng(0).integers(nodes.size, size=(2, len(first)))
    real = np.arange(2 * len(first)) < len(first)
    pairs = np.concatenate([np.stack([first, second]), made], axis=1)
    reported = {}
    for steps in (1, 100):
        system = HGT(dim=20, heads=2, layers=2, dropout=0.0, depth=2, width=64, batch=128, steps=steps, rate=0.03)
        vectors = system.place(task, nodes, np.arange(nodes.size))
        reported[steps] = roc_auc_score(real, (vectors[pairs[0]] * vectors[pairs[1]]).sum(axis=1))
    assert reported[1] < 0.6 and reported[100] > 0.8


def star():
    """Two documents, a word that both hold and one that the second holds."""
    from scipy import sparse

    edges = sparse.csr_array(np.array([[0, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 0]], dtype=np.float32))
    return NumberedNodes(2, np.array([0, 0, 1, 1], np.int8), ("document", "term"), edges, [(2,)])


def test_pairs_of_hin2vec_leave_out_circles_and_number_their_meta_paths():
    found = pairs_of(Sequences.of([[0, 2, 1, 2]]), star(), 3)
    pairs = list(zip(found.first.tolist(), found.second.tolist(), found.path.tolist(), strict=True))
    # One step: 0-2, 2-1, 1-2; two steps: 0-1 and 2-2; three steps, 0 to 2, would pass 2 on the way.
    assert [pair[:2] for pair in pairs] == [(0, 2), (2, 1), (1, 2), (0, 1), (2, 2)]
    # Digits of base 3: document 1, term 2.
    assert [pair[2] for pair in pairs] == [1 * 3 + 2, 2 * 3 + 1, 1 * 3 + 2, (1 * 3 + 2) * 3 + 1, (2 * 3 + 1) * 3 + 2]


def test_walks_step_to_the_kinds_of_the_meta_path():
    nodes = star()
    walks = walk_along(neighbours_by_kind(nodes), np.array([0, 1, 1]), (1, 0), 7, (0, 1))
    assert walks.n_documents == 3 and np.diff(walks.offsets).tolist() == [7, 7, 7]
    for row in range(3):
        kinds = nodes.kinds[walks.row(row)]
        assert kinds.tolist() == [0, 1, 0, 1, 0, 1, 0]
        assert all(nodes.edges[int(a), int(b)] for a, b in zip(walks.row(row), walks.row(row)[1:], strict=False))


def test_a_drawn_part_begins_with_its_seeds_and_holds_no_node_twice():
    task, _ = planted("structure", documents=60)
    nodes = nodes_of(task)
    part = sample_part(nodes, np.array([5, 3]), depth=3, width=4, rng=np.random.default_rng(0))
    assert part[:2].tolist() == [5, 3] and len(np.unique(part)) == len(part)
    assert 2 < len(part) <= 2 + 3 * 4 * len(nodes.names)
