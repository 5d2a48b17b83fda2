"""The estimator: category names in, labels with reasons out, with scikit-learn's API."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from classify.categories.category_file import Category, as_categories
from classify.categories.known import Known
from classify.categories.known_labels import known_from_labels
from classify.documents.own_vectors import vectors_of
from classify.knowledge.options import AUTO, KnowledgeOptions
from classify.learners.base import LEARNERS
from classify.model.fitted import FittedModel
from classify.model.inputs import graph_of
from classify.model.notebook import ShownInNotebooks
from classify.options import ClassifyOptions
from classify.paper.options import PaperOptions
from classify.pipeline import Pipeline
from classify.recipe.options import RecipeOptions
from classify.run import Run
from classify.several.options import SeveralOptions
from classify.workspace import Workspace
from embed.options import EmbedOptions
from hin.arrays.types import Array, Bools
from hin.errors import BadUsage
from hin.notebook.watching import shows_progress
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from classify.suggestions.documents import DocumentChoice
    from classify.suggestions.grounds import Grounds
    from classify.suggestions.missing import Missing
    from classify.suggestions.suggest import CategoryHelp


class NotFitted(BadUsage, NotFittedError):  # type: ignore[misc]
    """A model was used before it was fitted; also one of scikit-learn's errors."""


@dataclass(eq=False, repr=False)  # makes the `__init__` whose signature scikit-learn reads
class MotifClassifier(ShownInNotebooks, ClassifierMixin, BaseEstimator, FittedModel):  # type: ignore[misc]
    """Sorts documents into categories from the categories' names alone (the paper's task, section 2).

    Parameters
    ----------
    categories : list of str, or of `Category`, or a mapping to keywords, or the path of a labels file
    patterns : list of str, optional
        Motif patterns besides the terms; by default every metadata field and every pair of fields.
    preset : {"default", "paper"}
        The most accurate method we know, or the method as published.
    classifier : str
        The learner that is trained on the soft labels, by its name in `classify.learners`; by default the preset's.
    min_count : int, optional
        An instance must be in at least this many documents; by default 5, or 2 where the texts have fewer than 30,000
        words in all (5 with the preset `paper`).
    allow_missing : None
        Deprecated, and does nothing: every list of names runs.
    strict_names : bool
        Raise if nothing is known about a name, instead of leaving its category empty.
    knowledge : str, path, model or None
        What words mean outside the corpus: "auto" (an encoder that is on this machine, else the built-in vectors),
        "wordllama" (built in), a model's folder or hub name, a function from texts and names to scores, or None.
    knowledge_seconds : float
        Time budget of an encoder, in seconds of two ordinary cores; vectors of the other documents are predicted.
    several : bool or SeveralOptions
        Whether a document may have several categories, each with a probability by itself; the options say how many.
    other : bool
        Whether documents that are far from every name get no category.
    random_state : int
        The same seed gives the same labels to the last bit, at any number of threads.
    n_jobs : int, optional
        Threads; all cores by default.
    ignore_y : bool
        Learn nothing from `y`, so that scikit-learn's searches and scores measure what the names alone give.
    embed, recipe, paper : options of the stages, optional

    Attributes
    ----------
    categories_ : tuple of Category
    classes_ : array of str, in the order of the categories
    documents_ : the graph that the model was fitted on
    findings_ : what each name was found as
    notes_ : what the user should know about the run
    labels_, probabilities_ : of the documents of the fit
    sets_ : bool[documents, categories], with several: which categories the documents of the fit got
    reliability_ : how many labels are expected to be right, and which categories are weak
    known_ : the documents whose category was given to `fit`
    used_ : the weight of each view, and the documents that each pretrained model read
    soft_labels_ : the soft labels that the classifier was trained on; None with the preset paper
    selection_, pseudo_documents_ : with the preset paper, what its classifier was trained on

    Examples
    --------
    >>> model = MotifClassifier(["databases", "robotics"], patterns=["venue-year"])
    >>> model.get_params()["preset"]
    'default'
    """

    not_fitted = NotFitted

    categories: Sequence[str | Category] | Mapping[str, Iterable[str]] | str | Path = ()
    patterns: Sequence[str] | None = None
    preset: Literal["default", "paper"] = "default"
    _: KW_ONLY
    classifier: str | None = None
    min_count: int | None = None
    allow_missing: bool | None = None
    strict_names: bool = False
    knowledge: Any = AUTO
    knowledge_seconds: float = KnowledgeOptions.knowledge_seconds
    several: bool | SeveralOptions = False
    other: bool = False
    random_state: int = 0
    n_jobs: int | None = None
    ignore_y: bool = False
    embed: EmbedOptions | None = None
    recipe: RecipeOptions | None = None
    paper: PaperOptions | None = None

    def options(self) -> ClassifyOptions:
        """Return the parameters as the pipeline takes them."""
        several = self.several if isinstance(self.several, SeveralOptions) else SeveralOptions(bool(self.several))
        patterns = None if self.patterns is None else list(self.patterns) or ["term"]  # none: the terms alone
        return ClassifyOptions(
            patterns or [],
            self.preset,
            classifier=self.classifier,
            strict_names=self.strict_names,
            other=self.other,
            min_count=self.min_count,
            embed=replace(self.embed or EmbedOptions(seed=self.random_state), threads=self._threads),
            knowledge=KnowledgeOptions(self.knowledge, self.knowledge_seconds),
            several=several,
            paper=self.paper or PaperOptions(),
            recipe=self.recipe or RecipeOptions(),
            seed=self.random_state,
        )

    @shows_progress
    def fit(
        self,
        documents: Any,
        y: Sequence[Any] | Known | None = None,
        *,
        vectors: Any = None,
        progress: Progress | None = None,
        run: Run | None = None,
        workspace: Workspace | None = None,
        engine: Any = None,
    ) -> Self:
        """Learn from documents; the true labels of a graph are never read.

        Parameters
        ----------
        documents : Graph, texts, DataFrame (pandas, polars), Arrow table, list of mappings, or the name of a file
            A table is read as `hin.load` reads it.
        y : the categories of documents where they are known, in the documents' order; None or "" where not.
            They keep these categories, and the model learns from them.
        vectors : one vector for each document, from any encoder: an array in the documents' order, or by id a mapping,
            a DataFrame, or a .npy or .parquet file. They are a view beside the others.
        progress : called with what is done; by default a notebook and a prompt show it, a script does not.
        run : engine, threads and measuring callback; by default this machine's threads.
        workspace : a cache of results: fits that share an open one compute only what has changed between them.
        engine : deprecated, use `run=Run(engine=...)`.
        """
        if engine is not None:
            warnings.warn("fit(engine=...) becomes fit(run=Run(engine=...))", DeprecationWarning, stacklevel=3)
        if self.allow_missing is not None:
            warnings.warn("allow_missing does nothing: every list of names runs", DeprecationWarning, stacklevel=3)
        options = self.options()
        LEARNERS.get(options.learner)  # a mistyped name is refused before hours of work
        categories = as_categories(self.categories, options.sets is not None)
        graph = graph_of(documents, progress or silent)
        known = None if self.ignore_y or y is None else y
        if known is not None and not isinstance(known, Known):
            names = [category.name for category in categories]
            known = known_from_labels(known, names, len(graph), options.sets is not None)
        own = vectors_of(vectors, graph.documents.tolist()) if vectors is not None else None
        given = run or Run(engine=engine)
        run = replace(given, threads=self._threads, progress=progress or given.progress)
        with Workspace() if workspace is None else nullcontext(workspace) as place:
            self._take(Pipeline(graph, categories, options, known=known, vectors=own, workspace=place, run=run))
        return self

    def _take(self, pipeline: Pipeline) -> None:
        super()._take(pipeline)
        made, paper = pipeline.classification, self.preset == "paper"
        self.documents_ = pipeline.graph
        self.motif_set_, self.embedding_, self.findings_ = pipeline.motifs, pipeline.embedding, pipeline.findings
        self.scores_, self.probabilities_, self.labels_ = made.scores, made.probabilities, made.labels
        self.reliability_ = made.reliability
        self.soft_labels_, self.used_ = pipeline.training_set.soft, pipeline.training_set.used
        self.selection_ = pipeline.selection if paper else None
        self.pseudo_documents_ = pipeline.pseudo_documents if paper else None
        if made.sets is not None:
            self.sets_: Bools = made.sets

    def fit_predict(self, documents: Any, y: Sequence[Any] | None = None) -> Array:
        """Fit, and return the categories of the documents."""
        self.fit(documents, y)
        return self._label_names(self.probabilities_)

    def explore(self, **options: Any) -> Any:
        """Open the workbench (a `Workbench`) on the documents of the fit; its first run reproduces the model's labels.

        `options` are those of `hin.explore`: `port`, `browser`. The model does not change: everything done
        on the page is stored in a temporary folder, from which the page can export it.
        """
        from hin import explore  # through the public API, as the workbench imports this module

        self._check_fitted()
        bench = explore(self.documents_, self.categories_, options=self.options(), **options)
        known = {document: one if isinstance(one, str) else one[0] for document, one in self.known_.items()}
        if known:
            bench.session.answer(known, "the known labels of the model")
        bench.session.start_run()
        return bench

    def suggest(self, **options: Any) -> list[CategoryHelp]:
        """Return the problems of each category's name, and words that would help it.

        `options` are those of `SuggestOptions`: `words`, `least`.
        """
        from classify.suggestions.options import SuggestOptions
        from classify.suggestions.suggest import help_for

        return help_for(self._grounds(), SuggestOptions(**options))

    def suggest_documents(self, number: int = 20) -> list[DocumentChoice]:
        """Return the documents most worth labelling, the best first; known ones are not offered again."""
        from classify.suggestions.documents import DocumentOptions, documents_to_label

        return documents_to_label(self._grounds(), number, DocumentOptions(seed=self.random_state))

    def suggest_missing(self, **options: Any) -> Missing:
        """Return the documents that belong to none of the categories, in groups with words for each.

        `options` are those of `MissingOptions`: `share`, `groups`, `words`.
        """
        from classify.suggestions.missing import MissingOptions, find_missing

        return find_missing(self._grounds(), MissingOptions(**options))

    def _grounds(self) -> Grounds:
        """Return the grounds of suggestions: the documents of the fit with their probabilities."""
        from classify.suggestions.grounds import Grounds, counts_in
        from hin.arrays.score_rows import best_two

        self._check_fitted()
        if not hasattr(self, "findings_"):
            raise BadUsage("a saved model has no documents", hint="call fit first")
        return Grounds(
            self.graph_,
            self.categories_,
            self.probabilities_,
            counts_in(self.graph_, self.predictor_),
            self.facts_,
            [finding.as_dict() for finding in self.findings_],
            self.known_,
            None if self.soft_labels_ is None else best_two(self.soft_labels_.start),
        )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote."""
        model = super().load(path)
        model.categories, model.several = list(model.categories_), model.predictor_.sets is not None
        model.min_count = model.min_count_
        return model

    def __sklearn_tags__(self) -> Any:
        """Declare the inputs to scikit-learn: texts or records, labels only where they are known."""
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = tags.input_tags.string = tags.input_tags.dict = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        tags.no_validation = True
        return tags
