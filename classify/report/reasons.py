"""The strongest reasons of every document at once: the same weights as `explain`, over all rows of a graph."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.report.data import Reasons
from classify.report.documents import top_per_row
from hin.engines.base import ranges
from hin.engines.local import LocalEngine
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from classify.model.predictor import Predictor
    from hin.engines.base import Engine
    from hin.graph import Graph

__all__ = ["reasons_of"]

#: Documents whose reasons are looked for together.
_DOCUMENTS = 8192

#: First and last document, and their categories.
Block = tuple[int, int, npt.NDArray[np.integer[Any]]]


def reasons_of(
    predictor: Predictor,
    graph: Graph,
    predicted: npt.NDArray[np.integer[Any]],
    wanted: int = 3,
    progress: Progress = silent,
    engine: Engine | None = None,
    places: tuple[Path, Path] | None = None,
) -> Reasons:
    """Return the instances that add most to the score of each document's category; what speaks against it is left
    out.

    On an engine whose workers are elsewhere `places` are the folders of the graph and of the model, which they read.
    """
    motifs = np.full((len(graph), wanted), -1, dtype=np.int32)
    weights = np.zeros((len(graph), wanted), dtype=np.float32)
    if engine is None or engine.here or places is None:
        engine, source = LocalEngine("local:1"), partial(_held, predictor, graph)
    else:
        engine.check(places)
        source = partial(_opened, *(str(place.absolute()) for place in places))
    blocks = [(first, last, predicted[first:last]) for first, last in ranges(len(graph), _DOCUMENTS)]
    work = partial(_reasons, source, wanted)
    for (first, last, _), found in zip(blocks, engine.map(work, blocks), strict=True):
        progress("collecting the reasons", first, len(graph))
        motifs[first:last], weights[first:last] = found
    return Reasons(motifs, weights)


def _held(predictor: Predictor, graph: Graph) -> tuple[Predictor, Graph]:
    return predictor, graph


@lru_cache(maxsize=1)  # one process looks at many blocks
def _opened(graph: str, model: str) -> tuple[Predictor, Graph]:
    from classify.model.files import read_model
    from hin.stores.folder import FolderStore

    return read_model(Path(model))[0], FolderStore(graph).read_graph()


def _reasons(source: Callable[[], tuple[Predictor, Graph]], wanted: int, block: Block) -> tuple[Any, Any]:
    first, last, label = block
    predictor, graph = source()
    part = predictor.encoder.encode_range(graph, first, last, predictor.length)
    found = predictor.learner.weights(part, np.maximum(label, 0)).instances.tocoo()
    line, column = found.coords
    keep = (label[line] >= 0) & (found.data > 0)
    return top_per_row(line[keep], column[keep], found.data[keep].astype(np.float32), len(part), wanted)
