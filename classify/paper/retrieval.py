"""Real documents as pseudo-labelled training data: many indicative instances of one category, none of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Int32, Int64

if TYPE_CHECKING:
    from hin.graph import Csr


@dataclass(frozen=True, eq=False)
class Retrieved:
    """The documents retrieved for one category, best first, and the number of its instances in each."""

    documents: Int64
    scores: Int32


def count_indicative(by_document: Csr, instances: Sequence[Int32], n_instances: int) -> Int32:
    """Count each category's indicative instances in each document (section 3.2).

    Examples
    --------
    >>> from hin.graph import Csr
    >>> edges = Csr.from_lists([[0, 1], [2], []])
    >>> count_indicative(edges, [np.array([0, 1]), np.array([1, 2])], 3).tolist()
    [[2, 1], [0, 1], [0, 0]]
    """
    indicates = np.zeros((n_instances, len(instances)), dtype=np.float32)
    for column, chosen in enumerate(instances):
        indicates[chosen, column] = 1.0
    counts: Int32 = np.rint(by_document.to_scipy(n_instances) @ indicates).astype(np.int32)
    return counts


def retrieve(scores: Int32, size: int, closeness: npt.NDArray[np.floating] | None = None) -> tuple[Retrieved, ...]:
    """Return, for each category, the documents with the highest scores that score 0 for every other (section 3.2).

    A category may get fewer than `size` documents, or none. Equal scores are frequent, and the paper does not order
    them: here they are ordered by `closeness` (the documents' cosines with the names) if given, then by input order.

    Examples
    --------
    >>> found = retrieve(np.array([[2, 0], [3, 1], [1, 0], [0, 0]]), 50)
    >>> [category.documents.tolist() for category in found]
    [[0, 2], []]
    """
    exclusive = (scores > 0).sum(axis=1) == 1
    found = []
    for column in range(scores.shape[1]):
        documents = np.flatnonzero(exclusive & (scores[:, column] > 0))
        keys = [documents, -scores[documents, column].astype(np.int64)]
        if closeness is not None:
            keys.insert(1, -closeness[documents, column])
        best = documents[np.lexsort(keys)][:size]
        found.append(Retrieved(best, scores[best, column]))
    return tuple(found)
