"""What is kept of a fit: enough to label any document from its text and metadata, without the graph.

A document's score in a category is

    (1 - s) · (intercept + Σ weight of instance · coefficient)  +  s · ln p_CNN

with s the CNN's share, centred over the categories; the softmax of it is the probability. The first part is a sum over
the document's instances, so it can be explained to the last digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.documents.encoder import Encoded, Encoder
from classify.documents.features import normalised, weighted
from classify.learners.linear import LinearModel
from classify.recipe.naive_bayes import softmax

if TYPE_CHECKING:
    from classify.learners.base import TextClassifier

__all__ = ["Predictor", "centred", "text_scores"]

Floats = npt.NDArray[np.float32]


def centred(scores: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Rows with their mean taken off.

    >>> centred(np.array([[1.0, 3.0]])).tolist()
    [[-1.0, 1.0]]
    """
    values = np.asarray(scores, dtype=np.float64)
    return np.asarray(values - values.mean(axis=1, keepdims=True))


def text_scores(proba: Floats) -> npt.NDArray[np.float64]:
    """Centred logarithms; the floor keeps one sure classifier from ruling a category out for the other.

    >>> text_scores(np.array([[1.0, 0.0]])).round(2).tolist()
    [[6.91, -6.91]]
    """
    return centred(np.log(np.maximum(proba.astype(np.float64), 1e-6)))


@dataclass(frozen=True, eq=False)
class Predictor:
    """A trained linear classifier and a trained text classifier over one encoder.

    Attributes
    ----------
    idf : float32[instances]
        Weights of the instances, from the documents of the fit.
    linear : the linear part, or None.
    text : the CNN (or another classifier of sequences), or None.
    share : how much the text classifier counts; 1 if it is alone.
    temperature : what scores are divided by for a confidence.
    """

    encoder: Encoder
    idf: Floats
    linear: LinearModel | None
    text: TextClassifier | None
    share: float
    length: int = 200
    temperature: float = 1.0

    def rows(self, encoded: Encoded) -> Any:
        """Unit tf-idf rows."""
        return normalised(weighted(encoded.counts, self.idf))

    def text_part(self, encoded: Encoded, threads: int = 1) -> npt.NDArray[np.float64] | None:
        """The text classifier's centred log probabilities."""
        if self.text is None:
            return None
        return text_scores(self.text.predict_proba(encoded.sequences, threads=threads))

    def scores(self, encoded: Encoded, threads: int = 1) -> npt.NDArray[np.float64]:
        """Centred scores of the categories, the same bits for a document whatever stands beside it."""
        text = self.text_part(encoded, threads)
        if self.linear is None:
            assert text is not None
            return text
        linear = centred(self.linear.logits(self.rows(encoded), threads))
        return linear if text is None else (1 - self.share) * linear + self.share * text

    def probabilities(self, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Calibrated probabilities of scores."""
        return softmax(scores / self.temperature)
