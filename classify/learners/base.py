"""The interface of the learners, and the registry that finds a learner by its name (section 3.3).

A new learner is one new file in this folder (or in another package, through the entry points `hin.learners`):

    @LEARNERS.register("mine")
    class MyLearner(Learner): ...
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from classify.documents.encoder import Encoded
from classify.documents.sequences import Sequences, take_sequences
from classify.documents.stored_documents import StoredDocuments
from classify.learners.balance import balance_weights
from hin.arrays.row_blocks import RowBlocks, in_blocks
from hin.arrays.types import Doubles, Floats, Int64, Ints, Reals
from hin.engines.base import Engine
from hin.engines.local import LocalEngine
from hin.progress import Progress, silent
from hin.registry import Registry


@dataclass(frozen=True, eq=False)
class TrainingData:
    """A learner's training set.

    Attributes
    ----------
    documents : the documents, in one or more blocks.
    targets : float[documents, categories]
        One distribution over the categories for each document.
    vectors : float32[instances, dim]
        The joint embedding.
    idf : float32[instances]
        The inverse document frequency of each instance.
    weights : float[documents], or None
        The weight of each document; if None, the learner balances the categories by its options.
    emphasis : float[documents], or None
        A factor on the weights; a document with more than 1 is never left out of a sample.
    engine : runs passes over documents in a folder; by default this machine's threads.
    """

    documents: Sequence[Encoded]
    targets: Reals
    vectors: Floats
    idf: Floats
    weights: Reals | None = None
    emphasis: Reals | None = None
    engine: Engine | None = None

    def weights_of(self, power: float, rows: Int64 | None = None) -> Reals:
        """Return the weights of some documents (by default all), balanced by `power` where none were given."""
        chosen = slice(None) if rows is None else rows
        weights = balance_weights(self.targets[chosen], power) if self.weights is None else self.weights[chosen]
        return weights if self.emphasis is None else weights * self.emphasis[chosen]

    def counts(self) -> Any:
        """Return the count of each instance in each document: CSR, documents x instances."""
        from scipy import sparse

        return sparse.vstack([block.counts for block in self.documents], format="csr")

    def rows(self, weigh: Callable[[Any], Any], threads: int = 1) -> RowBlocks:
        """Apply `weigh` to the documents' counts, block by block, since the documents may be in a folder."""
        if isinstance(self.documents, StoredDocuments):
            shape = (self.documents.n_documents, self.documents.n_instances)
            engine = self.engine or LocalEngine(f"local:{max(1, threads)}")
            return RowBlocks(partial(_weigh, self.documents, engine.share(weigh)), shape, engine)
        return in_blocks(weigh(self.counts()), threads)

    def sequences(self, rows: Int64 | None = None) -> Sequences:
        """Return the documents, or those with the given ascending numbers, as sequences of instances."""
        if rows is not None and isinstance(self.documents, StoredDocuments):
            return self.documents.sequences_of(rows)
        joined = Sequences.joined([block.sequences for block in self.documents])
        return joined if rows is None else take_sequences(joined, rows)


def _weigh(documents: StoredDocuments, weigh: Callable[[], Callable[[Any], Any]], number: int) -> Any:
    return weigh()(documents.counts(number))


class Weights(NamedTuple):
    """Weights that add up to the score of one category of each document.

    Attributes
    ----------
    instances : float64 CSR, documents x instances
        The part of each instance.
    prior : float64[documents]
        The category's score without any instance.
    together : float64[documents]
        The part that cannot be attributed to single instances.
    vectors : float64[documents], or None
        The part of the user's own vectors of the documents.
    """

    instances: Any
    prior: Doubles
    together: Doubles
    vectors: Doubles | None = None


class Learner(ABC):
    """A classifier that is trained on documents with hard or soft labels, and scores any document.

    Parameters
    ----------
    options : the options of every learner, by the learner's name; each takes those of its own class, or its defaults.
    """

    #: The class of the learner's own options, a dataclass with defaults; None where it has none.
    Options: ClassVar[type[Any] | None] = None

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self.given = dict(options or {})
        if self.Options is not None:
            own = (given for given in self.given.values() if isinstance(given, self.Options))
            self.options: Any = next(own, None) or self.Options()

    @abstractmethod
    def fit(self, data: TrainingData, seed: int = 0, threads: int = 1, progress: Progress = silent) -> Learner:
        """Train; the same seed gives the same parameters at any number of threads."""

    @abstractmethod
    def scores(self, documents: Encoded, threads: int = 1) -> Doubles:
        """Return scores of the categories, each row with mean 0; the softmax of a row is its probabilities.

        A document's scores are the same bits whatever other documents are scored with it.
        """

    def weights(self, documents: Encoded, categories: Ints, threads: int = 1) -> Weights:
        """Attribute the score of each document's category to its instances.

        By default nothing is attributed to single instances, for learners that cannot do it.
        """
        from scipy import sparse

        n = len(documents)
        whole = self.scores(documents, threads)[np.arange(n), categories]
        return Weights(sparse.csr_array(documents.counts.shape, dtype=np.float64), np.zeros(n), whole)

    def warm_up(self) -> None:
        """Start what must be done before training, such as importing a large library, in the background."""
        for member in self.members.values():
            member.warm_up()

    @property
    def members(self) -> Mapping[str, Learner]:
        """The learners that this one consists of, by their names in measurements."""
        return {}

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the parameters into a folder, without pickle."""

    @classmethod
    @abstractmethod
    def load(cls, folder: Path, vectors: Floats) -> Learner:
        """Read what `save` wrote; the vectors are those of the `TrainingData`."""


LEARNERS: Registry[type[Learner]] = Registry("classifier", package="classify.learners", group="hin.learners")
"""The learners, by name: the last step trains one of them on the soft labels."""
