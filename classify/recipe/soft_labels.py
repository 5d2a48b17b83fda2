"""The default way from names to soft labels of all documents: views, names, prototypes, seeded naive Bayes.

Each stage takes arrays and gives arrays; no stage sees a true label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import Features
from classify.documents.score_rows import best, by_rows, in_units, weighted_sum
from classify.documents.stored_rows import row_blocks
from classify.learners.average import AverageOptions
from classify.learners.cnn_options import CNNOptions
from classify.learners.linear import LinearOptions
from classify.recipe.discriminant import DiscriminantOptions, discriminant_scores
from classify.recipe.known import Known
from classify.recipe.naive_bayes import BayesOptions, naive_bayes_em
from classify.recipe.opinions import OpinionOptions, opinion_weights
from classify.recipe.parents import parent_evidence
from classify.recipe.taught import KnownOptions, known_scores
from classify.several.expected import expected_number
from classify.several.options import SeveralOptions
from classify.views.agreement import Agreed, AgreementOptions, agree
from classify.views.base import Space, View, ViewMaker
from classify.views.knowledge import KnowledgeView
from classify.views.meaning import (
    MeaningOptions,
    Spread,
    names_by_meaning,
    nearest_terms,
    nearness,
    spread,
)
from classify.views.name_vectors import NameOptions, NameUnit, name_evidence, place_names
from classify.views.placing import place_view
from classify.views.prototypes import PrototypeOptions, prototypes
from hin.engines.local import LocalEngine
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
    agreement : how the views of the corpus get their weights.
    meaning : how knowledge is spread through the corpus and added to names.
    opinions : how much knowledge counts beside the corpus.
    evidence : what a document's own mention of the name is multiplied with (the mention is a share of its unit row).
    known : how much documents with a known category teach.
    discriminant : how the views learn from what naive Bayes believes.
    classifier : what is trained on the soft labels, by name.
    cnn_documents : the CNN learns from at most so many documents, drawn evenly from the categories.
    cnn_steps : and makes at least so many steps, in more passes where there are fewer documents.
    cnn_share : how much the CNN counts beside the linear classifier.
    """

    views: tuple[str | View | ViewMaker, ...] = ("joint", "tf-idf", "co-occurrence", "knowledge")
    names: NameOptions = field(default_factory=NameOptions)
    prototypes: PrototypeOptions = field(default_factory=PrototypeOptions)
    agreement: AgreementOptions = field(default_factory=AgreementOptions)
    meaning: MeaningOptions = field(default_factory=MeaningOptions)
    opinions: OpinionOptions = field(default_factory=OpinionOptions)
    evidence: float = 20.0
    known: KnownOptions = field(default_factory=KnownOptions)
    bayes: BayesOptions = field(default_factory=BayesOptions)
    discriminant: DiscriminantOptions = field(default_factory=DiscriminantOptions)
    classifier: str = "average"
    linear: LinearOptions = field(default_factory=LinearOptions)
    cnn: CNNOptions = field(default_factory=CNNOptions)
    cnn_documents: int = 40_000
    cnn_steps: int = 40
    cnn_share: float = AverageOptions.share

    def learner_options(self) -> dict[str, Any]:
        """Return the options of the learners, by name."""
        cnn = replace(self.cnn, documents=self.cnn_documents, steps=self.cnn_steps, balance=self.linear.balance)
        return {"linear": self.linear, "cnn": cnn, "average": AverageOptions(self.cnn_share)}


