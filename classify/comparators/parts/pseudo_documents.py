"""Pseudo documents of WeSTClass: seed words grow, a von Mises–Fisher distribution is fitted, documents are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from classify.documents.sequences import Sequences
from classify.paper.generation import generate
from classify.paper.options import GenerationOptions
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.types import Floats, Int64

#: The largest kappa: where all vectors are the same the estimate is infinite; the authors' library has a limit, too.
_MOST = 1e5


class VonMisesFisher(NamedTuple):
    """Mean direction and concentration."""

    mean: Floats
    kappa: float


def fit_vmf(vectors: npt.NDArray[np.floating]) -> VonMisesFisher:
    """Return the distribution of unit vectors: their mean direction and R(p - R²)/(1 - R²) (Banerjee et al., 2005).

    Examples
    --------
    >>> fitted = fit_vmf(np.array([[1.0, 0.0], [0.0, 1.0]]))  # R = 1/√2: (2R - R³)/(1 - R²) = 3/√2
    >>> fitted.mean.round(3).tolist(), round(fitted.kappa, 4)
    ([0.7070000171661377, 0.7070000171661377], 2.1213)
    """
    mean = np.asarray(vectors, dtype=np.float64).mean(axis=0)
    resultant = float(np.linalg.norm(mean))
    p = vectors.shape[1]
    room = 1.0 - resultant**2
    kappa = _MOST if room < 1e-9 else min(_MOST, resultant * (p - resultant**2) / room)
    return VonMisesFisher((mean / max(resultant, 1e-12)).astype(np.float32), kappa)


def grow_seeds(vectors: Floats, seeds: Sequence[Sequence[int]], most: int = 200) -> list[Int64]:
    """Add to each category's seeds the words nearest to their mean: as many as possible without a shared word.

    All categories get the same number of words, the largest for which no word is in two of them (WeSTClass, section
    4.1); a category with more seeds than that keeps just its seeds.

    Examples
    --------
    >>> unit = np.array([[1, 0], [0.96, 0.28], [0.8, 0.6], [0, 1], [0.28, 0.96]], dtype=np.float32)
    >>> [grown.tolist() for grown in grow_seeds(unit, [[0], [3]])]  # with three, word 2 would be in both
    [[0, 1], [3, 4]]
    """
    means = np.stack([vectors[list(words)].mean(axis=0) for words in seeds])
    with one_blas_thread():
        order = np.argsort(-(vectors @ means.T), axis=0, kind="stable")[: most + 1].T
    size = max(1, min(len(words) for words in seeds))
    while size < min(most, order.shape[1]) and _are_disjoint(_grow(order, seeds, size + 1)):
        size += 1
    return _grow(order, seeds, size)


def _grow(order: npt.NDArray[np.integer], seeds: Sequence[Sequence[int]], size: int) -> list[Int64]:
    return [
        np.asarray(words if len(words) >= size else row[:size], dtype=np.int64)
        for words, row in zip(seeds, order, strict=True)
    ]


def _are_disjoint(groups: Sequence[Int64]) -> bool:
    joined = np.concatenate(groups)
    return len(np.unique(joined)) == len(joined)


def draw_documents(
    vectors: Floats,
    distributions: Sequence[VonMisesFisher],
    size: int,
    length: int,
    neighbours: int,
    rng: np.random.Generator,
    background: tuple[npt.NDArray[np.floating], float] | None = None,
) -> Sequences:
    """Generate `size` documents for each category; `background` is a distribution and its share of the words.

    Examples
    --------
    >>> unit = np.eye(3, dtype=np.float32)
    >>> sure = VonMisesFisher(unit[2], 1000.0)
    >>> draw_documents(unit, [sure], 2, 3, 1, np.random.default_rng(0)).ids.tolist()
    [2, 2, 2, 2, 2, 2]
    """
    words = np.arange(len(vectors))
    parts = [
        generate(vectors, words, [each.mean], size, length, rng, GenerationOptions(each.kappa, neighbours))
        for each in distributions
    ]
    made = Sequences.joined(parts)
    if background is None or not background[1]:
        return made
    often, share = background
    bounds = np.cumsum(often / often.sum())
    common = np.minimum(np.searchsorted(bounds, rng.random(len(made.ids)), side="right"), len(vectors) - 1)
    ids = np.where(rng.random(len(made.ids)) < share, common, made.ids)
    return Sequences(made.offsets, ids.astype(np.int32))
