"""Pretrained vectors smoothed by the corpus: the meaning of a document, a word or a value from its use.

A pretrained vector of one document is noisy, above all that of a short one. A ridge regression predicts these vectors
from the documents' vectors in the views of the corpus; the fitted values retain what similar documents have in
common. The same map places every instance, metadata too, and documents that the model never read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from classify.categories.meaning import NEAR_ENOUGH
from classify.categories.term_lookup import only_spelled_alike
from classify.documents.features import Features
from classify.recipe.near_duplicates import drop_near_duplicates
from classify.recipe.options import MeaningOptions
from classify.views.base import Space
from embed.vectors import unit_rows
from hin.arrays.stored_rows import row_blocks
from hin.arrays.types import Doubles, Floats, Int64, Ints
from hin.engines.local import LocalEngine
from hin.files.mapped import mapped_zeros, release_pages

R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class CorpusMap:
    """A linear map from the views' spaces to the pretrained model's space, for documents and instances.

    Scores are computed for a block of rows at a time, so that not all mapped vectors are in memory at once.
    """

    spaces: Sequence[Space]
    matrix: Floats
    threads: int = 1

    @property
    def documents(self) -> Floats:
        """The vectors of all documents in the model's space."""
        return _design_matrix([space.documents[:] for space in self.spaces]) @ self.matrix

    @property
    def instances(self) -> Floats:
        """The vectors of all instances in the model's space."""
        return _design_matrix([space.instances[:] for space in self.spaces]) @ self.matrix

    def mean(self) -> Floats:
        """Return the mean vector of the documents."""
        several = [space.documents for space in self.spaces]
        total = np.zeros(self.matrix.shape[1])
        for part in self._map_blocks(several, lambda _, part: part.sum(axis=0, dtype=np.float64)):
            total += part
        return (total / max(len(several[0]), 1)).astype(np.float32)

    def near_documents(self, names: Floats, mean: Floats, centre: float) -> Floats:
        """Return the `nearness` of the documents to the names."""
        return self._near([space.documents for space in self.spaces], names, mean, centre)

    def near_instances(self, names: Floats, mean: Floats, centre: float) -> Floats:
        """Return the `nearness` of the instances to the names."""
        return self._near([space.instances for space in self.spaces], names, mean, centre)

    def _near(self, several: Sequence[Floats], names: Floats, mean: Floats, centre: float) -> Floats:
        found: Floats = mapped_zeros((len(several[0]), len(names)), np.float32)

        def score(first: int, part: Floats) -> None:
            found[first : first + len(part)] = nearness(part, names, mean, centre)

        list(self._map_blocks(several, score))
        release_pages(found)
        return found

    def _map_blocks(self, several: Sequence[Floats], work: Callable[[int, Floats], R]) -> Iterator[R]:
        """Map a function of the first row and the mapped vectors over the blocks of rows."""

        def block(here: tuple[int, int]) -> R:
            return work(here[0], _design_matrix([rows[slice(*here)] for rows in several]) @ self.matrix)

        return LocalEngine(f"local:{self.threads}").map(block, row_blocks(len(several[0])))


def fit_corpus_map(
    spaces: Sequence[Space], rows: Ints, vectors: Floats, ridge: float = MeaningOptions.ridge, threads: int = 1
) -> CorpusMap:
    """Fit the map from the spaces to the pretrained vectors, on the documents `rows`, by ridge regression.

    >>> space = Space(np.eye(3, dtype=np.float32), np.eye(3, dtype=np.float32)[:2])
    >>> found = fit_corpus_map([space], np.array([0, 1]), np.array([[1, 0], [0, 1]], dtype=np.float32), 1e-9)
    >>> (found.documents[0] > found.documents[1]).tolist()
    [True, False]
    """
    width = sum(space.documents.shape[1] for space in spaces) + 1

    def products(here: tuple[int, int]) -> Doubles:
        some = slice(*here)
        known = _design_matrix([space.documents[rows[some]] for space in spaces]).astype(np.float64)
        return np.asarray(known.T @ np.hstack([known, vectors[some]]))

    total = np.zeros((width, width + vectors.shape[1]))
    for part in LocalEngine(f"local:{threads}").map(products, row_blocks(len(rows))):
        total += part
    gram, target = total[:, :width] + ridge * len(rows) * np.eye(width), total[:, width:]
    return CorpusMap(spaces, np.linalg.solve(gram, target).astype(np.float32), threads)


