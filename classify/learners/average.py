"""The learner "average": the linear classifier and the CNN together, which is more accurate than either alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from classify.documents.encoder import Encoded
from classify.learners.base import LEARNERS, Learner, TrainingData, Weights
from classify.learners.cnn import CNNLearner
from classify.learners.linear import LinearLearner
from classify.learners.options import AverageOptions
from hin.arrays.types import Doubles, Floats, Ints
from hin.files.checked import damaged, read_json
from hin.progress import Progress, silent


@LEARNERS.register("average")
class AverageLearner(Learner):
    """(1 - share) times the linear classifier's scores, and share times the CNN's."""

    Options = AverageOptions
    options: AverageOptions

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(options)
        self.linear = LinearLearner(options)
        self.cnn = CNNLearner(options)

    @property
    def members(self) -> Mapping[str, Learner]:
        """The linear classifier and the CNN."""
        return {"linear classifier": self.linear, "CNN": self.cnn}

    def fit(self, data: TrainingData, seed: int = 0, threads: int = 1, progress: Progress = silent) -> AverageLearner:
        """Train both on the same documents."""
        self.linear.fit(data, seed, threads, progress)
        self.cnn.fit(data, seed, threads, progress)
        return self

    def scores(self, documents: Encoded, threads: int = 1) -> Doubles:
        """Return the weighted mean of the members' scores."""
        share = self.options.share
        return (1 - share) * self.linear.scores(documents, threads) + share * self.cnn.scores(documents, threads)

    def weights(self, documents: Encoded, categories: Ints, threads: int = 1) -> Weights:
        """Return the weighted mean of the members' weights."""
        share = self.options.share
        one = self.linear.weights(documents, categories, threads)
        other = self.cnn.weights(documents, categories, threads)
        return Weights(
            ((1 - share) * one.instances + share * other.instances).tocsr(),
            (1 - share) * one.prior + share * other.prior,
            (1 - share) * one.together + share * other.together,
        )

    def save(self, folder: Path) -> None:
        """Write both members and the share; their files have different names."""
        self.linear.save(folder)
        self.cnn.save(folder)
        (folder / "average.json").write_text(json.dumps(asdict(self.options)) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path, vectors: Floats) -> AverageLearner:
        """Read both members and the share."""
        place = folder / "average.json"
        share = read_json(place, {"share": float})["share"]
        if not 0 <= share <= 1:
            raise damaged(place, "the share is not a number from 0 to 1")
        learner = cls({"average": AverageOptions(share)})
        learner.linear = LinearLearner.load(folder, vectors)
        learner.cnn = CNNLearner.load(folder, vectors)
        return learner
