"""`hin.ask`: rounds of questions from Python, as `hin ask` has them on the command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from classify.answers.asking import Asking, Round, make_fit, resolve_settings, split_evenly
from classify.answers.options import TeacherOptions
from classify.answers.task import LabelTask, Question, Reply, match_reply
from classify.answers.teachers.base import Desk, Teacher, open_teacher
from classify.categories.category_file import Category, as_categories
from classify.run import Run
from hin.errors import BadUsage
from hin.files.graph_folder import ANSWERS
from hin.human import plural
from hin.stores.answers import AnswerLog
from hin.stores.base import Store, open_store


class FunctionTeacher(Teacher):
    """A Python function as a teacher: from a question to the name of a category, or a list of names."""

    def __init__(self, function: Callable[[Question], Any]) -> None:
        super().__init__()
        self.function, self.source = function, f"function:{getattr(function, '__name__', 'teacher')}"

    @classmethod
    def open(cls, options: TeacherOptions, desk: Desk) -> FunctionTeacher:
        """Not opened by name."""
        raise BadUsage("a function has no name on the command line", hint="use a command that reads JSON lines")

    def ask(self, questions: Sequence[Question], task: LabelTask) -> Iterator[Reply]:
        """Call the function for each question; None skips it."""
        wrong = 0
        for question in questions:
            said = self.function(question)
            reply = None if said is None else match_reply(question.document, said, task)
            wrong += said is not None and reply is None
            if reply is not None:
                yield reply
        if wrong:
            self.notes.append(f"{plural(wrong, 'answer')} of {self.source} named no category of the list; left out")


def ask(
    graph: str | os.PathLike[str] | Store,
    teacher: str | Callable[[Question], Any],
    categories: Iterable[str | Category] | Mapping[str, Iterable[str]] | str | None = None,
    documents: int = 50,
    rounds: int = 1,
    *,
    yes: bool = False,
    options: TeacherOptions | None = None,
) -> list[Round]:
    """Ask a teacher about the documents most worth asking about, and store the answers beside the graph.

    Parameters
    ----------
    graph : the place of the graph, or an open store.
    teacher : a function from a question (`document`, `title`, `text`, `metadata`) to a category; or, as a string, what
        `hin ask --teacher` takes: a file, a command, the URL of an endpoint.
    categories : by default those of the last `hin classify`.
    documents, rounds : how many, and in how many rounds; each is chosen by the answers so far.
    yes : an endpoint is asked only with it; without it, the error says what would be sent where.
    options : the model of an endpoint, its key's variable, budgets.

    Returns
    -------
    What each round changed; `hin classify`, or `fit` of a stored graph, learns from the answers.

    Examples
    --------
    >>> ask("nowhere.hin", lambda question: "web")
    Traceback (most recent call last):
    hin.errors.GraphNotFound: no graph at nowhere.hin; ...
    """
    from classify.workspace import Workspace

    store = graph if isinstance(graph, Store) else open_store(graph)
    store.read_graph()  # a missing graph is reported before anything else
    given = None if categories is None else as_categories(categories)
    found, settings, vectors = resolve_settings(store, given)
    task = LabelTask(found, settings.sets is not None)
    if callable(teacher):
        asked: Teacher = FunctionTeacher(teacher)
    else:
        desk = Desk(lambda: "", print, store.workspace / ANSWERS)
        asked = open_teacher(replace(options or TeacherOptions(), teacher=teacher), desk)
    with Workspace(store) as workspace:
        asking = Asking(
            make_fit(workspace, found, settings, Run(), vectors), task, AnswerLog(store), settings.first_seed
        )
        sizes = split_evenly(documents, rounds)
        for number, size in enumerate(sizes):
            questions = asking.choose(size)
            if not questions:
                break
            said = asked.announce(questions, task, sum(sizes[1:])) if number == 0 else None
            if said is not None and not yes:
                raise BadUsage(f"nothing was sent: {said}", hint="agree with `yes=True`")
            asking.round(asked, questions, lambda done: None)
            if asked.stopped:
                break
    return asking.rounds
