"""A fitted model: it gives labels and reasons, and is saved to and loaded from a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category
from classify.documents.own_vectors import DocumentVectors, GivenVectors, given_vectors
from classify.documents.unknown import Unknown
from classify.model.confidence import gets_category
from classify.model.inputs import number_of, one_document, read_new
from classify.model.notebook import Explanation
from hin.arrays.types import Array, Doubles, Floats
from hin.engines.local import core_count
from hin.errors import BadUsage, UnknownName
from hin.files.atomic import atomic_folder
from hin.notebook.watching import watched
from hin.reading.records import RecordBatch
from hin.stores.base import open_store

if TYPE_CHECKING:
    from classify.documents.encoder import Encoded
    from classify.model.decision import Decision
    from classify.model.explain import InstanceFacts
    from classify.model.flips import Flip
    from classify.model.predictor import Predictor
    from classify.pipeline import Pipeline
    from hin.graph import Graph

#: The parts of the graph's schema that a model stores, so that new documents are read as its own were.
_READING = ("id", "renames", "html", "separator")


class _Scored(NamedTuple):
    ids: list[str]
    scores: Doubles
    probabilities: Doubles


class FittedModel:
    """A fitted model, which gives labels with reasons for documents of any kind.

    It does not import scikit-learn, so that the command line starts a second sooner; `MotifClassifier` adds that API.

    Attributes
    ----------
    not_fitted : the error raised when a model is used before it is fitted.
    """

    not_fitted: type[BadUsage] = BadUsage
    #: Set in a model that was read from its files; a fitted one takes it from its graph.
    _text_fields: tuple[str, ...] | None = None

    preset: Literal["default", "paper"]
    random_state: int
    min_count_: int
    n_jobs: int | None = None
    categories_: tuple[Category, ...]
    classes_: npt.NDArray[np.object_]
    predictor_: Predictor
    facts_: InstanceFacts
    text_classifier_: str
    notes_: tuple[str, ...]
    known_: dict[str, Any]  # a name, or with several a list of them
    reading_: dict[str, Any]
    graph_: Graph
    #: The user's own vectors of the documents of the fit.
    vectors_: DocumentVectors | None = None

    @property
    def _threads(self) -> int:
        return self.n_jobs or core_count()

    @classmethod
    def of(cls, pipeline: Pipeline) -> Self:
        """Return the model that a pipeline has fitted."""
        model = cls()
        model._take(pipeline)
        return model

    def _take(self, pipeline: Pipeline) -> None:
        """Take over the results of a pipeline that labels and reasons need."""
        made, options = pipeline.classification, pipeline.options
        self.preset, self.random_state, self.min_count_ = options.preset, options.first_seed, options.motifs.min_count
        self.categories_, self.classes_ = pipeline.categories, names_of_classes(pipeline.categories)
        self.predictor_, self.facts_, self.graph_ = pipeline.predictor, pipeline.facts, pipeline.motifs.graph
        self.text_classifier_, self.notes_, self.known_ = options.learner, made.notes, made.known
        self.reading_ = {name: self.graph_.schema.get(name) for name in _READING}
        self.vectors_ = pipeline.vectors

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote."""
        from classify.model.files import read_model

        model = cls()
        model.predictor_, model.facts_, head = read_model(Path(path))
        model.preset, model.random_state, model.min_count_ = (
            head[name] for name in ("preset", "random_state", "min_count")
        )
        model.categories_ = tuple(Category.of_record(c) for c in head["categories"])
        model.classes_ = names_of_classes(model.categories_)
        model.text_classifier_, model.notes_ = head["classifier"], tuple(head["notes"])
        model._text_fields = tuple(head["text_fields"])
        model.reading_, model.known_ = head.get("reading") or {}, head.get("known") or {}
        return model

    def decision(self, abstain_below: float | None = None) -> Decision:
        """Return the rule by which probabilities become categories."""
        from classify.categories.tree import CategoryTree
        from classify.model.decision import Decision

        self._check_fitted()
        return Decision(abstain_below, self.predictor_.sets, CategoryTree.of(self.categories_))

    def decision_function(self, documents: Any, vectors: Any = None) -> Doubles:
        """Return scores of the categories for documents of any kind that `fit` takes, or a batch of records."""
        return self._score(documents, vectors).scores

    def given_vectors(self, vectors: Any) -> GivenVectors | None:
        """Read the user's own vectors of new documents; they must be as long as those of the fit."""
        if vectors is None:
            return None
        own = self.predictor_.own
        if own is None:
            raise BadUsage("the model was fitted without vectors", hint="fit it with vectors, or leave them out here")
        found = given_vectors(vectors)
        found.check_width(own.width)
        return found

    def _score(self, documents: Any, vectors: Any = None) -> _Scored:
        self._check_fitted()
        own = self.given_vectors(vectors)
        names: list[str] = []
        nothing = np.zeros((0, len(self.classes_)))
        scores, probabilities = [nothing], [nothing]
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
                    if own is not None:
                        part = replace(part, vectors=own.of(names[done : done + len(part)], done))
                    scores.append(self.predictor_.scores(part, self._threads))
                    probabilities.append(self.predictor_.probabilities(scores[-1], part.counts))
                    done += len(scores[-1])
                    progress("labelling", done, total)
        if own is not None and not isinstance(documents, RecordBatch):
            own.check_number(len(names))
        return _Scored(names, np.concatenate(scores), np.concatenate(probabilities))

    def predict_proba(self, documents: Any, vectors: Any = None) -> Doubles:
        """Return calibrated probabilities, a row for each document, columns as in `classes_`.

        Parameters
        ----------
        vectors : of these documents, as for `fit`; without them a model labels by words and metadata alone.
        """
        return self._score(documents, vectors).probabilities

    def predict(self, documents: Any, vectors: Any = None) -> Array:
        """Return the category of each document; "" where none of its words and values is known.

        With several categories per document: 1 or 0 for each category, columns as in `classes_`.
        """
        return self._label_names(self.predict_proba(documents, vectors))

    def predict_table(self, documents: Any, abstain_below: float | None = None, vectors: Any = None) -> Any:
        """Return a table with each document's id, category (None where there is no evidence) and confidence.

        It is a DataFrame of the same package where `documents` is one, else an Arrow table. With several there is a
        list of `categories`, too.

        Parameters
        ----------
        abstain_below : no category below this confidence.
        """
        from classify.model.prediction_files import prediction_table

        names, _, probabilities = self._score(documents, vectors)
        return prediction_table(
            documents,
            names,
            self.classes_.tolist(),
            probabilities,
            self.decision(abstain_below),
        )

    def _label_names(self, probabilities: Doubles) -> Array:
        if self.predictor_.sets is not None:
            return np.asarray(self.predictor_.sets.chosen(probabilities).astype(np.int64))
        named = self.classes_[probabilities.argmax(axis=1)].astype(np.str_)
        return np.asarray(np.where(gets_category(probabilities), named, ""))

    def explain(
        self,
        document: str | Mapping[str, Any] | RecordBatch,
        graph: Graph | str | Path | None = None,
        category: str | None = None,
    ) -> Explanation:
        """Explain why a document has its label (or why not another): reasons whose weights add up to the score.

        Parameters
        ----------
        document : the id of a document of the graph, or a mapping with text and metadata: then `unknown` says which of
            its words and values the model does not know.
        graph : where the id is looked up: a graph, or the place of one; by default the graph of the fit.
        category : another category to explain.
        """
        from classify.model.explain import explain_document

        wanted = self._category_code(category)
        name, batch, encoded = self._encode_one(document, graph)
        known = self.known_.get(name) if isinstance(document, str) else None
        if known is not None and wanted is None:  # it keeps the user's category, whatever the model would predict
            wanted = self._code(known if isinstance(known, str) else known[0])
        explanation = explain_document(self.predictor_, encoded, self.facts_, self.classes_.tolist(), name, wanted)
        path = (
            self.decision().path(self.classes_.tolist(), self._code(explanation["category"]))
            if explanation["category"]
            else []
        )
        if len(path) > 1:
            explanation["path"] = path
        if not isinstance(document, str):
            explanation["unknown"] = Unknown.in_batch(self.predictor_.encoder, batch).as_dict()
        return Explanation(explanation if known is None else {**explanation, "known": known})

    def flip(
        self,
        document: str | Mapping[str, Any] | RecordBatch,
        graph: Graph | str | Path | None = None,
        category: str | None = None,
    ) -> Flip | None:
        """Find the smallest set of reasons without which the model would give a document another label.

        None if that takes more than 30 reasons. Documents and graphs as for `explain`.

        Parameters
        ----------
        category : the label it should get; by default any other category.
        """
        from classify.model.flips import flip_label

        wanted = self._category_code(category)
        name, _, encoded = self._encode_one(document, graph)
        return flip_label(self.predictor_, encoded, self.facts_.names, self.classes_.tolist(), name, wanted)

    def _category_code(self, category: str | None) -> int | None:
        """Return the code of a category that was named."""
        self._check_fitted()
        if category is not None and category not in self.classes_:
            raise UnknownName(f"no category {category!r}", hint=f"there are {', '.join(self.classes_)}")
        return None if category is None else self._code(category)

    def _encode_one(
        self, document: str | Mapping[str, Any] | RecordBatch, graph: Graph | str | Path | None
    ) -> tuple[str, RecordBatch, Encoded]:
        """Return a document's name, its record, and the record as the learner reads it."""
        if isinstance(graph, str | Path):
            graph = open_store(graph).read_graph()
        graph = graph if graph is not None else getattr(self, "graph_", None)
        name, batch = one_document(document, graph, self.predictor_, self.text_fields_, self.reading_)
        encoded = self.predictor_.encoder.encode_batch(batch, self.predictor_.length)
        if self.vectors_ is not None and self.predictor_.own is not None and isinstance(document, str):
            encoded = replace(encoded, vectors=self._vector(document, graph))
        return name, batch, encoded

    def _vector(self, document: str, graph: Graph | None) -> Floats | None:
        """Return the vector of a document of the fit; None for one of another graph."""
        if graph is None or self.vectors_ is None or len(graph) != len(self.vectors_.rows):
            return None
        return self.vectors_.rows[[graph.documents.index(document)]]

    def _code(self, category: str) -> int:
        return int(np.flatnonzero(self.classes_ == category)[0])

    @property
    def text_fields_(self) -> tuple[str, ...]:
        """The text fields of the graph the model was fitted on."""
        return self._text_fields if self._text_fields is not None else tuple(self.graph_.texts.fields)

    def _check_fitted(self) -> None:
        if not hasattr(self, "predictor_"):
            raise self.not_fitted("the model has not been fitted", hint="call fit, or load a saved one")

    def export(self, path: str | Path) -> None:
        """Write a linear model as one JSON file with terms, instances, coefficients and calibration.

        `examples/read_model.py` and `examples/read_model.js` read it without dependencies.
        """
        from classify.model.json_model import write_json

        self._check_fitted()
        write_json(self, Path(path))

    def save(self, path: str | Path) -> None:
        """Write the model into a folder; it needs no graph to predict."""
        from classify.model.files import write_model

        self._check_fitted()
        head = {
            "categories": [asdict(category) for category in self.categories_],
            "preset": self.preset,
            "classifier": self.text_classifier_,
            "random_state": self.random_state,
            "min_count": self.min_count_,
            "text_fields": list(self.text_fields_),
            "reading": self.reading_,
            "notes": list(self.notes_),
            "known": self.known_,
        }
        with atomic_folder(path, "model") as folder:
            write_model(folder, self.predictor_, self.facts_, head)


def names_of_classes(categories: Iterable[Category]) -> npt.NDArray[np.object_]:
    """Return the names as scikit-learn stores classes: an array of plain strings."""
    return np.array([category.name for category in categories], dtype=np.object_)
