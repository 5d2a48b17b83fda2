"""The input of suggestions: the documents, a model's probabilities of them, and what each name was found as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.types import Doubles, Floats, Int64, Reals
from hin.text.languages import language_of, stop_words

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.model.explain import InstanceFacts
    from classify.model.predictor import Predictor
    from classify.stored_classification import StoredClassification
    from hin.graph import Graph
    from hin.stores.base import Store


@dataclass(frozen=True, eq=False)
class Grounds:
    """The input of suggestions, from a model in memory or from a stored classification.

    Attributes
    ----------
    categories : as the user gave them.
    probabilities : float[documents, categories].
    counts : CSR, documents x instances: how often each instance is in each document.
    facts : the instances' names, their vectors, and their similarity in meaning to the categories' names.
    findings : what each name was found as (`CategoryFinding.as_dict`).
    known : documents whose category the user gave.
    nearest : float32[documents, 2], each document's similarity to its nearest name and to the second (`best_two`);
        None where the fit has no such scores (the preset paper).
    """

    graph: Graph
    categories: tuple[Category, ...]
    probabilities: Reals
    counts: Any
    facts: InstanceFacts
    findings: Sequence[Mapping[str, Any]]
    known: Mapping[str, str]
    nearest: Floats | None = None

    @property
    def classes(self) -> list[str]:
        """The names of the categories."""
        return [category.name for category in self.categories]

    @cached_property
    def incidence(self) -> Any:
        """The incidence matrix: instances x documents, ones."""
        from scipy import sparse

        columns = self.counts.tocsc()
        ones = np.ones(len(columns.indices), dtype=np.float32)
        shape = (self.counts.shape[1], self.counts.shape[0])
        return sparse.csr_array((ones, columns.indices, columns.indptr), shape=shape)

    @cached_property
    def silent(self) -> frozenset[str]:
        """The stop words of the documents' language."""
        return stop_words(language_of(self.graph))

    @cached_property
    def number(self) -> dict[str, int]:
        """The index of each instance, by its name."""
        return {name: i for i, name in enumerate(self.facts.names)}

    @cached_property
    def documents(self) -> Int64:
        """The number of documents that hold each instance."""
        return np.asarray(np.diff(self.incidence.indptr), dtype=np.int64)

    @cached_property
    def inside(self) -> Doubles:
        """The expected number of documents of each category that hold each instance, from the probabilities."""
        return np.asarray(self.incidence @ np.asarray(self.probabilities, dtype=np.float32), dtype=np.float64)

    @cached_property
    def cosines(self) -> Floats:
        """The cosine of each instance with each category's name in the joint embedding."""
        from embed.vectors import unit_rows

        vectors = np.asarray(self.facts.vectors, dtype=np.float32) - self.facts.centre
        return np.asarray(unit_rows(vectors) @ self.facts.categories.T, dtype=np.float32)


def stored_grounds(store: Store) -> Grounds:
    """Read the results of the last `hin classify`: the model, the probabilities and what the names were found as."""
    from classify.stored_classification import stored_classification

    stored, graph = stored_classification(store), store.read_graph()
    model = stored.open_model()
    return grounds_with(stored, graph, model.facts_, counts_in(graph, model.predictor_))


def grounds_with(stored: StoredClassification, graph: Graph, facts: InstanceFacts, counts: Any) -> Grounds:
    """Return the grounds of a stored classification; `counts` are those of its documents."""
    return Grounds(
        graph,
        stored.given_categories,
        stored.probabilities,
        counts,
        facts,
        stored.findings,
        stored.known,
        stored.nearest,
    )


def counts_in(graph: Graph, predictor: Predictor) -> Any:
    """Count each instance in each document of a graph: CSR, documents x instances."""
    from scipy import sparse

    parts = predictor.encoder.encode_graph(graph, predictor.length)
    found = sparse.vstack([part.counts for part in parts], format="csr")
    small = np.int32 if found.nnz <= np.iinfo(np.int32).max else np.int64  # all that is derived from it has the same
    arrays = (found.data, found.indices.astype(small, copy=False), found.indptr.astype(small, copy=False))
    return sparse.csr_array(arrays, shape=found.shape)
