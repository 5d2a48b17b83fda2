"""Documents that belong to no named category, in groups, with words that would name them.

How far a document is from every name is a noisy figure: short texts are far from everything. So it is the mean over the
documents most like it. Names count in the joint embedding and, where words are known, in meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import inverse_frequency, normalised, weighted
from classify.suggestions.documents import document_vectors
from classify.suggestions.grounds import Grounds

__all__ = ["Missing", "MissingGroup", "MissingOptions", "belongs_to_none", "find_missing"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class MissingOptions:
    """How documents without a category are found and put into groups.

    Attributes
    ----------
    share : the share of all documents that is put into groups; None: those that are likelier to belong to none.
    groups : at most so many.
    words : for each so many.
    like : a document is judged with so many that are most like it, of at most `sample` documents.
    seed : of the draw.
    """

    share: float | None = None
    groups: int = 8
    words: int = 8
    like: int = 15
    sample: int = 10_000
    seed: int = 0


@dataclass(frozen=True)
class MissingGroup:
    """Documents that have no category and much in common.

    Attributes
    ----------
    documents : their numbers, the most typical first.
    words : what would name them, the best first.
    """

    documents: npt.NDArray[np.int64]
    words: tuple[str, ...]

    def as_dict(self, ids: Any = None) -> dict[str, Any]:
        """Return the group as a record for machines, with the ids of its ten most typical documents."""
        shown = [] if ids is None else [ids[int(row)] for row in self.documents[:10]]
        return {"documents": len(self.documents), "words": list(self.words), "typical": shown}


@dataclass(frozen=True, eq=False)
class Missing:
    """What is missing among the categories.

    Attributes
    ----------
    scores : float[documents], the higher the less a document belongs to any category.
    none : bool[documents], those taken to belong to none.
    groups : the largest first.
    """

    scores: npt.NDArray[np.float64]
    none: npt.NDArray[np.bool_]
    groups: tuple[MissingGroup, ...]


def find_missing(grounds: Grounds, options: MissingOptions | None = None) -> Missing:
    """Find the documents that belong to no category, and group them."""
    options = options or MissingOptions()
    vectors = document_vectors(grounds)
    scores = belongs_to_none(grounds, vectors, options)
    told = np.diff(grounds.counts.indptr) > 0  # of a document without a known word nothing can be said
    for document in grounds.known:
        told[grounds.graph.documents.index(document)] = False
    none = _likelier_none(scores, told, options.share)
    return Missing(scores, none, _groups(grounds, vectors, none, options))


def belongs_to_none(
    grounds: Grounds, vectors: Floats, options: MissingOptions | None = None
) -> npt.NDArray[np.float64]:
    """Return how far each document, with those most like it, is from the nearest name."""
    options = options or MissingOptions()
    near = _in_units(vectors @ grounds.facts.categories.T)
    if grounds.facts.meaning is not None:
        rows = normalised(weighted(grounds.counts, inverse_frequency(grounds.documents, grounds.counts.shape[0])))
        near = near + _in_units(np.asarray(rows @ np.asarray(grounds.facts.meaning, dtype=np.float32)))
    nearest = near.max(axis=1).astype(np.float64)
    n = len(vectors)
    drawn = np.arange(n)
    if n > options.sample:
        drawn = np.sort(np.random.default_rng([options.seed, 0x0E]).choice(n, options.sample, replace=False))
    wanted = min(options.like, len(drawn))
    scores = np.empty(n)
    for first in range(0, n, 1000):
        likeness = vectors[first : first + 1000] @ vectors[drawn].T
        alike = np.argpartition(-likeness, wanted - 1, axis=1)[:, :wanted]
        scores[first : first + 1000] = -(nearest[first : first + 1000] + wanted * nearest[drawn][alike].mean(axis=1))
    return scores / (wanted + 1)


def _in_units(values: Floats) -> Floats:
    centred = values - values.mean(axis=0, dtype=np.float64).astype(np.float32)
    return np.asarray(centred / max(float(centred.std(dtype=np.float64)), 1e-12), dtype=np.float32)


def _likelier_none(
    scores: npt.NDArray[np.float64], told: npt.NDArray[np.bool_], share: float | None
) -> npt.NDArray[np.bool_]:
    """Return which documents belong to none: the share asked for, or the upper of two normal curves."""
    none = np.zeros(len(scores), dtype=np.bool_)
    mine = scores[told]
    if len(mine) < 2 or mine.max() <= mine.min():
        return none
    if share is not None:
        none[told] = mine >= np.quantile(mine, 1 - share)
        return none
    from sklearn.mixture import GaussianMixture

    ends = np.quantile(mine, [0.2, 0.8])
    fitted = GaussianMixture(2, means_init=ends[:, None], random_state=0).fit(mine[:, None])
    upper = int(fitted.means_[:, 0].argmax())
    # A wide lower curve reaches over the upper one again at its far end: from the border on all belong to none.
    likely = fitted.predict_proba(mine[:, None])[:, upper] >= 0.5
    border = mine[likely & (mine >= fitted.means_[:, 0].min())].min(initial=np.inf)
    none[told] = mine >= border
    return none


def _groups(
    grounds: Grounds, vectors: Floats, none: npt.NDArray[np.bool_], options: MissingOptions
) -> tuple[MissingGroup, ...]:
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    rows = np.flatnonzero(none)
    number = min(options.groups, len(rows) // 5)
    if number < 1:
        return ()
    with threadpool_limits(1):  # the same groups at any number of threads
        found = KMeans(number, n_init=4, random_state=options.seed).fit(vectors[rows])
    held = grounds.held
    groups = []
    for group in range(number):
        mine = rows[found.labels_ == group]
        middle = found.cluster_centers_[group]
        typical = mine[np.argsort(-(vectors[mine] @ middle), kind="stable")]
        groups.append(MissingGroup(typical, _words(grounds, held, mine, options.words)))
    return tuple(sorted(groups, key=lambda one: -len(one.documents)))


def _words(grounds: Grounds, held: Any, mine: npt.NDArray[np.int64], wanted: int) -> tuple[str, ...]:
    """Return the instances of one part that are most at home in these documents: often here, seldom elsewhere."""
    inside = np.zeros(len(grounds.graph), dtype=np.float32)
    inside[mine] = 1.0
    here = np.asarray(held @ inside, dtype=np.float64)
    share, usual = here / max(len(mine), 1), grounds.documents / max(len(grounds.graph), 1)
    # Weighed log-likelihood: a word must be both frequent in the group and rare outside.
    worth = share * np.log((share + 1e-9) / (usual + 1e-9))
    single = np.array([grounds.facts.pattern(i) == "term" for i in range(len(here))])
    worth[~single | (here < 3)] = -np.inf
    order = np.argsort(-worth, kind="stable")[:wanted]
    return tuple(grounds.facts.names[int(i)][5:-1] for i in order if np.isfinite(worth[i]) and worth[i] > 0)
