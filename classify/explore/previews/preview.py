"""Previews: which documents would change category if the categories, answers or fields were edited.

A preview trains nothing. It starts from the probabilities of the last run and adds the change of the names' scores, in
the joint embedding and by mentions in the texts; one round of naive Bayes then propagates it to documents that share
words with these. A field is switched on or off by the naive Bayes odds of its values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.categories.category_file import Category
from classify.categories.keywords import find_keyword
from classify.categories.term_lookup import TermIndex
from classify.documents.features import Features, inverse_frequency, scaled, weighted
from classify.recipe.naive_bayes import capped, log_odds
from classify.recipe.name_vectors import NameUnit, name_evidence, place_names
from classify.recipe.options import BayesOptions, KnownOptions, PrototypeOptions, RecipeOptions
from classify.recipe.prototypes import prototypes
from classify.suggestions.documents import document_vectors
from classify.suggestions.grounds import Grounds
from classify.views.base import Space
from embed.vectors import unit_rows
from hin.arrays.linalg import add_product, product
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.score_rows import in_units, softmax
from hin.arrays.types import Doubles, Floats, Int64
from motifs.language.pattern import Pattern

__all__ = ["Change", "Preview"]

#: The weights of the names' scores and of naive Bayes, chosen on gnad and debian (docs/how-to/explore.md).
_NAMES, _BAYES = 0.75, 0.5
_LEAST = 1e-6


@dataclass(frozen=True)
class Change:
    """The state to preview.

    Attributes
    ----------
    categories : all of them, as they would be.
    origins : for each, the categories of the last run that it continues; none for a new one.
    answers : documents (rows) and the number of the category that a person has given since.
    fields : metadata fields that would be switched on or off.
    """

    categories: tuple[Category, ...]
    origins: tuple[tuple[int, ...], ...]
    answers: Mapping[int, int]
    fields: Mapping[str, bool]


class Preview:
    """Previews of changes to one classification; values that do not depend on the change are computed once.

    Parameters
    ----------
    grounds : the documents and the probabilities of the last run.
    index : finds words and phrases in the documents.
    """

    def __init__(self, grounds: Grounds, index: TermIndex, threads: int = 1) -> None:
        self.grounds, self.index, self.threads = grounds, index, threads
        self._units: dict[tuple[str, bool], NameUnit] = {}
        n_instances = grounds.counts.shape[1]
        self._features = Features(
            grounds.counts, np.ones(n_instances, dtype=np.bool_), np.ones(n_instances, dtype=np.float32)
        )
        instances = unit_rows(np.asarray(grounds.facts.vectors, dtype=np.float32) - grounds.facts.centre)
        self._space = Space(document_vectors(grounds), instances)
        self._evidence = capped(self._features.weights, BayesOptions.evidence)
        self._probabilities = np.asarray(grounds.probabilities, dtype=np.float32)
        self._logs = np.log(np.maximum(self._probabilities, _LEAST))
        self._best = self._logs.argmax(axis=1)
        self._before = self._names(grounds.categories)
        # A new category has no probabilities: its scores are put on the scale of those of the others.
        some = slice(None, None, 1 + len(self._logs) // 20_000)
        self._slope, self._level = np.polyfit(self._before[some].ravel(), self._logs[some].ravel(), 1)
        self._odds = self._naive_bayes(self._probabilities)

    def labels(self, change: Change) -> tuple[Int64, Int64]:
        """Return the category of each document now and after the change, as numbers of the changed categories.

        Now it is -1 where the category does not exist any more.
        """
        # Its matrix products are small: BLAS's threads would wait for one another longer than they compute.
        with one_blas_thread():
            return self._labels(change)

    def _labels(self, change: Change) -> tuple[Int64, Int64]:
        home = np.full(self._logs.shape[1], -1, dtype=np.int64)
        for number, old in enumerate(change.origins):
            home[list(old)] = number
        now = home[self._best]
        scores = self._moved_names(change)
        posterior = softmax(scores)
        for row, category in change.answers.items():
            posterior[row] = np.eye(posterior.shape[1])[category]
        odds = self._naive_bayes(posterior.astype(np.float32), change.answers)
        known = [number for number, old in enumerate(change.origins) if old]
        difference = np.zeros_like(odds)  # whole rows are added at once: columns lie far apart in memory
        difference[:, known] = odds[:, known] - self._odds[:, [change.origins[number][0] for number in known]]
        scores += _BAYES * product(self._evidence, difference, self.threads)
        if change.fields:
            scores += _BAYES * self._of_columns(self._switched(change.fields), change)
        after = scores.argmax(axis=1)
        for row, category in change.answers.items():
            after[row] = category
        return now, after

    def _moved_names(self, change: Change) -> Doubles:
        """Add the effect of edited names and words to the log probabilities of the last run."""
        before, after, logs = self._before, self._names(change.categories), self._logs
        firsts = [old[0] if old else 0 for old in change.origins]
        if firsts != list(range(before.shape[1])):
            before, logs = before[:, firsts], logs[:, firsts]
        scores = np.asarray(logs + after - before, dtype=np.float64)
        for number, old in enumerate(change.origins):
            if len(old) > 1:
                own = np.logaddexp.reduce(self._logs[:, list(old)], axis=1)
                scores[:, number] = own + after[:, number] - before[:, number]
            elif not old:
                scores[:, number] = self._level + self._slope * after[:, number]
        return scores

    def _names(self, categories: Sequence[Category]) -> Floats:
        """Return the score of each category by its name and words: in the joint embedding, and by mentions."""
        units = [
            [
                *(self._unit(word) for word in (one.name, *one.keywords)),
                *(self._unit(word, excluded=True) for word in one.excluded),
            ]
            for one in categories
        ]
        vectors = place_names(units, self._space, self._features)
        grown = prototypes(vectors, self._space.instances, self._features.documents, PrototypeOptions(rounds=1))
        near = np.sum([in_units(self._space.documents @ targets.T) for targets in (vectors, *grown)], axis=0)
        mentions = name_evidence(units, self._features)
        return np.asarray(_NAMES * in_units(near) + RecipeOptions.evidence * mentions, dtype=np.float32)

    def _unit(self, text: str, excluded: bool = False) -> NameUnit:
        if (text, excluded) not in self._units:
            found = find_keyword(self.grounds.graph, self.index, text, "the category")
            at, seen = self.grounds.number.get(found.instance or f"TERM[{found.term}]"), found.seen
            if at is None and seen is None and found.instance is None:
                seen = self.index.documents_with(text)
            self._units[text, excluded] = NameUnit(at, (), (), (), seen, excluded)
        return self._units[text, excluded]

    def _naive_bayes(self, posterior: Floats, answers: Mapping[int, int] | None = None) -> Floats:
        """Return the log odds of each instance in each category."""
        summed = np.zeros((self._evidence.shape[1], posterior.shape[1]), dtype=np.float32)
        add_product(self._evidence, posterior, summed, self.threads)
        counts = summed.astype(np.float64)
        for row, category in (answers or {}).items():
            counts[:, category] += (KnownOptions.weight - 1) * self._evidence[[row]].toarray().ravel()
        return np.asarray(log_odds(counts.T, counts.sum(axis=1), BayesOptions.smoothing).T, dtype=np.float32)

    def _switched(self, fields: Mapping[str, bool]) -> Floats:
        """Compute the change of the naive Bayes scores without the fields that are off and with those that are on."""
        from scipy import sparse

        off = {field for field, on in fields.items() if not on}
        starts, patterns = self.grounds.facts.starts, self.grounds.facts.patterns
        stays = np.ones(self.grounds.counts.shape[1], dtype=np.float32)
        for first, last, pattern in zip(starts, starts[1:], patterns, strict=False):
            stays[first:last] = off.isdisjoint(Pattern(pattern).fields)
        parts, odds = [scaled(self._features.weights, stays)], [self._odds]
        for values in (self._values(field) for field, on in fields.items() if on):
            counts = (values.T.tocsr() @ self._probabilities).astype(np.float64)
            parts.append(values)
            odds.append(np.asarray(log_odds(counts.T, counts.sum(axis=1), BayesOptions.smoothing).T, np.float32))
        evidence = capped(sparse.hstack(parts, format="csr"), BayesOptions.evidence)
        after = product(evidence, np.concatenate(odds), self.threads)
        return after - product(self._evidence, self._odds, self.threads)

    def _values(self, field: str) -> Any:
        """Return the values of a field as weights: documents x values."""
        graph = self.grounds.graph
        values = graph.edges(field).to_scipy(graph.size(field)).tocsr().astype(np.float32)
        documents = np.bincount(values.indices, minlength=values.shape[1])
        return weighted(values, inverse_frequency(documents, len(graph)))

    def _of_columns(self, scores: Floats, change: Change) -> Floats:
        """Arrange columns of the last run as the changed categories; 0 for new ones."""
        found = np.zeros((len(scores), len(change.origins)), dtype=np.float32)
        for number, old in enumerate(change.origins):
            if old:
                found[:, number] = scores[:, list(old)].max(axis=1)
        return found
