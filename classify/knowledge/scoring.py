"""Models that score texts against category names, such as zero-shot classifiers, handed in as a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Floats
from hin.errors import BadInput
from hin.registry import Registry

#: From texts and category names to scores: float[texts, names], larger where the text fits the name better.
Scorer = Callable[[Sequence[str], Sequence[str]], npt.ArrayLike]

#: Scorers by name, for `--knowledge NAME`; another package offers one through the entry points `hin.knowledge`.
SCORERS: Registry[Scorer] = Registry("knowledge model", package="classify.knowledge", group="hin.knowledge")


@dataclass(frozen=True, eq=False)
class ScoringModel:
    """A scorer as a pretrained model: a text's vector is its scores against the category names.

    Attributes
    ----------
    scorer : the function.
    name : what notes and the manifest call it.
    most : the most documents that it scores; the others follow by regression on the corpus's views.
    names : the category names; bound when they are known.

    Examples
    --------
    >>> def same_letter(texts, names):
    ...     return [[float(text[0] == name[0]) for name in names] for text in texts]
    >>> ScoringModel(same_letter, "letters").bound(["art", "music"]).encode(["apple", "mango"]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    scorer: Scorer
    name: str
    most: int = 2_000
    names: tuple[str, ...] = ()
    quick: bool = False

    @property
    def fingerprint(self) -> str:
        """The function's own name, as its weights cannot be seen."""
        return f"{getattr(self.scorer, '__module__', '')}.{getattr(self.scorer, '__qualname__', self.name)}"

    def bound(self, names: Sequence[str]) -> Self:
        """Return the model for these category names."""
        return replace(self, names=tuple(names))

    def encode(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return the scores of some texts, one column per category."""
        scores = np.asarray(self.scorer(list(texts), list(self.names)), dtype=np.float32)
        if scores.shape != (len(texts), len(self.names)):
            raise BadInput(
                f"the knowledge model {self.name} gave scores of shape {scores.shape} for {len(texts)} texts and "
                f"{len(self.names)} names",
                hint="return one row per text and one column per name",
            )
        if not np.isfinite(scores).all():
            raise BadInput(
                f"the knowledge model {self.name} gave scores that are not numbers", hint="return finite ones"
            )
        return scores

    def read(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return the scores of some documents."""
        return self.encode(texts, threads)

    def knows(self, name: str) -> bool:
        """Always true: the scorer is called with every name."""
        return True
