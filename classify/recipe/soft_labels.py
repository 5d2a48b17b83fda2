"""The default way from names to soft labels of all documents: views, names, prototypes, seeded naive Bayes.

Each stage takes arrays and gives arrays; no stage sees a true label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import Features
from classify.learners.cnn import CNNOptions
from classify.learners.linear import LinearOptions
from classify.recipe.naive_bayes import BayesOptions, naive_bayes_em
from classify.views.agreement import AgreementOptions, agree
from classify.views.name_vectors import NameOptions, NameUnit, name_evidence, place_names
from classify.views.prototypes import PrototypeOptions, prototypes
from classify.views.views import CooccurrenceView, TfidfView, View, place
from hin.progress import Progress, silent

__all__ = ["RecipeOptions", "SoftLabels", "balanced_sample", "default_views", "soft_labels"]

Floats = npt.NDArray[np.float32]

#: Told the name of a stage and the scores it ends with.
Watch = Callable[[str, npt.NDArray[np.floating[Any]]], None]


@dataclass(frozen=True)
class RecipeOptions:
    """Every number of the default recipe; what each is for is said where it is used.

    Attributes
    ----------
    views : besides the joint embedding: "tf-idf", "co-occurrence".
    agreement : how views get their weights.
    evidence : what a document's own mention of the name is multiplied with (the mention is a share of its unit row).
    cnn_documents : the CNN learns from at most so many documents, drawn evenly from the categories.
    cnn_steps : and makes at least so many steps, in more passes where there are fewer documents.
    cnn_share : how much the CNN counts beside the linear classifier.
    """

    views: tuple[str, ...] = ("tf-idf", "co-occurrence")
    names: NameOptions = field(default_factory=NameOptions)
    prototypes: PrototypeOptions = field(default_factory=PrototypeOptions)
    agreement: AgreementOptions = field(default_factory=AgreementOptions)
    evidence: float = 20.0
    bayes: BayesOptions = field(default_factory=BayesOptions)
    linear: LinearOptions = field(default_factory=LinearOptions)
    cnn: CNNOptions = field(default_factory=CNNOptions)
    cnn_documents: int = 120_000
    cnn_steps: int = 500
    cnn_share: float = 0.3


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


def default_views(joint: View | None, options: RecipeOptions) -> list[View]:
    """The views of the default recipe, the joint embedding first."""
    known: dict[str, View] = {"tf-idf": TfidfView(), "co-occurrence": CooccurrenceView()}
    return [*([joint] if joint is not None else []), *(known[name] for name in options.views)]


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


def balanced_sample(
    posterior: npt.NDArray[np.floating[Any]], size: int, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """At most `size` documents, as evenly from the predicted categories as they allow, in input order.

    >>> posterior = np.array([[0.9, 0.1]] * 8 + [[0.2, 0.8]] * 2)
    >>> balanced_sample(posterior, 4, np.random.default_rng(0))[2:].tolist()
    [8, 9]
    """
    if len(posterior) <= size:
        return np.arange(len(posterior), dtype=np.int64)
    label = posterior.argmax(axis=1)
    groups = [rng.permutation(np.flatnonzero(label == category)) for category in range(posterior.shape[1])]
    taken: list[npt.NDArray[np.int64]] = []
    left = size
    # Small groups first: what they cannot fill goes to the larger ones.
    for number, group in enumerate(sorted(groups, key=len)):
        quota = left // (len(groups) - number)
        taken.append(group[:quota])
        left -= len(taken[-1])
    return np.sort(np.concatenate(taken)).astype(np.int64)
