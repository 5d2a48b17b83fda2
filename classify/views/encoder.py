"""A view from any pretrained encoder: handed in as an object, since which model to use is the user's choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import Features
from classify.views.base import View, ViewMaker, ViewSource
from embed.vectors import unit_rows
from hin.errors import BadUsage

__all__ = ["EncoderView", "encoder_view"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class EncoderView:
    """Vectors of some instances (say the terms) from a pretrained encoder; the others follow from their documents."""

    known: npt.NDArray[np.int64]
    vectors: Floats
    name: str = "encoder"

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return the encoder's vectors, zeros elsewhere."""
        placed = np.zeros((features.counts.shape[1], self.vectors.shape[1]), dtype=np.float32)
        placed[self.known] = self.vectors
        return placed

    def rows(self, features: Features) -> Any:
        """By trust."""
        return features.trusted


def encoder_view(encode: Callable[[Sequence[str]], Any], name: str = "encoder") -> ViewMaker:
    """Return a view of what a pretrained encoder says of the terms, for `RecipeOptions.views`.

    Parameters
    ----------
    encode : from a list of texts to one vector each: the `encode` of a sentence-transformers or model2vec model.
    name : what the view is called.

    Examples
    --------
    >>> view = encoder_view(lambda texts: [[float(len(text)), 1.0] for text in texts])
    >>> made = view(ViewSource(np.zeros((3, 2), dtype=np.float32), ["web", "graph"], 1))
    >>> made.name, made.known.tolist(), made.vectors.shape
    ('encoder', [1, 2], (2, 2))
    """

    def make(source: ViewSource) -> View:
        terms = list(source.terms)
        vectors = np.asarray(encode(terms), dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(terms):
            raise BadUsage(
                f"the encoder gave an array of shape {vectors.shape} for {len(terms)} terms",
                hint="it must give one vector a text",
            )
        known = np.arange(len(terms), dtype=np.int64) + source.first_term
        return EncoderView(known, unit_rows(vectors), name)

    return make
