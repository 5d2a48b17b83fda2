"""Generated documents as pseudo-labelled training data: vectors around the name, words and metadata near them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classify.documents.sequences import Sequences
from classify.paper.options import GenerationOptions
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.types import Floats, Ints, Reals
from hin.errors import BadUsage

#: A bound on exponents: far above any cosine, it prevents an overflow with altered vectors.
_LARGEST = 700.0


def sample_vmf(mean: Reals, concentration: float, n: int, rng: np.random.Generator) -> Floats:
    """Draw unit vectors from the von Mises–Fisher distribution (definition 3; Wood's rejection method, 1994).

    Examples
    --------
    >>> drawn = sample_vmf(np.eye(100)[0], 200.0, 1000, np.random.default_rng(0))
    >>> drawn.shape, bool(abs(drawn[:, 0].mean() - 0.78) < 0.01)
    ((1000, 100), True)
    """
    mu = np.asarray(mean, dtype=np.float64)
    mu = mu / np.linalg.norm(mu)
    p = len(mu)
    if p < 2:
        raise BadUsage("a von Mises–Fisher distribution needs at least two dimensions")
    # The cosine with the mean, by rejection from a beta envelope.
    b = (p - 1) / (2 * concentration + np.sqrt(4 * concentration**2 + (p - 1) ** 2))
    x0 = (1 - b) / (1 + b)
    c = concentration * x0 + (p - 1) * np.log(1 - x0**2)
    cosine = np.empty(n)
    missing = np.arange(n)
    while len(missing):
        z = rng.beta((p - 1) / 2, (p - 1) / 2, size=len(missing))
        u = rng.random(len(missing))
        w = (1 - (1 + b) * z) / (1 - (1 - b) * z)
        good = concentration * w + (p - 1) * np.log(1 - x0 * w) - c >= np.log(u)
        cosine[missing[good]] = w[good]
        missing = missing[~good]
    # The rest of the vector: a uniform direction at right angles to the mean.
    tangent = rng.standard_normal((n, p))
    tangent -= np.outer((tangent * mu).sum(axis=1), mu)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    drawn = cosine[:, None] * mu + np.sqrt(np.maximum(0.0, 1 - cosine**2))[:, None] * tangent
    return drawn.astype(np.float32)


def generate(
    vectors: Floats,
    candidates: Ints,
    names: Sequence[Floats],
    size: int,
    length: int,
    rng: np.random.Generator,
    options: GenerationOptions | None = None,
) -> Sequences:
    """Generate `size` documents for each category, one category after the other (section 3.2, generation).

    A document vector is drawn around the name; each position of the document is then filled from the nearest
    `candidates` (single terms and metadata) with probability proportional to ``exp(document · candidate)``.

    Examples
    --------
    >>> vectors = np.eye(3, dtype=np.float32)
    >>> options = GenerationOptions(concentration=1000, neighbours=1)
    >>> made = generate(vectors, np.arange(3), [vectors[2]], 2, 4, np.random.default_rng(0), options)
    >>> made.ids.tolist()
    [2, 2, 2, 2, 2, 2, 2, 2]
    """
    options = options or GenerationOptions()
    length = options.length or length
    candidates = np.asarray(candidates)
    near = min(options.neighbours, len(candidates))
    pool = vectors[candidates].astype(np.float32)
    rows = []
    for name in names:
        drawn = sample_vmf(name, options.concentration, size, rng)
        with one_blas_thread():
            affinity = drawn @ pool.T
        for values in affinity:
            # A stable order of equal values makes the draw the same on every machine.
            nearest = np.argsort(-values, kind="stable")[:near]
            weight = np.exp(np.minimum(values[nearest].astype(np.float64), _LARGEST))
            bounds = np.cumsum(weight / weight.sum())
            places = np.minimum(np.searchsorted(bounds, rng.random(length), side="right"), near - 1)
            rows.append(candidates[nearest[places]])
    ids = np.concatenate(rows).astype(np.int32) if rows else np.zeros(0, dtype=np.int32)
    return Sequences(np.arange(len(rows) + 1, dtype=np.int64) * length, ids)
