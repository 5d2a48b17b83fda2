"""Evidence from the names above a category in a tree: a parent's name is evidence for all its children.

Apart from that, a parent's probability is the sum of its children's. Parents as categories in the views did
worse: they compete with their children for words (decision 0090).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from classify.categories.category_file import Category
from classify.categories.term_lookup import singular, words_of
from classify.categories.tree_lines import key_of
from classify.documents.features import Features
from hin.arrays.types import Floats


def parent_instances(categories: Sequence[Category], find: Callable[[str], int | None]) -> list[list[int]]:
    """Return, for each category, the terms that are names of its ancestors; `find` gives the number of an instance.

    Examples
    --------
    >>> terms = ["TERM[science]", "TERM[sport]"]
    >>> made = [Category("space", path=("science",)), Category("hockey", path=("sports",)), Category("art")]
    >>> parent_instances(made, lambda name: terms.index(name) if name in terms else None)
    [[0], [1], []]
    """
    found = []
    for category in categories:
        mine: set[int] = set()
        for name in category.path:
            if key_of(name) == key_of(category.name):  # its own name is evidence already
                continue
            words = list(words_of(name))
            for spelled in (words, [*words[:-1], singular(words[-1])], [*words[:-1], f"{words[-1]}s"]) if words else ():
                number = find(f"TERM[{' '.join(spelled)}]")
                if number is not None:
                    mine.add(number)
        found.append(sorted(mine))
    return found


def parent_evidence(parents: Sequence[Sequence[int]], features: Features) -> Floats:
    """Return the share of each document's unit tf-idf row that is a name of an ancestor of each category."""
    evidence = np.zeros((features.n_documents, len(parents)), dtype=np.float32)
    features.look_up(instance for mine in parents for instance in mine)
    for category, mine in enumerate(parents):
        for instance in mine:
            rows, values = features.mentions(instance)
            evidence[rows, category] += values
    return evidence
