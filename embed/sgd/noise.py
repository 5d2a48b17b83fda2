"""Noise distributions of negative sampling, as alias tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hin.arrays.types import Doubles, Floats, Int32

#: Terms with at most this many occurrences are never subsampled.
FEW = 20


@dataclass(frozen=True)
class AliasTable:
    """A discrete distribution that is sampled in constant time (Walker's alias method).

    Examples
    --------
    >>> AliasTable.of(np.array([1.0, 3.0])).probabilities().round(3).tolist()
    [0.25, 0.75]
    """

    accept: Floats
    alias: Int32

    @classmethod
    def of(cls, weights: NDArray[np.floating]) -> AliasTable:
        """Build the table of probabilities proportional to ``weights`` (Vose)."""
        n = len(weights)
        total = float(np.sum(weights, dtype=np.float64)) if n else 0.0
        if total <= 0:
            return cls(np.ones(max(n, 1), np.float32), np.arange(max(n, 1), dtype=np.int32))
        scaled = np.asarray(weights, np.float64) * (n / total)
        from embed.sgd.noise_kernel import vose

        accept, alias = vose(scaled)
        return cls(accept, alias)

    @classmethod
    def of_degrees(cls, degrees: NDArray[np.integer], power: float) -> AliasTable:
        """Build the noise distribution proportional to degree ** power (paper, appendix A.1: 3/4)."""
        return cls.of(np.asarray(degrees, np.float64) ** power * (np.asarray(degrees) > 0))  # 0 ** 0 is 1

    def probabilities(self) -> Doubles:
        """Return the exact probability of each outcome."""
        n = len(self.accept)
        accept = np.minimum(self.accept.astype(np.float64), 1.0)
        return (accept + np.bincount(self.alias, weights=1.0 - accept, minlength=n)) / n


def keep_probability(counts: NDArray[np.integer], threshold: float) -> Floats:
    """Compute the probability of keeping one occurrence of each term: min(1, sqrt(t/f) + t/f) for relative frequency f.

    In small corpora t is raised to the share that 20 occurrences have: rarer terms are all kept.

    Examples
    --------
    >>> [round(float(p), 2) for p in keep_probability(np.array([100, 99900]), 0.01)]
    [1.0, 0.11]
    >>> keep_probability(np.array([1, 999]), 0.0).tolist()  # switched off
    [1.0, 1.0]
    """
    if threshold <= 0:
        return np.ones(len(counts), np.float32)
    total = max(int(np.sum(counts)), 1)
    ratio = max(threshold, FEW / total) / (np.maximum(counts, 1) / total)
    keep: Floats = np.minimum(1.0, np.sqrt(ratio) + ratio).astype(np.float32)
    return keep