@dataclass(frozen=True, eq=False)
class SoftLabels:
    """What is believed of every document before a classifier is trained.

    Attributes
    ----------
    logs : float64[documents, categories]
        Log posteriors; of several categories a document, the logarithm of each one's probability by itself.
    start : float32[documents, categories]
        The scores of the names alone.
    views : one array of scores for each view, by name.
    names : where the category names stand in each view of the corpus.
    shares : how much each view counted; they add up to 1.
    opinions : the labels of each opinion, "corpus" and, where there is a model, "knowledge".
    opinion_weights : how much each opinion counted.
    kept : how much the EM kept of each; empty without knowledge.
    meaning : float32[instances, categories], how near each instance is to each name in meaning; None without knowledge.
    read : how many documents knowledge read itself.
    expected : how many categories a document has on the mean.
    """

    logs: npt.NDArray[np.float64]
    start: Floats
    views: dict[str, Floats]
    names: dict[str, Floats]
    shares: dict[str, float] = field(default_factory=dict)
    opinions: dict[str, npt.NDArray[np.int64]] = field(default_factory=dict)
    opinion_weights: dict[str, float] = field(default_factory=dict)
    kept: dict[str, float] = field(default_factory=dict)
    meaning: Floats | None = None
    read: int = 0
    expected: float = 1.0

    @property
    def posterior(self) -> npt.NDArray[np.float64]:
        """The soft labels."""
        return by_rows(np.exp, self.logs)


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
    known: Known | None = None,
    several: SeveralOptions | None = None,
    parents: Sequence[Sequence[int]] = (),
) -> SoftLabels:
    """Return soft labels of all documents from the category names, and from a few documents whose category is known.

    Parameters
    ----------
    features : the documents.
    units : the names in instances (`find_units`).
    views : where documents and names are compared.
    shares : expected category sizes.
    watch : told what each stage ends with, for measuring.
    known : documents that are held to their category.
    several : where a document may have several categories.
    parents : for each category of a tree the instances that are names above it.
    """
    from threadpoolctl import threadpool_limits

    options = options or RecipeOptions()
    told = watch or (lambda stage, scores: None)
    with threadpool_limits(1):
        recipe = _Recipe(features, units, options, seed, threads, progress, told)
        if any(parents):
            above = parent_evidence(parents, features)
            recipe.mentions = weighted_sum([recipe.mentions, above], [1.0, options.evidence])
        # Without a view of the corpus there is nothing to spread knowledge through: it is a view like any other.
        corpus = [view for view in views if not isinstance(view, KnowledgeView)] or list(views)
        for number, view in enumerate(corpus):
            progress("views", number, len(views), view.name)
            recipe.place(view)
        outside = next((view for view in views if isinstance(view, KnowledgeView) and view not in corpus), None)
        found = recipe.averaged() if outside is None else recipe.with_knowledge(outside)
        start = weighted_sum([found.start, recipe.mentions])
        told("+ the name itself", start)
        bayes = options.bayes
        if known is not None:
            taught = known_scores(known, list(recipe.spaces.values()), start, bayes.temperature, options.known)
            start = weighted_sum([start, taught])
            del taught
            told("+ the known documents", start)
        if several is not None:
            bayes = replace(bayes, expected=several.expected_number or expected_number(start, bayes.temperature))
        believe = partial(
            naive_bayes_em,
            features.weights,
            shares=shares,
            threads=threads,
            progress=progress,
            known=known,
            known_weight=options.known.weight,
        )
        # The discriminant takes a document for one of a kind; with several categories it is between them.
        begun, after = start, 0 if several is not None else min(options.discriminant.after, bayes.rounds - 1)
        if after > 0:
            logs = believe(start, replace(bayes, rounds=after))
            told("+ naive Bayes, first rounds", logs)
            posterior = by_rows(np.exp, logs)
            learned = discriminant_scores(list(recipe.spaces.values()), posterior, options.discriminant)
            begun = weighted_sum([start, learned], [1.0, options.discriminant.weight_for(len(start))])
            del logs, posterior, learned
            told("+ what the views learn", begun)
        logs = believe(begun, replace(bayes, rounds=bayes.rounds - max(after, 0)))
        told("+ seeded naive Bayes", logs)
    return replace(found, logs=logs, start=start, expected=bayes.expected or 1.0)


