"""The result of comparing a pattern's instances with chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Compared", "PatternSignificance", "Significance", "benjamini_hochberg"]

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Compared:
    """Instances against one null model; `given` is p given that the instance occurs at all."""

    expected: _Floats
    p: _Floats
    given: _Floats
    error: _Floats


@dataclass(frozen=True)
class PatternSignificance:
    """A whole pattern: the number of instances in enough documents, observed and expected by chance.

    Attributes
    ----------
    observed : int
        Instances in at least the minimum count of documents.
    expected : float
        Their expected number under the null model.
    z : float
        Observed minus expected in standard deviations.
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
    """The instances of a table against chance, row by row.

    Attributes
    ----------
    documents : int64 array
        The number of documents of each instance that were compared.
    expected : float64 array
        The number of documents expected by chance.
    p : float64 array
        Probability of at least as many documents.
    q : float64 array
        False discovery rate (Benjamini-Hochberg) over all instances of the pattern, also those in too few documents
        to be in the table; each p is divided by the probability that the instance occurs at all, because only those
        that occur are compared.
    error : float64 array
        The uncertainty of p: 0 where it is exact, else a bound of the approximation, or the standard error of a share
        that was counted in shuffles.
    method : str
        `degrees` for one field, whose counts the null model preserves; `hypergeometric`, `Poisson` or `shuffles`.
    pattern : PatternSignificance
        The pattern as a whole.
    """

    documents: npt.NDArray[np.int64]
    expected: _Floats
    p: _Floats
    q: _Floats
    error: _Floats
    method: str
    pattern: PatternSignificance

    def __len__(self) -> int:
        return len(self.p)

    @property
    def lift(self) -> _Floats:
        """The ratio of observed to expected documents."""
        return self.documents / np.maximum(self.expected, 1e-300)

    def adds(self, max_q: float = 0.05) -> npt.NDArray[np.bool_]:
        """Return the mask of the instances that are more frequent than chance; those of one field always are.

        Examples
        --------
        >>> from motifs import match
        >>> from motifs.samples import tiny_graph
        >>> match(tiny_graph(), "venue-year", min_count=1).significance().adds().tolist()
        [False, False, False]
        """
        return np.ones(len(self), dtype=np.bool_) if self.method == "degrees" else self.q <= max_q


def benjamini_hochberg(p: _Floats, total: int) -> _Floats:
    """Compute the q of each p where `total` were tested and those not given have p = 1.

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.5, 0.02]), 4).round(3).tolist()
    [0.04, 0.667, 0.04]
    """
    order = np.argsort(p, kind="stable")
    ranked = p[order] * max(total, len(p)) / np.arange(1, len(p) + 1)
    q = np.empty(len(p))
    q[order] = np.minimum(np.minimum.accumulate(ranked[::-1])[::-1], 1.0)
    return q
