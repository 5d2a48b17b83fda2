"""The view "tf-idf": latent semantic analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.documents.features import Features, scaled
from classify.views.base import VIEWS, SpectralView, View, ViewSource, fitting_rank
from hin.arrays.linalg import svd
from hin.arrays.types import Floats


@dataclass(frozen=True)
class TfidfView(SpectralView):
    """Latent semantic analysis: the singular vectors of the tf-idf matrix.

    Attributes
    ----------
    rank : length of the vectors.
    most_documents : larger corpora are sampled; instances outside the sample are placed at the mean of their documents.
    """

    rank: int = 200
    most_documents: int = 120_000
    name: str = "tf-idf"

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return right singular vectors times their singular values."""
        n = features.n_documents
        rows = np.arange(n) if n <= self.most_documents else np.sort(rng.permutation(n)[: self.most_documents])
        sample = features.unit[rows]
        rank = fitting_rank(self.rank, sample.shape)
        held = np.zeros(sample.shape[1], dtype=np.bool_)
        held[sample.indices] = True
        seen = np.flatnonzero(held)
        found = np.zeros((sample.shape[1], rank), dtype=np.float32)
        if n > self.most_documents:  # columns that are empty in the sample would only cost time
            sample = sample[:, seen]
        else:
            seen = np.arange(sample.shape[1])
        vectors, values = svd(sample, rank, rng, threads)
        vectors *= values
        found[seen] = vectors
        return found

    def rows(self, features: Features) -> Any:
        """Return tf-idf weights times the root of the trust."""
        return scaled(features.unit, np.sqrt(features.trust))


@VIEWS.register("tf-idf", default=2)
def tf_idf_view(source: ViewSource) -> View:
    """Make the view; it needs the documents alone."""
    return TfidfView()
