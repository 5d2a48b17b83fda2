"""A view in one file: words that are spelled alike are near.

A view is a space in which documents, instances and category names are compared. Once this module is imported,
`--view joint --view spelling` and `RecipeOptions(views=("joint", "tf-idf", "co-occurrence", "spelling"))` find it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer

from classify.documents.features import Features, scaled
from classify.views.base import VIEWS, View, ViewSource

WIDTH = 256


class SpellingView:
    """Terms by the three-letter pieces they are made of."""

    name = "spelling"

    def __init__(self, source: ViewSource) -> None:
        self.source = source

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> np.ndarray:
        """Return a vector for each instance; zeros for metadata, whose spelling says nothing."""
        vectors = np.zeros((features.unit.shape[1], WIDTH), dtype=np.float32)
        if self.source.terms:
            pieces = HashingVectorizer(analyzer="char_wb", ngram_range=(3, 3), n_features=WIDTH)
            first = self.source.first_term
            vectors[first : first + len(self.source.terms)] = pieces.transform(self.source.terms).toarray()
        return vectors

    def rows(self, features: Features) -> Any:
        """Weigh the instances of each document: tf-idf, less for what is not to be trusted."""
        return scaled(features.unit, np.sqrt(features.trust))


@VIEWS.register("spelling")
def spelling_view(source: ViewSource) -> View:
    """Make the view from the terms of the corpus."""
    return SpellingView(source)
