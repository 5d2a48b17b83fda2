"""The learner "cnn": the paper's CNN over the sequences of motif instances (section 3.3)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from classify.documents.encoder import Encoded
from classify.learners.balance import balanced_sample
from classify.learners.base import LEARNERS, Learner, TrainingData, Weights
from classify.learners.cnn_model import CNNClassifier
from classify.learners.cnn_options import CNNOptions
from hin.arrays.score_rows import centred
from hin.arrays.types import Doubles, Floats, Ints
from hin.errors import BadUsage
from hin.progress import Progress, silent

#: The largest factor by which parts are scaled to add up to the whole, as they may nearly cancel out.
_STRETCH = 4.0


@LEARNERS.register("cnn")
class CNNLearner(Learner):
    """Trains the CNN, on a balanced sample where there are many documents; scores are centred log probabilities."""

    Options = CNNOptions
    options: CNNOptions

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(options)
        self.model: CNNClassifier | None = None

    def warm_up(self) -> None:
        """Import Torch in the background, which takes seconds; if it is missing, training reports it."""
        threading.Thread(target=_import_torch, name="import-torch").start()

    def fit(self, data: TrainingData, seed: int = 0, threads: int = 1, progress: Progress = silent) -> CNNLearner:
        """Train on all documents, or on a balanced sample of as many as the options allow."""
        options = self.options
        rows = np.arange(len(data.targets), dtype=np.int64)
        if options.documents is not None:
            rows = balanced_sample(data.targets, options.documents, np.random.default_rng([seed, 0x5A3]))
        if data.emphasis is not None:
            rows = np.union1d(rows, np.flatnonzero(data.emphasis > 1))
        sequences, targets = data.sequences(rows), data.targets[rows]
        weights = data.weights_of(options.balance, rows)
        if options.steps:
            # Small corpora need more epochs for as many steps.
            passes = np.ceil(options.steps * options.batch / max(1, len(targets)))
            options = replace(options, epochs=int(np.clip(passes, options.epochs, max(60, options.epochs))))
        engine, targets = data.engine, targets.astype(np.float32)
        self.model = CNNClassifier(options)
        if engine is None or engine.here:
            self.model.fit(sequences, data.vectors, targets, seed, threads, weights, progress)
            return self
        # Torch and the network need memory, so a worker of the engine trains it.
        progress("training the CNN", 0, None, "on one worker")
        shared = engine.share((options, sequences, data.vectors, targets, seed, weights))
        [found] = engine.map(partial(_train_network, shared), [engine.cores])
        self.model.take(data.vectors, *found)
        return self

    def scores(self, documents: Encoded, threads: int = 1) -> Doubles:
        """Return centred log probabilities."""
        return text_scores(self._require_trained().predict_proba(documents.sequences, threads=threads))

    def weights(self, documents: Encoded, categories: Ints, threads: int = 1) -> Weights:
        """Attribute each score to the words of the windows that max-pooling chose."""
        from scipy import sparse

        n = len(documents)
        found = self._require_trained().parts(documents.sequences, categories, threads)
        whole = text_scores(found.proba)[np.arange(n), categories]
        document = np.repeat(np.arange(n), np.diff(found.offsets))
        sums = np.bincount(document, weights=found.added, minlength=n) + found.rest
        # Log probabilities have a floor, so the logits' parts are scaled to add up to them.
        near = (whole * sums > 0) & (np.abs(whole) <= _STRETCH * np.abs(sums))
        scale = np.divide(whole, sums, out=np.zeros(n), where=near)
        known = found.instances >= 0
        values = (scale[document] * found.added)[known]
        instances = sparse.coo_array(
            (values, (document[known], found.instances[known])), shape=documents.counts.shape
        ).tocsr()
        return Weights(instances, scale * found.rest, np.where(near, 0.0, whole))

    def save(self, folder: Path) -> None:
        """Write the network."""
        self._require_trained().save(folder)

    @classmethod
    def load(cls, folder: Path, vectors: Floats) -> CNNLearner:
        """Read the network."""
        learner = cls()
        learner.model = CNNClassifier.load(folder, vectors)
        learner.options = learner.model.options
        return learner

    def _require_trained(self) -> CNNClassifier:
        if self.model is None:
            raise BadUsage("the CNN has not been trained", hint="call fit or load first")
        return self.model


def _train_network(shared: Callable[[], tuple[Any, ...]], threads: int) -> tuple[Any, Any]:
    options, sequences, vectors, targets, seed, weights = shared()
    model = CNNClassifier(options).fit(sequences, vectors, targets, seed, threads, weights)
    return model.parameters_, model.history_


def text_scores(proba: Floats) -> Doubles:
    """Return centred log probabilities, with a floor: in an average, one confident learner must not exclude a category.

    >>> text_scores(np.array([[1.0, 0.0]])).round(2).tolist()
    [[6.91, -6.91]]
    """
    return centred(np.log(np.maximum(proba.astype(np.float64), 1e-6)))


def _import_torch() -> None:
    with suppress(ImportError):
        import torch  # noqa: F401
