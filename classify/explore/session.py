"""The session of the workbench: one open graph, the edits, the answers, the last labels, the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classify.categories.category_file import Category
from classify.explore.last_run import LastRun
from classify.explore.lists.lassos import Lassos
from classify.explore.running import BackgroundRun
from classify.explore.state.answers import AnswerBook
from classify.explore.state.edits import Edits, checked_categories
from classify.explore.state.journal import Journal, hold_journal
from classify.explore.state.snapshot import Snapshot
from classify.options import ClassifyOptions
from classify.workspace import Workspace
from hin.errors import BadUsage, GraphChanged, ReadOnly, UnknownName
from hin.human import plural

if TYPE_CHECKING:
    from classify.explore.teaching import Offer
    from hin.graph import Graph
    from hin.progress import Progress
    from hin.stores.base import Store

#: The folder in the store's local one for the journal and the labels of former runs.
FOLDER = ".explore"


class Session(LastRun):
    """One open graph; every method may be called from any thread.

    Parameters
    ----------
    categories : the names to begin with, where nothing was edited yet; by default those of the last classification.
    read_only : refuse every change.
    """

    def __init__(
        self, store: Store, categories: Sequence[Category] | None = None, options: ClassifyOptions | None = None,
        read_only: bool = False,
    ) -> None:  # fmt: skip
        self.store, self.read_only = store, read_only
        super().__init__()
        self._begin(categories, options)
        self.run = BackgroundRun()
        #: Whether the command named a file: then the page first shows its columns.
        self.began_with_file = False
        #: The last offer to ask a teacher.
        self.offer: Offer | None = None

    def _begin(self, categories: Sequence[Category] | None = None, options: ClassifyOptions | None = None) -> None:
        """Open the graph, lock its journal, and restore the edits of the last session."""
        self._open()
        self.folder: Path = self.store.workspace / FOLDER
        self._journal_lock = None if self.read_only else hold_journal(self.folder, self.store.location)
        self.options = options or self._stored_options()
        first = categories or (() if self.snapshot is None else self.snapshot.stored.given_categories)
        self.edits = Edits(Journal(self.folder / "edits.jsonl"), first)
        if categories is not None and self.edits.categories != tuple(categories):
            self._begin_with(categories)

    def move_to(self, store: Store) -> None:
        """Switch to the graph of another store, made from a dropped file; the previous graph stays unchanged."""
        with self.lock:
            self.workspace.close()
            if self._journal_lock is not None:
                self._journal_lock.release()
            self.forget()
            self.store, self.began_with_file, self.offer = store, True, None
            self._begin()

    def _open(self) -> None:
        """Open the store's graph as it is now, with the labels it has."""
        self.workspace = Workspace(self.store)
        self.graph: Graph = self.workspace.graph
        self.loaded = self._identity()
        self.snapshot = self._stored()
        self.answers = AnswerBook(self.store, self.graph)
        self.lassos = Lassos()

    def reopen(self) -> None:
        """Open the graph again after it was loaded anew; categories and answers stay."""
        with self.lock:
            self.workspace.close()
            self.forget()
            self._open()

    def close(self) -> None:
        """Stop the run and release the graph; nothing is lost, as every change is on disk already."""
        self.run.stop()
        self.run.wait(10)
        if not self.run.active:
            self.workspace.close()
        if self._journal_lock is not None:
            self._journal_lock.release()

    def _begin_with(self, categories: Sequence[Category]) -> None:
        if self.read_only:
            self.edits.categories = tuple(categories)
        else:
            self.edits.record("took the categories that the command named", categories)

    def check_writable(self) -> None:
        """Raise if the session is read-only."""
        if self.read_only:
            raise ReadOnly("this page is for reading only", hint="start `hin explore` without --read-only")
        self.check_graph()

    def _stored(self) -> Snapshot | None:
        if self.store.stage("classify") is None:
            return None
        from classify.stored_classification import stored_classification

        return Snapshot.of(stored_classification(self.store))

    def _stored_options(self) -> ClassifyOptions:
        return ClassifyOptions() if self.snapshot is None else self.snapshot.stored.options(self.store)

    @property
    def several(self) -> bool:
        """Whether a document may have several categories."""
        return self.options.sets is not None

    def edit_categories(
        self, what: str, records: Sequence[Mapping[str, Any]], renamed: Mapping[str, str | None], revision: int
    ) -> None:
        """Replace the categories; answers follow those that were `renamed`, and are removed with deleted ones (None).

        Raises
        ------
        GraphChanged
            If another page has edited since `revision`.
        """
        with self.lock:
            self.check_writable()
            if revision != self.edits.revision:
                raise GraphChanged(
                    "the categories were edited elsewhere in the meantime", hint="reload them, and try again"
                )
            categories = checked_categories(records, self.several)
            names = {category.name for category in categories}
            lost = {old.name: None for old in self.edits.categories if old.name not in names}
            moves = {**lost, **{old: new for old, new in renamed.items() if old != new}}
            moved = {doc: moves[given] for doc, given in self.answers.current().items() if given in moves}
            self.edits.record(what, categories, self.answers.give(moved) if moved else None, renamed)

    def switch(self, field: str, *, on: bool) -> None:
        """Switch a metadata field on or off for the next run."""
        with self.lock:
            self.check_writable()
            if field not in self.graph.fields:
                raise UnknownName(f"no field {field!r}", hint=f"there are {', '.join(self.graph.fields) or 'none'}")
            self.edits.record(f"switched {field} {'on' if on else 'off'}", fields={field: on})

    def judge_fields(self) -> None:
        """Estimate the worth of the metadata fields, in the background: a run with named patterns does not."""
        with self.lock:
            self.check_writable()
            categories = self.classified().stored.given_categories
            options = replace(self.options, patterns=[])
            self.run.start(lambda progress: self._judge(categories, options, progress))

    def _judge(self, categories: tuple[Category, ...], options: ClassifyOptions, progress: Progress) -> dict[str, Any]:
        from classify.pipeline import Pipeline
        from classify.run import Run

        work = Run(threads=options.embed.threads or Run().threads, progress=progress)
        judged = Pipeline(self.graph, categories, options, workspace=self.workspace, run=work).fields
        self.forget("worth")
        return {"judged": 0 if judged is None else len(judged.fields)}

    @property
    def run_options(self) -> ClassifyOptions:
        """The options of the next run: those of the last `hin classify`, with the switched fields."""
        from classify.explore.previews.switches import switched_options

        if not self.edits.fields:
            return self.options
        return switched_options(self.options, self.graph, self.edits.fields, self.field_worth())

    def answer(self, given: Mapping[str, str | None], what: str | None = None) -> None:
        """Store a person's answers: a category for each document, None to take one back."""
        with self.lock:
            self.check_writable()
            self._check_answers(given)
            self.edits.record(what or _describe_answers(given), before=self.answers.give(given))

    def _check_answers(self, given: Mapping[str, str | None]) -> None:
        names = {category.name for category in self.edits.categories}
        for document, category in given.items():
            self.row(document)  # raises with the nearest names
            if category is not None and category not in names:
                raise UnknownName(f"no category {category!r}", hint=f"there are {', '.join(sorted(names))}")
        if not given:
            raise BadUsage("no document is named", hint="select some first")

    def measure(self, given: Mapping[str, str | None]) -> None:
        """Store a person's answers that only measure the labels; None where no category fits."""
        with self.lock:
            self.check_writable()
            self._check_answers(given)
            self.edits.record(f"measured {_describe_answers(given)}", measured=self.answers.measure(given))

    def undo(self) -> dict[str, Any]:
        """Undo the last edit or answer; return its description, and the documents it changed."""
        with self.lock:
            self.check_writable()
            step = self.edits.undo()
            if step is None:
                return {"undone": None, "documents": []}
            self.answers.give(step.answers)
            if step.measured:
                self.answers.log.undo(*step.measured)
            return {"undone": step.what, "documents": list(step.answers)}

    def start_run(self) -> None:
        """Classify with the current categories and answers, in the background."""
        with self.lock:
            self.check_writable()
            categories = checked_categories([vars(category) for category in self.edits.categories], self.several)
            if len(categories) < 2:
                raise BadUsage("a run needs two categories", hint="name at least two")
            known, _ = self.answers.known([category.name for category in categories], self.several)
            options = self.run_options
            self.run.start(lambda progress: self._classify(categories, options, known, progress))

    def _classify(
        self, categories: tuple[Category, ...], options: ClassifyOptions, known: Any, progress: Progress
    ) -> dict[str, Any]:
        from classify.pipeline import Pipeline
        from classify.run import Run

        work = Run(threads=options.embed.threads or Run().threads, progress=progress)
        given: Any = {"known": known, "vectors": None if self.snapshot is None else self.snapshot.stored.vectors}
        pipeline = Pipeline(self.graph, categories, options, **given, workspace=self.workspace, run=work)
        stored = pipeline.stored
        found = Snapshot.of(stored)
        with self.lock:
            before, self.snapshot = self.snapshot, found
            if before is None or before.identity != found.identity:
                self.edits.journal.append("run", identity=found.identity, known=len(stored.known))
        moved = None if before is None else int((before.named_labels() != found.named_labels()).sum())
        return {"documents": len(found.labels), "moved": moved, "known": len(stored.known)}


def _describe_answers(given: Mapping[str, str | None]) -> str:
    names = sorted({category or "no answer" for category in given.values()})
    about = next(iter(given)) if len(given) == 1 else plural(len(given), "document")
    return f"{about}: {', '.join(names)}"
