"""Topics: groups of documents with similar words, as ideas for category names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.features import Features
from classify.views.base import place
from classify.views.tf_idf import TfidfView
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.types import Int64
from hin.text.languages import language_of, stop_words

if TYPE_CHECKING:
    from hin.graph import Graph

#: The size of the sample, the number of topics, the words of each, and the fewest documents of a topic.
_SAMPLE, _TOPICS, _WORDS, _LEAST = 5_000, 12, 6, 5
#: A word of a topic is this many times as frequent there as in all documents.
_LIFT = 1.5


@dataclass(frozen=True)
class Topic:
    """A group of documents: the words that set it apart, its size in the sample, and some typical documents."""

    words: tuple[str, ...]
    documents: int
    typical: tuple[int, ...]


def find_topics(graph: Graph, number: int = _TOPICS) -> list[Topic]:
    """Return groups of documents with the words that are frequent in each and rare elsewhere, the largest first.

    >>> from motifs.samples import tiny_graph
    >>> isinstance(find_topics(tiny_graph()), list)
    True
    """
    from sklearn.cluster import KMeans

    rows = np.sort(np.random.default_rng(0).permutation(len(graph))[:_SAMPLE])
    counts = graph.edges("term").to_scipy(graph.size("term")).tocsr()[rows].astype(np.float32)
    ones = np.ones(counts.shape[1], dtype=np.float32)
    features = Features(counts, ones > 0, ones)
    number = min(number, len(rows) // _LEAST)
    if number < 2 or not counts.nnz:
        return []
    with one_blas_thread():  # the same topics at any number of threads
        view = TfidfView(rank=50)
        space = place(features, view.instances(features, np.random.default_rng(0)), view.rows(features))
        found = KMeans(number, n_init=2, random_state=0).fit(space.documents)
    held = counts.T.tocsr()
    held.data[:] = 1.0
    topics = []
    for group in range(number):
        mine = np.flatnonzero(found.labels_ == group)
        near = mine[np.argsort(-(space.documents[mine] @ found.cluster_centers_[group]), kind="stable")]
        words = _words(graph, held, features.documents, mine)
        if len(mine) >= _LEAST and words:
            topics.append(Topic(words, len(mine), tuple(rows[near[:10]].tolist())))
    return sorted(topics, key=lambda topic: -topic.documents)


def _words(graph: Graph, held: Any, documents: Int64, mine: Int64) -> tuple[str, ...]:
    """Return the terms that are frequent in these documents and rare elsewhere."""
    inside = np.zeros(held.shape[1], dtype=np.float32)
    inside[mine] = 1.0
    here = np.asarray(held @ inside, dtype=np.float64)
    share, usual = here / max(len(mine), 1), documents / held.shape[1]
    worth = np.where((here >= 2) & (share >= _LIFT * usual), share * np.log((share + 1e-9) / (usual + 1e-9)), 0.0)
    names, silent = graph.names("term"), stop_words(language_of(graph))
    ordered = (names[int(at)] for at in np.argsort(-worth, kind="stable")[: 4 * _WORDS] if worth[at] > 0)
    informative = [word for word in ordered if len(word) > 2 and silent.isdisjoint(word.split())]
    return tuple(informative[:_WORDS])
