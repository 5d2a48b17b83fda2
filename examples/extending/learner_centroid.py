"""A learner in one file: the nearest mean of each category's documents.

Once this module is imported, `--classifier centroid` and `MotifClassifier(classifier="centroid")` find it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize

from classify.documents.encoder import Encoded
from classify.learners.base import LEARNERS, Learner, TrainingData, Weights
from classify.learners.linear import contributions
from hin.progress import Progress, silent


@dataclass(frozen=True)
class CentroidOptions:
    """Options of its own: `--classifier-option centroid.scale=5`.

    Attributes
    ----------
    scale : cosines lie close together; softmax wants them further apart.
    """

    scale: float = 10.0


@LEARNERS.register("centroid")
class CentroidLearner(Learner):
    """Scores are cosines with the mean tf-idf row of each category."""

    Options = CentroidOptions

    def fit(self, data: TrainingData, seed: int = 0, threads: int = 1, progress: Progress = silent) -> CentroidLearner:
        """Average the documents of each category, each as far as it is believed to be of it."""
        self.idf = data.idf
        means = normalize(self._rows(data.counts()).T @ data.targets, axis=0)
        self.coefficients = np.asarray(self.options.scale * means, dtype=np.float32)
        return self

    def scores(self, documents: Encoded, threads: int = 1) -> np.ndarray:
        """Return the cosines, each row with mean 0."""
        cosines = np.asarray(self._rows(documents.counts) @ self.coefficients, dtype=np.float64)
        return cosines - cosines.mean(axis=1, keepdims=True)

    def weights(self, documents: Encoded, categories: np.ndarray, threads: int = 1) -> Weights:
        """Return the part of each instance; without this method reasons would be one number for the whole text."""
        rows = self._rows(documents.counts)
        added = contributions(rows, self.coefficients, categories)
        nothing = np.zeros(len(documents))
        return Weights(sparse.csr_array((added, rows.indices, rows.indptr), shape=rows.shape), nothing, nothing)

    def save(self, folder: Path) -> None:
        """Write the means; no pickle."""
        np.save(folder / "centroid-means.npy", self.coefficients, allow_pickle=False)
        np.save(folder / "centroid-idf.npy", self.idf, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, vectors: np.ndarray) -> CentroidLearner:
        """Read what `save` wrote."""
        learner = cls()
        learner.coefficients = np.load(folder / "centroid-means.npy", allow_pickle=False)
        learner.idf = np.load(folder / "centroid-idf.npy", allow_pickle=False)
        return learner

    def _rows(self, counts: Any) -> Any:
        return sparse.csr_array(normalize(counts @ sparse.diags_array(self.idf)))
