"""The one interface of models that know what words mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

__all__ = ["SECOND", "Costly", "KnowledgeModel", "telling_pieces"]

Floats = npt.NDArray[np.float32]

#: Multiplications that a second of a budget stands for: about what two ordinary cores do. It is not the clock that
#: decides how much is read, or the same seed would give other labels on a busy machine or with other threads.
SECOND = 5e10


@runtime_checkable
class KnowledgeModel(Protocol):
    """Vectors of names, terms and documents in one space."""

    @property
    def name(self) -> str:
        """What the model is called in notes and in the manifest."""

    @property
    def fingerprint(self) -> str:
        """Changes when the weights do; part of the cache's key."""

    @property
    def quick(self) -> bool:
        """Whether thousands of documents take seconds, so that no time budget is needed."""

    def encode(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return one vector a name, keyword or term."""

    def read(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return one vector a document."""

    def knows(self, name: str) -> bool:
        """Return whether the name says something to the model, as far as can be told."""


@runtime_checkable
class Costly(Protocol):
    """A model that takes so long that it reads only what a budget allows."""

    def cost(self, texts: Sequence[str]) -> float:
        """Return how many multiplications these texts take."""


def telling_pieces(words: Sequence[str], pieces: Sequence[int], letters: float = 2.5) -> bool:
    """Return whether every word is one piece, or cut into pieces long enough to mean something.

    A tokeniser cuts what it never saw into single letters or bytes.

    >>> telling_pieces(["retail", "banking"], [2, 2]), telling_pieces(["xqzzt"], [4])
    (True, False)
    """
    known = [count == 1 or len(word) >= letters * count for word, count in zip(words, pieces, strict=True)]
    return bool(known) and all(known)
