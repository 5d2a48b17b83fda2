"""Documents that belong to no named category, in groups, with words that would name them.

A document's distance from every name is noisy: short texts are far from everything. So it is averaged over the
documents most like it. The names' scores of all views, from which the fit starts, give the distance from the nearest
name, and from the second one: that is the distance a document would have if its own category had no name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.documents.features import inverse_frequency, normalised, weighted
from classify.suggestions.documents import document_vectors
from classify.suggestions.grounds import Grounds
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.score_rows import best_two, in_units
from hin.arrays.types import Bools, Doubles, Floats, Int64
from hin.human import plural

#: The threshold is lowered by this share of the way from the second to the first distance (decision 0105).
_NEARER = 0.1
#: The smallest size of a group, approximately, unless there are fewer documents.
_GROUP = 20


@dataclass(frozen=True)
class MissingOptions:
    """How documents without a category are found and put into groups.

    Attributes
    ----------
    share : the share of all documents, the farthest from every name, that is put into groups; None: those that belong
        to none.
    groups : at most this many.
    words : this many for each group.
    like : a document is judged together with this many that are most like it, of at most `sample` documents.
    seed : of the draw.
    """

    share: float | None = 0.25
    groups: int = 8
    words: int = 8
    like: int = 30
    sample: int = 10_000
    seed: int = 0


@dataclass(frozen=True)
class MissingGroup:
    """Documents far from every category that have much in common.

    Attributes
    ----------
    documents : their numbers, the most typical first.
    words : that could name the group, the best first.
    none : how many of them belong to no category.
    """

    documents: Int64
    words: tuple[str, ...]
    none: int

    def summary(self) -> str:
        """Describe the group in words.

        >>> MissingGroup(np.arange(3), ("robot", "grasping"), 1).summary()
        'a group of 3 documents (1 fits no category) about robot, grasping'
        >>> MissingGroup(np.arange(3), ("robot", "grasping"), 0).summary()
        'a group of 3 documents about robot, grasping'
        """
        none = f" ({self.none:,} {'fits' if self.none == 1 else 'fit'} no category)" if self.none else ""
        return f"a group of {plural(len(self.documents), 'document')}{none} about {', '.join(self.words)}"

    def as_dict(self, ids: Any = None) -> dict[str, Any]:
        """Return the group as a record for machines, with the ids of its ten most typical documents."""
        shown = [] if ids is None else [ids[int(row)] for row in self.documents[:10]]
        return {"documents": len(self.documents), "none": self.none, "words": list(self.words), "typical": shown}


@dataclass(frozen=True, eq=False)
class Missing:
    """The documents that belong to no category, and groups of those that are farthest from all.

    Attributes
    ----------
    scores : float[documents], the higher the less a document belongs to any category.
    none : bool[documents], those that are judged to belong to none.
    groups : of the documents farthest from every category, the largest first.
    """

    scores: Doubles
    none: Bools
    groups: tuple[MissingGroup, ...]


@dataclass(frozen=True, eq=False)
class Distances:
    """The documents' distances from the names, averaged over the documents most like each.

    Attributes
    ----------
    scores : float[documents], the distance from the nearest name.
    without : float[documents], the distance from the second one, as if the nearest were not there.
    """

    scores: Doubles
    without: Doubles

    def none(self, known: Bools) -> Bools:
        """Return the mask of documents that belong to no category.

        These are about as far from the nearest name as the median document is from the second nearest.

        Parameters
        ----------
        known : bool[documents], those with a known word.

        Examples
        --------
        >>> far = Distances(np.array([0.0, 1.0, 6.0]), np.array([5.0, 6.0, 6.5]))
        >>> far.none(np.ones(3, dtype=np.bool_)).tolist()
        [False, False, True]
        """
        if not known.any():
            return known
        usual, missing = np.median(self.scores[known]), np.median(self.without[known])
        return np.asarray(known & (self.scores > missing - _NEARER * (missing - usual)))


@one_blas_thread()
def find_missing(grounds: Grounds, options: MissingOptions | None = None) -> Missing:
    """Find the documents that belong to no category, and group those farthest from all."""
    options = options or MissingOptions()
    vectors = document_vectors(grounds)
    found = name_distances(grounds, vectors, options)
    known = np.diff(grounds.counts.indptr) > 0  # a document without a known word cannot be judged
    for document in grounds.known:
        known[grounds.graph.documents.index(document)] = False
    none = found.none(known)
    far = _farthest(found.scores, known, none, options)
    return Missing(found.scores, none, _groups(grounds, vectors, far, none, options))


def name_distances(grounds: Grounds, vectors: Floats, options: MissingOptions | None = None) -> Distances:
    """Compute each document's distance from the names, averaged over the documents most like it."""
    options = options or MissingOptions()
    nearest = np.asarray(_in_joint(grounds, vectors) if grounds.nearest is None else grounds.nearest, dtype=np.float64)
    n = len(vectors)
    drawn = np.arange(n)
    if n > options.sample:
        drawn = np.sort(np.random.default_rng([options.seed, 0x0E]).choice(n, options.sample, replace=False))
    wanted = min(options.like, len(drawn))
    found = np.empty((n, 2))
    for first in range(0, n, 1000):
        likeness = vectors[first : first + 1000] @ vectors[drawn].T
        alike = np.argpartition(-likeness, wanted - 1, axis=1)[:, :wanted]
        found[first : first + 1000] = nearest[first : first + 1000] + wanted * nearest[drawn][alike].mean(axis=1)
    return Distances(-found[:, 0] / (wanted + 1), -found[:, 1] / (wanted + 1))


