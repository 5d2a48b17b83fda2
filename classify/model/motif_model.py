"""From category names to a fitted model: names checked, everything prepared and embedded, then the preset's stages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category, as_categories
from classify.categories.known_labels import known_from_labels
from classify.documents.score_rows import best, by_rows
from classify.knowledge.options import BUILT_IN, KnowledgeOptions
from classify.learners.base import LEARNERS
from classify.model.fitted import FittedModel, names_of_classes
from classify.model.inputs import graph_of
from classify.recipe.known import Known
from classify.several.options import SeveralOptions
from classify.views.base import VIEWS
from hin.errors import BadUsage
from hin.human import plural
from hin.notebook.watching import shows_progress
from hin.progress import Progress, silent
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from classify.categories.finding import CategoryFinding
    from classify.knowledge.base import KnowledgeModel
    from classify.paper.pipeline import PaperOptions
    from classify.recipe.soft_labels import RecipeOptions
    from embed import EmbedOptions, JointEmbedding
    from hin.engines.base import Engine
    from hin.graph import Graph
    from motifs import MotifSet

__all__ = ["MotifModel"]

#: What a model keeps of the graph's schema, so that new documents are read as its own were.
_READING = ("id", "renames", "html", "separator")


class MotifModel(FittedModel):
    """What `MotifClassifier` does, without scikit-learn's habits: the command line starts a second sooner.

    The parameters are those of `classify.model.estimator.MotifClassifier`.

    Examples
    --------
    >>> MotifModel(["databases", "robotics"], patterns=["venue-year"]).preset
    'default'
    """

    def __init__(
        self,
        categories: Sequence[str | Category] | Mapping[str, Iterable[str]] | str | Path = (),
        patterns: Sequence[str] | None = None,
        preset: Literal["default", "paper"] = "default",
        *,
        classifier: str | None = None,
        min_count: int = MotifOptions.min_count,
        allow_missing: bool = False,
        knowledge: Any = BUILT_IN,
        knowledge_seconds: float = KnowledgeOptions.knowledge_seconds,
        several: bool | SeveralOptions = False,
        other: bool = False,
        random_state: int = 0,
        n_jobs: int | None = None,
        ignore_y: bool = False,
        embed: EmbedOptions | None = None,
        recipe: RecipeOptions | None = None,
        paper: PaperOptions | None = None,
    ) -> None:
        self.categories = categories
        self.patterns = patterns
        self.preset = preset
        self.classifier = classifier
        self.min_count = min_count
        self.allow_missing = allow_missing
        self.knowledge = knowledge
        self.knowledge_seconds = knowledge_seconds
        self.several = several
        self.other = other
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.ignore_y = ignore_y
        self.embed = embed
        self.recipe = recipe
        self.paper = paper

    @shows_progress
    def fit(
        self,
        documents: Any,
        y: Sequence[Any] | Known | None = None,
        *,
        motif_set: MotifSet | None = None,
        embedding: JointEmbedding | None = None,
        findings: Sequence[CategoryFinding] | None = None,
        progress: Progress | None = None,
        watch: Any = None,
        engine: Engine | None = None,
        scratch: str | Path | None = None,
        keep: Path | None = None,
    ) -> Self:
        """Learn from documents; the true labels of a graph are never read.

        Parameters
        ----------
        documents : Graph, texts, DataFrame (pandas, polars), Arrow table, list of mappings, or the name of a file
            A table is read as `hin.load` reads it.
        y : the categories of documents where they are known, in the documents' order; None or "" where not.
            They are held to them and teach the rest.
        motif_set, embedding, findings : what `prepare`, `embed.train` and the check of the names gave, to use them
            again.
        progress : told about the steps; by default a notebook and a prompt show them, a script does not.
        watch : told the name of every stage and its scores, for measuring.
        engine : where passes over the documents run; by default on this machine's threads (`hin.engines`).
        scratch : a folder for what does not fit into memory, seen by all workers; by default the system's.
        keep : a folder of these documents and instances, where what neither names nor labels change is kept for the
            next fit.
        """
        from classify.categories.finding import find_categories, require_found
        from classify.categories.meaning import find_by_meaning

        progress = progress or silent
        if self.preset not in ("default", "paper"):
            raise BadUsage(f"no preset {self.preset!r}", hint="choose default or paper")
        if self.classifier is not None:
            LEARNERS.get(self.classifier)  # a mistyped name shall not cost the hours before it is used
        for view in self.recipe.views if self.recipe is not None else ():
            if isinstance(view, str):
                VIEWS.get(view)
        several = self._several()
        self.categories_ = as_categories(self.categories, several is not None)
        self.classes_ = names_of_classes(self.categories_)
        if motif_set is None:
            graph, motif_set = self.prepare(graph_of(documents, progress), progress)
        else:
            graph = motif_set.graph
            if findings is None:
                findings = find_categories(graph, self.categories_)[0]
                findings = find_by_meaning(findings, graph, self._knowledge(), self.min_count)
            self.findings_ = require_found(findings, self.allow_missing)
        y = None if self.ignore_y else y
        if isinstance(y, Known) or y is None:
            known = y
        else:
            known = known_from_labels(y, self.classes_.tolist(), len(graph), several is not None)
        if known is not None and self.preset == "paper":
            raise BadUsage("the preset paper learns from names alone", hint="use the preset default")
        embedding = self._embedding(graph, motif_set, embedding, progress)
        self.embedding_, self.motif_set_, self.graph_ = embedding, motif_set, graph
        if self.preset == "paper":
            self._fit_paper(graph, motif_set, embedding, progress, watch)
        else:
            self._fit_default(graph, motif_set, embedding, progress, watch, known, engine, scratch, keep)
        self._hold(known)
        if self.other:
            self._set_aside()
        return self

    def _set_aside(self) -> None:
        """Take the category from documents that belong to none: nothing speaks for one more than for another."""
        from classify.suggestions.grounds import grounds_of
        from classify.suggestions.missing import MissingOptions, find_missing

        none = find_missing(grounds_of(self), MissingOptions(groups=0, seed=self.random_state)).none
        self.probabilities_[none] = 1.0 / len(self.classes_)
        if self.predictor_.sets is not None:
            self.sets_[none] = False
        told = f"{plural(int(none.sum()), 'document')} far from every category: none was given"
        self.notes_ += (f"{told}; `hin suggest --missing` groups them",)

    def _hold(self, known: Known | None) -> None:
        """Give the known documents the category that the user gave them."""
        self.known_ = {}
        if known is None:
            return
        self.probabilities_[known.rows] = 0.0
        self.probabilities_[known.rows, known.labels] = 1.0
        self.labels_[known.rows] = known.labels
        if self.predictor_.sets is not None:
            self.sets_[known.rows] = False
            self.sets_[known.rows, known.labels] = True
        ids = self.graph_.documents.take(known.rows)
        self.known_ = known.named(ids, self.classes_.tolist(), self.predictor_.sets is not None)
        self.notes_ += (f"{plural(len(self.known_), 'document')} labelled by you: held to it, and learned from",)

    @shows_progress
    def prepare(self, graph: Graph, progress: Progress | None = None) -> tuple[Graph, MotifSet]:
        """Everything before the embedding: names found (phrases become terms), motif instances matched."""
        from classify.model.preparation import prepare

        self.categories_ = as_categories(self.categories, self._several() is not None)
        self.classes_ = names_of_classes(self.categories_)
        grown, motif_set, self.findings_ = prepare(
            graph,
            self.categories_,
            self._patterns(graph),
            self.allow_missing,
            MotifOptions(min_count=self.min_count),
            progress or silent,
            knowledge=self._knowledge(),
        )
        return grown, motif_set

    def _several(self) -> SeveralOptions | None:
        options = self.several if isinstance(self.several, SeveralOptions) else SeveralOptions(bool(self.several))
        if options.asked and self.preset == "paper":
            raise BadUsage("the preset paper gives one category a document", hint="use the preset default")
        return options if options.several else None

    def _knowledge(self) -> KnowledgeModel | None:
        from classify.knowledge.opening import open_model

        return open_model(self.knowledge) if self.preset == "default" else None

    def _patterns(self, graph: Graph) -> list[str]:
        from motifs.default_patterns import default_patterns

        return list(self.patterns) if self.patterns is not None else default_patterns(graph, self.min_count)

    def _embedding(
        self, graph: Graph, motif_set: MotifSet, given: JointEmbedding | None, progress: Progress
    ) -> JointEmbedding:
        from dataclasses import replace

        from embed import EmbedOptions, train

        if given is not None:
            if len(given.vectors) != motif_set.n_instances:
                raise BadUsage("the embedding belongs to other motif instances", hint="leave it out to train a new one")
            return given
        options = self.embed or EmbedOptions(seed=self.random_state)
        return train(graph, motif_set, replace(options, threads=self._threads), progress)

    def _fit_default(
        self,
        graph: Graph,
        motif_set: MotifSet,
        embedding: JointEmbedding,
        progress: Progress,
        watch: Any,
        known: Known | None,
        engine: Engine | None,
        scratch: str | Path | None,
        keep: Path | None,
    ) -> None:
        from classify.categories.category_file import shares_of
        from classify.model.fitting import fit_default
        from classify.recipe.soft_labels import RecipeOptions

        options = self.recipe or RecipeOptions()
        fitted = fit_default(
            graph,
            motif_set,
            embedding,
            self.categories_,
            self.findings_,
            options,
            classifier=self.classifier or options.classifier,
            shares=shares_of(self.categories_),
            knowledge=self._knowledge(),
            knowledge_seconds=self.knowledge_seconds,
            seed=self.random_state,
            threads=self._threads,
            progress=progress,
            watch=watch,
            known=known,
            several=self._several(),
            engine=engine,
            scratch=scratch,
            keep=keep,
        )
        self._take(fitted)

    def _fit_paper(
        self, graph: Graph, motif_set: MotifSet, embedding: JointEmbedding, progress: Progress, watch: Any
    ) -> None:
        from dataclasses import replace

        from classify.model.fitting import fit_paper
        from classify.paper.pipeline import PaperOptions

        options = self.paper or PaperOptions()
        if self.classifier is not None:
            options = replace(options, classifier=self.classifier)
        fitted = fit_paper(
            graph,
            motif_set,
            embedding,
            self.findings_,
            options,
            seed=self.random_state,
            threads=self._threads,
            progress=progress,
            watch=watch,
        )
        self._take(fitted)

    def _take(self, fitted: Any) -> None:
        self.predictor_ = fitted.predictor
        self.facts_ = fitted.facts
        self.scores_: npt.NDArray[np.float64] = fitted.scores
        self.soft_labels_ = fitted.soft
        self.paper_run_ = fitted.paper
        self.notes_ = fitted.notes
        self.text_classifier_ = fitted.text_name
        self.used_: dict[str, Any] = fitted.used
        self.probabilities_: npt.NDArray[np.float64] = by_rows(self.predictor_.probabilities, self.scores_)
        self.labels_: npt.NDArray[np.int64] = best(self.scores_)
        if self.predictor_.sets is not None:
            self.sets_: npt.NDArray[np.bool_] = self.predictor_.sets.chosen(self.probabilities_)
        self.reading_ = {name: self.graph_.schema.get(name) for name in _READING}

    def fit_predict(self, documents: Any, y: Sequence[Any] | None = None) -> npt.NDArray[Any]:
        """Fit, and give the categories of the documents."""
        self.fit(documents, y)
        return self._named(self.probabilities_)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote."""
        from classify.model.files import read_model

        predictor, facts, head = read_model(Path(path))
        given = [Category.of_record(c) for c in head["categories"]]
        model = cls(given, preset=head["preset"], random_state=head["random_state"], min_count=head["min_count"])
        model.categories_, model.classes_ = tuple(given), names_of_classes(given)
        model.predictor_, model.facts_ = predictor, facts
        model.several = predictor.sets is not None
        model.text_classifier_, model.notes_ = head["classifier"], tuple(head["notes"])
        model._text_fields = tuple(head["text_fields"])
        model.reading_ = head.get("reading", {})
        model.known_ = head.get("known", {})
        return model
