"""Tail probabilities of counts, whole arrays at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Bools, Doubles

#: A series ends at a term that is smaller than this share of the sum; that is tested after every few terms.
_LAST, _TERMS = 1e-11, 4
#: Below this, a factorial is not computed by the first two terms of Stirling's series.
_SMALL = 200


def poisson_tail(count: npt.ArrayLike, mean: npt.ArrayLike) -> Doubles:
    """Compute the probability of at least `count` events where `mean` are expected.

    Examples
    --------
    >>> poisson_tail([0, 1, 2], 1.0).round(4).tolist()
    [1.0, 0.6321, 0.2642]
    """
    from scipy.special import gammainc

    counts, means = np.broadcast_arrays(np.asarray(count, dtype=np.float64), np.asarray(mean, dtype=np.float64))
    found: Doubles = np.where(counts <= 0, 1.0, gammainc(np.maximum(counts, 1), means))
    return found


def hypergeometric_tail(
    count: npt.ArrayLike, population: npt.ArrayLike, marked: npt.ArrayLike, drawn: npt.ArrayLike
) -> Doubles:
    """Compute the probability of at least `count` marked ones among those drawn without replacement.

    The tail away from the mean is summed as a series, its terms from the ratio of neighbours: relative error about
    1e-9, also where scipy's own would subtract from 1.

    Examples
    --------
    >>> hypergeometric_tail([0, 1, 2, 3], 10, 3, 2).round(4).tolist()
    [1.0, 0.5333, 0.0667, 0.0]
    """
    arrays = [np.asarray(a, dtype=np.float64) for a in (count, population, marked, drawn)]
    x, total, good, draws = (a.ravel() for a in np.broadcast_arrays(*arrays))
    low, high = np.maximum(0, good + draws - total), np.minimum(good, draws)
    upper = x > draws * good / np.maximum(total, 1)
    start = np.where(upper, x, x - 1)  # the first term of P(X >= x), or of P(X <= x - 1)
    inside = (start >= low) & (start <= high)
    sums = np.zeros(len(x))
    where = np.flatnonzero(inside)
    args = (start[where], total[where], good[where], draws[where], upper[where])
    sums[where] = np.exp(_log_probability(*args[:4])) * _series(*args)
    tail = np.where(upper, sums, 1 - sums)
    tail = np.where(x <= low, 1.0, np.where(x > high, 0.0, tail))
    return np.clip(tail, 0.0, 1.0).reshape(np.broadcast_shapes(*(a.shape for a in arrays)))


def hypergeometric_any(population: float, marked: Doubles, drawn: Doubles) -> Doubles:
    """Compute the probability of at least one marked one among those drawn without replacement.

    By Stirling's series of the four factorials of P(none), their differences written so that nothing cancels.

    Examples
    --------
    >>> hypergeometric_any(10, np.array([3.0]), np.array([2.0])).round(4).tolist()
    [0.5333]
    """
    rest = population - marked - drawn
    few = rest < _SMALL
    if few.any():
        found = np.empty(len(rest))
        found[few] = hypergeometric_tail(1, population, marked[few], drawn[few])
        found[~few] = hypergeometric_any(population, marked[~few], drawn[~few])
        return found
    unmarked, left = population - marked, population - drawn
    log_none = (population + 0.5) * np.log1p(marked * drawn / (rest * population))
    log_none += marked * np.log1p(-drawn / unmarked) + drawn * np.log1p(-marked / left)
    log_none += drawn / 12 * (1 / (population * left) - 1 / (rest * unmarked))
    return -np.expm1(log_none)


def _log_probability(x: Doubles, total: Doubles, good: Doubles, draws: Doubles) -> Doubles:
    from scipy.special import gammaln

    def choose(n: Doubles, k: Doubles) -> Doubles:
        found: Doubles = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
        return found

    return choose(good, x) + choose(total - good, draws - x) - choose(total, draws)


def _series(x: Doubles, total: Doubles, good: Doubles, draws: Doubles, upper: Bools) -> Doubles:
    """Sum the terms from `x` on, upwards or downwards, each as a multiple of the first."""
    rest = total - good - draws
    # the ratio of the next term to this one is a b / (c d); with each term a and b fall by one, c and d rise by one
    a, b = np.where(upper, good - x, x), np.where(upper, draws - x, rest + x)
    c, d = np.where(upper, x, good - x) + 1, np.where(upper, rest + x, draws - x) + 1
    sums, term, active = np.ones(len(x)), np.ones(len(x)), np.arange(len(x))
    found = np.ones(len(x))
    while len(active):
        for _ in range(_TERMS):  # a finished sum may go on: its terms are too small to change it, or 0
            term *= a * b / (c * d)
            sums += term
            a, b, c, d = a - 1, b - 1, c + 1, d + 1
        going = term > _LAST * sums
        found[active[~going]] = sums[~going]
        active = active[going]
        sums, term, a, b, c, d = (values[going] for values in (sums, term, a, b, c, d))
    return found


def dispersed_tail(count: npt.ArrayLike, mean: npt.ArrayLike, variance: npt.ArrayLike) -> Doubles:
    """Compute the probability of at least `count` where mean and variance are estimated from a sample.

    A negative binomial where the variance exceeds the mean, a binomial where it falls short of it, both with these two
    moments; for a count beyond the trials of that binomial, the narrowest one that reaches it. Near its last count a
    binomial falls faster than what it stands for, so there it is at least the normal distribution's tail.

    Examples
    --------
    >>> dispersed_tail([3, 3, 3], [1.0, 1.0, 1.0], [1.0, 3.0, 0.5]).round(4).tolist()
    [0.0803, 0.134, 0.037]
    """
    from scipy.special import betainc, ndtr

    arrays = (np.asarray(a, dtype=np.float64) for a in (count, mean, variance))
    counts, means, variances = np.broadcast_arrays(*arrays)
    x, difference = np.maximum(counts, 1), variances - means
    wide, narrow = difference > 1e-9 * means, difference < -1e-9 * means
    apart = np.maximum(np.abs(difference), 1e-300)
    size = np.maximum(means**2 / apart, 1e-300)
    above = betainc(x, size, np.where(wide, apart / (apart + means), 0.5))
    trials = np.maximum(size, x)
    below = betainc(x, trials - x + 1, np.where(narrow, np.minimum(means / trials, 1.0), 0.5))
    z = (x - 0.5 - means) / np.sqrt(np.maximum(variances, 1e-300))
    below = np.maximum(below, np.where(z > 2, ndtr(-z), 0.0))
    found: Doubles = np.where(wide, above, np.where(narrow, below, poisson_tail(x, means)))
    return np.where(counts <= 0, 1.0, found)
