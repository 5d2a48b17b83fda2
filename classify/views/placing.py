"""Vectors of documents and instances in a view, computed in blocks and cached.

These are centred unit vectors. They do not depend on names, keywords or labels.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from classify.documents.feature_blocks import FeatureBlocks
from classify.documents.features import Features
from classify.run import Run
from classify.views.base import Space, View, place
from classify.views.joint import JointView
from classify.views.vectors import VectorsView
from embed.vectors import unit_rows
from hin.arrays.cache import cache_key_of, cached_array
from hin.arrays.linalg import add_product, product
from hin.arrays.stored_rows import BLOCK, StoredRows, passing, row_blocks
from hin.arrays.types import Floats, Int64
from hin.files.mapped import release_pages

#: Documents and instances of a view are cached if they take at most this many bytes; else only the view's vectors.
_MOST_CACHED = 128 << 20


def place_view(
    features: Features, view: View, rng: np.random.Generator, threads: int = 1, cache: Path | None = None
) -> Space:
    """Place documents and instances in a view, as `place` does, in files if the documents are.

    Parameters
    ----------
    rng : a new generator of the view; its state is part of the cache key.
    cache : a folder for these documents and this embedding, where a view with a `cache_key` is cached.
    """
    if not isinstance(features, FeatureBlocks):
        vectors, given = view.instances(features, rng, threads), getattr(view, "documents", None)
        return place(features, vectors, view.rows(features), threads, given)
    key = getattr(view, "cache_key", None)
    if cache is None or key is None:
        return _place(features, view, view.instances(features, rng, threads))
    made_from = _made_from(key, features, rng)
    sizes = {"documents": features.n_documents, "instances": len(features.documents)}
    if 4 * view.width * sum(sizes.values()) > _MOST_CACHED or not features.engine.here:  # type: ignore[attr-defined]
        return _place(features, view, _vectors(features, view, rng, cache, threads))
    home = cache / f"{view.name}-{cache_key_of(made_from)}.placed"
    with suppress(OSError, ValueError):  # missing or incomplete: it is made again
        return _open_cached(home, sizes)
    space = _place(features, view, view.instances(features, rng, threads))
    with suppress(OSError):  # without a writable folder nothing is cached
        shutil.rmtree(home, ignore_errors=True)
        cache.mkdir(parents=True, exist_ok=True)
        stored: Any = space.documents
        stored.folder.parent.rename(home)
        return _open_cached(home, sizes)
    return space


def place_views(
    features: Features, views: Sequence[View], seed: int, cache: Path | None = None, run: Run | None = None
) -> dict[str, Space]:
    """Place documents and instances in each view; the result is by the view's name."""
    run, found = run or Run(), {}
    for number, view in enumerate(views):
        run.progress("views", number, len(views), view.name)
        found[view.name] = place_view(features, view, generator_of(view.name, seed), run.threads, cache)
    return found


def generator_of(name: str, seed: int) -> np.random.Generator:
    """Return a view's own random generator, so that adding a view does not change the others."""
    return np.random.default_rng([seed, 0xF1E, *name.encode()])


def _open_cached(home: Path, sizes: dict[str, int]) -> Space:
    found: dict[str, Any] = {name: StoredRows.open(home / name, rows) for name, rows in sizes.items()}
    return Space(**found)


def _vectors(features: FeatureBlocks, view: View, rng: np.random.Generator, cache: Path, threads: int) -> Floats:
    """Read a view's vectors from the cache, or make and cache them; those of the joint embedding are stored already."""
    if isinstance(view, JointView | VectorsView):
        return view.instances(features, rng, threads)
    made_from = _made_from(view.cache_key, features, rng)  # type: ignore[attr-defined]
    read: Callable[[int], Floats] = partial(_kept, features, view, rng, cache, made_from)
    if not features.engine.here:
        # Singular vectors of a large sample are much work: a worker computes them, and they are read from its cache.
        list(features.engine.map(partial(_keep, read), [features.engine.cores]))
    return read(threads)


def _made_from(key: str, features: Features, rng: np.random.Generator) -> tuple[object, ...]:
    """Return the parts of a view's cache key; the documents and the embedding are given by the cache's folder."""
    made_from = (key, rng.bit_generator.state["state"])
    return made_from if features.damping is None else (*made_from, features.damping_key)


def _kept(
    features: Features, view: View, rng: np.random.Generator, cache: Path, made_from: object, threads: int
) -> Floats:
    shape = (len(features.documents), None)
    return cached_array(cache, view.name, made_from, shape, partial(view.instances, features, rng, threads))


def _keep(read: Callable[[int], Floats], threads: int) -> None:
    read(threads)


def _place(features: FeatureBlocks, view: View, vectors: Floats) -> Space:
    """Place documents and instances by a view's vectors, in files of their own."""
    folder = features.scratch / f"view-{view.name.replace('/', '-')}-{uuid.uuid4().hex[:8]}"
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
    release_pages(vectors)
    return Space(documents, instances)  # type: ignore[arg-type]  # stored rows serve as arrays


def _empty_rows(vectors: Floats) -> Int64:
    """Return the numbers of the rows of zeros, a block at a time, as the array may be mapped."""
    found = [here.start + np.flatnonzero(~vectors[here].any(axis=1)) for here in passing(vectors)]
    return np.concatenate([np.zeros(0, np.int64), *found])


def _fold(part: Features, number: int, view: View, vectors: Floats, folded: StoredRows) -> Any:
    """Store the mean of each document's instances, or its own vector, as a unit vector; return the sum of these."""
    given = getattr(view, "documents", None)
    here = slice(number * BLOCK, (number + 1) * BLOCK)
    found = unit_rows(product(view.rows(part), vectors) if given is None else given[here])
    folded.write(number, found)
    return found.sum(axis=0, dtype=np.float64)


def _centre(
    unit: Any,
    number: int,
    sums: list[Any],
    folded: StoredRows,
    documents: StoredRows,
    centre: Floats,
    unknown: Int64,
) -> None:
    """Centre the documents of a block; add them up for the instances that the view does not know."""
    found = unit_rows(folded.block(number) - centre)
    if len(unknown):
        add_product(unit[:, unknown], found, sums[0])
    documents.write(number, found)
