"""The tree of the categories: leaves, their ancestors, and the probabilities of parents from those of leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.categories.category_file import Category
from classify.categories.tree_lines import key_of
from hin.arrays.types import Doubles, Int64, Ints, Reals


@dataclass(frozen=True)
class CategoryTree:
    """Categories and their parents by index: the leaves first, in the order of the labels file.

    Attributes
    ----------
    names : of all nodes; a parent with the name of a leaf has ` (all)` added, so that names are unique.
    parents : the index of each node's parent, -1 at the top.
    n_leaves : the number of leaves.

    Examples
    --------
    >>> tree = CategoryTree.of([Category("space", path=("science",)), Category("for sale")])
    >>> tree.names, tree.parents, tree.path(0)
    (('space', 'for sale', 'science'), (2, -1, -1), ['science', 'space'])
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    n_leaves: int

    @classmethod
    def of(cls, categories: Sequence[Category]) -> CategoryTree | None:
        """Make the tree of categories with paths; None where no category has a parent."""
        if not any(category.path for category in categories):
            return None
        leaves = {key_of(category.name) for category in categories}
        names = [category.name for category in categories]
        number: dict[str, int] = {}
        parents = [-1] * len(names)
        for leaf, category in enumerate(categories):
            above = -1
            for name in category.path:
                key = key_of(name)
                if key not in number:
                    number[key] = len(names)
                    names.append(f"{name} (all)" if key in leaves else name)
                    parents.append(above)
                above = number[key]
            parents[leaf] = above
        return cls(tuple(names), tuple(parents), len(categories))

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> CategoryTree:
        """Make a tree from a record of its fields."""
        tree = cls(tuple(map(str, record["names"])), tuple(map(int, record["parents"])), int(record["n_leaves"]))
        if len(tree.names) != len(tree.parents) or any(not -1 <= p < len(tree.names) for p in tree.parents):
            raise ValueError("the parents of the category tree do not match its names")
        return tree

    def above(self, node: int) -> list[int]:
        """Return a node's ancestors, from the top, and the node itself."""
        found = [node]
        while self.parents[found[0]] >= 0:
            found.insert(0, self.parents[found[0]])
        return found

    def path(self, node: int) -> list[str]:
        """Return the names from the top down to a node."""
        return [self.names[i] for i in self.above(node)]

    @property
    def depth(self) -> int:
        """The number of levels."""
        return max(len(self.above(leaf)) for leaf in range(self.n_leaves))

    def level(self, nodes: Sequence[int] | Ints, level: int) -> Int64:
        """Return each node's ancestor at a level (1 is the top); a leaf higher up gives itself, an inner node -1.

        >>> tree = CategoryTree.of([Category("space", path=("science",)), Category("for sale")])
        >>> tree.level([0, 1, 2, -1], 1).tolist(), tree.level([0, 1, 2, -1], 2).tolist()
        ([2, 1, 2, -1], [0, 1, -1, -1])
        """
        at = np.full(len(self.names) + 1, -1, dtype=np.int64)
        for node in range(len(self.names)):
            chain = self.above(node)
            if len(chain) >= level:
                at[node] = chain[level - 1]
            elif node < self.n_leaves:
                at[node] = node
        return np.asarray(at[np.asarray(nodes, dtype=np.int64)])

    def sums(self, probabilities: Reals) -> Doubles:
        """Return the probability of every node: a parent's is the sum of its leaves'."""
        values = np.asarray(probabilities, dtype=np.float64)
        found = np.zeros((len(values), len(self.names)))
        for leaf in range(self.n_leaves):
            for node in self.above(leaf):
                found[:, node] += values[:, leaf]
        return found

    def deepest_confident(self, probabilities: Reals, least: float) -> Int64:
        """Return, for each document, the deepest node with a probability of at least `least`; -1 where none has.

        The likeliest leaf comes first, then the likeliest inner node of each level, from the deepest up.

        >>> tree = CategoryTree.of([Category("space", path=("science",)), Category("medicine", path=("science",)),
        ...     Category("for sale")])
        >>> tree.deepest_confident(np.array([[0.4, 0.5, 0.1], [0.8, 0.1, 0.1], [0.3, 0.3, 0.4]]), 0.7).tolist()
        [3, 0, -1]
        """
        sums = self.sums(probabilities).round(6)
        found = np.full(len(sums), -1, dtype=np.int64)
        depths = np.array([len(self.above(node)) for node in range(len(self.names))])
        leaf = np.arange(len(self.names)) < self.n_leaves
        for depth in range(1, self.depth + 1):  # from the top, so that deeper nodes replace higher ones
            inner = np.flatnonzero(~leaf & (depths == depth))
            if len(inner):
                best = inner[sums[:, inner].argmax(axis=1)]
                sure = sums[np.arange(len(sums)), best] >= least
                found[sure] = best[sure]
        best = sums[:, leaf].argmax(axis=1)
        sure = sums[np.arange(len(sums)), best] >= least
        found[sure] = best[sure]
        return found
