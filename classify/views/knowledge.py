"""The views "knowledge" and "encoder": names, words and documents by the vectors of pretrained models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.documents.features import Features
from classify.knowledge.corpus_knowledge import Knowledge
from classify.views.base import VIEWS, View, ViewSource
from embed.vectors import unit_rows
from hin.arrays.stored_rows import row_blocks
from hin.arrays.types import Floats, Int64
from hin.errors import BadUsage
from hin.files.mapped import mapped_zeros, release_pages

#: The most terms that an encoder reads, which takes some seconds.
_MOST_TERMS = 5_000


@dataclass(frozen=True, eq=False)
class KnowledgeView:
    """The view of a pretrained model, which places names by their meaning and not by their documents.

    Attributes
    ----------
    knowledge : the model, the names and the texts.
    terms, first_term : the terms among the instances, and the number of the first.
    """

    knowledge: Knowledge
    terms: tuple[str, ...]
    first_term: int
    name: str = "knowledge"

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return the model's vectors of the terms it reads, zeros for all other instances."""
        read = self.terms_to_read(features)
        # A quick model reads each term by itself, so blocks give the same vectors, and these go into a mapped array.
        cuts = row_blocks(len(read)) if self.knowledge.model.quick else [(0, len(read))]
        placed: Floats | None = None
        for first, last in cuts or [(0, 0)]:
            some = read[first:last]
            vectors = unit_rows(self.knowledge.model.encode([self.terms[i - self.first_term] for i in some], threads))
            if placed is None:
                placed = mapped_zeros((features.counts.shape[1], vectors.shape[1]), np.float32)
            placed[some] = vectors
            release_pages(placed)
        assert placed is not None
        return placed

    def rows(self, features: Features) -> Any:
        """Return weights by trust."""
        return features.trusted

    def terms_to_read(self, features: Features) -> Int64:
        """Return the instances that the model reads: all terms; for a slow model, the most informative ones."""
        terms = np.arange(len(self.terms), dtype=np.int64) + self.first_term
        if self.knowledge.model.quick or len(terms) <= _MOST_TERMS:
            return terms
        informative = features.trust[terms] * np.log1p(features.documents[terms])
        return np.sort(terms[np.argsort(-informative, kind="stable")[:_MOST_TERMS]])


def outside_views(views: Sequence[View]) -> list[KnowledgeView]:
    """Return the views of pretrained models.

    Without a view of the corpus their vectors cannot be extended to all documents; then they are views like any other.
    """
    found = [view for view in views if isinstance(view, KnowledgeView)]
    return found if len(found) < len(views) else []


def corpus_views(views: Sequence[View]) -> list[View]:
    """Return the views of the corpus, which place documents and instances."""
    outside = outside_views(views)
    return [view for view in views if view not in outside]


def cache_keys(views: Sequence[View]) -> list[object]:
    """Return the cache keys of the corpus's views; a view without a key stands for itself."""
    return [[view.name, getattr(view, "cache_key", None) or view] for view in corpus_views(views)]


@VIEWS.register("knowledge", default=4)
def knowledge_view(source: ViewSource) -> View:
    """Make the view; it needs a model."""
    if source.knowledge is None:
        raise BadUsage("the view knowledge needs a model", hint="name one with knowledge=, e.g. wordllama")
    return KnowledgeView(source.knowledge, tuple(source.terms), source.first_term)


@VIEWS.register("encoder")
def encoder_view(source: ViewSource) -> View:
    """Make the view of a sentence encoder, which joins the view knowledge."""
    if source.encoder is None:
        raise BadUsage("the view encoder needs a model", hint="name one with knowledge=, e.g. an encoder's folder")
    return KnowledgeView(source.encoder, tuple(source.terms), source.first_term, "encoder")
