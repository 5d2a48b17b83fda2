"""The view "joint": the joint embedding of motif instances (section 3.1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import Features
from classify.views.base import VIEWS, View, ViewSource

__all__ = ["JointView"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class JointView:
    """The joint embedding of motif instances (section 3.1.1)."""

    vectors: Floats
    name: str = "joint"

    @property
    def cache_key(self) -> str | None:
        """The embedding is told by where things are cached; other vectors under another name are not cached."""
        return self.name if self.name == "joint" else None

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self.vectors.shape[1])

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return the embedding's own vectors."""
        return np.asarray(self.vectors, dtype=np.float32)

    def rows(self, features: Features) -> Any:
        """By trust, as the embedding folds its own documents."""
        return features.trusted


@VIEWS.register("joint", default=1)
def joint_view(source: ViewSource) -> View:
    """Make the view."""
    return JointView(source.vectors)
