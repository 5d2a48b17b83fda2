"""Logistic regression on true labels: what a user with labelled documents would try first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classify.comparators.parts.bags import bags_of
from classify.comparators.parts.sampling import split_documents
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task
from hin.arrays.one_thread import one_blas_thread


@SYSTEMS.register("supervised-linear")
@dataclass(frozen=True)
class SupervisedLinear(System):
    """Multinomial logistic regression on tf-idf of terms and metadata; the dev part chooses the penalty."""

    about = About(
        title="Supervised linear",
        paper="",
        follows="80/10/10 split as for Supervised BERT; figures are of the last 10 %.",
        supervision="labels",
    )
    strengths: tuple[float, ...] = (1.0, 10.0, 100.0)
    rounds: int = 200

    def run(self, task: Task) -> Outcome:
        """Train on 80 %, choose on 10 %, label all."""
        from sklearn.linear_model import LogisticRegression

        assert task.truth is not None
        rows = bags_of(task, metadata=True, min_count=2).rows.astype(np.float64)
        split = split_documents(task.truth, task.rng(0x80))
        models = []
        for done, strength in enumerate(self.strengths):
            task.progress("linear classifier", done, len(self.strengths))
            model = LogisticRegression(C=strength, max_iter=self.rounds, tol=1e-3)
            with one_blas_thread():
                model.fit(rows[split.train], task.truth[split.train])
            models.append((model.score(rows[split.dev], task.truth[split.dev]), -strength, model))
        _, _, best = max(models, key=lambda entry: entry[:2])
        scores = np.zeros((rows.shape[0], len(task.categories)))
        scores[:, best.classes_] = best.predict_proba(rows)
        tested = np.zeros(len(scores), dtype=np.bool_)
        tested[split.test] = True
        return Outcome(scores, tested)
