"""Self-training of WeSTClass: a classifier is trained on its own sharpened predictions of all documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from classify.documents.sequences import Sequences, take_sequences
from hin.arrays.types import Doubles, Floats, Reals

if TYPE_CHECKING:
    from classify.comparators.parts.system import Task
    from classify.learners.cnn_model import CNNClassifier


@dataclass(frozen=True)
class SelfTrainingOptions:
    """The authors' settings, with the appendix's limit on the iterations (theirs is 5,000).

    Attributes
    ----------
    iterations : batches at the most.
    interval : batches between two predictions of all documents.
    change : training ends when a smaller share of the labels changed since the last prediction.
    """

    iterations: int = 1000
    interval: int = 50
    change: float = 0.001
    rate: float = 0.001


def sharpened(proba: Reals) -> Doubles:
    """Return the target distribution: q² over the category's size, normalised (WeSTClass, equation 5).

    Examples
    --------
    >>> sharpened(np.array([[0.8, 0.2], [0.4, 0.6]])).round(4).tolist()  # .64/1.2 : .04/.8, .16/1.2 : .36/.8
    [[0.9143, 0.0857], [0.2286, 0.7714]]
    """
    weight = np.asarray(proba, dtype=np.float64) ** 2 / np.maximum(proba.sum(axis=0, dtype=np.float64), 1e-12)
    return np.asarray(weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300))


def self_train(
    model: CNNClassifier,
    sequences: Sequences,
    vectors: Floats,
    options: SelfTrainingOptions,
    task: Task,
) -> Floats:
    """Train the model further, in place, and return its probabilities of all documents."""
    cnn = replace(
        model.options, optimizer="sgd", learning_rate=options.rate, decay=False, epochs=1, patience=0, dropout=0.0
    )
    n = sequences.n_documents
    proba = model.predict_proba(sequences, task.threads)
    order = task.rng(0x5E1F).permutation(n)
    rounds = -(-options.iterations // options.interval)
    at = 0
    for number in range(rounds):
        task.progress("self-training", number, rounds)
        target = sharpened(proba).astype(np.float32)
        rows = order[(at + np.arange(options.interval * cnn.batch)) % n]
        at = (at + len(rows)) % n
        model.options, model.start = cnn, model.parameters_
        model.fit(take_sequences(sequences, rows), vectors, target[rows], task.seed + number, task.threads)
        before, proba = proba, model.predict_proba(sequences, task.threads)
        if np.mean(proba.argmax(axis=1) != before.argmax(axis=1)) < options.change:
            break
    return proba
