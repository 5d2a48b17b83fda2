"""What a learner is given, of either kind: soft labels of all documents, or the paper's pseudo documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import inverse_frequency
from classify.learners.base import Lesson
from classify.paper.pseudo_documents import training_documents
from classify.recipe.name_vectors import place_names
from classify.views.joint import JointView
from classify.views.placing import place_view
from embed.vectors import unit_rows
from hin.arrays.score_rows import by_rows

if TYPE_CHECKING:
    from classify.categories.name_vector import NameVector
    from classify.documents.features import Features
    from classify.documents.graph_encoding import Corpus
    from classify.options import ClassifyOptions
    from classify.paper.pseudo_documents import PseudoDocuments
    from classify.paper.selection import Selection
    from classify.recipe.options import NameOptions
    from classify.recipe.seeds import Seeds
    from classify.recipe.soft_labels import SoftLabels
    from hin.engines.base import Engine
    from motifs import MotifSet

__all__ = ["TrainingSet", "centred_names", "joint_names", "pseudo_lesson", "pseudo_notes", "soft_lesson"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Documents with targets, and what else the way to them has told.

    Attributes
    ----------
    lesson : what the learner learns from.
    directions : where the names stand in the joint embedding, the documents' mean taken off.
    soft : the soft labels, where the targets are those of all documents: confidence is set by them.
    notes : what the user should know about it.
    used : how much each view counted, and which knowledge was drawn on.
    """

    lesson: Lesson
    directions: Floats
    soft: SoftLabels | None = None
    notes: tuple[str, ...] = ()
    used: dict[str, Any] = field(default_factory=dict)

    @property
    def meaning(self) -> Floats | None:
        """How near each instance is to each name in meaning; None without knowledge."""
        return None if self.soft is None else self.soft.meaning


def joint_names(
    soft: SoftLabels, seeds: Seeds, features: Features, vectors: Floats, options: NameOptions, threads: int
) -> Floats:
    """Return where the names stand in the joint embedding, which reasons tell, whichever views took part."""
    if "joint" in soft.names:
        return soft.names["joint"]
    space = place_view(features, JointView(vectors), np.random.default_rng(0), threads)
    return place_names(seeds.units, space, features, options)


def centred_names(names: Sequence[NameVector], centre: Floats) -> Floats:
    """Return the names' directions, the documents' mean taken off."""
    return unit_rows(np.stack([name.vector for name in names]) - centre)


def pseudo_notes(names: Sequence[NameVector], selection: Selection, pseudo: PseudoDocuments) -> tuple[str, ...]:
    """Return what the user should know about the selected instances and the documents that they led to."""
    lowered = (f"{n.category}: {chosen.note}" for n, chosen in zip(names, selection, strict=True) if chosen.note)
    return (*lowered, *pseudo.notes)


def soft_lesson(
    soft: SoftLabels,
    corpus: Corpus,
    features: Features,
    vectors: Floats,
    options: ClassifyOptions,
    engine: Engine,
) -> Lesson:
    """Return all documents with the labels that the names led to; those that are known count more."""
    targets = by_rows(np.exp if options.sets is None else _in_parts, soft.logs, np.float32)
    emphasis = None
    if (known := soft.known) is not None:
        emphasis = np.ones(features.n_documents)
        np.maximum.at(emphasis, known.rows, 1 + (options.recipe.known.weight - 1) * known.weights)
    return Lesson(corpus.stored, targets, vectors, features.idf, emphasis=emphasis, engine=engine)


def _in_parts(logs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return one distribution over the categories for each document that may have several."""
    posterior = np.exp(logs)
    return np.asarray(posterior / np.maximum(posterior.sum(axis=1, keepdims=True), 1e-12))


def pseudo_lesson(pseudo: PseudoDocuments, corpus: Corpus, motif_set: MotifSet, vectors: Floats) -> Lesson:
    """Return the pseudo documents (section 3.2); a category with fewer of them counts as much as any other."""
    counts = np.bincount(pseudo.categories)
    idf = inverse_frequency(motif_set.documents, corpus.stored.n_documents)
    targets = np.eye(len(pseudo.retrieved))[pseudo.categories]
    return Lesson([training_documents(pseudo, corpus)], targets, vectors, idf, 1.0 / counts[pseudo.categories])
