"""The confidence of each label, from the learner's margin and the views' support predicted from the instances.

Naive Bayes is overconfident, and a learner trained on its labels ranks its own labels badly. The views err in other
documents, so the probability that they give to the label predicts better whether it is right (mean AUROC .68 and .73
over 32 runs, `benchmarks.confidence`). A ridge regression of that probability on the instances ranks as well as the
views themselves, and also applies to new documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.features import normalised, weighted
from classify.several.levels import sigmoid
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.row_blocks import RowBlocks
from hin.arrays.score_rows import log_softmax
from hin.arrays.stored_rows import BLOCK, passing
from hin.arrays.types import Doubles, Floats, Reals
from hin.files.checked import load_array

if TYPE_CHECKING:
    from classify.learners.base import TrainingData


#: The weight of the views' part relative to the margin; the rise of the log odds per standard deviation of both.
_VIEWS = 2.0
_SLOPE = 1.2
_PENALTY, _ROUNDS = 1.0, 30
_ABOVE, _MOST = 0.02, 0.98
#: The constants as an exported model states them.
CONFIDENCE = {"views_weight": _VIEWS, "above_chance": _ABOVE, "most": _MOST}
_FILE = "sureness.npy"
#: The schema of the stored record.
SURENESS = {"level": float, "slope": float, "margin": [float], "views": [float]}


@dataclass(frozen=True, eq=False)
class Sureness:
    """From a document's scores and instances to the confidence of its label.

    Attributes
    ----------
    idf, coefficients : float32[instances]
        The ridge regression of the views' part on the instances, in unit tf-idf rows.
    margin, views : mean and spread of the two parts over the documents of the fit.
    level, slope : from both parts to the log odds of the label; the level brings the mean confidence to the expected
        accuracy.
    """

    idf: Floats
    coefficients: Floats
    margin: tuple[float, float]
    views: tuple[float, float]
    level: float = 0.0
    slope: float = _SLOPE

    def of(self, counts: Any) -> Doubles:
        """Predict the views' part of each document from its counts of instances."""
        return np.asarray(_rows(self.idf, counts) @ self.coefficients, dtype=np.float64)

    def confidence(self, scores: Doubles, views: Doubles) -> Doubles:
        """Return the confidence of each document's best category."""
        return _confidence(self.slope * self.together(scores, views) + self.level, scores.shape[1])

    def together(self, scores: Doubles, views: Doubles) -> Doubles:
        """Combine both parts of each document into one number."""
        parts = ((_margins(scores), self.margin, 1.0), (views, self.views, _VIEWS))
        return np.asarray(sum(weight * (part - mean) / spread for part, (mean, spread), weight in parts))

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the arrays; return the other attributes, for `model.json`."""
        np.save(folder / _FILE, np.stack([self.idf, self.coefficients]).astype(np.float32), allow_pickle=False)
        return {"level": self.level, "slope": self.slope, "margin": list(self.margin), "views": list(self.views)}

    @classmethod
    def load(cls, folder: Path, head: Mapping[str, Any], instances: int) -> Sureness:
        """Read what `save` wrote."""
        idf, coefficients = load_array(folder / _FILE, "float32", (2, instances), mapped=False)
        (middle, spread), (mean, around) = head["margin"], head["views"]
        if not (spread > 0 and around > 0):
            raise ValueError("the spread of its confidence is out of range")
        return cls(idf, coefficients, (middle, spread), (mean, around), float(head["level"]), float(head["slope"]))


def fit_sureness(
    data: TrainingData,
    scores: Doubles,
    views: Mapping[str, Reals],
    accuracy: float,
    sharpness: float,
    threads: int,
) -> Sureness:
    """Fit the confidence of each label, such that the mean confidence is the expected accuracy.

    Parameters
    ----------
    data : the training set, with the documents.
    scores : the learner's, of the same documents.
    views : the scores of each view, in units of their spread.
    sharpness : the factor on these before the softmax.
    """
    rows = data.rows(partial(_rows, data.idf), threads).cached()
    said = _views_of_labels(scores, list(views.values()), sharpness)
    mean = float(said.mean())
    coefficients = _ridge(rows, said - mean)
    fitted = np.concatenate([*rows.each(_product, coefficients)])
    margins = np.concatenate([_margins(scores[here]) for here in passing(scores)])
    found = Sureness(data.idf, coefficients, _spread(margins), _spread(fitted))
    together = np.concatenate([found.together(scores[here], fitted[here]) for here in passing(scores)])
    slope = _SLOPE / _spread(together)[1]
    return replace(found, level=_level_for(slope * together, accuracy, scores.shape[1]), slope=slope)


def sharpened(scores: Doubles, confidence: Doubles) -> Doubles:
    """Turn rows of scores into probabilities whose highest is the given confidence.

    Each row is divided by a temperature of its own, so the order of its categories does not change. Rows of equal
    scores stay uniform.

    >>> sharpened(np.array([[2.0, 1.0, -3.0], [0.0, 0.0, 0.0]]), np.array([0.7, 0.9])).max(axis=1).round(6).tolist()
    [0.7, 0.333333]
    """
    below = np.asarray(scores, dtype=np.float64) - scores.max(axis=1, keepdims=True)
    low, high = np.full(len(below), -12.0), np.full(len(below), 12.0)  # bounds on the logarithm of the factor
    wanted = 1.0 / np.clip(confidence, 1e-9, 1.0)
    for _ in range(44):  # the sum falls as the factor rises
        middle = (low + high) / 2
        more = np.exp(below * np.exp(middle)[:, None]).sum(axis=1) > wanted
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    found = np.exp(below * np.exp((low + high) / 2)[:, None])
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _views_of_labels(scores: Doubles, views: list[Reals], sharpness: float) -> Doubles:
    """Return the log odds of the mean probability that the views give to each document's label."""
    found = np.zeros(len(scores))
    for here in passing(scores, *views):
        label = np.asarray(scores[here]).argmax(axis=1)[:, None]
        for view in views:
            logs = log_softmax(sharpness * np.asarray(view[here], dtype=np.float64))
            found[here] += np.exp(np.take_along_axis(logs, label, axis=1))[:, 0] / len(views)
    held = np.clip(found, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(held / (1 - held)))


