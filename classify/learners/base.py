"""Text classifiers by name, behind one small interface: the framework takes any of them (section 3.3)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from hin.errors import BadUsage
from hin.progress import Progress

__all__ = ["CLASSIFIERS", "Parts", "TextClassifier", "load_classifier", "make_classifier"]

Floats = npt.NDArray[np.float32]
Rows = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]


class Parts(NamedTuple):
    """Whence the logit of one category of each document comes, less the mean of all its logits.

    Attributes
    ----------
    offsets, instances : the documents' instances, as in sequences; below 0 for a word without a vector.
    added : float64[instances]
        What each of them adds.
    rest : float64[documents]
        What is left: it and the instances add up.
    proba : float32[documents, categories]
        The probabilities that come of it, as `predict_proba` gives them.
    """

    offsets: npt.NDArray[np.int64]
    instances: npt.NDArray[np.int32]
    added: npt.NDArray[np.float64]
    rest: npt.NDArray[np.float64]
    proba: Floats


class TextClassifier(Protocol):
    """Learns from sequences of motif instances with hard or soft labels."""

    def fit(
        self,
        sequences: Rows,
        vectors: Floats,
        targets: Floats,
        seed: int = 0,
        threads: int = 1,
        weights: npt.NDArray[np.floating[Any]] | None = None,
        progress: Progress | None = None,
    ) -> TextClassifier:
        """Train; the same seed gives the same parameters at any number of threads."""

    def predict_proba(self, sequences: Rows, threads: int = 1) -> Floats:
        """Probabilities of the categories, one row a sequence."""

    def parts(self, sequences: Rows, categories: npt.NDArray[np.integer[Any]], threads: int = 1) -> Parts | None:
        """Whence the logit of each document's category comes, where the classifier can tell."""

    def save(self, path: str | Path) -> None:
        """Write the parameters into a folder."""


def _cnn(options: Any) -> TextClassifier:
    from classify.learners.cnn import CNNClassifier

    return CNNClassifier(options)


def _linear(options: Any) -> TextClassifier:
    from classify.learners.bag import BagClassifier

    return BagClassifier()


def _average(options: Any) -> TextClassifier:
    from classify.learners.bag import AverageClassifier

    return AverageClassifier([_cnn(options), _linear(options)])


CLASSIFIERS: dict[str, Callable[[Any], TextClassifier]] = {"average": _average, "cnn": _cnn, "linear": _linear}


def make_classifier(name: str, options: Any = None) -> TextClassifier:
    """A fresh classifier by name; `options` are those of the CNN, where there is one.

    Examples
    --------
    >>> type(make_classifier("cnn")).__name__
    'CNNClassifier'
    """
    if name not in CLASSIFIERS:
        raise BadUsage(f"no classifier {name!r}", hint=f"choose one of {', '.join(sorted(CLASSIFIERS))}")
    return CLASSIFIERS[name](options)


def load_classifier(name: str, path: str | Path, vectors: Floats) -> TextClassifier:
    """Read a classifier that was saved under this name."""
    from classify.learners.bag import AverageClassifier, BagClassifier
    from classify.learners.cnn import CNNClassifier

    make_classifier(name)
    if name == "cnn":
        return CNNClassifier.load(path, vectors)
    if name == "linear":
        return BagClassifier.load(path, vectors)
    return AverageClassifier.load(path, vectors)
