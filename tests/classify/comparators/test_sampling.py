"""A sample is the graph that loading those documents alone would give."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from classify.comparators.parts.sampling import sample_documents, split_documents, take_documents
from motifs.samples import make_graph

VENUES = [["KDD"], ["WWW", "KDD"], [], ["VLDB"]]
WORDS = [["data", "data", "mining"], ["web"], ["data"], ["query", "web"]]
LINKS = [[1, 3], [], [0], [2]]


def named(graph, field, row):
    return graph.names(field).take(graph.edges(field).row(row))


@given(st.sets(st.integers(0, 3), min_size=1))
def test_documents_keep_their_neighbours(chosen):
    graph = make_graph({"venue": VENUES}, terms=WORDS, links={"cites": LINKS})
    rows = np.array(sorted(chosen))
    part = take_documents(graph, rows)
    assert part.documents.tolist() == [f"doc{i}" for i in rows]
    for new, old in enumerate(rows):
        assert named(part, "venue", new) == VENUES[old]
        assert part.names("term").take(part.tokens.row(new)) == WORDS[old]
        cited = [f"doc{i}" for i in LINKS[old] if i in chosen]
        assert part.documents.take(part.edges("cites").row(new)) == cited
    used = {word for i in rows for word in WORDS[i]}
    assert set(part.names("term")) == used
    assert part.document_frequency.min() >= 1


def test_a_sample_is_drawn_once_and_kept_in_order():
    rows = sample_documents(1000, 100)
    assert np.array_equal(rows, sample_documents(1000, 100))
    assert np.array_equal(rows, np.unique(rows)) and len(rows) == 100


def test_the_split_has_no_document_twice_and_none_without_a_label():
    truth = np.where(np.arange(100) % 7 == 0, -1, 0)
    parts = split_documents(truth, np.random.default_rng(0))
    together = np.concatenate(parts)
    assert len(np.unique(together)) == len(together) == (truth >= 0).sum()
    assert (truth[together] == 0).all()
