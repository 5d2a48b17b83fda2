"""META, in iterations: seeds give pseudo labels, a classifier is trained, words and motif instances become seeds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from classify.comparators.parts.language_models import torch_set_up
from classify.comparators.parts.reading import Reading, read_documents
from classify.comparators.parts.skip_gram import SkipGramOptions, skip_gram
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task
from classify.learners.balance import balanced_sample
from hin.arrays.types import Doubles, Floats, Int64, Ints, Reals


@SYSTEMS.register("meta")
@dataclass(frozen=True)
class META(System):
    """Trains on at most `documents` pseudo-labelled documents per iteration, after the first for `later` epochs."""

    about = About(
        title="META",
        paper="Mekala et al., META: Metadata-Empowered Weak Supervision for Text Classification, EMNLP 2020",
        follows="Pseudo labels by the summed weights of the seeds in a document; hierarchical attention network (GRU "
        "100 + 100, Adam, a tenth held out, patience 3) on skip-gram vectors of the text; PageRank from documents to "
        "instances, normalised over the categories, above 1/categories; ranked instances of all patterns added one per "
        "category until every document holds one or a pattern repeats itself; 9 iterations. The patterns are "
        "MotifClass's.",
        differs="All terms are ranked, not only phrases. A graph keeps no sentence ends: runs of 20 terms are the "
        "sentences. For speed at most 2,000 pseudo-labelled documents, evenly from the categories, are used in an "
        "iteration, in batches of 64 (the authors: 256); from the second iteration on, the last network is trained "
        "for 2 more epochs, instead of a new one for at most 100.",
    )
    iterations: int = 9
    documents: int = 2000
    later: int = 2
    length: int = 200
    vectors: SkipGramOptions = field(default_factory=SkipGramOptions)
    units: int = 100
    batch: int = 64
    epochs: int = 100
    patience: int = 3

    def run(self, task: Task) -> Outcome:
        """Iterate between classifier and seeds."""
        reading = read_documents(task, task.pattern_names, self.length)
        vectors = skip_gram(reading.text, reading.size, self.vectors, task)
        holds = reading.motif_set.by_document().to_scipy(reading.size)
        with torch_set_up(task, threads=1):
            proba = self._iterate(task, reading, vectors, holds)
        return Outcome(proba)

    def _iterate(self, task: Task, reading: Reading, vectors: Any, holds: Any) -> Floats:
        from classify.comparators.parts.han import HAN, HANOptions, fit_han, predict_han, to_sentences

        options = HANOptions(units=self.units, batch=self.batch, epochs=self.epochs, patience=self.patience)
        n = len(task.categories)
        weights = np.zeros((reading.size, n))
        for column, seeds in enumerate(reading.seeds):
            weights[list(seeds), column] = 1.0
        documents = to_sentences(reading.text, options.words, options.sentences)
        model = HAN(vectors, n, options)
        starts = np.asarray(reading.motif_set.offsets)
        for iteration in range(self.iterations):
            task.progress("META", iteration, self.iterations)
            rng = task.rng(0x3E7A + iteration)
            rows, labels = pseudo_labels(holds, weights)
            chosen = balanced_sample(np.eye(n)[labels], self.documents, rng)
            given = options if iteration == 0 else replace(options, epochs=self.later)
            fit_han(model, documents[rows[chosen]], labels[chosen], given, rng, task.threads, task.progress)
            proba = predict_han(model, documents, task.threads)
            if iteration + 1 < self.iterations:
                weights = choose_instances(rank_instances(holds, starts, proba), holds, starts)
        return proba


def pseudo_labels(holds: Any, weights: Doubles) -> tuple[Int64, Int64]:
    """Return the documents that hold a seed, and the category whose seeds in them weigh most.

    Examples
    --------
    >>> from scipy import sparse
    >>> holds = sparse.csr_array(np.array([[1, 0, 1], [0, 1, 0], [0, 0, 0]]))
    >>> [part.tolist() for part in pseudo_labels(holds, np.array([[1, 0], [0, 0.6], [0, 0.8]]))]
    [[0, 1], [0, 1]]
    """
    scores = np.asarray(holds @ weights)
    rows = np.flatnonzero(scores.max(axis=1) > 0)
    return rows, scores[rows].argmax(axis=1).astype(np.int64)


def rank_instances(holds: Any, starts: Ints, proba: Reals) -> Doubles:
    """Return each instance's share of each category: personalised PageRank from documents to instances.

    Edges lead from documents to their instances only, so the rank has a closed form: the sum over an instance's
    documents of the category's probability, divided by the document's number of instances of the same pattern.

    Examples
    --------
    >>> from scipy import sparse
    >>> holds = sparse.csr_array(np.array([[1, 1], [0, 1]]))
    >>> rank_instances(holds, np.array([0, 2]), np.array([[0.8, 0.2], [0.3, 0.7]])).round(4).tolist()
    [[0.8, 0.2], [0.4667, 0.5333]]
    """
    shares = []
    for low, high in zip(starts[:-1], starts[1:], strict=True):
        part = holds[:, low:high]
        degree = np.maximum(np.asarray(part.sum(axis=1)).reshape(-1), 1)
        shares.append(np.asarray(part.T @ (np.asarray(proba, dtype=np.float64) / degree[:, None])))
    found = np.concatenate(shares)
    return np.asarray(found / np.maximum(found.sum(axis=1, keepdims=True), 1e-300))


def choose_instances(ranks: Doubles, holds: Any, starts: Ints) -> Doubles:
    """Return the weights of the instances that become seeds, 0 for all others.

    The categories take turns: each adds the next instance on its list (shares above 1/categories, all patterns
    together). A pattern whose instance comes up a second time adds no more; the choice ends when every
    document holds a seed.

    Examples
    --------
    >>> from scipy import sparse
    >>> ranks = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    >>> choose_instances(ranks, sparse.csr_array(np.eye(3)), np.array([0, 3])).tolist()
    [[0.9, 0.0], [0.0, 0.8], [0.6, 0.0]]
    """
    n = ranks.shape[1]
    by_instance = holds.T.tocsr()
    pattern = np.searchsorted(starts, np.arange(len(ranks)), side="right") - 1
    lists = []
    for column in range(n):
        order = np.argsort(-ranks[:, column], kind="stable")
        lists.append(order[ranks[order, column] > 1 / n])
    weights = np.zeros_like(ranks)
    visited = np.zeros(len(ranks), dtype=np.bool_)
    ended = np.zeros(len(starts) - 1, dtype=np.bool_)
    covered = np.zeros(holds.shape[0], dtype=np.bool_)
    for place in range(max((len(found) for found in lists), default=0)):
        if ended.all() or covered.all():
            break
        for column, found in enumerate(lists):
            if place >= len(found) or ended[pattern[found[place]]]:
                continue
            instance = found[place]
            if visited[instance]:
                ended[pattern[instance]] = True
                continue
            visited[instance] = True
            weights[instance, column] = ranks[instance, column]
            covered[by_instance.indices[by_instance.indptr[instance] : by_instance.indptr[instance + 1]]] = True
    return weights
