"""What each instance adds to a document's score: the reasons of `hin explain` and of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from classify.learners.linear import added_by
from classify.model.predictor import text_scores

if TYPE_CHECKING:
    from classify.documents.encoder import Encoded
    from classify.model.predictor import Predictor

__all__ = ["Weights", "instance_weights"]

#: Parts that nearly cancel out are not blown up by more than this to add up to the whole.
_STRETCH = 4.0


class Weights(NamedTuple):
    """Weights that add up to the score of one category of each document (`Predictor`).

    Attributes
    ----------
    instances : float64 CSR, documents x instances
        What each instance adds.
    prior : float64[documents]
        What the category has without any.
    together : float64[documents]
        What the text classifier adds where it cannot be told apart by instance.
    """

    instances: Any
    prior: npt.NDArray[np.float64]
    together: npt.NDArray[np.float64]


def instance_weights(
    predictor: Predictor, encoded: Encoded, categories: npt.NDArray[np.integer[Any]], threads: int = 1
) -> Weights:
    """The weights for the given category of every document."""
    from scipy import sparse

    n = len(encoded)
    share = predictor.share if predictor.text is not None else 0.0
    total = sparse.csr_array(encoded.counts.shape, dtype=np.float64)
    prior, together = np.zeros(n), np.zeros(n)
    if predictor.linear is not None:
        rows, model = predictor.rows(encoded), predictor.linear
        added = (1 - share) * added_by(rows, model.coefficients, categories)
        total = sparse.csr_array((added, rows.indices, rows.indptr), shape=rows.shape)
        prior += (1 - share) * (model.intercepts[categories] - model.intercepts.mean())
    if predictor.text is not None:
        found = predictor.text.parts(encoded.sequences, categories, threads)
        proba = predictor.text.predict_proba(encoded.sequences, threads) if found is None else found.proba
        whole = share * text_scores(proba)[np.arange(n), categories]
        if found is None:
            return Weights(total, prior, whole)
        document = np.repeat(np.arange(n), np.diff(found.offsets))
        sums = np.bincount(document, weights=found.added, minlength=n) + found.rest
        # Log probabilities have a floor, so they are no sum of the logits' parts: these are scaled to add up to them.
        near = (whole * sums > 0) & (np.abs(whole) <= _STRETCH * np.abs(sums))
        scale = np.divide(whole, sums, out=np.zeros(n), where=near)
        known = found.instances >= 0
        values = (scale[document] * found.added)[known]
        total = total + sparse.coo_array((values, (document[known], found.instances[known])), shape=total.shape)
        prior += scale * found.rest
        together = np.where(near, 0.0, whole)
    return Weights(total.tocsr(), prior, together)
