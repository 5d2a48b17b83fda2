"""`hin info --check`: open every file that a command would read, as that command opens it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hin.errors import HinError
from hin.files.atomic import missing_files

if TYPE_CHECKING:
    from hin.stores.base import Store


def unreadable(store: Store, model: str | None = None) -> list[str]:
    """Return one line for each stage, or saved model, that cannot be read."""
    found = [] if model is None else [f"{model}/{file} is missing" for file in missing_files(Path(model))]
    for read in _readers(store, model):
        try:
            read()
        except HinError as error:
            found.append(error.message)
    return list(dict.fromkeys(found))


def _readers(store: Store, model: str | None) -> Iterator[Callable[[], Any]]:
    from classify.comparators.runs.stored_runs import read_runs
    from classify.model.fitted import FittedModel
    from classify.stored_classification import stored_classification
    from embed import JointEmbedding
    from hin.stores.answers import AnswerLog
    from hin.stores.findings import Findings
    from motifs import MotifSet

    yield lambda: _read_graph(store)
    yield lambda: Findings.of_store(store)
    yield lambda: AnswerLog(store).entries()
    yield lambda: _read_past(store)
    readers: dict[str, Callable[[Path], Any]] = {
        "motifs": lambda path: MotifSet.open(path, store.read_graph()),
        "embed": JointEmbedding.open,
        "classify": lambda path: (stored_classification(store).nearest, FittedModel.load(path / "model")),
        "compare": lambda path: read_runs(store),
    }
    for name, read in readers.items():
        if (stage := store.stage(name)) is not None:
            yield partial(read, stage.path)
    if model is not None:
        yield lambda: FittedModel.load(Path(model))


def _read_past(store: Store) -> None:
    """Read the labels and the models of the last classifications."""
    from classify.model.fitted import FittedModel
    from hin.stores.past_classifications import PastClassifications

    for past in PastClassifications(store).entries():
        _ = past.classified
        if past.model is not None:
            FittedModel.load(past.model)


def _read_graph(store: Store) -> None:
    """Read the arrays, names and texts that are otherwise checked on first use."""
    graph = store.read_graph()
    for name in graph.node_types:
        graph.names(name).tolist()
    for name in graph.edge_types:
        edges = graph.edges(name)
        _ = edges.targets, edges.counts
    _ = graph.tokens.targets, graph.texts.table.validate(full=True)
