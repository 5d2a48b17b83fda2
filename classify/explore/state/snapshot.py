"""The result of one classification for every document, as arrays from which lists are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.arrays.stored_rows import passing
from hin.arrays.types import Floats, Int64

if TYPE_CHECKING:
    from classify.stored_classification import StoredClassification


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Labels of all documents.

    Attributes
    ----------
    names : the categories and, in a tree, their parents.
    labels : int64[documents], -1 where a document has none.
    confidence : float32[documents], of the label; where there is none, of the likeliest category.
    runner_up : int64[documents], the second likeliest category.
    margin : float32[documents], how much likelier the best category is than the second.
    """

    stored: StoredClassification
    names: tuple[str, ...]
    labels: Int64
    confidence: Floats
    runner_up: Int64
    margin: Floats

    @classmethod
    def of(cls, stored: StoredClassification) -> Snapshot:
        """Make the snapshot of a stored classification."""
        given, rows = stored.given, len(stored.probabilities)
        second = np.zeros(rows, dtype=np.int64)
        sure, margin = np.zeros(rows, dtype=np.float32), np.zeros(rows, dtype=np.float32)
        for here in passing(stored.probabilities):
            values = np.array(stored.probabilities[here])
            at = np.arange(len(values))
            best = values.argmax(axis=1)
            sure[here] = values[at, best]
            values[at, best] = -1.0
            second[here] = values.argmax(axis=1)
            margin[here] = sure[here] - values[at, second[here]]
        labels = given.first()
        # The surest entry of a document comes first: written from the last to the first, it remains.
        sure[given.documents[::-1]] = given.confidence[::-1]
        return cls(stored, tuple(stored.decision.names(stored.categories)), labels, sure, second, margin)

    @property
    def identity(self) -> str:
        """The identity of this classification, different from that of any other."""
        return self.stored.stage.identity

    def code(self, category: str) -> int:
        """Return the index of a category; -1 where the last run did not have it."""
        return self.names.index(category) if category in self.names else -1

    def named_labels(self) -> npt.NDArray[np.object_]:
        """Return the category of each document by name; "" where it has none."""
        return np.asarray(np.array([*self.names, ""], dtype=object)[self.labels])

    def sizes(self) -> list[dict[str, Any]]:
        """Return the number of documents and the mean confidence of each category."""
        given = self.labels >= 0
        counts = np.bincount(self.labels[given], minlength=len(self.names))
        sums = np.bincount(self.labels[given], weights=self.confidence[given], minlength=len(self.names))
        return [
            {"name": name, "documents": int(n), "confidence": round(float(total / n), 4) if n else None}
            for name, n, total in zip(self.names, counts, sums, strict=True)
        ]
