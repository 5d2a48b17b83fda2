"""The view "co-occurrence": positive pointwise mutual information of instances that share documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.documents.features import Features
from classify.views.base import VIEWS, SpectralView, View, ViewSource, fitting_rank
from hin.arrays.linalg import svd
from hin.arrays.types import Floats
from hin.engines.local import LocalEngine


@dataclass(frozen=True)
class CooccurrenceView(SpectralView):
    """Singular vectors of the positive pointwise mutual information of instances that share documents.

    Combinations, instances in more than a tenth of the documents, and those beyond the limits are left out of the
    matrix; they are placed at the mean of their documents.

    Attributes
    ----------
    rank : length of the vectors.
    most_documents, most_instances : larger corpora are sampled; more would not change co-occurrence much.
    smoothing : power of the context distribution (Levy and Goldberg 2015).
    shift : subtracted from the information, as values hardly above chance are mostly noise.
    """

    rank: int = 100
    most_documents: int = 60_000
    most_instances: int = 20_000
    smoothing: float = 0.75
    shift: float = 1.0
    name: str = "co-occurrence"

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return left singular vectors times the root of their singular values."""
        from scipy import sparse

        vectors = np.zeros((features.counts.shape[1], 0), dtype=np.float32)
        n, df = features.n_documents, features.documents
        rows = np.arange(n)
        if n > self.most_documents:
            rows = np.sort(rng.permutation(n)[: self.most_documents])
        fit = np.flatnonzero(features.single & (df > 0) & (df <= max(n / 10, 2)))
        kept = np.sort(fit[np.argsort(-df[fit], kind="stable")[: self.most_instances]])
        if len(kept) < 3:
            return np.zeros((features.counts.shape[1], 1), dtype=np.float32)
        sample = features.counts[rows]
        sizes = np.maximum(np.diff(sample.indptr), 1)
        held = sample[:, kept].tocsr()
        del sample
        # Every document gets about the same total weight, or long ones would dominate.
        values = np.repeat(1 / np.sqrt(sizes), np.diff(held.indptr)).astype(np.float32)
        held = sparse.csr_array((values, held.indices, held.indptr), shape=held.shape)
        information = positive_information(held, self.smoothing, self.shift, threads)
        rank = fitting_rank(self.rank, information.shape)
        found, singular = svd(information, rank, rng, threads)
        vectors = np.zeros((features.counts.shape[1], rank), dtype=np.float32)
        vectors[kept] = found * np.sqrt(singular)
        return vectors

    def rows(self, features: Features) -> Any:
        """Return weights by trust."""
        return features.trusted


def positive_information(held: Any, smoothing: float = 0.75, shift: float = 0.0, threads: int = 1) -> Any:
    """Compute shifted PPMI, max(0, ln(p(a, b) / (p(a) · p(b)^smoothing)) - shift), of columns that share rows.

    The result is the transpose, b x a, without the diagonal. Pairs are counted for a block of columns at a time, as
    most of them are dropped.

    Parameters
    ----------
    held : CSR, documents x instances.

    Examples
    --------
    >>> from scipy import sparse
    >>> held = sparse.csr_array(np.array([[1, 1, 0], [1, 1, 0], [0, 1, 1]], dtype=np.float32))
    >>> positive_information(held, 1.0).toarray().round(3)[1, 0] == round(float(np.log(2 * 6 / (2 * 3))), 3)
    np.True_
    """
    from scipy import sparse

    columns = held.T.tocsr()
    sizes = held @ np.ones(held.shape[1])
    diagonal = np.bincount(held.indices, weights=held.data.astype(np.float64) ** 2, minlength=held.shape[1])
    total = np.maximum(columns.astype(np.float64) @ sizes - diagonal, 0.0)
    context = total**smoothing
    context = context / max(context.sum(), 1e-12)

    def part(first: int) -> Any:
        block = (columns[first : first + 512] @ held).tocoo()  # the product is symmetric, so rows serve as columns
        row, column = block.coords
        with np.errstate(divide="ignore", invalid="ignore"):
            information = np.log(block.data / (total[column] * context[first + row])) - shift
        good = (information > 0) & (first + row != column)
        kept = (information[good].astype(np.float32), (row[good], column[good]))
        return sparse.coo_array(kept, shape=block.shape).tocsr()

    parts = LocalEngine(f"local:{max(1, threads)}").map(part, range(0, held.shape[1], 512))
    return sparse.vstack(list(parts), format="csr")


@VIEWS.register("co-occurrence", default=3)
def co_occurrence_view(source: ViewSource) -> View:
    """Make the view; it needs the documents alone."""
    return CooccurrenceView()
