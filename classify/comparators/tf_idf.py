"""The nearest category name by tf-idf: what a search engine would do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classify.comparators.parts.bags import bags_of, name_rows
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task


@SYSTEMS.register("tf-idf")
@dataclass(frozen=True)
class TfIdf(System):
    """Cosine between a document's tf-idf row and the name's."""

    about = About(
        title="tf-idf, nearest name",
        paper="",
        follows="Cosine of tf-idf rows of terms; no metadata, nothing is trained.",
        differs="A document that holds no name goes to the category that most others go to.",
    )

    def run(self, task: Task) -> Outcome:
        """Compare every document with every name."""
        bags = bags_of(task, metadata=False)
        scores = np.asarray((bags.rows @ name_rows(bags).T).todense(), dtype=np.float64)
        silent = scores.max(axis=1) <= 0
        named = scores[~silent].argmax(axis=1)
        scores[silent] = np.bincount(named, minlength=scores.shape[1]) / max(1, len(scores))
        note = f"{silent.mean():.0%} of the documents hold no category name" if silent.any() else ""
        return Outcome(scores, notes=(note,) if note else ())