class _Recipe:
    """The views as they are placed, and what they say together."""

    def __init__(
        self,
        features: Features,
        units: Sequence[Sequence[NameUnit]],
        options: RecipeOptions,
        seed: int,
        threads: int,
        progress: Progress,
        told: Watch,
    ) -> None:
        self.features, self.units, self.options = features, units, options
        self.seed, self.threads, self.progress, self.told = seed, threads, progress, told
        self.spaces: dict[str, Space] = {}
        self.names: dict[str, Floats] = {}
        self.mentions = weighted_sum([name_evidence(units, features)], [options.evidence])

    def place(self, view: View) -> None:
        """Place documents, instances and names in a view of the corpus."""
        space = place_view(self.features, view, self._generator(view.name), self.threads)
        self.spaces[view.name] = space
        self.names[view.name] = place_names(self.units, space, self.features, self.options.names)

    def averaged(self) -> SoftLabels:
        """Return what the views of the corpus say together."""
        agreed = self._agreed(self.names)
        self.told("views averaged", agreed.scores)
        total = sum(agreed.weights.values())
        shares = {name: weight / total for name, weight in agreed.weights.items()}
        return SoftLabels(
            np.zeros((0, 0)),
            agreed.scores,
            agreed.views,
            self.names,
            shares,
            {"corpus": best(agreed.scores)},
            {"corpus": 1.0},
        )

    def with_knowledge(self, view: KnowledgeView) -> SoftLabels:
        """Return the corpus and knowledge as two opinions; knowledge also says which words stand for a name."""
        options = self.options.meaning
        targets = view.knowledge.name_vectors(self.threads)
        rows, vectors = view.knowledge.read(
            self.features.n_documents, self._generator(view.name), self.threads, self.progress
        )
        told = spread(list(self.spaces.values()), rows, vectors, options.ridge)
        mean = told.mean()
        knowledge = in_units(told.near_documents(targets, mean, options.centre))
        self.told("knowledge: names", knowledge)
        near = self._near(view, told, targets, mean)
        terms, spaces = view.asked_terms(self.features), list(self.spaces.values())
        stand_ins = nearest_terms(near, terms, self.features, spaces, options.terms)
        # Names the corpus does not know stand where their stand-ins do, before anything is weighed.
        first = self._agreed(self._moved(stand_ins, 0.0)).scores
        weights, kept = opinion_weights(
            {"corpus": first, "knowledge": knowledge},
            self.features,
            self.mentions,
            self.options.opinions,
            self.options.bayes,
            self.threads,
        )
        del first
        weight = weights["knowledge"]
        names = self._moved(stand_ins, options.half * weight)
        corpus = self._agreed(names, self.told)
        self.told("views of the corpus averaged", corpus.scores)
        start = in_units(weighted_sum([corpus.scores, knowledge], [1.0, weight]))
        self.told("corpus and knowledge", start)
        total = sum(corpus.weights.values())
        shares = {name: own / total / (1 + weight) for name, own in corpus.weights.items()}
        shares[view.name] = weight / (1 + weight)
        views = {**corpus.views, view.name: knowledge}
        opinions = {"corpus": best(corpus.scores), "knowledge": best(knowledge)}
        return SoftLabels(np.zeros((0, 0)), start, views, names, shares, opinions, weights, kept, near, len(rows))

    def _near(self, view: KnowledgeView, told: Spread, targets: Floats, mean: Floats) -> Floats:
        """How near instances are to names: by what a word says and by how the corpus uses it, the lesser of the two.

        Either alone errs: pieces of words look alike (`cosmetics` and `cosmic`), and a word is used beside others.
        """
        used = told.near_instances(targets, mean, self.options.meaning.centre)
        own = view.instances(self.features, self._generator(view.name), self.threads)
        terms = view.asked_terms(self.features)
        if not len(terms):
            return used
        middle = (
            own[terms[0] : terms[-1] + 1].mean(axis=0) if len(terms) > terms[-1] - terms[0] else own[terms].mean(axis=0)
        )
        for first, last in row_blocks(len(terms)):
            some = terms[first:last]
            said = nearness(own[some], targets, middle, self.options.meaning.centre)
            used[some] = np.minimum(used[some], said)
        return used

    def _moved(self, stand_ins: Any, half: float) -> dict[str, Floats]:
        held = [
            [self.features.documents[unit.whole] for unit in given if unit.whole is not None and not unit.excluded]
            for given in self.units
        ]
        documents = np.array([max(counts, default=0) for counts in held])
        return {
            name: names_by_meaning(self.names[name], space, stand_ins, documents, half)
            for name, space in self.spaces.items()
        }

    def _agreed(self, names: dict[str, Floats], told: Watch | None = None) -> Agreed:
        def scored(name: str) -> list[Floats]:
            space = self.spaces[name]
            grown = prototypes(names[name], space.instances, self.features.documents, self.options.prototypes)
            return [space.documents @ targets.T for targets in (names[name], *grown)]

        engine = LocalEngine(f"local:{max(1, self.threads)}")
        found = dict(zip(self.spaces, engine.map(scored, self.spaces), strict=True))
        for name, rounds in found.items():
            for done, scores in enumerate(rounds):
                if told is not None:
                    told(f"{name}: {f'prototypes, round {done}' if done else 'names'}", scores)
        return agree(found, self.options.agreement)

    def _generator(self, name: str) -> np.random.Generator:
        """Return a generator for each view: adding one changes no other."""
        return np.random.default_rng([self.seed, 0xF1E, *name.encode()])
