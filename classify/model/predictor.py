"""The part of a fit that labels any document from its text and metadata, without the graph.

A document's score in a category is the learner's: for the default

    (1 - s) · (intercept + Σ weight of instance · coefficient)  +  s · ln p_CNN

with s the CNN's share, centred over the categories; the softmax of it is the probability. The first part is a sum over
the document's instances, so it can be explained to the last digit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.encoder import Encoded, Encoder
from classify.model.sureness import Sureness, sharpened
from hin.arrays.row_blocks import RowBlocks
from hin.arrays.score_rows import softmax
from hin.arrays.stored_rows import BLOCK
from hin.arrays.types import Doubles, Ints
from hin.files.mapped import mapped_zeros, release_pages

if TYPE_CHECKING:
    from classify.documents.stored_documents import StoredDocuments
    from classify.learners.base import Learner, Weights
    from classify.learners.vector_part import VectorPart
    from classify.several.rule import SetRule
    from hin.engines.base import Engine
    from hin.progress import Progress


@dataclass(frozen=True, eq=False)
class Predictor:
    """A trained learner over an encoder.

    Attributes
    ----------
    encoder : finds the instances of a document.
    learner : scores documents.
    length : the longest sequence.
    temperature : the divisor of the scores before the softmax.
    sets : the rule that gives a document several categories; None where it has one.
    offsets : added to the scores, so that the categories' sizes match the user's shares; None for none.
    sureness : gives each document a confidence of its own, in place of the temperature; None where there is none.
    accuracy : the expected accuracy of the labels; None where it cannot be estimated.
    own : scores documents by the user's own vectors, where the model was fitted with some.
    """

    encoder: Encoder
    learner: Learner
    length: int = 200
    temperature: float = 1.0
    offsets: Doubles | None = None
    sets: SetRule | None = None
    sureness: Sureness | None = None
    accuracy: float | None = None
    own: VectorPart | None = None

    def scores(self, encoded: Encoded, threads: int = 1) -> Doubles:
        """Return centred scores of the categories; a document's are the same bits whatever else is in the batch.

        The scores of a document without a known word or value, and without a vector, are all 0.
        """
        scores = self.learner.scores(encoded, threads)
        nothing = np.diff(encoded.counts.indptr) == 0
        scores[nothing] = 0.0
        if self.own is not None and encoded.vectors is not None:
            scores = self.own.mixed(scores, encoded.vectors)
            nothing &= ~encoded.vectors.any(axis=1)
        if self.offsets is not None:
            scores = scores + self.offsets
            scores[nothing] = 0.0
        return scores

    def weights(self, encoded: Encoded, categories: Ints, threads: int = 1) -> Weights:
        """Attribute the score of one category of each document to its instances and to the user's vectors."""
        found = self.learner.weights(encoded, categories, threads)
        if self.own is None or encoded.vectors is None:
            return found
        return self.own.mixed_weights(found, encoded.vectors, categories)

    def probabilities(self, scores: Doubles, counts: Any) -> Doubles:
        """Turn scores into calibrated probabilities; with several categories per document, one for each independently.

        Parameters
        ----------
        counts : CSR, documents x instances
            How often each instance is in the same documents.
        """
        if self.sets is not None:
            return self.sets.probabilities(scores)
        if self.sureness is None:
            return softmax(scores / self.temperature)
        return sharpened(scores, self.sureness.confidence(scores, self.sureness.of(counts)))


def score_documents(predictor: Predictor, stored: StoredDocuments, engine: Engine, progress: Progress) -> Doubles:
    """Score all stored documents; they are encoded already, so the encoder is not sent to the engine's workers."""
    alone = replace(predictor, encoder=Encoder((), (), np.zeros(1, dtype=np.int64), ()))
    blocks = RowBlocks(stored.__getitem__, (stored.n_documents, stored.n_instances), engine)
    scores: Doubles | None = None
    for done, part in enumerate(blocks.each(_score, alone)):
        progress("predicting", done, blocks.n_blocks)
        if scores is None:
            scores = mapped_zeros((stored.n_documents, part.shape[1]), np.float64)
        scores[done * BLOCK : done * BLOCK + len(part)] = part
        release_pages(scores)
    assert scores is not None
    return scores


def _score(part: Encoded, number: int, predictor: Predictor) -> Doubles:
    return predictor.scores(part)
