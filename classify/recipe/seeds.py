"""The evidence for the categories before training: their names as instances, parents, expected shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from classify.categories.category_file import Category, shares_of
from classify.recipe.name_vectors import NameUnit, find_units
from classify.recipe.parents import parent_instances
from classify.views.base import terms_of
from hin.arrays.types import Int64
from hin.text.languages import language_of

if TYPE_CHECKING:
    from classify.categories.finding import CategoryFinding
    from motifs import MotifSet


@dataclass(frozen=True, eq=False)
class Seeds:
    """The categories' names, as instances of the corpus.

    Attributes
    ----------
    units : for each category its name and its keywords as instances.
    parents : for each category the instances that are names of its ancestors in a tree.
    shares : expected category sizes, or None.
    language : that of most texts, or None where it is not recognised.
    """

    units: list[list[NameUnit]]
    parents: list[list[int]]
    shares: Sequence[float] | None = None
    language: str | None = None

    def within(self, rows: Int64) -> Seeds:
        """Return the seeds for some of the documents, given sorted: their numbers are those in `rows`."""
        return replace(self, units=[[_within(unit, rows) for unit in given] for given in self.units])


def seeds_of(categories: Sequence[Category], findings: Sequence[CategoryFinding], motif_set: MotifSet) -> Seeds:
    """Find the instances of a motif set that are the categories' names, keywords and parents."""
    language = language_of(motif_set.graph)
    units = find_units(categories, findings, *terms_of(motif_set), motif_set.find, language)
    return Seeds(units, parent_instances(categories, motif_set.find), shares_of(categories), language)


def _within(unit: NameUnit, rows: Int64) -> NameUnit:
    if unit.seen is None:
        return unit
    documents, counts = unit.seen
    here = np.isin(documents, rows)
    return replace(unit, seen=(np.searchsorted(rows, documents[here]), counts[here]))
