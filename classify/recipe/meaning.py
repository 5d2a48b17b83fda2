"""Knowledge spread through the corpus: what a document, a word or a value means, seen from how the corpus uses it.

A pretrained vector of one document is noisy, above all that of a short one. Fitting the vectors by ridge regression
from where the corpus's own views place the documents, and taking the fitted values, keeps what documents of one kind
have in common. The same map places every instance, metadata too, and documents that were never read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.categories.meaning import NEAR_ENOUGH
from classify.categories.term_lookup import only_spelled_alike
from classify.documents.features import Features
from classify.recipe.options import MeaningOptions
from classify.recipe.unlike import unlike
from classify.views.base import Space
from embed.vectors import unit_rows
from hin.arrays.stored_rows import row_blocks
from hin.files.mapped import let_go, room_for

__all__ = ["Spread", "names_by_meaning", "nearest_terms", "nearness", "spread", "without_alike"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Spread:
    """Documents and instances in the knowledge's space, by way of the corpus: a map from the views' spaces to it.

    What is many is mapped some rows at a time and never held.
    """

    spaces: Sequence[Space]
    matrix: Floats

    @property
    def documents(self) -> Floats:
        """All documents."""
        return _beside([space.documents[:] for space in self.spaces]) @ self.matrix

    @property
    def instances(self) -> Floats:
        """All instances."""
        return _beside([space.instances[:] for space in self.spaces]) @ self.matrix

    def mean(self) -> Floats:
        """Return the mean of the documents."""
        total = np.zeros(self.matrix.shape[1])
        for _, part in self._blocks([space.documents for space in self.spaces]):
            total += part.sum(axis=0, dtype=np.float64)
        return (total / max(len(self.spaces[0].documents), 1)).astype(np.float32)

    def near_documents(self, names: Floats, mean: Floats, centre: float) -> Floats:
        """Return `nearness` of the documents to the names."""
        return self._near([space.documents for space in self.spaces], names, mean, centre)

    def near_instances(self, names: Floats, mean: Floats, centre: float) -> Floats:
        """Return `nearness` of the instances to the names."""
        return self._near([space.instances for space in self.spaces], names, mean, centre)

    def _near(self, several: Sequence[Floats], names: Floats, mean: Floats, centre: float) -> Floats:
        found: Floats = room_for((len(several[0]), len(names)), np.float32)
        for first, part in self._blocks(several):
            found[first : first + len(part)] = nearness(part, names, mean, centre)
        let_go(found)
        return found

    def _blocks(self, several: Sequence[Floats]) -> Iterator[tuple[int, Floats]]:
        for first, last in row_blocks(len(several[0])):
            yield first, _beside([rows[first:last] for rows in several]) @ self.matrix


def spread(
    spaces: Sequence[Space], rows: npt.NDArray[np.integer[Any]], vectors: Floats, ridge: float = MeaningOptions.ridge
) -> Spread:
    """Fit the vectors of the documents `rows` from where the spaces place them; give the fit for everything.

    >>> space = Space(np.eye(3, dtype=np.float32), np.eye(3, dtype=np.float32)[:2])
    >>> found = spread([space], np.array([0, 1]), np.array([[1, 0], [0, 1]], dtype=np.float32), 1e-9)
    >>> (found.documents[0] > found.documents[1]).tolist()
    [True, False]
    """
    known = _beside([space.documents[rows] for space in spaces]).astype(np.float64)
    square = known.T @ known + ridge * len(rows) * np.eye(known.shape[1])
    return Spread(spaces, np.linalg.solve(square, known.T @ vectors.astype(np.float64)).astype(np.float32))


def _beside(parts: Sequence[Floats]) -> Floats:
    ones = np.ones((len(parts[0]), 1), dtype=np.float32)
    return np.concatenate([*parts, ones], axis=1)


def nearness(vectors: Floats, names: Floats, mean: Floats, centre: float = MeaningOptions.centre) -> Floats:
    """Cosines with the names, part of the mean taken off both."""
    away = np.float32(centre) * mean
    return unit_rows(vectors - away) @ unit_rows(names - away).T


def nearest_terms(
    near: Floats,
    terms: npt.NDArray[np.integer[Any]],
    features: Features,
    spaces: Sequence[Space],
    size: int = MeaningOptions.terms,
) -> list[tuple[npt.NDArray[np.int64], Floats]]:
    """For each name the terms nearest to it and to no other name, and how much each stands for it.

    Terms that are far less near than the nearest one stand for nothing.

    Parameters
    ----------
    near : float32[instances, categories].
    terms : the instances that may stand for a name.
    spaces : where the corpus places them; terms that say the same there count once.
    """
    ids = np.sort(np.asarray(terms, dtype=np.int64))
    cosines = near[ids]
    owner = cosines.argmax(axis=1) if len(ids) else np.zeros(0, np.int64)
    telling = np.sqrt(features.trust[ids])
    reach = telling * np.sqrt(np.log1p(features.documents[ids]))
    found = []
    for category in range(near.shape[1]):
        own = np.flatnonzero((owner == category) & (cosines[:, category] > 0))
        own = own[cosines[own, category] >= NEAR_ENOUGH * cosines[own, category].max(initial=0.0)]
        ranked = own[np.argsort(-(cosines[own, category] * reach[own]), kind="stable")]
        best = unlike(ids[ranked], [space.instances for space in spaces], size)
        at = np.searchsorted(ids, best)
        found.append((best, (cosines[at, category] * telling[at]).astype(np.float32)))
    return found


def without_alike(
    stand_ins: Sequence[tuple[npt.NDArray[np.int64], Floats]], names: Sequence[str], spelled: Callable[[int], str]
) -> list[tuple[npt.NDArray[np.int64], Floats]]:
    """Return the terms that stand for names without those that are only spelled like them."""
    found = []
    for name, (terms, weights) in zip(names, stand_ins, strict=True):
        kept = np.array([not only_spelled_alike(name, spelled(term)) for term in terms.tolist()], dtype=np.bool_)
        found.append((terms[kept], weights[kept]))
    return found


def names_by_meaning(
    names: Floats,
    space: Space,
    stand_ins: Sequence[tuple[npt.NDArray[np.int64], Floats]],
    documents: npt.NDArray[np.integer[Any]],
    half: float,
) -> Floats:
    """Names in a view, moved towards the terms that mean the same: the more, the fewer documents hold the name.

    Parameters
    ----------
    names : where the corpus places the names; zeros where it does not know one.
    documents : in how many documents each name is.
    half : a name in so many documents is moved half way.
    """
    moved = np.array(names, dtype=np.float32)
    for category, (terms, weights) in enumerate(stand_ins):
        if not len(terms):
            continue
        share = 1.0 if not names[category].any() else half / max(half + float(documents[category]), 1e-12)
        mean = unit_rows((space.instances[terms] * weights[:, None]).sum(axis=0, keepdims=True))[0]
        moved[category] = (1 - share) * names[category] + share * mean
    return unit_rows(moved)
