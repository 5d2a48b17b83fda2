"""The part of a model that scores documents by the user's own vectors: logistic regression on the same soft labels.

Its weight is that of the view of these vectors in the soft labels; the learner has the remaining weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.learners.linear import LinearModel, fit_linear
from classify.learners.options import LinearOptions
from embed.vectors import unit_rows
from hin.arrays.score_rows import centred
from hin.arrays.stored_rows import passing
from hin.arrays.types import Doubles, Floats, Ints
from hin.files.checked import load_array

if TYPE_CHECKING:
    from classify.documents.own_vectors import DocumentVectors
    from classify.learners.base import TrainingData, Weights


#: The most documents it is fitted to: enough for some hundred coefficients per category.
_MOST = 20_000
#: Unit vectors of an encoder differ little, so their coefficients must be larger than those of words.
_OPTIONS = LinearOptions(penalty=0.1, rounds=40)
#: The schema of the stored record.
OWN = {"share": float, "width": int}


@dataclass(frozen=True, eq=False)
class VectorPart:
    """Scores of the categories from a document's own vector.

    Attributes
    ----------
    centre : float32[dim], the mean of the documents' unit vectors.
    model : the coefficients of centred unit vectors.
    share : how much it counts beside the learner, from 0 to 1.
    """

    centre: Floats
    model: LinearModel
    share: float

    @property
    def width(self) -> int:
        """The length of the vectors."""
        return len(self.centre)

    def scores(self, vectors: Floats) -> Doubles:
        """Return centred scores."""
        return centred(self.model.logits(_rows(vectors, self.centre)))

    def mixed(self, scores: Doubles, vectors: Floats) -> Doubles:
        """Return the weighted mean of a learner's scores and these; a document without a vector keeps the learner's."""
        own = self._shares(vectors)[:, None]
        return np.asarray((1 - own) * scores + own * self.scores(vectors))

    def mixed_weights(self, found: Weights, vectors: Floats, categories: Ints) -> Weights:
        """Return a learner's weights scaled to its share, and the part of the vectors."""
        from scipy import sparse

        own = self._shares(vectors)
        instances = (sparse.diags_array(1 - own) @ found.instances).tocsr()
        part = own * self.scores(vectors)[np.arange(len(own)), categories]
        return found._replace(
            instances=instances, prior=(1 - own) * found.prior, together=(1 - own) * found.together, vectors=part
        )

    def _shares(self, vectors: Floats) -> Doubles:
        return np.where(vectors.any(axis=1), self.share, 0.0)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the arrays; return the other attributes, for `model.json`."""
        arrays = {"centre": self.centre, "coefficients": self.model.coefficients, "intercepts": self.model.intercepts}
        for name, array in arrays.items():
            np.save(folder / f"own-{name}.npy", np.ascontiguousarray(array), allow_pickle=False)
        return {"share": self.share, "width": self.width}

    @classmethod
    def load(cls, folder: Path, head: Mapping[str, Any], n_categories: int) -> VectorPart:
        """Read what `save` wrote."""
        width, share = int(head["width"]), float(head["share"])
        if not 0 <= share <= 1:
            raise ValueError("the share of its vectors is not a number from 0 to 1")
        centre = load_array(folder / "own-centre.npy", "float32", (width,), mapped=False)
        coefficients = load_array(folder / "own-coefficients.npy", "float32", (width, n_categories), mapped=False)
        intercepts = load_array(folder / "own-intercepts.npy", "float64", (n_categories,), mapped=False)
        return cls(centre, LinearModel(coefficients, intercepts), share)


def fit_vector_part(
    given: DocumentVectors, data: TrainingData, share: float, rng: np.random.Generator, threads: int = 1
) -> VectorPart:
    """Fit the scores of the categories to the targets of a training set; large ones are sampled."""
    n = len(given.rows)
    sums = np.zeros(given.rows.shape[1])
    for here in passing(given.rows):
        sums += unit_rows(given.rows[here]).sum(axis=0, dtype=np.float64)
    centre = (sums / max(n, 1)).astype(np.float32)
    chosen = np.arange(n) if n <= _MOST else np.sort(rng.permutation(n)[:_MOST])
    weights = data.weights_of(_OPTIONS.balance, chosen)
    rows, targets = _rows(given.rows[chosen], centre), np.asarray(data.targets[chosen])
    return VectorPart(centre, fit_linear(rows, targets, _OPTIONS, threads, weights=weights), share)


def _rows(vectors: Floats, centre: Floats) -> Any:
    """Return centred unit vectors as CSR, whose product with coefficients is the same bits in batches of any size."""
    from scipy import sparse

    units = unit_rows(vectors)
    units = np.where(units.any(axis=1, keepdims=True), unit_rows(units - centre), np.float32(0.0))
    n, dim = units.shape
    indices = np.tile(np.arange(dim, dtype=np.int32), n)
    offsets = np.arange(n + 1, dtype=np.int32) * np.int32(dim)
    return sparse.csr_array((units.ravel(), indices, offsets), shape=(n, dim))
