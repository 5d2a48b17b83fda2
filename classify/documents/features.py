"""Tf-idf features of documents, (1 + ln tf) · idf: the common input of views, naive Bayes and the linear model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from hin.arrays.types import Bools, Floats, Int64, Ints


def inverse_frequency(documents: Ints, n: int) -> Floats:
    """Return idf = ln((n + 1) / (df + ½)), at least 0, and 0 for an instance that is in no document.

    >>> inverse_frequency(np.array([1, 10, 0]), 10).round(3).tolist()
    [1.9919999837875366, 0.04699999839067459, 0.0]
    """
    df = np.asarray(documents, dtype=np.float64)
    return np.where(df > 0, np.maximum(np.log((n + 1) / (df + 0.5)), 0.0), 0.0).astype(np.float32)


def weighted(counts: Any, idf: Floats) -> Any:
    """Convert counts to (1 + ln tf) · idf.

    >>> from scipy import sparse
    >>> weighted(sparse.csr_array([[1.0, 0.0]]), np.array([2.0, 1.0], dtype=np.float32)).toarray().tolist()
    [[2.0, 0.0]]
    """
    from scipy import sparse

    damped = sparse.csr_array((1 + np.log(counts.data), counts.indices, counts.indptr), shape=counts.shape)
    return scaled(damped, idf)


def scaled(weights: Any, factors: Floats) -> Any:
    """Multiply each column by its factor.

    >>> from scipy import sparse
    >>> scaled(sparse.csr_array([[1.0, 2.0]]), np.array([3.0, 0.5], dtype=np.float32)).toarray().tolist()
    [[3.0, 1.0]]
    """
    from scipy import sparse

    values = (weights.data * factors[weights.indices]).astype(np.float32)
    return sparse.csr_array((values, weights.indices, weights.indptr), shape=weights.shape)


def normalised(weights: Any) -> Any:
    """Scale each row to length 1; the result of a row does not depend on the others.

    >>> from scipy import sparse
    >>> normalised(sparse.csr_array([[3.0, 4.0], [0.0, 0.0]])).toarray().round(3).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    from scipy import sparse

    squares = np.add.reduceat(np.append(weights.data.astype(np.float64) ** 2, 0.0), weights.indptr[:-1])
    sizes = np.diff(weights.indptr)
    lengths = np.where(sizes > 0, np.sqrt(squares), 1.0)
    values = (weights.data / np.repeat(np.maximum(lengths, 1e-12), sizes)).astype(weights.data.dtype)
    return sparse.csr_array((values, weights.indices, weights.indptr), shape=weights.shape)


def multiplied(damping: Floats | None, factors: Floats) -> Floats:
    """Multiply a damping, or none, by more factors."""
    return factors if damping is None else damping * factors


class Totals(NamedTuple):
    """The number of documents that hold each instance, and of all documents."""

    frequencies: Int64
    documents: int


@dataclass(eq=False)
class Features:
    """The features of the documents to be labelled.

    Attributes
    ----------
    counts : float32 CSR, documents x instances
        How often each instance occurs in each document.
    single : bool[instances]
        Whether the instance is one node (a term or one metadata value).
    trust : float32[instances]
        How much of its documents' direction an instance explains, from 0 to 1 (`JointEmbedding.weights`).
    totals : where these are a part of the documents: the document frequencies and the number of all documents.
    damping : a factor on the weight of each instance (`classify.fields.nuisance`); `trust` holds it already.
    """

    counts: Any
    single: Bools
    trust: Floats
    totals: Totals | None = None
    damping: Floats | None = None

    def damped(self, factors: Floats) -> Features:
        """Return the features with the weight and the trust of each instance times its factor."""
        return replace(self, trust=self.trust * factors, damping=multiplied(self.damping, factors))

    @property
    def damping_key(self) -> str | None:
        """A hash of the damping, for cache keys; None where there is none."""
        return None if self.damping is None else blake2b(self.damping.tobytes(), digest_size=12).hexdigest()

    @property
    def n_documents(self) -> int:
        """How many documents there are."""
        return int(self.counts.shape[0])

    @cached_property
    def documents(self) -> Int64:
        """The document frequency of each instance."""
        if self.totals is not None:
            return self.totals.frequencies
        return np.bincount(self.counts.indices, minlength=self.counts.shape[1]).astype(np.int64)

    @cached_property
    def idf(self) -> Floats:
        """The inverse document frequency of each instance, times its damping where there is one."""
        found = inverse_frequency(self.documents, self.n_documents if self.totals is None else self.totals.documents)
        return found if self.damping is None else found * self.damping

    @cached_property
    def weights(self) -> Any:
        """(1 + ln tf) · idf."""
        return weighted(self.counts, self.idf)

    @cached_property
    def unit(self) -> Any:
        """The weights with rows of length 1."""
        return normalised(self.weights)

    @cached_property
    def trusted(self) -> Any:
        """(1 + ln tf) · trust: instances that are in documents of all kinds count little, however rare they are."""
        return weighted(self.counts, self.trust)

    def look_up(self, instances: Iterable[int]) -> None:
        """Announce the instances of later calls of `holders` and `mentions`; a no-op for documents in memory."""

    def holders(self, instance: int) -> Int64:
        """Return the documents that hold an instance, sorted."""
        return self.mentions(instance)[0]

    def mentions(self, instance: int) -> tuple[Int64, Floats]:
        """Return the documents that hold an instance, sorted, and its weights in their unit rows."""
        low, high = self._columns.indptr[instance], self._columns.indptr[instance + 1]
        return np.asarray(self._columns.indices[low:high], dtype=np.int64), self._columns.data[low:high]

    @cached_property
    def _columns(self) -> Any:
        columns = self.unit.tocsc()
        columns.sort_indices()
        return columns
