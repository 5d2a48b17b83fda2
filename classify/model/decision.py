"""From probabilities to the categories that a document gets: one, several, or none.

Predictions, the stores, the report and the figures all decide here, so a document has the same categories everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from classify.categories.tree import CategoryTree
from classify.model.confidence import gets_category
from classify.several.rule import SetRule
from hin.arrays.stored_rows import passing
from hin.arrays.types import Bools, Doubles, Int64, Reals


@dataclass(frozen=True, eq=False)
class Given:
    """The categories given to documents: one entry per document and category, each document's surest first.

    Attributes
    ----------
    documents, categories : int64[entries]
    confidence : float64[entries]
    n_documents : how many documents there are, with and without a category.

    Examples
    --------
    >>> given = Given(np.array([0, 2, 2]), np.array([1, 0, 1]), np.array([0.9, 0.8, 0.6]), 3)
    >>> given.first().tolist(), given.sets(2).astype(int).tolist()
    ([1, -1, 0], [[0, 1], [0, 0], [1, 1]])
    """

    documents: Int64
    categories: Int64
    confidence: Doubles
    n_documents: int

    def entries(self) -> Iterator[tuple[int, int, float]]:
        """Yield document, category and confidence of each entry."""
        yield from zip(self.documents.tolist(), self.categories.tolist(), self.confidence.tolist(), strict=True)

    def first(self) -> Int64:
        """Return each document's surest category, -1 where it has none."""
        labels = np.full(self.n_documents, -1, dtype=np.int64)
        # Written from the last to the first, so that the first (the surest) remains.
        labels[self.documents[::-1]] = self.categories[::-1]
        return labels

    def leaves(self, n_categories: int) -> Int64:
        """Return each document's surest category as `first` does, but -1 where that is a parent in the tree."""
        labels = self.first()
        return np.where(labels < n_categories, labels, -1)

    def sets(self, n_categories: int) -> Bools:
        """Return the mask, documents x categories, of the categories given."""
        found = np.zeros((self.n_documents, n_categories), dtype=np.bool_)
        found[self.documents, self.categories] = True
        return found

    def of_documents(self) -> list[list[int]]:
        """Return each document's categories as a list, the surest first."""
        lists: list[list[int]] = [[] for _ in range(self.n_documents)]
        for document, category in zip(self.documents.tolist(), self.categories.tolist(), strict=True):
            lists[document].append(category)
        return lists


@dataclass(frozen=True)
class Decision:
    """How probabilities become categories.

    Attributes
    ----------
    abstain_below : no category where the best has a lower probability.
    sets : gives a document several categories; None gives it the likeliest.
    tree : the parents of the categories. An unsure document climbs to the deepest parent that is sure; parents are
        numbered behind the categories.
    """

    abstain_below: float | None = None
    sets: SetRule | None = None
    tree: CategoryTree | None = None

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Decision:
        """Make a decision from what `as_record` returned."""
        sets, tree = record.get("sets"), record.get("tree")
        return cls(
            record.get("abstain_below"),
            None if sets is None else SetRule(**sets),
            None if tree is None else CategoryTree.of_record(tree),
        )

    def as_record(self) -> dict[str, Any]:
        """Return the decision as a record for JSON."""
        return asdict(self)

    @property
    def lists(self) -> list[str]:
        """The names of the list columns that a prediction has in addition."""
        return ["path"] * (self.tree is not None) + ["categories"] * (self.sets is not None)

    def names(self, categories: Sequence[str]) -> list[str]:
        """Return the names of all possible labels: the categories and, in a tree, their parents."""
        return list(categories) if self.tree is None else list(self.tree.names)

    def path(self, categories: Sequence[str], category: int) -> list[str]:
        """Return the names from the top of the tree down to a category."""
        return [categories[category]] if self.tree is None else self.tree.path(category)

    def given(self, probabilities: Reals) -> Given:
        """Decide which categories each document gets.

        Probabilities are rounded to six digits, as they are written, so that a decision made from a file is the same.

        Examples
        --------
        >>> given = Decision(abstain_below=0.55).given(np.array([[0.6, 0.4], [0.5, 0.5], [0.46, 0.54]]))
        >>> given.first().tolist(), given.confidence.tolist()
        ([0, -1, -1], [0.6])
        """
        parts = [self._given(np.asarray(probabilities[here])) for here in passing(probabilities)]
        if not parts:
            return self._given(probabilities)
        starts = np.cumsum([0, *(part.n_documents for part in parts)])
        return Given(
            np.concatenate([part.documents + start for part, start in zip(parts, starts, strict=False)]),
            np.concatenate([part.categories for part in parts]),
            np.concatenate([part.confidence for part in parts]),
            len(probabilities),
        )

    def _given(self, probabilities: Reals) -> Given:
        values = np.asarray(probabilities, dtype=np.float64).round(6)
        if self.tree is not None and self.sets is None:
            return self._deepest_confident(self.tree, values)
        if self.sets is None:
            documents = (
                np.flatnonzero(gets_category(values, self.abstain_below)) if values.size else np.zeros(0, np.int64)
            )
            categories = values[documents].argmax(axis=1) if len(documents) else documents
            return Given(documents, categories, values[documents, categories], len(values))
        chosen = self.sets.chosen(values)
        if values.size:
            chosen &= gets_category(values, self.abstain_below)[:, None]
        documents, categories = np.nonzero(chosen)
        sure = values[documents, categories]
        order = np.lexsort((categories, -sure, documents))
        return Given(documents[order], categories[order], sure[order], len(values))

    def _deepest_confident(self, tree: CategoryTree, values: Doubles) -> Given:
        nodes = tree.deepest_confident(values, self.abstain_below or 0.0)
        nodes[~gets_category(values)] = -1
        documents = np.flatnonzero(nodes >= 0)
        sure = tree.sums(values).round(6)[documents, nodes[documents]]
        return Given(documents, nodes[documents], sure, len(values))
