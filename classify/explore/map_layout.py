"""The layout of the map: documents placed by their vectors in the joint embedding, the same from run to run.

A few hundred landmarks (k-means) are laid out by t-SNE; a document lies between the landmarks that are nearest to it.
So a hundred thousand documents take a second, and no point moves when a document gets another category.
"""

from __future__ import annotations

import numpy as np

from classify.paper.tables import project
from hin.arrays.types import Floats

#: The number of landmarks, of documents sampled to find them, and of k-means iterations.
_LANDMARKS, _SAMPLE, _ROUNDS = 300, 10_000, 6
#: The number of landmarks that a document lies between; the nearest have the largest weights.
_NEAREST, _SHARPNESS = 4, 12.0
_BLOCK = 8192


def lay_out(vectors: Floats) -> Floats:
    """Return coordinates from -1 to 1 for unit vectors.

    >>> lay_out(np.eye(3, dtype=np.float32)[[0, 0, 1, 1, 2, 2, 0, 1]]).shape
    (8, 2)
    """
    landmarks = _landmarks(vectors)
    plane = project(landmarks, 0)
    if plane is None:  # fewer than four landmarks
        turns = np.arange(len(landmarks)) * 2 * np.pi / max(len(landmarks), 1)
        plane = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    places = np.zeros((len(vectors), 2), dtype=np.float32)
    count = min(_NEAREST, len(landmarks))
    for first in range(0, len(vectors), _BLOCK):
        near = vectors[first : first + _BLOCK] @ landmarks.T
        chosen = np.argpartition(-near, count - 1, axis=1)[:, :count]
        weights = np.exp(_SHARPNESS * (np.take_along_axis(near, chosen, 1) - near.max(axis=1, keepdims=True)))
        weights /= weights.sum(axis=1, keepdims=True)
        places[first : first + _BLOCK] = (weights[:, :, None] * plane[chosen]).sum(axis=1)
    # Documents with the same vector would hide one another: the golden angle spreads them a little.
    rows = np.arange(len(vectors))
    spread = 0.02 * np.sqrt((rows * 0.754877666) % 1.0)[:, None]
    places += spread * np.stack([np.cos(rows * 2.399963), np.sin(rows * 2.399963)], axis=1)
    return np.asarray(places / max(float(np.abs(places).max(initial=0.0)), 1e-9), dtype=np.float32)


def _landmarks(vectors: Floats) -> Floats:
    rng = np.random.default_rng(0)
    sample = vectors[np.sort(rng.choice(len(vectors), min(_SAMPLE, len(vectors)), replace=False))]
    sample = sample[np.abs(sample).sum(axis=1) > 0]
    if not len(sample):
        return np.zeros((1, vectors.shape[1]), dtype=np.float32)
    found = np.unique(sample[np.sort(rng.choice(len(sample), min(_LANDMARKS, len(sample)), replace=False))], axis=0)
    for _ in range(_ROUNDS):
        nearest = (sample @ found.T).argmax(axis=1)
        sums = np.zeros_like(found)
        np.add.at(sums, nearest, sample)
        held = np.linalg.norm(sums, axis=1) > 0
        found[held] = sums[held] / np.linalg.norm(sums[held], axis=1, keepdims=True)
    return np.asarray(found, dtype=np.float32)
