"""A tree of categories in a report: parents are numbered after the leaves, as in the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from embed.vectors import unit_rows
from hin.arrays.types import Reals

if TYPE_CHECKING:
    from classify.categories.tree import CategoryTree
    from classify.model.decision import Given


def with_parents(tree: CategoryTree, given: Given, vectors: Reals, probabilities: Reals) -> tuple[Any, Any]:
    """Return vectors and probabilities of all nodes of the tree: a parent's vector is the unit mean of its leaves.

    A parent has a probability only in the documents that it was given to; elsewhere the likeliest and the second
    category are leaves.
    """
    n = len(tree.names)
    below = np.zeros((n, tree.n_leaves), dtype=np.float32)
    for leaf in range(tree.n_leaves):
        below[tree.above(leaf), leaf] = 1.0
    placed = unit_rows(below[tree.n_leaves :] @ np.asarray(vectors, dtype=np.float32))
    known = np.zeros((len(probabilities), n), dtype=np.float32)
    known[:, : tree.n_leaves] = probabilities
    climbed = given.categories >= tree.n_leaves
    known[given.documents[climbed], given.categories[climbed]] = given.confidence[climbed]
    return np.concatenate([vectors, placed]), known