def _design_matrix(parts: Sequence[Floats]) -> Floats:
    ones = np.ones((len(parts[0]), 1), dtype=np.float32)
    return np.concatenate([*parts, ones], axis=1)


def nearness(vectors: Floats, names: Floats, mean: Floats, centre: float = MeaningOptions.centre) -> Floats:
    """Return the cosines of vectors and names, after a share of the mean is subtracted from both."""
    away = np.float32(centre) * mean
    return unit_rows(vectors - away) @ unit_rows(names - away).T


def nearest_terms(
    near: Floats,
    terms: Ints,
    features: Features,
    spaces: Sequence[Space],
    size: int = MeaningOptions.terms,
) -> list[tuple[Int64, Floats]]:
    """Find stand-ins for each name: the terms that are nearer to it than to any other name, and their weights.

    Terms that are far less near than the nearest one are left out.

    Parameters
    ----------
    near : float32[instances, categories].
    terms : the instances that may stand for a name.
    spaces : the views of the corpus; of terms with nearly the same vector there, one counts.
    """
    ids = np.sort(np.asarray(terms, dtype=np.int64))
    cosines = near[ids]
    owner = cosines.argmax(axis=1) if len(ids) else np.zeros(0, np.int64)
    informative = np.sqrt(features.trust[ids])
    reach = informative * np.sqrt(np.log1p(features.documents[ids]))
    found = []
    for category in range(near.shape[1]):
        own = np.flatnonzero((owner == category) & (cosines[:, category] > 0))
        own = own[cosines[own, category] >= NEAR_ENOUGH * cosines[own, category].max(initial=0.0)]
        ranked = own[np.argsort(-(cosines[own, category] * reach[own]), kind="stable")]
        best = drop_near_duplicates(ids[ranked], [space.instances for space in spaces], size)
        at = np.searchsorted(ids, best)
        found.append((best, (cosines[at, category] * informative[at]).astype(np.float32)))
    return found


def drop_spelled_alike(
    stand_ins: Sequence[tuple[Int64, Floats]], names: Sequence[str], spelled: Callable[[int], str]
) -> list[tuple[Int64, Floats]]:
    """Return the stand-ins of each name without those that are only spelled like it."""
    found = []
    for name, (terms, weights) in zip(names, stand_ins, strict=True):
        kept = np.array([not only_spelled_alike(name, spelled(term)) for term in terms.tolist()], dtype=np.bool_)
        found.append((terms[kept], weights[kept]))
    return found


def names_by_meaning(
    names: Floats,
    space: Space,
    stand_ins: Sequence[tuple[Int64, Floats]],
    documents: Ints,
    half: float,
) -> Floats:
    """Move the names in a view towards their stand-ins: the fewer documents hold a name, the further.

    Parameters
    ----------
    names : the names' vectors by the corpus; zeros for a name that does not occur.
    documents : the number of documents that hold each name.
    half : a name in this many documents is moved half way.
    """
    moved = np.array(names, dtype=np.float32)
    for category, (terms, weights) in enumerate(stand_ins):
        if not len(terms):
            continue
        share = 1.0 if not names[category].any() else half / max(half + float(documents[category]), 1e-12)
        mean = unit_rows((space.instances[terms] * weights[:, None]).sum(axis=0, keepdims=True))[0]
        moved[category] = (1 - share) * names[category] + share * mean
    return unit_rows(moved)
