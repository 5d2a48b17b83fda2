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
from classify.learners.average import AverageOptions
from classify.learners.cnn_options import CNNOptions
from classify.learners.linear import LinearOptions
from classify.recipe.discriminant import DiscriminantOptions, discriminant_scores
from classify.recipe.known import Known
from classify.recipe.naive_bayes import BayesOptions, naive_bayes_em
from classify.recipe.opinions import OpinionOptions, kept_of, opinion_weights, speaks_of_words, together
from classify.recipe.outside import place_outside
from classify.recipe.parents import parent_evidence
from classify.recipe.taught import KnownOptions, known_scores
from classify.several.expected import expected_number
from classify.several.options import SeveralOptions
from classify.views.agreement import Agreed, AgreementOptions, agree
from classify.views.base import Space, View, ViewMaker
from classify.views.knowledge import KnowledgeView
from classify.views.meaning import MeaningOptions, names_by_meaning, nearest_terms
from classify.views.name_vectors import NameOptions, NameUnit, name_evidence, place_names
from classify.views.placed import placed
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
    opinions : the labels of each opinion: "corpus" and, where there is a model, "knowledge", with an encoder "encoder".
    opinion_weights : how much each opinion counted.
    kept : how much the EM kept of each; empty without knowledge.
    meaning : float32[instances, categories], how near each instance is to each name in meaning; None without knowledge.
    read : how many documents each model read itself.
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
    read: dict[str, int] = field(default_factory=dict)
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
        outside = [view for view in views if isinstance(view, KnowledgeView) and view not in corpus]
        found = recipe.with_knowledge(outside) if outside else recipe.averaged()
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
        space = placed(self.features, view, self._generator(view.name), self.threads)
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

    def with_knowledge(self, views: Sequence[KnowledgeView]) -> SoftLabels:
        """Return the corpus and what models say as opinions; a model also says which words stand for a name."""
        options, spaces = self.options.meaning, list(self.spaces.values())
        outside = {}
        for view in views:
            outside[view.name] = place_outside(
                view, spaces, self.features, self._generator(view.name), options, self.threads, self.progress
            )
            self.told(f"{view.name}: names", outside[view.name].scores)
        said = {name: one.scores for name, one in outside.items()}
        kept = self._kept(said)
        words = outside[speaks_of_words(kept)]
        near = words.near_instances(self.features, self._generator(words.view.name), options, self.threads)
        stand_ins = nearest_terms(near, words.view.asked_terms(self.features), self.features, spaces, options.terms)
        # Names the corpus does not know stand where their stand-ins do, before anything is weighed.
        kept = self._kept({"corpus": self._agreed(self._moved(stand_ins, 0.0)).scores}) | kept
        weights = opinion_weights(kept, self.options.opinions)
        parts = together({name: weights[name] for name in outside})
        weight = sum(parts.values())
        names = self._moved(stand_ins, options.half * weight)
        corpus = self._agreed(names, self.told)
        self.told("views of the corpus averaged", corpus.scores)
        # Models say much the same: what they say together is brought to its own unit, or they would count for less.
        known, *others = said.values()
        if others:
            known = in_units(weighted_sum([known, *others], list(parts.values())))
        start = in_units(weighted_sum([corpus.scores, known], [1.0, weight]))
        self.told("corpus and knowledge", start)
        total = sum(corpus.weights.values())
        shares = {name: own / total / (1 + weight) for name, own in corpus.weights.items()}
        shares |= {name: part / (1 + weight) for name, part in parts.items()}
        return SoftLabels(
            np.zeros((0, 0)),
            start,
            {**corpus.views, **said},
            names,
            shares,
            {name: best(scores) for name, scores in {"corpus": corpus.scores, **said}.items()},
            weights,
            kept,
            near,
            {name: one.read for name, one in outside.items()},
        )

    def _kept(self, opinions: dict[str, Floats]) -> dict[str, float]:
        options = self.options
        return kept_of(opinions, self.features, self.mentions, options.opinions, options.bayes, self.threads)

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
