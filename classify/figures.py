"""Accuracy figures for a decision: one category per document, or sets of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.evaluation import evaluate, evaluate_sets, true_codes, true_sets
from hin.arrays.types import Int64, Ints, Reals

if TYPE_CHECKING:
    from classify.categories.tree import CategoryTree
    from classify.model.decision import Decision
    from hin.graph import Labels


def figures_of(
    labels: Labels | None,
    categories: Sequence[str],
    probabilities: Reals,
    decision: Decision,
    known: Iterable[int] = (),
) -> dict[str, Any]:
    """Compare the categories given with the true labels; `known` documents are left out, as the user labelled them.

    Examples
    --------
    >>> from classify.model.decision import Decision
    >>> from hin.graph import Labels
    >>> found = figures_of(Labels.of(["a", "b"]), ["a", "b"], np.array([[0.9, 0.1], [0.6, 0.4]]), Decision())
    >>> found["micro_f1"]
    0.5
    """
    given, left_out = decision.given(probabilities), list(known)
    if decision.sets is None:
        truth = true_codes(labels, categories)
        truth[left_out] = -1
        figures = evaluate(truth, given.leaves(len(categories)), categories)
        if decision.tree is None:
            return figures
        return figures | {"levels": _levels(decision.tree, truth, given.first())}
    sets = true_sets(labels, categories)
    sets[left_out] = False
    return evaluate_sets(sets, given.sets(len(categories)), probabilities, categories)


def _levels(tree: CategoryTree, truth: Ints, first: Int64) -> list[dict[str, Any]]:
    """Return the figures at every level of a tree, the top first; a leaf above a level counts as itself."""
    found = []
    for level in range(1, tree.depth + 1):
        real, given = tree.level(truth, level), tree.level(first, level)
        nodes = np.unique(tree.level(np.arange(len(tree.names)), level))
        nodes = nodes[nodes >= 0]
        number = np.full(len(tree.names) + 1, -1, dtype=np.int64)
        number[nodes] = np.arange(len(nodes))
        names = [tree.names[node] for node in nodes.tolist()]
        found.append({"level": level, **evaluate(number[real], number[given], names)})
    return found


def summary_of(figures: dict[str, Any]) -> str:
    """Return the figures in a line.

    >>> summary_of({"micro_f1": 0.5, "macro_f1": 0.25})
    'micro-F1 0.500, macro-F1 0.250'
    """
    parts = [f"micro-F1 {figures['micro_f1']:.3f}", f"macro-F1 {figures['macro_f1']:.3f}"]
    if "example_f1" in figures:
        parts.append(f"example-F1 {figures['example_f1']:.3f}")
        parts.append(f"ranking loss {figures['ranking_loss']:.3f}")
        parts.append(f"{figures['given_number']:.1f} categories per document given, {figures['true_number']:.1f} true")
    for row in figures.get("levels", ())[:-1]:
        parts.append(f"at level {row['level']} {row['micro_f1']:.3f}/{row['macro_f1']:.3f}")
    return ", ".join(parts)
