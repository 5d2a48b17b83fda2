"""What suggestions are made from: the documents, what a model says of them, and what is known of the names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.documents.stored_rows import passing
from hin.text.languages import language_of, stop_words

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.model.explain import InstanceFacts
    from classify.model.motif_model import MotifModel
    from hin.graph import Graph

__all__ = ["Grounds", "grounds_of", "nearest_names", "nearest_of"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Grounds:
    """A fit as suggestions need it: from a model in memory, or from what a store keeps of one.

    Attributes
    ----------
    categories : as the user gave them.
    probabilities : float[documents, categories].
    counts : CSR, documents x instances: how often each instance is in each document.
    facts : the instances' names, where they stand, and how near in meaning to the categories' names.
    findings : what each name was found as (`CategoryFinding.as_dict`).
    known : documents whose category the user gave.
    nearest : float32[documents, 2], how near each document is to its nearest name and to the next (`nearest_names`);
        None where the fit does not tell (the preset paper).
    """

    graph: Graph
    categories: tuple[Category, ...]
    probabilities: npt.NDArray[np.floating[Any]]
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
    def held(self) -> Any:
        """Which instance is in which document: instances x documents, ones."""
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
        """The number of each instance, by its name."""
        return {name: i for i, name in enumerate(self.facts.names)}

    @cached_property
    def documents(self) -> npt.NDArray[np.int64]:
        """In how many documents each instance is."""
        return np.asarray(np.diff(self.held.indptr), dtype=np.int64)

    @cached_property
    def inside(self) -> npt.NDArray[np.float64]:
        """In how many documents of each category each instance is, by their probabilities."""
        return np.asarray(self.held @ np.asarray(self.probabilities, dtype=np.float32), dtype=np.float64)

    @cached_property
    def cosines(self) -> Floats:
        """How near each instance is to each category's name in the joint embedding."""
        from embed.vectors import unit_rows

        vectors = np.asarray(self.facts.vectors, dtype=np.float32) - self.facts.centre
        return np.asarray(unit_rows(vectors) @ self.facts.categories.T, dtype=np.float32)


def grounds_of(
    model: MotifModel,
    graph: Graph | None = None,
    probabilities: npt.NDArray[np.floating[Any]] | None = None,
    findings: Sequence[Mapping[str, Any]] | None = None,
    nearest: Floats | None = None,
) -> Grounds:
    """Return the grounds of a fitted model, or of one that was read back, with its graph and its probabilities."""
    from scipy import sparse

    given = graph if graph is not None else model.graph_
    found = model.probabilities_ if probabilities is None else probabilities
    parts = model.predictor_.encoder.encode_graph(given, model.predictor_.length)
    return Grounds(
        given,
        tuple(model.categories_),
        found[:, : len(model.categories_)],
        sparse.vstack([part.counts for part in parts], format="csr"),
        model.facts_,
        [finding.as_dict() for finding in model.findings_] if findings is None else findings,
        model.known_,
        nearest_of(model) if nearest is None else nearest,
    )


def nearest_of(model: MotifModel) -> Floats | None:
    """Return how near each document of a model's fit is to its nearest names; None where the model does not tell."""
    soft = getattr(model, "soft_labels_", None)
    return None if soft is None else nearest_names(soft.start)


def nearest_names(start: Floats) -> Floats:
    """Return how near each document is to its nearest name, and to the next.

    Parameters
    ----------
    start : float[documents, categories], the names' scores of all views together.

    Examples
    --------
    >>> nearest_names(np.array([[6.0, 2.0, 1.0], [1.0, 0.0, 1.0]])).tolist()
    [[6.0, 2.0], [1.0, 1.0]]
    """
    if start.shape[1] < 2:
        return np.repeat(start, 2, axis=1).astype(np.float32)
    found = np.zeros((len(start), 2), dtype=np.float32)
    for here in passing(start):
        found[here] = np.partition(start[here], -2, axis=1)[:, [-1, -2]]
    return found
