"""Labels for many new documents on the workers of an engine: each reads blocks of the files and a model of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from classify.documents.unknown import Unknown
from classify.model.motif_model import MotifModel
from hin.engines.base import absolute

if TYPE_CHECKING:
    from hin.engines.base import Engine
    from hin.reading.documents import BatchReader
    from hin.reading.records import RecordBatch

__all__ = ["Labelled", "label_blocks", "labelled"]


@dataclass
class Labelled:
    """Some documents, the probabilities of their categories, and what of them the model does not know."""

    ids: list[str] = field(default_factory=list)
    probabilities: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    unknown: Unknown = field(default_factory=Unknown)
    where: list[tuple[str, int]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)


def labelled(model: MotifModel, batch: RecordBatch) -> Labelled:
    """Label some records."""
    unknown = Unknown.in_batch(model.predictor_.encoder, batch)
    return Labelled(batch.ids, model.predict_proba(batch), unknown, batch.where)


class _Labelling:
    """Takes the records of a block in and labels them."""

    def __init__(self, folder: str) -> None:
        self._model = _model(folder)
        self._part = Labelled()
        self._rows: list[npt.NDArray[np.float64]] = []

    def add(self, batch: RecordBatch) -> None:
        part = labelled(self._model, batch)
        self._part.ids += part.ids
        self._part.where += part.where
        self._part.unknown.add(part.unknown)
        self._rows.append(part.probabilities)

    def finish(self) -> Labelled:
        if self._rows:
            self._part.probabilities = np.concatenate(self._rows)
        return self._part


@lru_cache(maxsize=1)  # one process labels many blocks with one model, whose folder's name tells its content
def _model(folder: str) -> MotifModel:
    model = MotifModel.load(folder)
    model.n_jobs = 1  # the workers are as many as there are cores
    return model


def label_blocks(reader: BatchReader, engine: Engine, folder: str | os.PathLike[str]) -> Iterator[Labelled]:
    """Label what the reader would read, block by block in order.

    Parameters
    ----------
    folder : path
        The model's folder, on a path that all workers see.
    """
    from hin.reading.blocks.merging import read_parts

    where = str(Path(folder).absolute())
    engine.check([where, *absolute(file for file in reader.files if file != "-")])
    ids: dict[str, int] = {}
    for part in read_parts(reader, engine, ids, collector=partial(_Labelling, where)):
        for name in part.ids:
            ids[name] = len(ids)
        if len(part):
            yield part
