"""Collect the known documents of a fit from the log of answers beside the graph and the file of `--known`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from classify.categories.known_labels import known_of, read_answers
from hin.human import plural
from hin.stores.answers import Answer, AnswerLog

if TYPE_CHECKING:
    from pathlib import Path

    from classify.categories.known import Known
    from hin.graph import Graph
    from hin.stores.base import Store


def collect_known(
    store: Store | None, graph: Graph, classes: Sequence[str], several: bool, file: str | Path | None = None
) -> tuple[Known | None, list[str]]:
    """Return the known documents of a fit, and notes for the user on answers that could not be used.

    Parameters
    ----------
    store : its log of answers is read.
    file : a file of `--known`; its answer about a document overrides the log's.
    """
    log = None if store is None else AnswerLog(store)
    logged = [] if log is None else log.current(graph)
    notes = []
    if log is not None and (stale := len(log.latest()) - len(logged)):
        notes.append(f"{plural(stale, 'answer')} left out: the document is gone, or its text has changed")
    given = teaching(logged)
    other = [answer for answer in given if not set(answer.categories) <= set(classes)]
    if other:
        names = sorted({name for answer in other for name in answer.categories} - set(classes))
        named = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        what = "is not a category" if len(names) == 1 else "are not categories"
        notes.append(f"{plural(len(other), 'answer')} left out: {named} {what} of this run")
    more = [answer for answer in given if len(answer.categories) > 1 and not several and answer not in other]
    if more:
        notes.append(f"{plural(len(more), 'answer')} left out: several categories, and --several was not given")
    taken = [answer for answer in given if answer not in other and answer not in more]
    if file is not None:
        read = read_answers(file, graph, classes, several)
        if not read:
            notes.append(f"{file} has no line with a category.")
        again = {(answer.document, answer.source) for answer in read}
        taken = [answer for answer in taken if (answer.document, answer.source) not in again] + read
    return known_of(taken, graph, classes), notes


def teaching(answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers to learn from: those that name categories and were not given for measuring."""
    return [answer for answer in answers if answer.purpose == "teach" and answer.categories]
