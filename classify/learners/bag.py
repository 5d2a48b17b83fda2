"""Two more classifiers of sequences: a linear one on the bag of instances, and the average of several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import inverse_frequency, normalised, weighted
from classify.learners.base import Floats, Parts, Rows, TextClassifier
from classify.learners.linear import added_by
from hin.errors import BadUsage, DamagedGraph
from hin.progress import Progress

__all__ = ["AverageClassifier", "BagClassifier"]


class BagClassifier:
    """Softmax regression on tf-idf of the instances, with a ridge; word order does not count.

    Examples
    --------
    >>> from classify.documents.sequences import Sequences
    >>> model = BagClassifier().fit(Sequences.of([[0], [1]]), np.eye(3, dtype=np.float32), np.eye(2, dtype=np.float32))
    >>> model.predict_proba(Sequences.of([[1, 1], [0, 2]])).argmax(axis=1).tolist()
    [1, 0]
    """

    def __init__(self, ridge: float = 1e-4, iterations: int = 100) -> None:
        self.ridge = ridge
        self.iterations = iterations
        self.parameters_: dict[str, npt.NDArray[Any]] = {}

    def fit(
        self,
        sequences: Rows,
        vectors: Floats,
        targets: Floats,
        seed: int = 0,
        threads: int = 1,
        weights: npt.NDArray[np.floating[Any]] | None = None,
        progress: Progress | None = None,
    ) -> BagClassifier:
        """Minimise the mean cross-entropy; there is one minimum, so the seed does not matter."""
        from scipy.optimize import minimize
        from threadpoolctl import threadpool_limits

        counts = _counts(sequences, len(vectors))
        if len(targets) != counts.shape[0] or not len(targets):
            raise BadUsage(f"{counts.shape[0]} sequences but {len(targets)} targets")
        documents = np.bincount(counts.indices, minlength=len(vectors))
        used = np.flatnonzero(documents)
        idf = inverse_frequency(documents, counts.shape[0])
        features = normalised(weighted(counts, idf))[:, used].astype(np.float64)
        turned = features.T.tocsr()
        share = np.ones(len(targets)) if weights is None else np.asarray(weights, dtype=np.float64)
        share = share / share.sum()
        shape = (len(used) + 1, targets.shape[1])

        def loss(flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
            table = flat.reshape(shape)
            proba = _softmax(features @ table[:-1] + table[-1])
            entropy = -(targets * np.log(np.maximum(proba, 1e-300))).sum(axis=1)
            error = share[:, None] * (proba * targets.sum(axis=1, keepdims=True) - targets)
            slope = np.vstack([turned @ error + self.ridge * table[:-1], error.sum(axis=0)])
            return float(share @ entropy + self.ridge / 2 * (table[:-1] ** 2).sum()), slope.ravel()

        with threadpool_limits(1):
            found = minimize(
                loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": self.iterations}
            )
        table = found.x.reshape(shape).astype(np.float32)
        weight = np.zeros((len(vectors), shape[1]), dtype=np.float32)
        weight[used] = table[:-1]
        self.parameters_ = {"weight": weight, "bias": table[-1], "idf": idf}
        return self

    def predict_proba(self, sequences: Rows, threads: int = 1) -> Floats:
        """Probabilities of the categories; a document without known instances gets the categories' bias."""
        return self._proba(self._features(sequences), threads)

    def parts(self, sequences: Rows, categories: npt.NDArray[np.integer[Any]], threads: int = 1) -> Parts | None:
        """Weight times coefficient of every instance; the rest is the bias."""
        rows, bias = self._features(sequences), self.parameters_["bias"].astype(np.float64)
        added = added_by(rows, self.parameters_["weight"], categories)
        return Parts(rows.indptr, rows.indices, added, bias[categories] - bias.mean(), self._proba(rows, threads))

    def _features(self, sequences: Rows) -> Any:
        if not self.parameters_:
            raise BadUsage("the linear classifier has not been trained", hint="call fit or load first")
        counts = _counts(sequences, len(self.parameters_["weight"]))
        return normalised(weighted(counts, self.parameters_["idf"]))

    def _proba(self, features: Any, threads: int) -> Floats:
        from classify.documents.products import product

        scores = product(features, self.parameters_["weight"], threads) + self.parameters_["bias"]
        return _softmax(scores.astype(np.float64)).astype(np.float32)

    def save(self, path: str | Path) -> None:
        """Write the parameters as .npy files into a folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        for name in sorted(self.parameters_):
            np.save(folder / f"linear-{name}.npy", self.parameters_[name], allow_pickle=False)

    @classmethod
    def load(cls, path: str | Path, vectors: Floats) -> BagClassifier:
        """Read what `save` wrote."""
        folder, model = Path(path), cls()
        try:
            names = ("bias", "idf", "weight")
            model.parameters_ = {name: np.load(folder / f"linear-{name}.npy", allow_pickle=False) for name in names}
        except (OSError, ValueError) as error:
            hint = "run `hin classify` again"
            raise DamagedGraph(f"no readable linear classifier in {folder}: {error}", hint=hint) from error
        return model


class AverageClassifier:
    """The mean of several classifiers' probabilities.

    Examples
    --------
    >>> from classify.documents.sequences import Sequences
    >>> model = AverageClassifier([BagClassifier(), BagClassifier(ridge=1.0)])
    >>> rows, unit = Sequences.of([[0], [1]]), np.eye(2, dtype=np.float32)
    >>> model.fit(rows, unit, unit).predict_proba(rows).argmax(axis=1).tolist()
    [0, 1]
    """

    def __init__(self, members: Sequence[TextClassifier]) -> None:
        self.members = list(members)

    def fit(
        self,
        sequences: Rows,
        vectors: Floats,
        targets: Floats,
        seed: int = 0,
        threads: int = 1,
        weights: npt.NDArray[np.floating[Any]] | None = None,
        progress: Progress | None = None,
    ) -> AverageClassifier:
        """Train each member on the same data."""
        for member in self.members:
            member.fit(sequences, vectors, targets, seed, threads, weights, progress)
        return self

    def predict_proba(self, sequences: Rows, threads: int = 1) -> Floats:
        """The members' mean."""
        each = [member.predict_proba(sequences, threads) for member in self.members]
        mean: Floats = np.mean(each, axis=0, dtype=np.float32)
        return mean

    def parts(self, sequences: Rows, categories: npt.NDArray[np.integer[Any]], threads: int = 1) -> Parts | None:
        """None: a mean of probabilities is no sum."""
        return None

    def save(self, path: str | Path) -> None:
        """Write each member into the folder; their files have different names."""
        for member in self.members:
            member.save(path)

    @classmethod
    def load(cls, path: str | Path, vectors: Floats) -> AverageClassifier:
        """Read an average of the CNN and the linear classifier."""
        from classify.learners.cnn import CNNClassifier

        return cls([CNNClassifier.load(path, vectors), BagClassifier.load(path, vectors)])


def _counts(sequences: Rows, n_columns: int) -> Any:
    """How often each instance is in each sequence, as a sparse matrix."""
    from scipy import sparse

    offsets, ids = sequences
    known = ids >= 0
    starts = np.concatenate([[0], np.cumsum(known)])[offsets]
    ones = np.ones(int(known.sum()), dtype=np.float32)
    counts = sparse.csr_array((ones, ids[known], starts), shape=(len(offsets) - 1, n_columns))
    counts.sum_duplicates()
    return counts


def _softmax(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    raised: npt.NDArray[np.float64] = np.exp(scores - scores.max(axis=1, keepdims=True))
    raised /= raised.sum(axis=1, keepdims=True)
    return raised
