"""The estimator: category names in, labels with reasons out, with scikit-learn's habits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from classify.categories.category_file import Category, as_categories
from classify.categories.known_labels import known_from_labels
from classify.documents.unknown import Unknown
from classify.knowledge.options import BUILT_IN, KnowledgeOptions
from classify.learners.base import LEARNERS
from classify.model.confidence import decided
from classify.model.inputs import graph_of, number_of, one_document, read_new
from classify.model.notebook import Explanation, ShownInNotebooks
from classify.recipe.known import Known
from classify.several.options import SeveralOptions
from classify.views.base import VIEWS
from hin.atomic import whole_folder
from hin.errors import BadUsage, UnknownName
from hin.human import plural
from hin.notebook.watching import shows_progress, watched
from hin.progress import Progress, silent
from hin.reading.records import RecordBatch
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from classify.categories.finding import CategoryFinding
    from classify.documents.encoder import Encoded
    from classify.knowledge.base import KnowledgeModel
    from classify.model.decision import Decision
    from classify.model.explain import InstanceFacts
    from classify.model.predictor import Predictor
    from classify.paper.pipeline import PaperOptions
    from classify.recipe.soft_labels import RecipeOptions
    from embed import EmbedOptions, JointEmbedding
    from hin.engines.base import Engine
    from hin.graph import Graph
    from motifs import MotifSet

__all__ = ["MotifClassifier", "NotFitted"]

#: What a model keeps of the graph's schema, so that new documents are read as its own were.
_READING = ("id", "renames", "html", "separator")


class NotFitted(BadUsage, NotFittedError):  # type: ignore[misc]
    """A model was asked before it was fitted; also one of scikit-learn's errors."""


