"""What a document is to the classifier, in the graph or new."""

from __future__ import annotations

import numpy as np
import pytest

import hin
from classify.documents.encoder import Encoder
from classify.documents.unknown import Unknown
from hin.graph import Graph
from hin.reading.records import RecordBatch
from motifs import MotifSet, match_all


@pytest.fixture
def graph(tmp_path) -> Graph:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(30)]
    lines = [
        f'{{"id": "d{i}", "text": "{" ".join(rng.choice(words, 9))} ham radio {" ".join(rng.choice(words, 9))}, x", '
        f'"author": ["Ann", "Bob", "Cy-{i % 2}"], "venue": "V{i % 2}", "year": {2000 + i % 2}}}'
        for i in range(40)
    ]
    path = tmp_path / "d.jsonl"
    path.write_text("\n".join(lines))
    return hin.load(path, metadata=["author", "venue", "year"])  # venue and year say the same here


@pytest.fixture
def motif_set(graph: Graph) -> MotifSet:
    patterns = ["term", "author", "venue", "year", "author-author", "author-venue", "venue-year"]
    return match_all(graph, patterns, min_count=2)


def test_a_document_has_the_instances_that_matching_found(graph: Graph, motif_set: MotifSet) -> None:
    encoded = next(Encoder.of(motif_set).encode_graph(graph))
    by_document = motif_set.by_document()
    phrases = {motif_set.find("TERM[ham]"), motif_set.find("TERM[radio]")}  # words of a phrase are evidence, too
    for row in range(len(graph)):
        found = set(encoded.counts[[row]].indices.tolist())
        expected = set(by_document.row(row).tolist())
        assert found - expected <= phrases
        assert expected <= found


def test_sequences_are_metadata_then_text_cut_at_the_length(graph: Graph, motif_set: MotifSet) -> None:
    encoder = Encoder.of(motif_set)
    row = next(encoder.encode_graph(graph, length=6)).sequences.row(0)
    names = [motif_set.name(int(i)) for i in row]
    assert names[:5] == ["AUTHOR[Ann]", "AUTHOR[Bob]", "AUTHOR[Cy-0]", "VENUE[V0]", "YEAR[2000]"]
    assert len(names) == 6
    assert names[5].startswith("TERM[")


def test_phrases_do_not_reach_over_punctuation(graph: Graph, motif_set: MotifSet) -> None:
    encoder = Encoder.of(motif_set)
    phrase = motif_set.find("TERM[ham radio]")
    assert phrase is not None
    joined, apart = (encoder.encode([text], {}).counts[[0], [phrase]][0] for text in ("ham radio", "ham, radio"))
    assert (joined, apart) == (1.0, 0.0)


def test_unknown_words_values_and_fields_are_passed_over(graph: Graph, motif_set: MotifSet) -> None:
    encoder = Encoder.of(motif_set)
    encoded = encoder.encode(["quux zyzzy", ""], {"author": [["Zoe"], []], "planet": [["Mars"], []]})
    assert encoded.counts.nnz == 0
    assert np.diff(encoded.sequences.offsets).tolist() == [0, 0]


def test_values_in_any_order_make_the_same_combinations(graph: Graph, motif_set: MotifSet) -> None:
    encoder = Encoder.of(motif_set)
    one, other = (
        encoder.encode([""], {"author": [names]}).counts.toarray() for names in (["Ann", "Bob"], ["Bob", "Ann", "Bob"])
    )
    assert (one == other).all()
    assert one[0, motif_set.find("AUTHOR[Ann]-AUTHOR[Bob]")] == 1


def test_patterns_through_other_documents_are_not_seen_in_a_document_alone() -> None:
    from motifs.samples import make_graph

    graph = make_graph(
        {"venue": [["KDD"], ["WWW"], ["KDD"]]}, terms=[["data"], ["web"], ["data"]], links={"cites": [[1], [2], [1]]}
    )
    beyond = "(d:document)-[:cites]->(e:document)-[:venue]->(v:venue)"
    motifs = match_all(graph, ["term", beyond], min_count=1)
    encoder = Encoder.of(motifs)
    encoded = encoder.encode(["data web"], {"venue": [["KDD"]]})
    names = [motifs.name(i) for i in encoded.counts.indices.tolist()]
    assert names == ["TERM[data]", "TERM[web]"]
    assert encoded.counts.shape == (1, motifs.n_instances)


def test_values_of_new_documents_are_folded_as_a_load_folds_them() -> None:
    tables = (("term",), (("mail",),)), (("agent",), (("New York",), ("Sea",), ("sea",)))
    encoder = Encoder(("agent",), tables, np.array([0, 1, 4]), (9, 9))
    agents = [["new  york"], ["SEA"], ["Sea"]]
    batch = RecordBatch(list("abc"), [("mail",)] * 3, {"agent": agents}, [None] * 3, {}, [("-", i) for i in range(3)])
    assert encoder.encode_batch(batch).counts.toarray()[:, 1:].tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert set(Unknown.in_batch(encoder, batch).values) == {("agent", "SEA")}
