"""A graph's documents by the matched motifs are what the encoder makes of their text and metadata."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from classify.documents.encoder import Encoded, Encoder
from classify.documents.graph_encoding import encode_documents
from classify.documents.sequences import Sequences
from classify.paper.selection import instance_orders
from hin.graph import Graph
from motifs import MotifSet, match_all
from motifs.samples import make_graph, tiny_graph
from tests.classify.report.report_samples import sample_graph

CITED = "(d:document)-[:cites]->(e:document)-[:venue]->(v:venue)"


def sequences(graph: Graph, motifs: MotifSet, length: int = 200) -> Sequences:
    blocks = encode_documents(Encoder.of(motifs), graph, motifs, length)
    return Sequences.joined([block.sequences for block in blocks])


def same(one: Encoded, other: Encoded) -> bool:
    pairs = [(one.counts, other.counts, name) for name in ("data", "indices", "indptr")]
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for a, b, name in pairs) and all(
        np.array_equal(a, b) for a, b in zip(one.sequences, other.sequences, strict=True)
    )


@pytest.mark.parametrize("length", [3, 200])
@pytest.mark.parametrize("patterns", [["author", "venue", "author-author", "author-venue", "venue-year"], [], [CITED]])
def test_it_is_what_the_encoder_finds_document_by_document(patterns: list[str], length: int) -> None:
    graph = tiny_graph()
    motifs = match_all(graph, ["term", *patterns], min_count=1)
    encoder = Encoder.of(motifs)
    blocks = list(encode_documents(encoder, graph, motifs, length, size=2))
    assert len(blocks) == 3
    expected = list(encoder.encode_graph(graph, length, size=2))
    assert all(same(one, other) for one, other in zip(blocks, expected, strict=True))


def test_it_is_what_the_encoder_finds_in_a_real_text(tmp_path: Path) -> None:
    graph = sample_graph(tmp_path, documents=80)
    motifs = match_all(graph, ["term", "author", "author-author", "author-year"], min_count=2)
    encoder = Encoder.of(motifs)
    [one], [other] = encode_documents(encoder, graph, motifs), encoder.encode_graph(graph)
    assert same(one, other)


def test_sequences_are_metadata_then_text_cut_at_the_length() -> None:
    graph = tiny_graph()
    motifs = match_all(graph, ["term", "author", "venue", "year", "venue-year"], min_count=1)
    names = [motifs.name(int(i)) for i in sequences(graph, motifs).row(1)]
    assert names == [
        "AUTHOR[Bob]", "AUTHOR[Ann]", "AUTHOR[Cy]", "VENUE[KDD]", "YEAR[2008]", "TERM[data]", "TERM[web]", "TERM[data]",
    ]  # fmt: skip
    assert [motifs.name(int(i)) for i in sequences(graph, motifs, length=4).row(1)] == names[:4]
    rare = match_all(graph, ["term", "venue"], min_count=3)
    assert [rare.name(int(i)) for i in sequences(graph, rare).row(3)] == ["TERM[web]"]


def test_nodes_of_other_documents_are_not_part_of_a_sequence() -> None:
    graph = tiny_graph()
    motifs = match_all(graph, ["term", "venue", CITED], min_count=1)
    rows = sequences(graph, motifs)
    assert [motifs.pattern_of(int(i)).name for i in rows.row(1)] == ["venue", "term", "term", "term"]
    orders = instance_orders(motifs)
    assert {motifs.pattern_of(i).name: int(orders[i]) for i in range(motifs.n_instances)}.get("venue") == 1
    assert sorted(set(orders.tolist())) == [1, 2]


def test_a_document_without_known_instances_is_an_empty_sequence() -> None:
    graph = make_graph({"tag": [["a"], []]}, terms=[["x"], []])
    rows = sequences(graph, match_all(graph, ["term", "tag"], min_count=1))
    assert np.diff(rows.offsets).tolist() == [2, 0]
