"""Rounds of questions (active learning): choose documents, ask, store the answers, refit, count changed labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.answers.collecting import collect_known
from classify.answers.questions import questions_about
from classify.answers.task import LabelTask, Question
from classify.answers.teachers.base import Teacher
from classify.suggestions.documents import DocumentOptions, documents_to_label
from hin.errors import BadUsage, MissingStage
from hin.stores.answers import Answer, AnswerLog, Purpose

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.classification import Classification
    from classify.documents.own_vectors import DocumentVectors
    from classify.options import ClassifyOptions
    from classify.pipeline import Pipeline
    from classify.suggestions.grounds import Grounds
    from hin.stores.base import Store

#: Another round is not advised where this many more answers would move fewer than this share of the documents.
_MORE, _HARDLY = 50, 0.005


@dataclass(frozen=True)
class Round:
    """The result of one round of questions.

    Attributes
    ----------
    asked, answered : numbers of documents.
    moved : how many labels changed in the round, of documents that were not asked about.
    next_moves : how many 50 more answers would probably change; None before the second round.
    enough : whether another round will hardly change anything.
    """

    asked: int
    answered: int
    moved: int
    next_moves: float | None = None
    enough: bool = False

    @property
    def rate(self) -> float:
        """The labels that changed per answer."""
        return self.moved / max(1, self.answered)


class Asking:
    """Asks a teacher about the documents of one graph, in rounds.

    Parameters
    ----------
    fit : makes a pipeline from answers; an open workspace makes it quick.
    """

    def __init__(self, fit: Callable[[Any], Pipeline], task: LabelTask, log: AnswerLog, seed: int = 0) -> None:
        self.fit, self.task, self.log, self.seed = fit, task, log, seed
        self.rounds: list[Round] = []
        self.notes: list[str] = []
        self._asked: set[str] = set()
        self._pipeline: Pipeline | None = None
        self._taken: str | None = None

    @property
    def pipeline(self) -> Pipeline:
        """The fit with all answers so far."""
        store = self.log.store
        graph = store.read_graph()
        known, self.notes = collect_known(store, graph, self.task.names, self.task.several)
        identity = known.identity if known is not None else ""
        if self._pipeline is None or identity != self._taken:
            self._pipeline, self._taken = self.fit(known), identity
        return self._pipeline

    @property
    def classification(self) -> Classification:
        """The labels with all answers so far."""
        return self.pipeline.classification

    @property
    def grounds(self) -> Grounds:
        """The grounds for choosing documents; those that were answered, or asked about in vain, count as known."""
        answered = {answer.document for answer in self.log.current(self.log.store.read_graph())}
        known = dict.fromkeys(answered | self._asked, "")
        return replace(self.pipeline.grounds_of(self.classification), known=known)

    def choose(self, number: int) -> list[Question]:
        """Return the documents most worth asking about, except those that were asked about before."""
        graph, grounds = self.log.store.read_graph(), self.grounds
        chosen = documents_to_label(grounds, number, DocumentOptions(seed=self.seed))
        rows = [graph.documents.index(one.document) for one in chosen]
        return questions_about(graph, rows, self.task.names, grounds.probabilities)

    def take(self, teacher: Teacher, questions: Sequence[Question], purpose: Purpose = "teach") -> Iterator[Answer]:
        """Ask, and yield each answer once it is on disk."""
        graph = self.log.store.read_graph()
        taken: dict[str, int] = {}
        for reply in teacher.ask(questions, self.task):
            if reply.undo:
                if reply.document in taken:
                    self.log.undo(taken.pop(reply.document))
                continue
            answer = Answer(reply.document, reply.categories, teacher.source, reply.confidence, purpose, reply.verdict)
            (stored,) = self.log.append([answer], graph)
            taken[reply.document] = stored.number
            yield stored

    def round(self, teacher: Teacher, questions: Sequence[Question], on_answer: Callable[[int], None]) -> Round:
        """Ask about some documents, refit, and count the labels of other documents that changed."""
        before = _labels_of(self.classification).copy()
        graph = self.log.store.read_graph()
        documents: set[str] = set()
        self._asked.update(question.document for question in questions)
        try:
            for answer in self.take(teacher, questions):
                documents.add(answer.document)
                on_answer(len(documents))
        finally:
            self.log.store.show_answers()
        changed = (before != _labels_of(self.classification)).any(axis=1)
        changed[[graph.documents.index(question.document) for question in questions]] = False
        made = Round(len(questions), len(documents), int(changed.sum()))
        more = expected_moves([*self.rounds, made], _MORE)
        if more is not None:
            made = replace(made, next_moves=min(more, float(len(changed))), enough=more < _HARDLY * len(changed))
        self.rounds.append(made)
        return made


def _labels_of(found: Classification) -> Any:
    """Return the category of each document, or the mask of its categories, a row each."""
    return found.labels[:, None] if found.sets is None else found.sets


def resolve_settings(
    store: Store, categories: Sequence[Category] | None
) -> tuple[tuple[Category, ...], ClassifyOptions, DocumentVectors | None]:
    """Return the categories to ask about (by default those of the last `hin classify`), and its options and vectors."""
    from classify.options import ClassifyOptions
    from classify.stored_classification import stored_classification

    try:
        stored = stored_classification(store)
    except MissingStage:
        if categories is None:
            raise BadUsage("no categories are named", hint="give --categories labels.txt") from None
        return tuple(categories), ClassifyOptions(), None
    given = stored.given_categories if categories is None else tuple(categories)
    return given, stored.options(store), stored.vectors


def split_evenly(total: int, rounds: int) -> list[int]:
    """Split a number of documents into rounds of nearly the same size.

    >>> split_evenly(10, 4)
    [3, 3, 2, 2]
    """
    return [len(part) for part in (range(start, total, rounds) for start in range(rounds)) if len(part)]


def make_fit(
    workspace: Any, categories: Any, options: ClassifyOptions, run: Any, vectors: DocumentVectors | None = None
) -> Callable[[Any], Pipeline]:
    """Return a function that fits answers in an open workspace, with the quick learner."""
    from classify.pipeline import Pipeline

    quick = replace(options, classifier="linear") if options.preset == "default" else options

    def fit(known: Any) -> Pipeline:
        given: Any = {"known": known, "vectors": vectors}
        return Pipeline(workspace.graph, categories, quick, **given, workspace=workspace, run=run)

    return fit


def expected_moves(rounds: Sequence[Round], more: int) -> float | None:
    """Predict how many labels `more` answers would change; None before the second round.

    The changes per answer fall about geometrically from round to round; a rise counts as a constant rate.

    >>> round(expected_moves([Round(50, 50, 400), Round(50, 50, 100)], 50))
    25
    """
    answered = [one for one in rounds if one.answered]
    if len(answered) < 2:
        return None
    falls = [
        min(1.0, max(0.1, (b.rate + 1e-9) / (a.rate + 1e-9))) for a, b in zip(answered, answered[1:], strict=False)
    ]
    return answered[-1].rate * float(np.exp(np.mean(np.log(falls[-3:])))) * more
