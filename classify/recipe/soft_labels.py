"""The default way from names to soft labels of all documents: views, names, prototypes, seeded naive Bayes.

Each stage takes arrays and gives arrays; no stage sees a true label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.known import Known
from classify.documents.features import Features
from classify.knowledge.options import BUILT_IN
from classify.recipe.agreement import Agreed, agree
from classify.recipe.discriminant import discriminant_scores
from classify.recipe.meaning import drop_spelled_alike, names_by_meaning, nearest_terms
from classify.recipe.naive_bayes import naive_bayes_em
from classify.recipe.name_vectors import documents_of, meant_parts, name_evidence, nothing_known, place_names
from classify.recipe.opinions import best_word_model, joint_shares, opinion_weights, retained_of
from classify.recipe.options import RecipeOptions
from classify.recipe.outside import Outside, place_outside
from classify.recipe.parents import parent_evidence
from classify.recipe.prototypes import prototypes
from classify.recipe.reliability import SourceReliability, weigh_teachers
from classify.recipe.seeds import Seeds
from classify.recipe.taught import known_scores, supported_sizes
from classify.run import Run, Watch
from classify.several.expected import expected_with
from classify.views.base import Space
from classify.views.knowledge import KnowledgeView
from classify.views.placing import generator_of
from hin.arrays.score_rows import best, by_rows, in_units, weighted_sum
from hin.arrays.types import Doubles, Floats, Int64

if TYPE_CHECKING:
    from classify.knowledge.base import KnowledgeModel
    from classify.options import ClassifyOptions


#: The scores of a category of whose name nothing is known are this far below all others, so that it gets no document.
_NEVER = 20.0
#: Stands for the retained share of a model that does not know the documents' script: its weight is next to nothing. Its
#: opinion stays, because its agreement with the corpus's views is a signal of confidence.
_UNREADABLE = 1e-6


@dataclass(frozen=True, eq=False)
class SoftLabels:
    """The soft labels of every document, from which a classifier is trained.

    Attributes
    ----------
    logs : float64[documents, categories]
        Log posteriors; if documents have several categories, the log probability of each by itself.
    start : float32[documents, categories]
        The scores of the names alone.
    views : one array of scores for each view, by name.
    names : the vectors of the category names in each view of the corpus.
    shares : the weight of each view; they add up to 1.
    opinions : the labels of each opinion: "corpus" and, where there is a model, "knowledge", with an encoder "encoder".
    opinion_weights : the weight of each opinion.
    retained : the macro-F1 of the EM's labels against each opinion's; empty without knowledge.
    meaning : float32[instances, categories], the nearness of each instance to each name; None without knowledge.
    read : the number of documents that each model itself read.
    named : the share of the documents that hold the name or a keyword of some category.
    expected : the mean number of categories of a document.
    known : the known documents, each with the probability that its label is right.
    sources : the reliability of each teacher.
    """

    logs: Doubles
    start: Floats
    views: dict[str, Floats]
    names: dict[str, Floats]
    shares: dict[str, float] = field(default_factory=dict)
    opinions: dict[str, Int64] = field(default_factory=dict)
    opinion_weights: dict[str, float] = field(default_factory=dict)
    retained: dict[str, float] = field(default_factory=dict)
    meaning: Floats | None = None
    read: dict[str, int] = field(default_factory=dict)
    named: float = 0.0
    expected: float = 1.0
    known: Known | None = None
    sources: tuple[SourceReliability, ...] = ()

    def used(self, knowledge: KnowledgeModel | None) -> dict[str, Any]:
        """Return the weights of the views and the pretrained models used, for the manifest and the report."""
        used: dict[str, Any] = {"views": {name: round(share, 4) for name, share in self.shares.items()}}
        if knowledge is not None and self.retained:
            used["knowledge"] = {
                "model": knowledge.name,
                "weights": knowledge.fingerprint,
                "documents": self.read["knowledge" if knowledge.quick else "encoder"],
                "kept": {name: round(share, 4) for name, share in self.retained.items()},
            }
            if not knowledge.quick:
                used["knowledge"]["beside"] = BUILT_IN
        if self.sources:
            used["sources"] = {source.source: source.as_record() for source in self.sources}
        return used


def soft_labels(
    features: Features,
    spaces: Mapping[str, Space],
    seeds: Seeds,
    outside: Sequence[KnowledgeView],
    known: Known | None,
    options: ClassifyOptions,
    run: Run,
) -> SoftLabels:
    """Compute soft labels of all documents from the category names, and from documents whose category is known.

    Parameters
    ----------
    features : the documents.
    spaces : the vectors of documents and instances in the views of the corpus, by the view's name.
    seeds : the names as instances.
    outside : the views of pretrained models.
    known : documents with a fixed category.
    """
    recipe, several = options.recipe, options.sets
    views = _Opinions(features, spaces, seeds, recipe, options.first_seed, run)
    found = views.with_knowledge(outside) if outside else views.average()
    start = weighted_sum([found.start, views.mentions])
    never = start.min() - _NEVER if start.size else 0.0
    start[:, nothing_known(seeds.units, known)] = never
    run.watch("+ the name itself", start)
    bayes = replace(recipe.bayes, known_weight=recipe.known.weight)
    sources: tuple[SourceReliability, ...] = ()
    if known is not None:
        corpus = list(spaces.values())
        known, sources = weigh_teachers(known, corpus, start, several is not None, bayes.sharpness, recipe.known)
        known = known if len(known) else None
        start[:, nothing_known(seeds.units, known)] = never  # a teacher may teach nothing
    if several is not None:
        rows = np.zeros(0, dtype=np.int64) if known is None else known.rows
        bayes = replace(bayes, expected=several.expected_number or expected_with(start, rows))
    if known is not None:
        taught = known_scores(known, list(spaces.values()), start, bayes.sharpness, recipe.known, bayes.expected)
        taught += supported_sizes(known, start, taught, bayes.sharpness, bayes.expected)
        start = weighted_sum([start, taught])
        del taught
        run.watch("+ the known documents", start)
    believe = partial(
        naive_bayes_em,
        features.weights,
        shares=seeds.shares,
        threads=run.threads,
        progress=run.progress,
        known=known,
    )
    # The discriminant assumes one category per document; a document of several lies between their means.
    begun, after = start, 0 if several is not None else min(recipe.discriminant.after, bayes.rounds - 1)
    if after > 0:
        logs = believe(start, replace(bayes, rounds=after))
        run.watch("+ naive Bayes, first rounds", logs)
        posterior = by_rows(np.exp, logs)
        learned = discriminant_scores(list(spaces.values()), posterior, recipe.discriminant)
        begun = weighted_sum([start, learned], [1.0, recipe.discriminant.weight_for(len(start))])
        del logs, posterior, learned
        run.watch("+ what the views learn", begun)
    logs = believe(begun, replace(bayes, rounds=bayes.rounds - max(after, 0)))
    run.watch("+ seeded naive Bayes", logs)
    named = float((views.mentions > 0).any(axis=1).mean()) if len(start) else 0.0
    return replace(
        found, logs=logs, start=start, named=named, expected=bayes.expected or 1.0, known=known, sources=sources
    )


class _Opinions:
    """The opinions of the corpus's views and of pretrained models, and their average."""

    def __init__(
        self,
        features: Features,
        spaces: Mapping[str, Space],
        seeds: Seeds,
        options: RecipeOptions,
        seed: int,
        run: Run,
    ) -> None:
        self.features, self.spaces, self.units, self.options = features, spaces, seeds.units, options
        self.seed, self.threads, self.progress, self.watch = seed, run.threads, run.progress, run.watch
        self.parents, self.language = seeds.parents, seeds.language
        self._place()

    def _place(self) -> None:
        """Place the names in the views, and look up the documents that mention them."""
        options, features = self.options, self.features
        self.names = {
            name: place_names(self.units, space, features, options.names) for name, space in self.spaces.items()
        }
        self.mentions = weighted_sum([name_evidence(self.units, features)], [options.evidence])
        if any(self.parents):
            above = parent_evidence(self.parents, features)
            self.mentions = weighted_sum([self.mentions, above], [1.0, options.evidence])

    def average(self) -> SoftLabels:
        """Average the views of the corpus."""
        agreed = self._agree(self.names)
        self.watch("views averaged", agreed.scores)
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
        """Average the opinions of the corpus and of pretrained models; a model also finds the stand-ins of names."""
        options, spaces = self.options.meaning, list(self.spaces.values())
        outside = {}
        for view in views:
            outside[view.name] = place_outside(
                view, spaces, self.features, self._generator(view.name), options, self.threads, self.progress
            )
            self.watch(f"{view.name}: names", outside[view.name].scores)
        chosen = {name: self._choose_smoothing(one) for name, one in outside.items()}
        opinions = {name: scores for name, (scores, _) in chosen.items()}
        retained = {name: share for name, (_, share) in chosen.items()}
        if any(unit.part for given in self.units for unit in given):
            knowledge, scores = views[0].knowledge, opinions[views[0].name]
            in_model = [knowledge.model.knows(given[0]) for given in knowledge.names]
            self.units = meant_parts(self.units, scores, in_model, self.features, self.options.names)
            self._place()
            retained = self._retained(opinions)
        retained |= {name: _UNREADABLE for name, one in outside.items() if not one.readable}
        words = outside[best_word_model(retained)]
        near = words.near_instances(self.features, self._generator(words.view.name), options, self.threads)
        stand_ins = nearest_terms(near, words.view.terms_to_read(self.features), self.features, spaces, options.terms)
        names = [given[0] for given in words.view.knowledge.names]
        if not words.readable:
            stand_ins = [(terms[:0], near_by[:0]) for terms, near_by in stand_ins]
        stand_ins = drop_spelled_alike(stand_ins, names, lambda term: words.view.terms[term - words.view.first_term])
        # Names that do not occur get the vectors of their stand-ins before the opinions are weighted.
        retained = self._retained({"corpus": self._agree(self._move_names(stand_ins, 0.0)).scores}) | retained
        weights = self._weights(retained)
        parts = joint_shares({name: weights[name] for name in outside})
        weight = sum(parts.values())
        moved = self._move_names(stand_ins, options.half * weight)
        corpus = self._agree(moved, self.watch)
        self.watch("views of the corpus averaged", corpus.scores)
        # Models are correlated, so their weighted sum is rescaled to unit spread, or they would count for less.
        known, *others = opinions.values()
        if others:
            known = in_units(weighted_sum([known, *others], list(parts.values())))
        start = in_units(weighted_sum([corpus.scores, known], [1.0, weight]))
        self.watch("corpus and knowledge", start)
        total = sum(corpus.weights.values())
        shares = {name: own / total / (1 + weight) for name, own in corpus.weights.items()}
        shares |= {name: part / (1 + weight) for name, part in parts.items()}
        return SoftLabels(
            np.zeros((0, 0)),
            start,
            {**corpus.views, **opinions},
            moved,
            shares,
            {name: best(scores) for name, scores in {"corpus": corpus.scores, **opinions}.items()},
            weights,
            retained,
            near,
            {name: one.read for name, one in outside.items()},
        )

    def _choose_smoothing(self, model: Outside) -> tuple[Floats, float]:
        """Return a model's scores with more or less smoothing, whichever weighs more, and the share retained."""
        both = {"smoothed": model.scores}
        if model.unsmoothed is not None:
            both["unsmoothed"] = model.unsmoothed
        retained = self._retained(both)
        weights = self._weights(retained)  # smoothed scores are made of the corpus's words
        name = max(weights, key=lambda one: weights[one])
        return both[name], retained[name]

    def _weights(self, retained: dict[str, float]) -> dict[str, float]:
        """Weigh opinions, of which the first is made of the corpus's words."""
        evidence = float(self.features.documents.sum()) / len(self.units)
        return opinion_weights(retained, self.options.opinions, evidence, self.language)

    def _retained(self, opinions: dict[str, Floats]) -> dict[str, float]:
        options = self.options
        return retained_of(opinions, self.features, self.mentions, options.opinions, options.bayes, self.threads)

    def _move_names(self, stand_ins: Any, half: float) -> dict[str, Floats]:
        held = [[documents_of(unit, self.features) for unit in given if not unit.excluded] for given in self.units]
        documents = np.array([max(counts, default=0) for counts in held])
        return {
            name: names_by_meaning(self.names[name], space, stand_ins, documents, half)
            for name, space in self.spaces.items()
        }

    def _agree(self, names: dict[str, Floats], watch: Watch | None = None) -> Agreed:
        def scored(name: str) -> list[Floats]:
            space = self.spaces[name]
            grown = prototypes(names[name], space.instances, self.features.documents, self.options.prototypes)
            return [space.documents @ targets.T for targets in (names[name], *grown)]

        found = dict(zip(self.spaces, Run(threads=self.threads).local.map(scored, self.spaces), strict=True))
        for name, rounds in found.items():
            for done, scores in enumerate(rounds):
                if watch is not None:
                    watch(f"{name}: {f'prototypes, round {done}' if done else 'names'}", scores)
        return agree(found, self.options.agreement)

    def _generator(self, name: str) -> np.random.Generator:
        return generator_of(name, self.seed)
