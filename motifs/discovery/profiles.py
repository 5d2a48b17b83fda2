"""Document profiles: short vectors made from the terms alone, with which discovery measures similarity.

A latent semantic analysis of a sample of the documents, then one product for all. No metadata and no label is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.one_thread import one_blas_thread
from hin.arrays.types import Doubles, Floats, Int32, Int64

if TYPE_CHECKING:
    from hin.graph import Csr, Graph


_DIMENSIONS = 64
_SAMPLE = 10_000
_VOCABULARY = 30_000
#: A term in more than this share of the documents does not distinguish them.
_COMMON = 0.2
#: The most documents of an instance that are compared.
_MOST = 2_000


@dataclass(frozen=True)
class Profiles:
    """Centred unit vectors, one per document.

    Attributes
    ----------
    vectors : float32 array, documents x dimensions
        Zero for a document without a term of the vocabulary.
    spread : float
        The root mean square cosine of two random documents: the size of a negligible cosine.
    """

    vectors: Floats
    spread: float

    def specificity(self, incidence: Csr) -> tuple[Doubles, Doubles]:
        """Compute how similar the documents of each instance are: 0 as for random documents, 1 if all are the same.

        Returns
        -------
        values : array
            Unbiased, but the noisier the fewer documents an instance has.
        expected : array
            The same, shrunk towards the pattern's mean according to the noise, so that the largest of several is not
            just the luckiest. The noise is estimated from the two halves of each instance.
        """
        sizes = incidence.degrees()
        step = np.maximum(1, -(-sizes // _MOST))
        place = np.arange(incidence.n_edges) - np.repeat(incidence.offsets[:-1], sizes)
        sampled, half = place % np.repeat(step, sizes) == 0, place // np.repeat(step, sizes) % 2
        own = np.einsum("ij,ij->i", self.vectors, self.vectors).astype(np.float64)
        rows = incidence.rows()
        sums: list[Doubles] = []
        squares: list[Doubles] = []
        counts: list[Int64] = []
        for which in (0, 1):
            chosen = sampled & (half == which)
            owner, documents = rows[chosen], incidence.targets[chosen]
            counts.append(np.bincount(owner, minlength=len(sizes)))
            squares.append(np.bincount(owner, weights=own[documents], minlength=len(sizes)).astype(np.float64))
            sums.append(self._sums(counts[-1], documents))
        both = counts[0] + counts[1]
        values = np.nan_to_num(_mean_cosine(sums[0] + sums[1], squares[0] + squares[1], both))
        halves = [_mean_cosine(*figures) for figures in zip(sums, squares, counts, strict=True)]
        return values, _shrink_to_mean(values, halves[0] - halves[1], both)

    def probability(self, mean: float, counts: Doubles, weights: Doubles, error: float = 0.0) -> float:
        """Return the probability that random documents give at least a mean specificity.

        The mean over pairs of random documents has the variance spread^2 / pairs, and is distributed about as a
        centred chi square, with 1 / spread^2 degrees of freedom for each instance.

        Parameters
        ----------
        counts, weights : the documents of each instance, and its weight in the mean.
        error : the standard error where it is larger than that of random documents.

        Examples
        --------
        >>> profiles = Profiles(np.empty((0, 0), dtype=np.float32), 0.3)
        >>> counts, weights = np.full(10, 5.0), np.full(10, 0.1)
        >>> [round(profiles.probability(mean, counts, weights), 4) for mean in (0.0, 0.1, 0.3)]
        [0.4822, 0.0014, 0.0]
        """
        from scipy.special import chdtrc

        several = counts > 1
        if not several.any() or self.spread <= 0:
            return 1.0
        w, n = weights[several], counts[several]
        noise = self.spread * float(np.sqrt((w**2 * 2 / (n * (n - 1))).sum()))
        freedom = float(w.sum() ** 2 / (w**2).sum()) / self.spread**2
        z = mean / max(noise, error, 1e-12)
        return float(chdtrc(freedom, max(0.0, freedom + z * np.sqrt(2 * freedom))))

    def _sums(self, counts: Int64, documents: Int32) -> Doubles:
        """Sum the documents' vectors of each instance."""
        from scipy import sparse

        offsets = np.concatenate([[0], np.cumsum(counts)])
        ones = np.ones(len(documents), dtype=np.float32)
        shape = (len(counts), len(self.vectors))
        found: Doubles = sparse.csr_array((ones, documents, offsets), shape=shape) @ self.vectors
        return found


