"""Documents whose category is known; `classify.recipe.taught` learns from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from hin.arrays.types import Bools, Doubles, Int64


@dataclass(frozen=True, eq=False)
class Known:
    """Documents with a known category.

    Attributes
    ----------
    rows : int64[n], the documents.
    labels : int64[n], their categories.
    sources : the names of teachers, whose answers are evidence; a person's are fixed.
    source : int64[n], the number of the source of each label, -1 for a person; None where all are a person's.
    confidence : float64[n], the confidence that the source stated, NaN without one.
    weight : float64[n], the probability that each label is right; None where all are certain.
    """

    rows: Int64
    labels: Int64
    sources: tuple[str, ...] = ()
    source: Int64 | None = None
    confidence: Doubles | None = None
    weight: Doubles | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def identity(self) -> str:
        """A hash of everything, for cache keys."""
        digest = blake2b(repr(self.sources).encode(), digest_size=12)
        for array in (self.rows, self.labels, self.source, self.confidence, self.weight):
            digest.update(b"" if array is None else array.tobytes())
        return digest.hexdigest()

    @property
    def taught(self) -> Bools:
        """The mask of the labels that a teacher gave."""
        return np.zeros(len(self), dtype=np.bool_) if self.source is None else self.source >= 0

    def choose(self, which: Bools) -> Known:
        """Return those that the mask selects."""
        return replace(
            self,
            rows=self.rows[which],
            labels=self.labels[which],
            source=None if self.source is None else self.source[which],
            confidence=None if self.confidence is None else self.confidence[which],
            weight=None if self.weight is None else self.weight[which],
        )

    @property
    def weights(self) -> Doubles:
        """The probability that each label is right."""
        return np.ones(len(self)) if self.weight is None else self.weight

    @property
    def by_persons(self) -> Known:
        """The labels that a person gave."""
        return self.choose(~self.taught)

    def within(self, first: int, last: int) -> Known:
        """Return those among the documents from `first` up to `last`, with rows counted from `first`.

        >>> Known(np.array([1, 7]), np.array([0, 2])).within(5, 9).rows.tolist()
        [2]
        """
        mine = self.choose((self.rows >= first) & (self.rows < last))
        return replace(mine, rows=mine.rows - first)

    def named(self, documents: Sequence[str], categories: Sequence[str], several: bool) -> dict[str, Any]:
        """Map each document's name to its category's name; to a list where a document may have `several`.

        >>> Known(np.array([3, 3]), np.array([0, 1])).named(["d", "d"], ["a", "b"], True)
        {'d': ['a', 'b']}
        """
        found: dict[str, Any] = {}
        for name, label in zip(documents, self.labels.tolist(), strict=True):
            if several:
                found.setdefault(name, []).append(categories[label])
            else:
                found[name] = categories[label]
        return found

    def targets(self, n_categories: int) -> Doubles:
        """Return float64[n, categories]: the weight of each label in the column of its category, 0 elsewhere."""
        return np.asarray(np.eye(n_categories)[self.labels] * self.weights[:, None])

    def clamp(self, posterior: Doubles) -> Doubles:
        """Return a copy of the posteriors in which each known label has its probability of being right.

        >>> known = Known(np.array([1]), np.array([0]))
        >>> known.clamp(np.array([[0.5, 0.5], [0.2, 0.8]])).tolist()
        [[0.5, 0.5], [1.0, 0.0]]
        """
        clamped = posterior.copy()
        np.multiply.at(clamped, self.rows, 1.0 - self.weights[:, None])
        np.add.at(clamped, (self.rows, self.labels), self.weights)  # `rows` repeats documents of several categories
        return np.minimum(clamped, 1.0)
