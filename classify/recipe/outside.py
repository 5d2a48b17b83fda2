"""Knowledge from outside the corpus: the opinion of each pretrained model, and its stand-ins for names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classify.documents.features import Features
from classify.recipe.meaning import CorpusMap, fit_corpus_map, nearness
from classify.recipe.options import MeaningOptions
from classify.views.base import Space
from classify.views.knowledge import KnowledgeView
from hin.arrays.score_rows import in_units
from hin.arrays.stored_rows import row_blocks
from hin.arrays.types import Floats
from hin.progress import Progress

#: The share of a document's own vector in its less smoothed one.
_OWN = 0.5


@dataclass(frozen=True, eq=False)
class Outside:
    """A pretrained model's vectors of documents, instances and names.

    Attributes
    ----------
    view : the model, and the terms it is asked about.
    mapping : the map that gives documents and instances a vector in the model's space (`spread`).
    targets : the model's vectors of the names.
    mean : the mean vector of the documents.
    scores : float32[documents, categories], in units of their spread.
    read : the number of documents that the model itself read.
    unsmoothed : the scores by vectors that keep half of what the smoothing removes; None where not all were read.
    readable : whether the model knows the script of the documents; else its weight is next to nothing.
    """

    view: KnowledgeView
    mapping: CorpusMap
    targets: Floats
    mean: Floats
    scores: Floats
    read: int
    unsmoothed: Floats | None = None
    readable: bool = True

    def near_instances(
        self, features: Features, rng: np.random.Generator, options: MeaningOptions, threads: int
    ) -> Floats:
        """Return the nearness of instances to names: the lesser of that by the word itself and that by its use.

        Either alone errs: word pieces are alike in unrelated words (`cosmetics`, `cosmic`), and a word occurs with
        others that mean something else.
        """
        used = self.mapping.near_instances(self.targets, self.mean, options.centre)
        own = self.view.instances(features, rng, threads)
        terms = self.view.terms_to_read(features)
        if not len(terms):
            return used
        middle = (
            own[terms[0] : terms[-1] + 1].mean(axis=0) if len(terms) > terms[-1] - terms[0] else own[terms].mean(axis=0)
        )
        for first, last in row_blocks(len(terms)):
            some = terms[first:last]
            said = nearness(own[some], self.targets, middle, options.centre)
            used[some] = np.minimum(used[some], said)
        return used


def place_outside(
    view: KnowledgeView,
    spaces: Sequence[Space],
    features: Features,
    rng: np.random.Generator,
    options: MeaningOptions,
    threads: int,
    progress: Progress,
) -> Outside:
    """Let a pretrained model read some documents, extend its vectors to the whole corpus, and score all documents."""
    targets = view.knowledge.name_vectors(threads)
    rows, vectors = view.knowledge.read(features.n_documents, rng, threads, progress)
    mapping = fit_corpus_map(list(spaces), rows, vectors, options.ridge, threads)
    mean = mapping.mean()
    scores = in_units(mapping.near_documents(targets, mean, options.centre))
    unsmoothed = None
    if len(rows) == features.n_documents:
        mixed = (1 - _OWN) * mapping.documents + np.float32(_OWN) * vectors
        unsmoothed = in_units(nearness(mixed, targets, mixed.mean(axis=0), options.centre))
    return Outside(view, mapping, targets, mean, scores, len(rows), unsmoothed, view.knowledge.knows_script(rows))
