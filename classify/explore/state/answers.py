"""A person's answers as the page needs them: the current answer of each document, read from the graph's log."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from classify.answers.collecting import collect_known
from hin.stores.answers import Answer, AnswerLog

if TYPE_CHECKING:
    from classify.categories.known import Known
    from hin.graph import Graph
    from hin.stores.base import Store


class AnswerBook:
    """The answers of persons about one graph; entries of other processes are read at the next access."""

    def __init__(self, store: Store, graph: Graph) -> None:
        self.log, self.graph, self.store = AnswerLog(store), graph, store
        self._seen: tuple[int, int] | None = None
        self._current: dict[str, Answer] = {}
        #: Whether teachers are among the sources.
        self._by_others = False
        self._identity: tuple[object, str | None] | None = None
        #: The number of the entry that this object wrote last.
        self._last: int | None = None

    def _state(self) -> tuple[int, int]:
        """Return the state of the log, which changes with every entry."""
        try:
            about = os.stat(self.log.path)
        except FileNotFoundError:
            return 0, 0
        return about.st_mtime_ns, about.st_size

    def _read(self) -> dict[str, Answer]:
        state = self._state()
        if state != self._seen:
            given = [a for a in self.log.current(self.graph) if a.purpose == "teach" and a.categories]
            found = [answer for answer in given if answer.by_person]
            self._by_others = len(found) < len(given)
            self._current, self._seen = {answer.document: answer for answer in found}, state
        return self._current

    def current(self) -> dict[str, str]:
        """Return the category of each document that a person has answered, the oldest answer first."""
        return {document: answer.categories[0] for document, answer in self._read().items()}

    def give(self, given: Mapping[str, str | None]) -> dict[str, str | None]:
        """Write answers, None to take one back, and return the previous ones; they are on disk when this returns.

        Passing the returned answers undoes the step.
        """
        current = self.current()
        gone = {document for document, category in given.items() if category is None and document in current}
        if gone:
            # Revoke all of them, or an older answer would apply again.
            entries = [
                a.number for a in self.log.entries() if a.document in gone and a.by_person and a.purpose == "teach"
            ]
            self.log.undo(*entries)
        new = {document: category for document, category in given.items() if category is not None}
        if new:
            self._append([Answer(document, (category,)) for document, category in new.items()])
        return {document: current.get(document) for document in given}

    def measure(self, given: Mapping[str, str | None]) -> list[int]:
        """Write answers that only measure the labels, None where no category fits; return their numbers in the log."""
        answers = [
            Answer(document, (category,), purpose="measure")
            if category is not None
            else Answer(document, purpose="measure", verdict="none")
            for document, category in given.items()
        ]
        made = self.log.append(answers, self.graph)
        self._last = made[-1].number
        return [answer.number for answer in made]

    def measured(self) -> dict[str, str]:
        """Return the answers of persons that only measure; "none" where no category fits."""
        found = [a for a in self.log.current(self.graph) if a.by_person and a.purpose == "measure"]
        return {answer.document: answer.categories[0] if answer.categories else "none" for answer in found}

    def _append(self, answers: list[Answer]) -> None:
        """Append answers; the whole log is read again only if another process may have written to it."""
        seen = self._state() == self._seen
        made = self.log.append(answers, self.graph)
        if seen and self._last is not None and made[0].number == self._last + 1:
            for answer in made:
                self._current.pop(answer.document, None)  # the newest comes last
                self._current[answer.document] = answer
            self._seen = self._state()
        self._last = made[-1].number

    def identity(self, classes: Sequence[str], several: bool) -> str | None:
        """Return a hash of the answers that a run would learn from, if teachers are among the sources; else None."""
        self._read()
        if not self._by_others:  # a person's answers are compared one by one
            return None
        state = (self._state(), tuple(classes), several)
        if self._identity is None or self._identity[0] != state:
            known, _ = self.known(classes, several)
            self._identity = state, known.identity if known is not None and known.sources else None
        return self._identity[1]

    def known(self, classes: Sequence[str], several: bool) -> tuple[Known | None, list[str]]:
        """Return the known documents for a run, exactly as `hin classify` reads them."""
        return collect_known(self.store, self.graph, classes, several)
