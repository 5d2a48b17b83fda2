"""Counterfactuals: the smallest set of reasons without which the model would give another label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.sequences import Sequences, keep_known, take_sequences
from classify.model.confidence import gets_category
from hin.arrays.types import Bools, Doubles, Int32

if TYPE_CHECKING:
    from classify.documents.encoder import Encoded
    from classify.model.predictor import Predictor

#: The number of other categories that are tried, and the most reasons that are removed.
_RIVALS, _MOST_REASONS = 5, 30


@dataclass(frozen=True)
class Flip:
    """A smallest set of reasons without which a document would have another label.

    Attributes
    ----------
    category : the label it has.
    without : the reasons with their weights in the margin over the other label, the strongest first.
    becomes : the label without them; several where a document may have several, none where none is left.
    confidence : the probability of the first of these; None where there is none.
    """

    document: str
    category: str
    without: tuple[tuple[str, float], ...]
    becomes: tuple[str, ...]
    confidence: float | None

    def as_dict(self) -> dict[str, Any]:
        """Return it as a record for machines."""
        without = [{"instance": instance, "weight": weight} for instance, weight in self.without]
        return {"category": self.category, "without": without, "becomes": list(self.becomes),
                "confidence": self.confidence, "line": str(self)}  # fmt: skip

    def __str__(self) -> str:
        words = [f"*{name[5:-1]}*" if name.startswith("TERM[") else name for name, _ in self.without]
        listed = " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
        sure = "" if self.confidence is None else f" (confidence {self.confidence:.2f})"
        return f"Without {listed} it would be {', '.join(self.becomes) or 'in no category'}{sure}"


def flip_label(
    predictor: Predictor,
    encoded: Encoded,
    names: Sequence[str],
    categories: Sequence[str],
    document: str,
    target: int | None = None,
) -> Flip | None:
    """Find the smallest set of reasons without which a document would have another label; None if that takes over 30.

    For each rival category, reasons are removed in the order of their weight in the margin over it, until the
    prediction changes. Then each reason whose removal turns out not to be needed is put back.

    Parameters
    ----------
    encoded : one document.
    names : of the instances.
    target : the category that it is to become; by default any other.
    """
    order = np.argsort(-predictor.scores(encoded)[0], kind="stable")
    label, present = int(order[0]), np.unique(encoded.counts.indices)
    rivals = [int(k) for k in order[1 : 1 + _RIVALS]] if target is None else [target]
    if not len(present) or label == target:
        return None
    weights = predictor.learner.weights(_repeat(encoded, 1 + len(rivals)), np.array([label, *rivals]))
    parts = weights.instances[:, present].toarray()
    tried, margins = [], parts[0] - parts[1:]
    for margin in margins:
        ranked = [int(at) for at in np.argsort(-margin, kind="stable") if margin[at] > 0]
        tried += [(size, ranked[:size], margin) for size in range(1, min(len(ranked), _MOST_REASONS) + 1)]
    flips = _Flips(predictor, encoded, present, label, target)
    found = flips.changed([chosen for _, chosen, _ in tried])
    if not found.any():
        return None
    _, chosen, margin = min((tried[i] for i in np.flatnonzero(found)), key=lambda one: one[0])
    while len(chosen) > 1:  # put back what is not needed, the weakest first
        fewer = [[at for at in chosen if at != left] for left in reversed(chosen)]
        enough = np.flatnonzero(flips.changed(fewer))
        if not len(enough):
            break
        chosen = fewer[int(enough[0])]
    given, sure = flips.labels(chosen)
    reasons = tuple((names[present[at]], float(margin[at])) for at in chosen)
    return Flip(document, categories[label], reasons, tuple(categories[k] for k in given), sure)


@dataclass(frozen=True)
class _Flips:
    """Predictions of a document without some of its instances."""

    predictor: Predictor
    encoded: Encoded
    present: Int32
    label: int
    target: int | None

    def _given(self, without: Sequence[Sequence[int]]) -> tuple[Bools, Doubles]:
        """Return the mask of the categories given without each set of instances, and the probabilities."""
        left = _remove_each(self.encoded, [self.present[list(chosen)] for chosen in without])
        scores = self.predictor.scores(left)
        found = self.predictor.probabilities(scores, left.counts)
        given = np.zeros(scores.shape, dtype=np.bool_)
        if self.predictor.sets is not None:
            given = self.predictor.sets.chosen(found)
        else:
            rows = np.flatnonzero(gets_category(found))
            given[rows, scores[rows].argmax(axis=1)] = True
        return given, found

    def changed(self, without: Sequence[Sequence[int]]) -> Bools:
        """Return for each set of instances whether the label is another without them."""
        if not without:
            return np.zeros(0, dtype=np.bool_)
        given, _ = self._given(without)
        return given[:, self.target] if self.target is not None else given.any(axis=1) & ~given[:, self.label]

    def labels(self, chosen: Sequence[int]) -> tuple[list[int], float | None]:
        """Return the categories without a set of instances, the surest first, and the confidence of the first."""
        (given,), (found,) = self._given([chosen])
        order = [int(k) for k in np.argsort(-found, kind="stable") if given[k]]
        return order, float(found[order[0]]) if order else None


def _repeat(encoded: Encoded, times: int) -> Encoded:
    from scipy import sparse

    sequences = take_sequences(encoded.sequences, np.zeros(times, dtype=np.int64))
    return replace(encoded, counts=sparse.vstack([encoded.counts] * times, format="csr"), sequences=sequences)


def _remove_each(encoded: Encoded, removed: Sequence[Int32]) -> Encoded:
    """Return the document once for each set of instances, without these."""
    copies = _repeat(encoded, len(removed))
    counts, (offsets, ids) = copies.counts, copies.sequences
    ids = ids.copy()
    for row, gone in enumerate(removed):
        here = slice(counts.indptr[row], counts.indptr[row + 1])
        counts.data[here][np.isin(counts.indices[here], gone)] = 0
        here = slice(offsets[row], offsets[row + 1])
        ids[here][np.isin(ids[here], gone)] = -1
    counts.eliminate_zeros()
    return replace(copies, counts=counts, sequences=Sequences(*keep_known(offsets, ids)))
