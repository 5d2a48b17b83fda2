"""Turn scores into labels of the graph's documents: calibrated, known labels fixed, outliers without a category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.model.calibration import add_offsets
from classify.model.reliability import Reliability
from hin.arrays.score_rows import best
from hin.arrays.stored_rows import passing
from hin.arrays.types import Bools, Doubles, Int64
from hin.files.mapped import mapped_zeros
from hin.human import plural

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.categories.known import Known
    from classify.documents.stored_documents import StoredDocuments
    from classify.model.predictor import Predictor
    from hin.graph import Graph


@dataclass(frozen=True, eq=False)
class Classification:
    """The labels of a graph's documents, with everything they were made from.

    Attributes
    ----------
    scores, probabilities : float64[documents, categories].
    labels : the category of each document, also of those that end without one.
    sets : bool[documents, categories], where a document may have several.
    known : the documents whose category the user gave, by name.
    notes : remarks for the user.
    reliability : how far the labels can be trusted.
    """

    scores: Doubles
    probabilities: Doubles
    labels: Int64
    sets: Bools | None = None
    known: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reliability: Reliability = Reliability()


def classify_scores(
    predictor: Predictor, scores: Doubles, stored: StoredDocuments, notes: Sequence[str]
) -> Classification:
    """Return the classification that follows from the learner's scores alone."""
    scores = add_offsets(scores, predictor.offsets)
    probabilities = mapped_zeros(scores.shape, np.float64)
    for number, here in enumerate(passing(scores, probabilities)):
        probabilities[here] = predictor.probabilities(scores[here], stored.counts(number))
    sets = None if predictor.sets is None else predictor.sets.chosen(probabilities)
    return Classification(scores, probabilities, best(scores), sets, {}, tuple(notes))


def fix_known_labels(found: Classification, known: Known, named: dict[str, Any]) -> Classification:
    """Set the labels of known documents to their known category; `named` has them by name."""
    known = known.by_persons
    if not len(known):
        return found
    for array, value in ((found.probabilities, 1.0), (found.sets, True)):
        if array is not None:
            array[known.rows] = 0
            array[known.rows, known.labels] = value
    found.labels[known.rows] = known.labels
    note = f"{plural(len(named), 'document')} labelled by you: held to it, and learned from"
    return replace(found, known=named, notes=(*found.notes, note))


def named_labels(known: Known | None, graph: Graph, categories: Sequence[Category], several: bool) -> dict[str, Any]:
    """Return the documents whose category the user gave, by name; a list of them where there may be several."""
    if known is None:
        return {}
    known = known.by_persons
    return known.named(graph.documents.take(known.rows), [category.name for category in categories], several)


def taught_labels(known: Known, graph: Graph, categories: Sequence[Category], several: bool) -> dict[str, Any]:
    """Return the labels that teachers gave, by the teacher and the document's name."""
    names, found = [category.name for category in categories], {}
    for number, source in enumerate(known.sources):
        mine = known.choose(np.asarray(known.source == number))
        found[source] = mine.named(graph.documents.take(mine.rows), names, several)
    return found


def unlabel_outliers(found: Classification, none: Bools) -> Classification:
    """Remove the category of documents that belong to none, by making their probabilities uniform."""
    found.probabilities[none] = 1.0 / found.probabilities.shape[1]
    if found.sets is not None:
        found.sets[none] = False
    note = f"{plural(int(none.sum()), 'document')} far from every category: none was given"
    return replace(found, notes=(*found.notes, f"{note}; `hin suggest --missing` groups them"))
