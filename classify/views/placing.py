"""Placing documents and instances in a view block by block: what is stored are unit vectors, centred."""

from __future__ import annotations

import shutil
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.feature_blocks import FeatureBlocks
from classify.documents.features import Features
from classify.documents.products import add_product, product
from classify.documents.stored_rows import StoredRows, passing, row_blocks
from classify.views.base import Space, View, place
from classify.views.kept import KeptView
from embed.vectors import unit_rows
from hin.engines.mapped import let_go

__all__ = ["place_view"]

Floats = npt.NDArray[np.float32]


def place_view(features: Features, view: View, rng: np.random.Generator, threads: int = 1) -> Space:
    """Return where a view places documents and instances: `place`, stored where the documents are."""
    if not isinstance(features, FeatureBlocks):
        return place(features, view.instances(features, rng, threads), view.rows(features), threads)
    if not features.engine.here and isinstance(view, KeptView) and view.keeps_vectors:
        # It takes singular vectors of a large sample: a worker makes them, and they are read from where it keeps them.
        list(features.engine.map(partial(_keep, features, view, rng), [features.engine.cores]))
    vectors = view.instances(features, rng, threads)
    folder = features.scratch / f"view-{view.name.replace('/', '-')}"
    folded, documents = (
        StoredRows.empty(folder / name, (features.n_documents, vectors.shape[1])) for name in ("folded", "documents")
    )
    sums = np.zeros(vectors.shape[1])
    for part in features.parts.each(_fold, view, vectors, folded):
        sums += part
    centre = (sums / max(features.n_documents, 1)).astype(np.float32)
    unknown = _empty_rows(vectors)
    shape = ((len(unknown), vectors.shape[1]), "float32")
    [found] = features.unit.total(_centre, [shape], folded, documents, centre, unknown)
    shutil.rmtree(folded.folder)
    instances = StoredRows.empty(folder / "instances", (len(vectors), vectors.shape[1]))
    for number, (first, last) in enumerate(row_blocks(len(vectors))):
        units = unit_rows(vectors[first:last])
        placed = unit_rows(units - centre)
        low, high = np.searchsorted(unknown, [first, last])
        placed[unknown[low:high] - first] = unit_rows(found[low:high])
        instances.write(number, placed)
    let_go(vectors)
    return Space(documents, instances)  # type: ignore[arg-type]  # stored rows serve as arrays


def _empty_rows(vectors: Floats) -> npt.NDArray[np.int64]:
    """Return the rows of zeros, some at a time: they may be those of a file."""
    found = [here.start + np.flatnonzero(~vectors[here].any(axis=1)) for here in passing(vectors)]
    return np.concatenate([np.zeros(0, np.int64), *found])


def _keep(features: Features, view: KeptView, rng: np.random.Generator, threads: int) -> None:
    view.instances(features, rng, threads)


def _fold(part: Features, number: int, view: View, vectors: Floats, folded: StoredRows) -> Any:
    """Store the mean of each document's instances, at length 1; return their sum."""
    found = unit_rows(product(view.rows(part), vectors))
    folded.write(number, found)
    return found.sum(axis=0, dtype=np.float64)


def _centre(
    unit: Any,
    number: int,
    sums: list[Any],
    folded: StoredRows,
    documents: StoredRows,
    centre: Floats,
    unknown: npt.NDArray[np.int64],
) -> None:
    """Take the mean off the documents of a block; add them up for the instances that the view does not know."""
    found = unit_rows(folded.block(number) - centre)
    if len(unknown):
        add_product(unit[:, unknown], found, sums[0])
    documents.write(number, found)
