"""The view "tf-idf": latent semantic analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import Features, scaled
from classify.documents.products import svd
from classify.views.base import VIEWS, View, ViewSource, fitting_rank

__all__ = ["TfidfView"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class TfidfView:
    """Latent semantic analysis: the singular vectors of the tf-idf matrix."""

    rank: int = 200
    name: str = "tf-idf"

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return right singular vectors times their singular values."""
        rank = fitting_rank(self.rank, features.unit.shape)
        vectors, values = svd(features.unit, rank, rng, threads)
        return vectors * values

    def rows(self, features: Features) -> Any:
        """tf-idf, times the root of the trust."""
        return scaled(features.unit, np.sqrt(features.trust))


@VIEWS.register("tf-idf")
def tf_idf_view(source: ViewSource) -> View:
    """Make the view; it needs the documents alone."""
    return TfidfView()
