"""Several categories per document in a report: the further columns of its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from classify.evaluation import true_sets
from hin.arrays.types import Bools, Ints
from hin.errors import BadInput

if TYPE_CHECKING:
    from classify.model.decision import Given
    from classify.report.gathering import ChartSource


@dataclass(frozen=True, eq=False)
class SetColumns:
    """The columns that the table of documents has only where a document may have several categories."""

    names: Sequence[str]
    given: Given
    truth: Bools | None

    def also(self, shown: Ints) -> list[str]:
        """Return the categories after the first, with their probabilities, for some documents."""
        found: list[list[str]] = [[] for _ in range(self.given.n_documents)]
        for document, category, sure in self.given.entries():
            found[document].append(f"{self.names[category]} {sure:.2f}")
        return [", ".join(found[document][1:]) for document in shown.tolist()]

    def labels(self, shown: Ints) -> list[str]:
        """Return the true categories of some documents."""
        assert self.truth is not None
        return [", ".join(self.names[i] for i in np.flatnonzero(self.truth[row]).tolist()) for row in shown.tolist()]

    def right(self, shown: Ints, predicted: Ints) -> npt.NDArray[np.uint8]:
        """Return 1 where a document's first category is among the true ones."""
        assert self.truth is not None
        first = predicted[shown]
        return np.asarray((first >= 0) & self.truth[shown, np.maximum(first, 0)], dtype=np.uint8)


def set_columns(source: ChartSource) -> SetColumns | None:
    """Return the further columns of the table of documents; None where a document has one category at most."""
    if source.several is None:
        return None
    try:
        truth = true_sets(source.inputs.graph.labels, source.categories)
    except BadInput:  # no labels, or other ones than the categories
        truth = None
    return SetColumns(source.categories, source.several, truth)
