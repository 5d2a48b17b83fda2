"""Nuisance structure: groups of documents that explain the corpus but not the category names; found and damped.

An event, a country, a source: its groups explain how the documents differ, but not how near they are to the names.
Every view is then a view of the groups, and names are placed among them. So terms that are tied to a group lose
weight, and the views are made of what is left. Where no metadata field has such groups, clusters of the documents may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.documents.features import Features
from classify.recipe.options import FieldOptions
from hin.arrays.row_blocks import in_blocks
from hin.arrays.stored_rows import BLOCK
from hin.arrays.types import Floats, Int64, Reals

#: A term's weight falls with this factor on its divergence, which is shrunk by this many documents spread evenly.
_SHARPNESS, _EVENLY = 2.0, 5.0
#: Of a field: the most values, the fewest documents per value on average, the most documents with several values.
_MOST_VALUES, _FEWEST, _SEVERAL = 100, 20, 0.1
_ROUNDS = 20


@dataclass(frozen=True)
class Nuisance:
    """Groups of documents that are taken out of the views.

    Attributes
    ----------
    field : the metadata field whose values they are; None for clusters.
    clusters : the cluster of each document of the text pass, where no field names the groups.
    """

    field: str | None = None
    clusters: tuple[int, ...] = ()

    def __str__(self) -> str:
        named = f"the values of {self.field}" if self.field else f"{max(self.clusters, default=-1) + 1} clusters"
        return f"{named} explain the documents, not the categories: taken out of the views"


def explained_variance(vectors: Reals, groups: Int64) -> float:
    """Return the share of the vectors' variance that lies between the groups, without what chance explains.

    >>> explained_variance(np.array([[1.0], [1.0], [-1.0], [-1.0]]), np.array([0, 0, 1, 1]))
    1.0
    """
    held = groups >= 0
    rows, own = np.asarray(vectors[held], dtype=np.float64), groups[held]
    if not len(rows):
        return 0.0
    rows = rows - rows.mean(axis=0)
    sizes = np.bincount(own)
    sums = np.zeros((len(sizes), rows.shape[1]))
    np.add.at(sums, own, rows)
    total = float((rows * rows).sum())
    between = float(((sums * sums).sum(axis=1) / np.maximum(sizes, 1)).sum())
    n_groups = int((sizes > 0).sum())
    chance = (n_groups - 1) * (total - between) / max(len(rows) - n_groups, 1)
    return max(between - chance, 0.0) / max(total, 1e-12)


def nuisance_share(
    groups: Int64, documents: Floats, meaning: Floats, nearness: Floats, options: FieldOptions, ratio: float
) -> float:
    """Return the share of the documents' variance that groups explain; 0 if they explain the nearness to names, too.

    Parameters
    ----------
    documents : the vectors of the documents in the views of the corpus.
    meaning : their vectors by a pretrained model, each document's own.
    nearness : by these, to the names.
    ratio : the largest share of the nearness's variance that the groups explain, relative to that of the documents.
    """
    seen = explained_variance(documents, groups)
    if seen < options.explains:
        return 0.0
    names = explained_variance(nearness, groups)
    # In a language that the model does not know, vectors are noise, and no group explains much of them. So the share of
    # the nearness to names is compared with the share of the vectors in all directions.
    focused = names > options.focus * explained_variance(meaning, groups)
    return 0.0 if names > ratio * seen or focused else seen


def field_groups(values: Any) -> Int64 | None:
    """Return the group of each document by a field's values, -1 without one; None where they make no groups.

    >>> from scipy import sparse
    >>> field_groups(sparse.csr_array(np.eye(2)[[0, 1] * 20])).tolist()[:3]
    [0, 1, 0]
    """
    rows = values.tocsr()
    sizes = np.diff(rows.indptr)
    if (sizes > 1).mean() > _SEVERAL:
        return None
    groups = np.full(len(sizes), -1, dtype=np.int64)
    found, own = np.unique(rows.indices[rows.indptr[:-1][sizes > 0]], return_inverse=True)
    groups[sizes > 0] = own
    return groups if 2 <= len(found) <= min(_MOST_VALUES, len(sizes) // _FEWEST) else None


def nuisance_fields(
    fields: Mapping[str, Any],
    documents: Floats,
    meaning: Floats,
    nearness: Floats,
    options: FieldOptions,
    drifts: Callable[[Any], bool],
) -> list[str]:
    """Return the fields that explain the documents and not the names, the one that explains most first.

    Parameters
    ----------
    fields : for each field its values: sparse, documents x values.
    drifts : whether the EM's labels drift to a field's values; asked where the names' share leaves a doubt.
    """
    found = {}
    for name, values in fields.items():
        groups = field_groups(values)
        if groups is None:
            continue
        found[name] = nuisance_share(groups, documents, meaning, nearness, options, options.beside)
        if not found[name]:
            doubtful = nuisance_share(groups, documents, meaning, nearness, options, options.doubtful)
            found[name] = doubtful if doubtful and drifts(values) else 0.0
    return sorted((name for name, seen in found.items() if seen), key=lambda name: (-found[name], name))


def damping(features: Features, groups: Int64, threads: int = 1) -> Floats:
    """Return a factor for each instance: exp(-2 · KL(groups of its documents ‖ groups of all)).

    >>> from scipy import sparse
    >>> counts = sparse.csr_array(np.array([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1]] * 9, dtype=np.float32))
    >>> features = Features(counts, np.ones(3, bool), np.ones(3, dtype=np.float32))
    >>> damping(features, np.array([0, 0, 1, 1] * 9)).round(2).tolist()
    [1.0, 0.5, 0.5]
    """
    sizes = np.bincount(groups[groups >= 0], minlength=1)
    usual = sizes / max(int(sizes.sum()), 1)
    parts: Iterator[Any] = in_blocks(features.counts, threads).each(_count_by_group, groups, len(sizes))
    counts = sum(parts)
    own = np.asarray(counts.sum(axis=1)).ravel()
    rows = np.repeat(np.arange(len(own)), np.diff(counts.indptr))
    even = _EVENLY * usual[counts.indices]
    share = (counts.data + even) / (own[rows] + _EVENLY)
    present = np.bincount(rows, share * np.log(share / usual[counts.indices]), minlength=len(own))
    # Groups in which an instance is not at all have the prior's part of it.
    missing = 1 - np.bincount(rows, usual[counts.indices], minlength=len(own))
    rest = _EVENLY / (own + _EVENLY)
    divergence = present + missing * rest * np.log(rest)
    return np.asarray(np.exp(-_SHARPNESS * np.maximum(divergence, 0.0)), dtype=np.float32)


def _count_by_group(counts: Any, number: int, groups: Int64, n_groups: int) -> Any:
    """Count the documents of each group that hold each instance: sparse, instances x groups."""
    from scipy import sparse

    own = groups[number * BLOCK : number * BLOCK + counts.shape[0]]
    rows = np.flatnonzero(own >= 0)
    members = sparse.csr_array((np.ones(len(rows)), (rows, own[rows])), shape=(len(own), n_groups))
    ones = sparse.csr_array((np.ones(len(counts.data)), counts.indices, counts.indptr), shape=counts.shape)
    return (ones.T.tocsr() @ members).tocsr()


def cluster(vectors: Floats, count: int, rng: np.random.Generator) -> Int64:
    """Return the cluster of each vector (k-means, started by k-means++).

    >>> rows = np.array([[0.0], [0.1], [5.0], [5.1]], dtype=np.float32)
    >>> found = cluster(rows, 2, np.random.default_rng(0))
    >>> bool(found[0] == found[1] != found[2] == found[3])
    True
    """
    rows = np.asarray(vectors, dtype=np.float64)
    squares = (rows * rows).sum(axis=1)
    centres = rows[[int(rng.integers(len(rows)))]]
    nearest = np.full(len(rows), np.inf)
    for _ in range(min(count, len(rows)) - 1):
        away = squares - 2 * rows @ centres[-1] + centres[-1] @ centres[-1]
        nearest = np.maximum(np.minimum(nearest, away), 0.0)
        chosen = int(np.searchsorted(np.cumsum(nearest), rng.random() * nearest.sum()))
        centres = np.vstack([centres, rows[min(chosen, len(rows) - 1)]])
    groups = np.zeros(len(rows), dtype=np.int64)
    for _ in range(_ROUNDS):
        groups = ((centres * centres).sum(axis=1) - 2 * rows @ centres.T).argmin(axis=1)
        for number in range(len(centres)):
            own = rows[groups == number]
            centres[number] = own.mean(axis=0) if len(own) else centres[number]
    return np.unique(groups, return_inverse=True)[1].astype(np.int64)
