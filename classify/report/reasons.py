"""The strongest reasons of all documents at once, with the same weights as `explain`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.stored_documents import StoredDocuments
from classify.report.documents import top_per_row
from classify.report.gathering import Reasons
from hin.arrays.stored_rows import BLOCK, row_blocks
from hin.arrays.types import Ints
from hin.engines.local import LocalEngine
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from classify.model.explain import InstanceFacts
    from classify.model.predictor import Predictor
    from hin.engines.base import Engine
    from hin.graph import Graph

#: First and last document, and their categories.
Block = tuple[int, int, Ints]


def reasons_of(
    model: tuple[Predictor, InstanceFacts | None],
    documents: Graph | StoredDocuments,
    predicted: Ints,
    wanted: int = 3,
    progress: Progress = silent,
    engine: Engine | None = None,
    places: tuple[Path, Path] | None = None,
) -> Reasons:
    """Return the instances that add most to the score of each document's category, positive weights only.

    The documents are encoded ones, or a graph. On an engine whose workers are other processes, `places` are the folders
    from which they read the graph and the model.
    """
    motifs = np.full((len(predicted), wanted), -1, dtype=np.int32)
    weights = np.zeros((len(predicted), wanted), dtype=np.float32)
    source: Callable[[], tuple[Predictor, InstanceFacts | None, Graph | StoredDocuments]]
    if engine is None or engine.here or places is None:
        engine, source = LocalEngine("local:1"), partial(_loaded_source, *model, documents)
    else:
        engine.check(places)
        source = partial(_open_source, *(str(place.absolute()) for place in places))
    blocks = [(first, last, predicted[first:last]) for first, last in row_blocks(len(predicted))]
    work = partial(_reasons, source, wanted)
    for (first, last, _), found in zip(blocks, engine.map(work, blocks), strict=True):
        progress("collecting the reasons", first, len(predicted))
        motifs[first:last], weights[first:last] = found
    return Reasons(motifs, weights)


def _loaded_source(
    predictor: Predictor, facts: InstanceFacts | None, documents: Graph | StoredDocuments
) -> tuple[Predictor, InstanceFacts | None, Graph | StoredDocuments]:
    return predictor, facts, documents


@lru_cache(maxsize=1)  # one process handles many blocks
def _open_source(graph: str, model: str) -> tuple[Predictor, InstanceFacts, Graph]:
    from classify.model.files import read_model
    from hin.stores.folder import FolderStore

    return *read_model(Path(model))[:2], FolderStore(graph).read_graph()


def _reasons(
    source: Callable[[], tuple[Predictor, InstanceFacts | None, Graph | StoredDocuments]], wanted: int, block: Block
) -> tuple[Any, Any]:
    first, last, label = block
    predictor, facts, documents = source()
    if isinstance(documents, StoredDocuments):
        part = documents[first // BLOCK]
    else:
        part = predictor.encoder.encode_range(documents, first, last, predictor.length)
    weights = predictor.learner.weights(part, np.maximum(label, 0)).instances
    found = (weights if facts is None else facts.move_chance_to_parts(weights, predictor.encoder)).tocoo()
    if predictor.own is not None:  # the rest of the score comes from the user's vectors
        found = found * (1 - predictor.own.share)
    line, column = found.coords
    keep = (label[line] >= 0) & (found.data > 0)
    return top_per_row(line[keep], column[keep], found.data[keep].astype(np.float32), len(part), wanted)
