"""A few documents whose category the user knows: what they teach all the others.

They are held to their label in every round of the EM, where each counts as several. Before that, a small classifier
learns from them in the views of the corpus, which place documents far better than ten labels a category could; its
scores join those of the names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.stored_rows import row_blocks
from classify.views.base import Space

__all__ = ["Known", "KnownOptions", "known_scores"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Known:
    """Documents with a known category.

    Attributes
    ----------
    rows : int64[n], the documents.
    labels : int64[n], their categories.
    """

    rows: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)

    def within(self, first: int, last: int) -> Known:
        """Those among the documents from `first` to `last`, numbered from there.

        >>> Known(np.array([1, 7]), np.array([0, 2])).within(5, 9).rows.tolist()
        [2]
        """
        mine = (self.rows >= first) & (self.rows < last)
        return Known(self.rows[mine] - first, self.labels[mine])

    def named(self, documents: Sequence[str], categories: Sequence[str], several: bool) -> dict[str, Any]:
        """The category of each document, by their names; a list where a document may have `several`.

        >>> Known(np.array([3, 3]), np.array([0, 1])).named(["d", "d"], ["a", "b"], True)
        {'d': ['a', 'b']}
        """
        found: dict[str, Any] = {}
        for name, label in zip(documents, self.labels.tolist(), strict=True):
            if several:
                found.setdefault(name, []).append(categories[label])
            else:
                found[name] = categories[label]
        return found

    def targets(self, n_categories: int) -> npt.NDArray[np.float64]:
        """One row for each: 1 for its category."""
        return np.asarray(np.eye(n_categories)[self.labels])

    def held(self, posterior: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """A copy of the posteriors in which the known documents are sure.

        >>> known = Known(np.array([1]), np.array([0]))
        >>> known.held(np.array([[0.5, 0.5], [0.2, 0.8]])).tolist()
        [[0.5, 0.5], [1.0, 0.0]]
        """
        kept = posterior.copy()
        kept[self.rows] = 0.0
        kept[self.rows, self.labels] = 1.0  # a document with several categories has a row for each
        return kept


@dataclass(frozen=True)
class KnownOptions:
    """How much known documents teach.

    Attributes
    ----------
    weight : a known document's evidence counts so many times in the EM and in the classifier.
    scores : how much the classifier in the views counts beside the names, in units of spread, once there are many
        labels a category.
    half : with so many labels a category it counts half of that.
    penalty : its inverse regularisation.
    stand_ins : a category without a label lends it so many documents that are surest by the names.
    """

    weight: float = 10.0
    scores: float = 2.0
    half: float = 2.0
    penalty: float = 3.0
    stand_ins: int = 10


def known_scores(
    known: Known,
    spaces: Sequence[Space],
    start: npt.NDArray[np.floating[Any]],
    options: KnownOptions | None = None,
) -> Floats:
    """What the known documents say of all documents, in units of spread times how much they count.

    Parameters
    ----------
    known : the documents with their categories.
    spaces : the views of the corpus.
    start : what the names say.

    Examples
    --------
    >>> documents = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]], dtype=np.float32)
    >>> known = Known(np.array([0, 2]), np.array([1, 0]))
    >>> said = known_scores(known, [Space(documents, documents)], np.zeros((4, 2)))
    >>> said.argmax(axis=1).tolist()
    [1, 1, 0, 0]
    """
    from sklearn.linear_model import LogisticRegression

    options = options or KnownOptions()
    n_categories = start.shape[1]
    rows, labels = [known.rows], [known.labels]
    taken = np.zeros(len(start), dtype=np.bool_)
    taken[known.rows] = True
    for category in np.setdiff1d(np.arange(n_categories), known.labels).tolist():
        rest = np.flatnonzero(~taken)
        surest = rest[np.argsort(-start[rest, category], kind="stable")[: options.stand_ins]]
        rows.append(surest)
        labels.append(np.full(len(surest), category))
    chosen, label = np.concatenate(rows), np.concatenate(labels)
    if len(np.unique(label)) < 2:
        return np.zeros(start.shape, dtype=np.float32)
    model = LogisticRegression(C=options.penalty, max_iter=300).fit(_beside(spaces, chosen), label)
    found = np.concatenate(
        [
            np.asarray(model.decision_function(_beside(spaces, slice(first, last))), dtype=np.float64)
            for first, last in row_blocks(len(start))
        ]
    )
    if found.ndim == 1:  # two categories have one score
        found = np.column_stack([-found, found])
    scores = np.zeros(start.shape)
    scores[:, model.classes_] = found
    scores -= scores.mean(axis=1, keepdims=True)
    each = len(known) / n_categories
    # Stand-ins know no more than the names do, so the classifier counts less where they are many.
    labelled = len(np.unique(known.labels)) / n_categories
    weight = options.scores * labelled * each / (each + options.half)
    return np.asarray(weight * scores / max(float(scores.std()), 1e-12), dtype=np.float32)


def _beside(spaces: Sequence[Space], rows: Any) -> Floats:
    """Return where all views place some documents."""
    return np.concatenate([space.documents[rows] for space in spaces], axis=1)