def _ridge(rows: RowBlocks, target: Doubles) -> Floats:
    """Solve the ridge regression of a target with mean 0 by conjugate gradients, one pass over the rows per step."""
    from scipy.sparse.linalg import LinearOperator, cg

    n = rows.shape[1]
    sums = [((n,), "float64")]
    [right] = rows.total(_transposed, sums, target)
    normal = LinearOperator((n, n), lambda given: rows.total(_normal, sums, given)[0] + _PENALTY * given)
    with one_blas_thread():  # the inner products of long vectors are other bits with other numbers of BLAS threads
        found, _ = cg(normal, right, rtol=1e-4, maxiter=_ROUNDS)
    return np.asarray(found, dtype=np.float32)


def _rows(idf: Floats, counts: Any) -> Any:
    return normalised(weighted(counts, idf))


def _product(rows: Any, number: int, coefficients: Floats) -> Doubles:
    return np.asarray(rows @ coefficients, dtype=np.float64)


def _transposed(rows: Any, number: int, sums: list[Any], target: Doubles) -> None:
    sums[0] += rows.T @ target[number * BLOCK : number * BLOCK + rows.shape[0]]


def _normal(rows: Any, number: int, sums: list[Any], given: Doubles) -> None:
    sums[0] += rows.T @ (rows @ given)


def _margins(scores: Doubles) -> Doubles:
    """Return the log odds of the best category of each row."""
    best = log_softmax(scores).max(axis=1)
    return np.asarray(best - np.log(np.maximum(-np.expm1(best), 1e-12)))


def _spread(values: Doubles) -> tuple[float, float]:
    return float(values.mean()), max(float(values.std()), 1e-9)


def _confidence(log_odds: Doubles, n_categories: int) -> Doubles:
    even = 1.0 / n_categories  # stay above it: a uniform row means a document without evidence
    return np.asarray(np.clip(sigmoid(log_odds), even + _ABOVE * (1 - even), _MOST))


def _level_for(log_odds: Doubles, accuracy: float, n_categories: int) -> float:
    """Return the intercept at which the mean confidence is the expected accuracy."""
    low, high = -12.0, 12.0
    for _ in range(50):
        middle = (low + high) / 2
        few = float(_confidence(log_odds + middle, n_categories).mean()) < accuracy
        low, high = (middle, high) if few else (low, middle)
    return (low + high) / 2