def _in_joint(grounds: Grounds, vectors: Floats) -> Floats:
    """Return `best_two` of the joint embedding and of meaning, for fits that do not store the scores of all views."""
    near = _comparable(vectors @ grounds.facts.categories.T)
    if grounds.facts.meaning is not None:
        rows = normalised(weighted(grounds.counts, inverse_frequency(grounds.documents, grounds.counts.shape[0])))
        near = near + _comparable(np.asarray(rows @ np.asarray(grounds.facts.meaning, dtype=np.float32)))
    return best_two(near)


def _comparable(values: Floats) -> Floats:
    """Centre the scores of each name and divide them by their spread."""
    return in_units(values - values.mean(axis=0, dtype=np.float64).astype(np.float32))


def _farthest(scores: Doubles, known: Bools, none: Bools, options: MissingOptions) -> Bools:
    """Return the mask of documents that are put into groups."""
    if options.share is None or not known.any():
        return none
    return np.asarray(known & (scores >= np.quantile(scores[known], 1 - options.share)))


def _groups(
    grounds: Grounds, vectors: Floats, far: Bools, none: Bools, options: MissingOptions
) -> tuple[MissingGroup, ...]:
    from sklearn.cluster import KMeans

    rows = np.flatnonzero(far)
    # A few more clusters than are offered, as outliers gather in the smallest; in tiny ones the words are chance.
    number = min(options.groups + options.groups // 4, max(1, len(rows) // _GROUP))
    if number < 1 or len(rows) < 5:
        return ()
    found = KMeans(number, n_init=4, random_state=options.seed).fit(vectors[rows])
    incidence = grounds.incidence
    groups = []
    sizes = np.bincount(found.labels_, minlength=number)
    for group in np.argsort(-sizes, kind="stable")[: options.groups].tolist():
        mine = rows[found.labels_ == group]
        typical = mine[np.argsort(-(vectors[mine] @ found.cluster_centers_[group]), kind="stable")]
        words = _words(grounds, incidence, mine, options.words)
        groups.append(MissingGroup(typical, words, int(none[mine].sum())))
    return tuple(groups)


def _words(grounds: Grounds, incidence: Any, mine: Int64, wanted: int) -> tuple[str, ...]:
    """Return the terms that are most typical of these documents: frequent in them, rare elsewhere."""
    inside = np.zeros(len(grounds.graph), dtype=np.float32)
    inside[mine] = 1.0
    here = np.asarray(incidence @ inside, dtype=np.float64)
    share, usual = here / max(len(mine), 1), grounds.documents / max(len(grounds.graph), 1)
    # Weighed log-likelihood: a word must be both frequent in the group and rare outside.
    worth = share * np.log((share + 1e-9) / (usual + 1e-9))
    single = np.array([grounds.facts.pattern(i) == "term" for i in range(len(here))])
    worth[~single | (here < 3)] = -np.inf
    order = np.argsort(-worth, kind="stable")[:wanted]
    return tuple(grounds.facts.names[int(i)][5:-1] for i in order if np.isfinite(worth[i]) and worth[i] > 0)
