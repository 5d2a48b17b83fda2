"""The view "vectors": documents by vectors that the user made with an encoder of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.documents.features import Features
from classify.documents.own_vectors import DocumentVectors
from classify.views.base import VIEWS, View, ViewSource
from hin.arrays.types import Floats
from hin.errors import BadUsage
from hin.files.mapped import mapped_zeros


@dataclass(frozen=True, eq=False)
class VectorsView:
    """The user's vectors of documents; an instance lies at the mean of its documents."""

    given: DocumentVectors
    name: str = "vectors"

    @property
    def documents(self) -> Floats:
        """The documents' own vectors."""
        return self.given.rows

    @property
    def cache_key(self) -> str:
        """A hash of the vectors."""
        return self.given.identity

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return int(self.given.rows.shape[1])

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return zeros: no instance has a vector of its own."""
        return mapped_zeros((len(features.documents), self.width), np.float32)

    def rows(self, features: Features) -> Any:
        """Return weights by trust; not used, as the documents have vectors of their own."""
        return features.trusted


@VIEWS.register("vectors")
def vectors_view(source: ViewSource) -> View:
    """Make the view; it needs the user's vectors."""
    if source.given is None:
        raise BadUsage("the view vectors needs vectors of the documents", hint="give them with --vectors FILE")
    return VectorsView(source.given)