class MotifClassifier(ShownInNotebooks, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Sorts documents into categories from the categories' names alone (the paper's task, section 2).

    Parameters
    ----------
    categories : list of str, or of `Category`, or a mapping to keywords, or the path of a labels file
    patterns : list of str, optional
        Motif patterns besides the terms; by default every metadata field and every pair of fields.
    preset : {"default", "paper"}
        The best we know that uses names only, or the paper as written.
    classifier : str
        What is trained in the end, by its name among `classify.learners`; by default as the preset's options say.
    min_count : int
        An instance must be in at least so many documents.
    allow_missing : bool
        Compose a name that occurs nowhere of its words.
    knowledge : str, path, model or None
        What words mean outside the corpus: "wordllama" (built in), a model's folder or hub name, or None.
    knowledge_seconds : float
        How long an encoder may read, as two ordinary cores go; documents it does not reach follow from the rest.
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
    findings_ : what each name was found as
    notes_ : what the user should know about the run
    labels_, probabilities_ : of the documents of the fit
    sets_ : bool[documents, categories], with several: which categories the documents of the fit got
    known_ : the documents whose category was given to `fit`
    used_ : how much each view counted, and what was read with which model

    Examples
    --------
    >>> model = MotifClassifier(["databases", "robotics"], patterns=["venue-year"])
    >>> model.get_params()["preset"]
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

    #: Set in a model that was read from its files; a fitted one asks its graph.
    _text_fields: tuple[str, ...] | None = None

    @property
    def _threads(self) -> int:
        import os

        return self.n_jobs or os.cpu_count() or 1

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
    ) -> MotifClassifier:
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
        self.classes_ = _names(self.categories_)
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
        self.known_: dict[str, Any] = {}  # a name, or with several a list of them
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
        self.classes_ = _names(self.categories_)
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
        self.predictor_: Predictor = fitted.predictor
        self.facts_: InstanceFacts = fitted.facts
        self.scores_: npt.NDArray[np.float64] = fitted.scores
        self.soft_labels_ = fitted.soft
        self.paper_run_ = fitted.paper
        self.notes_: tuple[str, ...] = fitted.notes
        self.text_classifier_: str = fitted.text_name
        self.used_: dict[str, Any] = fitted.used
        self.probabilities_ = self.predictor_.probabilities(self.scores_)
        self.labels_: npt.NDArray[np.int64] = self.scores_.argmax(axis=1)
        if self.predictor_.sets is not None:
            self.sets_: npt.NDArray[np.bool_] = self.predictor_.sets.chosen(self.probabilities_)
        self.reading_: dict[str, Any] = {name: self.graph_.schema.get(name) for name in _READING}

    def decision(self, abstain_below: float | None = None) -> Decision:
        """Return how probabilities become categories."""
        from classify.categories.tree import CategoryTree
        from classify.model.decision import Decision

        self._check_fitted()
        return Decision(abstain_below, self.predictor_.sets, CategoryTree.of(self.categories_))

    def decision_function(self, documents: Any) -> npt.NDArray[np.float64]:
        """Return scores of the categories for documents of any kind that `fit` takes, or a batch of records."""
        return self._scored(documents)[1]

    def _scored(self, documents: Any) -> tuple[list[str], npt.NDArray[np.float64]]:
        """Return the documents' ids and scores."""
        self._check_fitted()
        names: list[str] = []
        scores = [np.zeros((0, len(self.classes_)))]
        encoder, length = self.predictor_.encoder, self.predictor_.length
        total, done = number_of(documents), 0
        with watched() as progress:
            for given in read_new(documents, self.reading_, self.text_fields_, encoder.fields):
                if isinstance(given, RecordBatch):
                    names += given.ids
                    parts: Iterable[Encoded] = [encoder.encode_batch(given, length)]
                else:
                    names += given.documents.tolist()
                    parts = encoder.encode_graph(given, length)
                for part in parts:
                    scores.append(self.predictor_.scores(part, self._threads))
                    done += len(scores[-1])
                    progress("labelling", done, total)
        return names, np.concatenate(scores)

    def predict_proba(self, documents: Any) -> npt.NDArray[np.float64]:
        """Return calibrated probabilities, a row for each document, columns as in `classes_`."""
        scores = self.decision_function(documents)
        return self.predictor_.probabilities(scores)

    def predict(self, documents: Any) -> npt.NDArray[Any]:
        """Return the category of each document; "" where no word and no value of it is known.

        With several, 1 or 0 for each category, columns as in `classes_`.
        """
        return self._named(self.predict_proba(documents))

    def predict_table(self, documents: Any, abstain_below: float | None = None) -> Any:
        """Return a table with each document's id, category (None where there is nothing to go on) and confidence.

        It is a DataFrame where `documents` is one, of the same package, else an Arrow table. With several there is a
        list of `categories`, too.

        Parameters
        ----------
        abstain_below : no category below this confidence.
        """
        from classify.model.prediction_table import prediction_table

        names, scores = self._scored(documents)
        return prediction_table(
            documents,
            names,
            self.classes_.tolist(),
            self.predictor_.probabilities(scores),
            self.decision(abstain_below),
        )

    def fit_predict(self, documents: Any, y: Sequence[Any] | None = None) -> npt.NDArray[Any]:
        """Fit, and give the categories of the documents."""
        self.fit(documents, y)
        return self._named(self.probabilities_)

    def _named(self, probabilities: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
        if self.predictor_.sets is not None:
            return np.asarray(self.predictor_.sets.chosen(probabilities).astype(np.int64))
        named = self.classes_[probabilities.argmax(axis=1)].astype(np.str_)
        return np.asarray(np.where(decided(probabilities), named, ""))

    def explain(
        self, document: str | Mapping[str, Any] | RecordBatch, graph: Graph | None = None, category: str | None = None
    ) -> Explanation:
        """Why a document has its label (or why it has not another): reasons whose weights add up to the score.

        Parameters
        ----------
        document : the id of a document of the graph, or a mapping with text and metadata: then `unknown` says which of
            its words and values the model does not know.
        graph : where the id is looked up; by default the graph of the fit.
        category : another category to explain.
        """
        from classify.model.explain import explain_document

        self._check_fitted()
        wanted = None
        if category is not None:
            if category not in self.classes_:
                raise UnknownName(f"no category {category!r}", hint=f"there are {', '.join(self.classes_)}")
            wanted = self._code(category)
        graph = graph if graph is not None else getattr(self, "graph_", None)
        name, batch = one_document(document, graph, self.predictor_, self.text_fields_, self.reading_)
        encoded = self.predictor_.encoder.encode_batch(batch, self.predictor_.length)
        known = self.known_.get(name) if isinstance(document, str) else None
        if known is not None and wanted is None:  # it keeps the user's category, whatever the model would have said
            wanted = self._code(known if isinstance(known, str) else known[0])
        told = explain_document(self.predictor_, encoded, self.facts_, self.classes_.tolist(), name, wanted)
        path = self.decision().path(self.classes_.tolist(), self._code(told["category"])) if told["category"] else []
        if len(path) > 1:
            told["path"] = path
        if not isinstance(document, str):
            told["unknown"] = Unknown.in_batch(self.predictor_.encoder, batch).as_dict()
        return Explanation(told if known is None else {**told, "known": known})

    def _code(self, category: str) -> int:
        return int(np.flatnonzero(self.classes_ == category)[0])

    @property
    def text_fields_(self) -> tuple[str, ...]:
        """The text fields of the graph the model was fitted on."""
        return self._text_fields if self._text_fields is not None else tuple(self.graph_.texts.fields)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what goes in: texts or records, labels only where they are known."""
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = tags.input_tags.string = tags.input_tags.dict = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        tags.no_validation = True
        return tags

    def _check_fitted(self) -> None:
        if not hasattr(self, "predictor_"):
            raise NotFitted("the model has not been fitted", hint="call fit, or load a saved one")

    def save(self, path: str | Path) -> None:
        """Write the model into a folder; it needs no graph to predict."""
        from classify.model.files import write_model

        self._check_fitted()
        head = {
            "categories": [asdict(category) for category in self.categories_],
            "preset": self.preset,
            "classifier": self.text_classifier_,
            "random_state": self.random_state,
            "min_count": self.min_count,
            "text_fields": list(self.text_fields_),
            "reading": self.reading_,
            "notes": list(self.notes_),
            "known": self.known_,
        }
        with whole_folder(path, "model") as folder:
            write_model(folder, self.predictor_, self.facts_, head)

    @classmethod
    def load(cls, path: str | Path) -> MotifClassifier:
        """Read what `save` wrote."""
        from classify.model.files import read_model

        predictor, facts, head = read_model(Path(path))
        given = [Category.of_record(c) for c in head["categories"]]
        model = cls(given, preset=head["preset"], random_state=head["random_state"], min_count=head["min_count"])
        model.categories_, model.classes_ = tuple(given), _names(given)
        model.predictor_, model.facts_ = predictor, facts
        model.several = predictor.sets is not None
        model.text_classifier_, model.notes_ = head["classifier"], tuple(head["notes"])
        model._text_fields = tuple(head["text_fields"])
        model.reading_ = head.get("reading", {})
        model.known_ = head.get("known", {})
        return model


def _names(categories: Iterable[Category]) -> npt.NDArray[np.object_]:
    """Return the names as scikit-learn keeps classes: an array, of plain strings."""
    return np.array([category.name for category in categories], dtype=np.object_)
