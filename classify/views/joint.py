"""The view "joint": the joint embedding of motif instances (section 3.1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.documents.features import Features
from classify.views.base import VIEWS, View, ViewSource
from hin.arrays.types import Floats


@dataclass(frozen=True, eq=False)
class JointView:
    """The joint embedding of motif instances (section 3.1.1)."""

    vectors: Floats
    name: str = "joint"

    @property
    def cache_key(self) -> str | None:
        """The name, as the cache's folder belongs to the embedding; None for other vectors, which are not cached."""
        return self.name if self.name == "joint" else None

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return int(self.vectors.shape[1])

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return the embedding's own vectors."""
        return np.asarray(self.vectors, dtype=np.float32)

    def rows(self, features: Features) -> Any:
        """Return weights by trust, as the embedding itself places documents."""
        return features.trusted


@VIEWS.register("joint", default=1)
def joint_view(source: ViewSource) -> View:
    """Make the view."""
    return JointView(source.vectors)
