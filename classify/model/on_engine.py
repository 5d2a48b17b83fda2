"""Labels for many new documents on the workers of an engine: each gets batches of records and reads the model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from classify.documents.unknown import Unknown
from classify.model.fitted import FittedModel
from hin.arrays.types import Doubles, Floats
from hin.engines.base import Engine
from hin.reading.documents import BatchReader
from hin.reading.records import RecordBatch


class Labelled(NamedTuple):
    """Some documents, the probabilities of their categories, and their words and values unknown to the model."""

    ids: list[str]
    probabilities: Doubles
    unknown: Unknown


def label_batch(model: FittedModel, batch: RecordBatch, vectors: Floats | None = None) -> Labelled:
    """Label some records, with the user's own vectors of them where there are some."""
    unknown = Unknown.in_batch(model.predictor_.encoder, batch)
    return Labelled(batch.ids, model.predict_proba(batch, vectors), unknown)


def _label(folder: str, batch: RecordBatch) -> Labelled:
    """Label some records on a worker."""
    return label_batch(_model(folder), batch)


@lru_cache(maxsize=1)  # one process labels many batches with one model, whose folder's name identifies its content
def _model(folder: str) -> FittedModel:
    model = FittedModel.load(folder)
    model.n_jobs = 1  # the workers are as many as there are cores
    return model


def label_blocks(reader: BatchReader, engine: Engine, folder: str | os.PathLike[str]) -> Iterator[Labelled]:
    """Label the reader's documents, batch by batch in order.

    Parameters
    ----------
    folder : path
        The model's folder, on a path that all workers see.
    """
    where = str(Path(folder).absolute())
    engine.check([where])
    return engine.map(partial(_label, where), reader)
