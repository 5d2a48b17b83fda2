"""What is kept of a fit: enough to label any document from its text and metadata, without the graph.

A document's score in a category is the learner's: for the default

    (1 - s) · (intercept + Σ weight of instance · coefficient)  +  s · ln p_CNN

with s the CNN's share, centred over the categories; the softmax of it is the probability. The first part is a sum over
the document's instances, so it can be explained to the last digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from classify.documents.encoder import Encoded, Encoder
from classify.documents.score_rows import softmax

if TYPE_CHECKING:
    from classify.learners.base import Learner
    from classify.several.rule import SetRule

__all__ = ["Predictor"]


@dataclass(frozen=True, eq=False)
class Predictor:
    """A trained learner over an encoder.

    Attributes
    ----------
    encoder : finds the instances of a document.
    learner : scores documents.
    length : the longest sequence.
    temperature : what scores are divided by for a confidence.
    sets : how scores become several categories a document; None where it has one.
    offsets : added to the scores, so that as many documents get a category as the user asked for; None for none.
    """

    encoder: Encoder
    learner: Learner
    length: int = 200
    temperature: float = 1.0
    offsets: npt.NDArray[np.float64] | None = None
    sets: SetRule | None = None

    def scores(self, encoded: Encoded, threads: int = 1) -> npt.NDArray[np.float64]:
        """Return centred scores of the categories, the same bits for a document whatever stands beside it.

        A document without a known word or value has nothing to go on: its scores are all 0.
        """
        scores = self.learner.scores(encoded, threads)
        if self.offsets is not None:
            scores = scores + self.offsets
        scores[np.diff(encoded.counts.indptr) == 0] = 0.0
        return scores

    def probabilities(self, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return calibrated probabilities of scores; of several categories a document, each by itself."""
        if self.sets is not None:
            return self.sets.probabilities(scores)
        return softmax(scores / self.temperature)
