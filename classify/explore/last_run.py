"""Results derived from the last labels, each computed once: model, reasons, suggestions, changes, queries."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.explore.state.memory import Memory
from hin.arrays.types import Int64
from hin.errors import GraphChanged, HinError
from hin.files.graph_folder import MANIFEST
from hin.stores.querying import open_graph

if TYPE_CHECKING:
    from classify.explore.state.answers import AnswerBook
    from classify.explore.state.history import History
    from classify.explore.state.snapshot import Snapshot
    from classify.model.fitted import FittedModel
    from classify.options import ClassifyOptions
    from classify.suggestions.grounds import Grounds
    from hin.cypher.options import QueryOptions
    from hin.cypher.result import QueryResult
    from hin.graph import Graph
    from hin.stores.base import Store


class LastRun(Memory):
    """The last labels of an open graph; every method may be called from any thread."""

    store: Store
    graph: Graph
    snapshot: Snapshot | None
    options: ClassifyOptions
    answers: AnswerBook
    #: The identity of the graph when it was opened.
    loaded: str | None

    def __init__(self) -> None:
        super().__init__()
        self._explaining = threading.Lock()

    def row(self, document: str) -> int:
        """Return the row of a document."""
        return self.graph.documents.index(document)

    def _identity(self) -> str | None:
        if self.store.database is not None:
            stage = self.store.stage("load")
            return None if stage is None else stage.identity
        # Asked at every key: the manifest of a folder is only read again after it was replaced.
        try:
            found = os.stat(Path(self.store.location) / MANIFEST)
        except OSError:
            return None
        key = f"manifest {found.st_ino} {found.st_mtime_ns} {found.st_size}"
        return self.remember(key, lambda: None if (stage := self.store.stage("load")) is None else stage.identity)

    def check_graph(self) -> None:
        """Raise if the stored graph was replaced since it was opened: its documents must not be mixed with these."""
        if self._identity() != self.loaded:
            raise GraphChanged("the graph was replaced since it was opened", hint="start `hin explore` again")

    def field_worth(self) -> list[dict[str, Any]] | None:
        """Return the worth of the metadata fields from the last run that estimated it; None if none did."""
        from classify.explore.previews.switches import judged_fields

        found = self.snapshot
        key = "worth" if found is None else f"worth {found.identity}"
        return self.remember(key, lambda: judged_fields(self.store, {} if found is None else found.stored.used))

    def classified(self) -> Snapshot:
        """Return the last labels; raise where there are none."""
        if self.snapshot is None:
            raise HinError("the documents have not been classified", hint="name your categories and run")
        return self.snapshot

    def model(self) -> FittedModel:
        """Return the model of the last labels, read once."""
        found = self.classified()
        return self.remember(f"model {found.identity}", found.stored.open_model)

    def explain(self, document: str, category: str | None) -> dict[str, Any]:
        """Explain why a document has its category, or why not another; one at a time, as the tokeniser has state."""
        model = self.model()
        with self._explaining:
            return dict(model.explain(document, self.graph, category))

    def flip(self, document: str) -> dict[str, Any] | None:
        """Find the fewest reasons without which a document would have another category; None if there are none."""
        model = self.model()
        with self._explaining:
            found = model.flip(document, self.graph)
        return None if found is None else found.as_dict()

    def grounds(self) -> Grounds:
        """Return the grounds of suggestions and nearest documents, computed once for each classification."""
        from classify.suggestions.grounds import counts_in, grounds_with

        found, facts = self.classified(), self.model().facts_

        def make() -> Grounds:
            # A separate copy of the model: a tokeniser must not be used by two threads, and encoding takes seconds.
            reader = found.stored.open_model().predictor_
            return grounds_with(found.stored, self.graph, facts, counts_in(self.graph, reader))

        return self.remember(f"grounds {found.identity}", make)

    def history(self) -> History:
        """Return the last classifications of these documents, read once after each run."""
        from classify.explore.state.history import History

        identity = None if self.snapshot is None else self.snapshot.identity
        return self.remember(f"history {identity}", lambda: History(self.store, self.graph))

    def labels_before(self) -> npt.NDArray[np.object_] | None:
        """Return the category of each document before the last run, None where there was none before."""
        history = self.history()
        if len(history.numbers) < 2 or self.snapshot is None:
            return None
        number = history.numbers[-2]
        return self.remember(f"before {number}", lambda: history.named_labels(number))

    def worth_asking(self, number: int, fresh: bool = False) -> Int64:
        """Return the documents most worth an answer; a new list once all of the last one are answered, or if `fresh`.

        Documents that a teacher has answered are not chosen for a fresh list.
        """
        from classify.suggestions.documents import DocumentOptions, documents_to_label

        grounds, answered, identity = self.grounds(), self.answers.current(), self.classified().identity

        def choose() -> Int64:
            options = DocumentOptions(seed=self.options.first_seed)
            found = documents_to_label(replace(grounds, known=answered), number, options)
            return np.array([self.row(choice.document) for choice in found], dtype=np.int64)

        if fresh:
            answered = {answer.document: "" for answer in self.answers.log.current(self.graph)}
            return choose()
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