def _mean_cosine(sums: Doubles, squares: Doubles, counts: Int64) -> Doubles:
    """Compute the mean cosine of document pairs, (|sum|^2 - n) / (n (n - 1)) for unit vectors; NaN for one document.

    This needs no loop over pairs, and the expectation does not depend on n.
    """
    pairs = (counts * (counts - 1)).astype(np.float64)
    lengths = np.einsum("ij,ij->i", sums, sums, dtype=np.float64)
    found: Doubles = np.divide(lengths - squares, pairs, out=np.full(len(counts), np.nan), where=pairs > 0)
    return found


def _shrink_to_mean(values: Doubles, difference: Doubles, sizes: Int64) -> Doubles:
    """Compute posterior means under a normal prior: noise variance c/n, c from the difference of the halves."""
    known = np.isfinite(difference)
    if not known.any():
        return values
    noise = float((difference[known] ** 2).mean() / (4 / sizes[known]).mean()) / sizes
    prior = max(0.0, float(values.var() - noise.mean()))
    expected: Doubles = values.mean() + prior / np.maximum(prior + noise, 1e-12) * (values - values.mean())
    return expected


def make_profiles(graph: Graph, seed: int = 0) -> Profiles:
    """Compute the documents' profiles.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> make_profiles(tiny_graph()).vectors.shape[0]
    5
    """
    rng = np.random.default_rng(seed)
    with one_blas_thread():  # one thread, so that sums have a fixed order
        matrix = _weights(graph)
        sample = matrix
        if matrix.shape[0] > _SAMPLE:
            sample = matrix[np.sort(rng.choice(matrix.shape[0], _SAMPLE, replace=False))]
        vectors = matrix @ _directions(sample, rng)
        vectors = _unit(_unit(vectors, center=True), center=True)
        moments = vectors.T @ vectors / max(1, len(vectors))
    return Profiles(vectors.astype(np.float32), float(np.sqrt((moments**2).sum())))


def _weights(graph: Graph) -> Any:
    """Return the tf-idf matrix of documents and informative terms, rows of unit length."""
    from scipy import sparse

    edges, n = graph.edges("term"), len(graph)
    frequency = graph.document_frequency
    useful = np.flatnonzero((frequency >= 2) & (frequency <= max(2, _COMMON * n)))
    if len(useful) > _VOCABULARY:  # the most frequent ones, ties by number
        useful = np.sort(useful[np.lexsort((useful, -frequency[useful]))[:_VOCABULARY]])
    column = np.full(len(frequency), -1, dtype=np.int32)
    column[useful] = np.arange(len(useful), dtype=np.int32)
    kept = column[edges.targets] >= 0
    counts = np.ones(edges.n_edges, dtype=np.int32) if edges.counts is None else edges.counts
    terms = edges.targets[kept]
    values = (1 + np.log(counts[kept])) * np.log(n / frequency[terms])
    rows = edges.rows()[kept]
    length = np.sqrt(np.bincount(rows, weights=values**2, minlength=n))
    values = (values / np.maximum(length, 1e-12)[rows]).astype(np.float32)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    return sparse.csr_array((values, column[terms], offsets), shape=(n, len(useful)))


def _directions(sample: Any, rng: np.random.Generator) -> Floats:
    """Return the leading right singular vectors, by randomised subspace iteration."""
    n, width = sample.shape
    rank = min(_DIMENSIONS, n, width)
    if rank == 0:
        return np.zeros((width, 1), dtype=np.float32)
    start = rng.standard_normal((width, min(rank + 8, n, width))).astype(np.float32)
    left = np.linalg.qr(sample @ start)[0]
    for _ in range(2):
        right = np.linalg.qr(sample.T @ left)[0]
        left, triangle = np.linalg.qr(sample @ right)
    _, _, rotation = np.linalg.svd(triangle)
    found: Floats = (right @ rotation.T)[:, :rank].astype(np.float32)
    return found


def _unit(vectors: Floats, center: bool) -> Floats:
    """Centre the rows and scale them to unit length; a document without terms stays zero."""
    nonzero = np.abs(vectors).max(axis=1, initial=0) > 0
    if center and nonzero.any():
        vectors = np.where(nonzero[:, None], vectors - vectors[nonzero].mean(axis=0), 0)
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    scaled: Floats = (vectors / np.maximum(length, 1e-9)).astype(np.float32)
    return scaled
