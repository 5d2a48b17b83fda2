"""The interface of pretrained models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from hin.arrays.types import Floats

#: Multiplications per second of the budget: about the speed of two ordinary cores. The budget is not measured by the
#: clock, or the same seed would give other labels on a busy machine or with other threads.
SECOND = 5e10


@runtime_checkable
class KnowledgeModel(Protocol):
    """Vectors of names, terms and documents in one space."""

    @property
    def name(self) -> str:
        """The model's name in notes and in the manifest."""

    @property
    def fingerprint(self) -> str:
        """A hash of the weights, for cache keys."""

    @property
    def quick(self) -> bool:
        """Whether thousands of documents take seconds, so that no time budget is needed."""

    def encode(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return one vector per name, keyword or term."""

    def read(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return one vector per document."""

    def knows(self, name: str) -> bool:
        """Whether the model probably knows the name, rather than only its letters."""


@runtime_checkable
class Costly(Protocol):
    """A slow model, which reads only as many documents as a budget allows."""

    def cost(self, texts: Sequence[str]) -> float:
        """Return the number of multiplications for these texts."""


@runtime_checkable
class Tokenizing(Protocol):
    """A model whose tokens are words, pieces of words or, in a script that it does not know, bytes."""

    def characters_per_token(self, texts: Sequence[str]) -> float:
        """Return the mean number of visible characters of one of its tokens in these texts."""


def meaningful_pieces(words: Sequence[str], pieces: Sequence[int], letters: float = 2.5) -> bool:
    """Whether every word is one piece, or cut into pieces long enough to mean something.

    A tokeniser cuts words that it never saw into single letters or bytes.

    >>> meaningful_pieces(["retail", "banking"], [2, 2]), meaningful_pieces(["xqzzt"], [4])
    (True, False)
    """
    known = [count == 1 or len(word) >= letters * count for word, count in zip(words, pieces, strict=True)]
    return bool(known) and all(known)
