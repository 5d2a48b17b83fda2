"""The default way from names to soft labels of all documents: views, names, prototypes, seeded naive Bayes.

Each stage takes arrays and gives arrays; no stage sees a true label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import Features
from classify.learners.average import AverageOptions
from classify.learners.cnn_options import CNNOptions
from classify.learners.linear import LinearOptions
from classify.recipe.naive_bayes import BayesOptions, naive_bayes_em
from classify.views.agreement import AgreementOptions, agree
from classify.views.base import View, ViewMaker, place
from classify.views.name_vectors import NameOptions, NameUnit, name_evidence, place_names
from classify.views.prototypes import PrototypeOptions, prototypes
from hin.progress import Progress, silent

__all__ = ["RecipeOptions", "SoftLabels", "soft_labels"]

Floats = npt.NDArray[np.float32]

#: Told the name of a stage and the scores it ends with.
Watch = Callable[[str, npt.NDArray[np.floating[Any]]], None]


@dataclass(frozen=True)
class RecipeOptions:
    """Every number of the default recipe; what each is for is said where it is used.

    Attributes
    ----------
    views : where documents and names are compared: names of views (`classify.views`), or views themselves.
    agreement : how views get their weights.
    evidence : what a document's own mention of the name is multiplied with (the mention is a share of its unit row).
    classifier : what is trained on the soft labels, by name.
    cnn_documents : the CNN learns from at most so many documents, drawn evenly from the categories.
    cnn_steps : and makes at least so many steps, in more passes where there are fewer documents.
    cnn_share : how much the CNN counts beside the linear classifier.
    """

    views: tuple[str | View | ViewMaker, ...] = ("joint", "tf-idf", "co-occurrence")
    names: NameOptions = field(default_factory=NameOptions)
    prototypes: PrototypeOptions = field(default_factory=PrototypeOptions)
    agreement: AgreementOptions = field(default_factory=AgreementOptions)
    evidence: float = 20.0
    bayes: BayesOptions = field(default_factory=BayesOptions)
    classifier: str = "average"
    linear: LinearOptions = field(default_factory=LinearOptions)
    cnn: CNNOptions = field(default_factory=CNNOptions)
    cnn_documents: int = 120_000
    cnn_steps: int = 500
    cnn_share: float = AverageOptions.share

    def learner_options(self) -> dict[str, Any]:
        """The options of the learners, by name."""
        cnn = replace(self.cnn, documents=self.cnn_documents, steps=self.cnn_steps, balance=self.linear.balance)
        return {"linear": self.linear, "cnn": cnn, "average": AverageOptions(self.cnn_share)}


@dataclass(frozen=True, eq=False)
class SoftLabels:
    """What is believed of every document before a classifier is trained.

    Attributes
    ----------
    logs : float64[documents, categories]
        Log posteriors.
    start : float32[documents, categories]
        The scores of the names alone.
    views : one array of scores for each view, by name.
    names : where the category names stand in each view.
    """

    logs: npt.NDArray[np.float64]
    start: Floats
    views: dict[str, Floats]
    names: dict[str, Floats]

    @property
    def posterior(self) -> npt.NDArray[np.float64]:
        """The soft labels."""
        return np.asarray(np.exp(self.logs))


def soft_labels(
    features: Features,
    units: Sequence[Sequence[NameUnit]],
    views: Sequence[View],
    options: RecipeOptions | None = None,
    shares: Sequence[float] | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = silent,
    watch: Watch | None = None,
) -> SoftLabels:
    """Soft labels of all documents from the category names alone.

    Parameters
    ----------
    features : the documents.
    units : the names in instances (`find_units`).
    views : where documents and names are compared.
    shares : expected category sizes.
    watch : told what each stage ends with, for measuring.
    """
    from threadpoolctl import threadpool_limits

    options = options or RecipeOptions()
    told = watch or (lambda stage, scores: None)
    found: dict[str, list[Floats]] = {}
    placed: dict[str, Floats] = {}
    with threadpool_limits(1):
        for number, view in enumerate(views):
            progress("views", number, len(views), view.name)
            # A generator for each view: adding one changes no other.
            rng = np.random.default_rng([seed, 0xF1E, *view.name.encode()])
            space = place(features, view.instances(features, rng, threads), view.rows(features), threads)
            names = placed[view.name] = place_names(units, space, features, options.names)
            grown = prototypes(names, space.instances, features.documents, options.prototypes)
            found[view.name] = [space.documents @ targets.T for targets in (names, *grown)]
            for done, scores in enumerate(found[view.name]):
                told(f"{view.name}: {f'prototypes, round {done}' if done else 'names'}", scores)
        agreed = agree(found, options.agreement)
        told("views averaged", agreed.scores)
        start = agreed.scores + np.float32(options.evidence) * name_evidence(units, features)
        told("+ the name itself", start)
        logs = naive_bayes_em(features.weights, start, options.bayes, shares, threads, progress)
        told("+ seeded naive Bayes", logs)
    return SoftLabels(logs, start, agreed.views, placed)
