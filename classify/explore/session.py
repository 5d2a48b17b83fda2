"""The session of the workbench: one open graph, the edits, the answers, the last labels, the run."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category
from classify.explore.answers import AnswerBook
from classify.explore.edits import Edits, checked_categories
from classify.explore.history import History
from classify.explore.journal import Journal
from classify.explore.lassos import Lassos
from classify.explore.running import BackgroundRun
from classify.explore.snapshot import Snapshot
from classify.options import ClassifyOptions
from classify.workspace import Workspace
from hin.errors import BadUsage, GraphBusy, GraphChanged, HinError, ReadOnly, UnknownName
from hin.human import plural
from hin.stores.querying import open_graph

if TYPE_CHECKING:
    from classify.model.fitted import FittedModel
    from classify.suggestions.grounds import Grounds
    from hin.cypher.options import QueryOptions
    from hin.cypher.result import QueryResult
    from hin.graph import Graph
    from hin.progress import Progress
    from hin.stores.base import Store

__all__ = ["FOLDER", "Session"]

T = TypeVar("T")

#: The folder in the store's local one for the journal and the labels of former runs.
FOLDER = ".explore"


class Session:
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
        self.lock = threading.RLock()
        self.workspace = Workspace(store)
        self.graph: Graph = self.workspace.graph
        self.loaded = self._identity()
        self.folder: Path = store.workspace / FOLDER
        self._held = None if read_only else _hold(self.folder, store.location)
        self.snapshot = self._stored()
        self.options = options or self._stored_options()
        first = categories or (() if self.snapshot is None else self.snapshot.stored.given_categories)
        self.edits = Edits(Journal(self.folder / "edits.jsonl"), first)
        if categories is not None and self.edits.categories != tuple(categories):
            self._begin_with(categories)
        self.answers = AnswerBook(store, self.graph)
        self.history = History(self.folder)
        self.run = BackgroundRun()
        self._memory: dict[str, tuple[str, Any]] = {}
        self.lassos = Lassos()
        self._making: defaultdict[str, threading.RLock] = defaultdict(threading.RLock)

    def close(self) -> None:
        """Stop the run and release the graph; nothing is lost, as every change is on disk already."""
        self.run.stop()
        self.run.wait(10)
        if not self.run.active:
            self.workspace.close()
        if self._held is not None:
            self._held.release()

    def _begin_with(self, categories: Sequence[Category]) -> None:
        if self.read_only:
            self.edits.categories = tuple(categories)
        else:
            self.edits.record("took the categories that the command named", categories)

    def _identity(self) -> str | None:
        stage = self.store.stage("load")
        return None if stage is None else stage.identity

    def check_graph(self) -> None:
        """Raise if the stored graph was replaced since it was opened: its documents must not be mixed with these."""
        if self._identity() != self.loaded:
            raise GraphChanged("the graph was replaced since it was opened", hint="start `hin explore` again")

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

    def row(self, document: str) -> int:
        """Return the row of a document."""
        return self.graph.documents.index(document)

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
                raise GraphChanged("edited elsewhere in the meantime", hint="look at it as it is now, and try again")
            categories = checked_categories(records, self.several)
            names = {category.name for category in categories}
            lost = {old.name: None for old in self.edits.categories if old.name not in names}
            moves = {**lost, **{old: new for old, new in renamed.items() if old != new}}
            moved = {doc: moves[given] for doc, given in self.answers.current().items() if given in moves}
            self.edits.record(what, categories, self.answers.give(moved) if moved else None)

    def answer(self, given: Mapping[str, str | None], what: str | None = None) -> None:
        """Store a person's answers: a category for each document, None to take one back."""
        with self.lock:
            self.check_writable()
            names = {category.name for category in self.edits.categories}
            for document, category in given.items():
                self.row(document)  # raises with the nearest names
                if category is not None and category not in names:
                    raise UnknownName(f"no category {category!r}", hint=f"there are {', '.join(sorted(names))}")
            if not given:
                raise BadUsage("no document is named", hint="select some first")
            self.edits.record(what or _said(given), before=self.answers.give(given))

    def undo(self) -> dict[str, Any]:
        """Undo the last edit or answer; return its description, and the documents it changed."""
        with self.lock:
            self.check_writable()
            step = self.edits.undo()
            if step is None:
                return {"undone": None, "documents": []}
            self.answers.give(step.answers)
            return {"undone": step.what, "documents": list(step.answers)}

    def start_run(self) -> None:
        """Classify with the current categories and answers, in the background."""
        with self.lock:
            self.check_writable()
            categories = checked_categories([vars(category) for category in self.edits.categories], self.several)
            if len(categories) < 2:
                raise BadUsage("a run needs two categories", hint="name at least two")
            known, _ = self.answers.known([category.name for category in categories], self.several)
            self.run.start(lambda progress: self._classify(categories, known, progress))

    def _classify(self, categories: tuple[Category, ...], known: Any, progress: Progress) -> dict[str, Any]:
        from classify.pipeline import Pipeline
        from classify.run import Run

        work = Run(threads=self.options.embed.threads or Run().threads, progress=progress)
        pipeline = Pipeline(self.graph, categories, self.options, known=known, workspace=self.workspace, run=work)
        stored = pipeline.stored
        found = Snapshot.of(stored)
        with self.lock:
            before, self.snapshot = self.snapshot, found
            for one in (before, found):
                if one is not None and one.identity != self.history.newest:
                    self.history.add(one, self.edits.journal)
        moved = None if before is None else int(self.history.moved(before, found).sum())
        return {"documents": len(found.labels), "moved": moved, "known": len(stored.known)}

    def classified(self) -> Snapshot:
        """Return the last labels; raise where there are none."""
        if self.snapshot is None:
            raise HinError("the documents have not been classified", hint="name your categories and run")
        return self.snapshot

    def model(self) -> FittedModel:
        """Return the model of the last labels, read once."""
        from classify.model.fitted import FittedModel

        found = self.classified()
        return self.remember(f"model {found.identity}", lambda: FittedModel.load(found.stored.model))

    def grounds(self) -> Grounds:
        """Return the grounds of suggestions and nearest documents, computed once for each classification."""
        from classify.suggestions.grounds import counts_in, grounds_with

        found, model = self.classified(), self.model()

        def make() -> Grounds:
            return grounds_with(found.stored, self.graph, model.facts_, counts_in(self.graph, model.predictor_))

        return self.remember(f"grounds {found.identity}", make)

    def remember(self, key: str, make: Callable[[], T]) -> T:
        """Return the cached value of a key, or make it; it replaces the one whose key begins with the same word."""
        name = key.partition(" ")[0]
        with self.lock:
            making = self._making[name]
        with making:
            if name not in self._memory or self._memory[name][0] != key:
                self._memory.pop(name, None)
                self._memory[name] = (key, make())
            return self._memory[name][1]  # type: ignore[no-any-return]

    def labels_before(self) -> npt.NDArray[np.object_] | None:
        """Return the category of each document before the last run, None where there was none before."""
        runs = self.history.runs()
        if len(runs) < 2 or self.snapshot is None or runs[-1]["identity"] != self.snapshot.identity:
            return None
        number = runs[-2]["number"]
        return self.remember(f"before {number}", lambda: self.history.named_labels(number, len(self.graph)))

    def worth_asking(self, number: int) -> npt.NDArray[np.int64]:
        """Return the documents most worth an answer; a new list once all of the last one are answered."""
        from classify.suggestions.documents import DocumentOptions, documents_to_label

        grounds, answered, identity = self.grounds(), self.answers.current(), self.classified().identity

        def choose() -> npt.NDArray[np.int64]:
            options = DocumentOptions(seed=self.options.first_seed)
            found = documents_to_label(replace(grounds, known=answered), number, options)
            return np.array([self.row(choice.document) for choice in found], dtype=np.int64)

        rows = self.remember(f"asking {identity}", choose)
        if len(rows) and all(name in answered for name in self.graph.documents.take(rows)):
            rows = self.remember(f"asking {identity} {len(answered)}", choose)
        return rows

    def query(self, text: str, options: QueryOptions) -> QueryResult:
        """Run a read-only Cypher query."""
        self.check_graph()
        if self.store.database is not None:
            from hin.stores.neo4j.query import query_database

            return query_database(self.store.database, text, options)
        from hin.cypher.query import query_graph

        identity = "" if self.snapshot is None else self.snapshot.identity
        return query_graph(self.remember(f"queried {identity}", lambda: open_graph(self.store)), text, options)


def _said(given: Mapping[str, str | None]) -> str:
    names = sorted({category or "no answer" for category in given.values()})
    about = next(iter(given)) if len(given) == 1 else plural(len(given), "document")
    return f"{about}: {', '.join(names)}"


def _hold(folder: Path, location: str) -> Any:
    """Lock the journal of this graph against a second workbench."""
    from filelock import FileLock, Timeout

    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise GraphBusy(
            f"{location} is open in another `hin explore`", hint="use that page, or add --read-only"
        ) from None
    return lock
