"""The result of comparing a pattern's instances with chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hin.arrays.types import Array, Bools, Doubles, Int64


@dataclass(frozen=True)
class Compared:
    """Instances compared with one null model; `given` is p on condition that the instance occurs at all."""

    expected: Doubles
    p: Doubles
    given: Doubles
    error: Doubles


@dataclass(frozen=True)
class PatternSignificance:
    """The significance of a whole pattern: how many instances are in enough documents, observed and by chance.

    Attributes
    ----------
    observed : int
        Instances in at least the minimum count of documents.
    expected : float
        Their expected number under the null model.
    z : float
        (observed - expected) / standard deviation.
    p : float
        Probability of at least as many.
    """

    observed: int
    expected: float
    z: float
    p: float

    def as_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary, for JSON."""
        return {"observed": self.observed, "expected": self.expected, "z": self.z, "p": self.p}

    @classmethod
    def of(cls, observed: int, expected: float, variance: float) -> PatternSignificance:
        """Compare a number of instances with its mean and variance under the null model."""
        from motifs.significance.tails import dispersed_tail

        z = (observed - expected) / max(variance, 1e-6) ** 0.5
        return cls(observed, expected, float(z), float(dispersed_tail(observed, expected, variance)))


@dataclass(frozen=True, eq=False)
class Significance:
    """How the instances of a motif table compare with chance, row by row.

    Attributes
    ----------
    documents : int64 array
        The number of compared documents that hold each instance.
    expected : float64 array
        The number of documents expected by chance.
    p : float64 array
        Probability of at least as many documents.
    q : float64 array
        False discovery rate (Benjamini-Hochberg) over all instances of the pattern, including those in too few
        documents for the table. Each p is divided by the probability that the instance occurs at all, because only
        instances that occur are compared.
    error : float64 array
        The uncertainty of p: 0 where it is exact, else a bound of the approximation, or the standard error of an
        estimate from shuffles.
    method : str
        How p was computed: `degrees` for one field, whose counts the null model preserves; `hypergeometric`,
        `Poisson` or `shuffles`.
    pattern : PatternSignificance
        The pattern as a whole.
    """

    documents: Int64
    expected: Doubles
    p: Doubles
    q: Doubles
    error: Doubles
    method: str
    pattern: PatternSignificance

    def __len__(self) -> int:
        return len(self.p)

    @property
    def lift(self) -> Doubles:
        """The ratio of observed to expected documents."""
        return self.documents / np.maximum(self.expected, 1e-300)

    def adds(self, max_q: float = 0.05) -> Bools:
        """Return the mask of the instances that are more frequent than chance; all of them for a single field.

        Examples
        --------
        >>> from motifs import match
        >>> from motifs.samples import tiny_graph
        >>> match(tiny_graph(), "venue-year", min_count=1).significance().adds().tolist()
        [False, False, False]
        """
        return np.ones(len(self), dtype=np.bool_) if self.method == "degrees" else self.q <= max_q


def benjamini_hochberg(p: Doubles, total: int, times: Array | None = None) -> Doubles:
    """Compute the q-value of each p-value among `total` tests; those that are not given have p = 1.

    `times` is the number of tests that share each p-value, by default one.

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.5, 0.02]), 4).round(3).tolist()
    [0.04, 0.667, 0.04]
    >>> benjamini_hochberg(np.array([0.01, 0.02]), 4, np.array([1, 2])).round(3).tolist()
    [0.027, 0.027]
    """
    order = np.argsort(p, kind="stable")
    ranks = np.arange(1, len(p) + 1) if times is None else np.maximum(np.cumsum(times[order]), 1)
    ranked = p[order] * max(total, ranks.max(initial=0)) / ranks
    q = np.empty(len(p))
    q[order] = np.minimum(np.minimum.accumulate(ranked[::-1])[::-1], 1.0)
    return q
