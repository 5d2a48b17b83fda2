"""The training set, of either kind: soft labels of all documents, or the paper's pseudo documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.features import Features, inverse_frequency
from classify.learners.base import TrainingData
from classify.paper.pseudo_documents import PseudoDocuments, training_documents
from classify.recipe.name_vectors import place_names
from classify.views.joint import JointView
from classify.views.placing import place_view
from embed.vectors import unit_rows
from hin.arrays.score_rows import by_rows
from hin.arrays.types import Doubles, Floats

if TYPE_CHECKING:
    from classify.categories.name_vector import NameVector
    from classify.documents.graph_encoding import Corpus
    from classify.options import ClassifyOptions
    from classify.paper.selection import Selection
    from classify.recipe.options import NameOptions
    from classify.recipe.seeds import Seeds
    from classify.recipe.soft_labels import SoftLabels
    from hin.engines.base import Engine
    from motifs import MotifSet


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Documents with targets, and what was found on the way to them.

    Attributes
    ----------
    data : the documents, targets and weights that the learner is fitted to.
    directions : the centred unit vectors of the names in the joint embedding.
    soft : the soft labels, where the targets are those of all documents; the confidence is calibrated with them.
    notes : what the user should know about it.
    used : the weight of each view, and the pretrained models that were used.
    """

    data: TrainingData
    directions: Floats
    soft: SoftLabels | None = None
    notes: tuple[str, ...] = ()
    used: dict[str, Any] = field(default_factory=dict)

    @property
    def meaning(self) -> Floats | None:
        """The similarity in meaning of each instance and each name; None without knowledge."""
        return None if self.soft is None else self.soft.meaning


def joint_names(
    soft: SoftLabels, seeds: Seeds, features: Features, vectors: Floats, options: NameOptions, threads: int
) -> Floats:
    """Return the names' vectors in the joint embedding, which reasons show even if the joint view was not used."""
    if "joint" in soft.names:
        return soft.names["joint"]
    space = place_view(features, JointView(vectors), np.random.default_rng(0), threads)
    return place_names(seeds.units, space, features, options)


def centred_names(names: Sequence[NameVector], centre: Floats) -> Floats:
    """Return the unit vectors of the names, centred on the documents' mean."""
    return unit_rows(np.stack([name.vector for name in names]) - centre)


def pseudo_notes(names: Sequence[NameVector], selection: Selection, pseudo: PseudoDocuments) -> tuple[str, ...]:
    """Return the notes for the user on the selected instances and the pseudo documents made from them."""
    lowered = (f"{n.category}: {chosen.note}" for n, chosen in zip(names, selection, strict=True) if chosen.note)
    return (*lowered, *pseudo.notes)


def soft_training_data(
    soft: SoftLabels,
    corpus: Corpus,
    features: Features,
    vectors: Floats,
    options: ClassifyOptions,
    engine: Engine,
) -> TrainingData:
    """Make the training set of all documents with their soft labels; known documents have a larger weight."""
    targets = by_rows(np.exp if options.sets is None else _in_parts, soft.logs, np.float32)
    emphasis = None
    if (known := soft.known) is not None:
        emphasis = np.ones(features.n_documents)
        np.maximum.at(emphasis, known.rows, 1 + (options.recipe.known.weight - 1) * known.weights)
    return TrainingData(corpus.stored, targets, vectors, features.idf, emphasis=emphasis, engine=engine)


def _in_parts(logs: Doubles) -> Doubles:
    """Normalise the independent probabilities of the categories to one distribution for each document."""
    posterior = np.exp(logs)
    return np.asarray(posterior / np.maximum(posterior.sum(axis=1, keepdims=True), 1e-12))


def pseudo_training_data(pseudo: PseudoDocuments, corpus: Corpus, motif_set: MotifSet, vectors: Floats) -> TrainingData:
    """Make the training set of the pseudo documents (section 3.2), weighted so that all categories count the same."""
    counts = np.bincount(pseudo.categories)
    idf = inverse_frequency(motif_set.documents, corpus.stored.n_documents)
    targets = np.eye(len(pseudo.retrieved))[pseudo.categories]
    return TrainingData([training_documents(pseudo, corpus)], targets, vectors, idf, 1.0 / counts[pseudo.categories])
