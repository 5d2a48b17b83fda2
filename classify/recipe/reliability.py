"""The reliability of each teacher, estimated without true labels.

Two estimates, of which the lesser is taken, as each may be too high. By what is taught: a regression on the answers,
without the names, is compared with the names' labels of other documents where these are sure, and its agreement divided
by that of a regression on the names' labels of the same documents. Random errors lower it in proportion until answers
are numerous enough to cancel them. By the answered documents: the agreements of the teacher, the names and a
regression on the teacher's other answers (five folds), two by two, determine the reliability of each if they err
independently; where a teacher's errors are systematic, the regression repeats them. Answers that a person checked count
four times as much.

A teacher teaches only if it is clearly better than chance by this estimate.

The probability that a single answer is right follows from the reliability and the rest of the evidence (Dawid and Skene
1979), by a confusion matrix that is shrunk towards the reliability where answers are few; where a document may have
several categories, by the odds of each answer alone. The regression is part of that evidence and repeats systematic
errors, so the mean probability is lowered to the estimate by the answered documents where it is above.

Last, answers weigh less where the names agree with the teacher better than the regression on its other answers does:
what it teaches is then worse than the names on these documents, however often the teacher is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from classify.categories.known import Known
from classify.recipe.options import KnownOptions
from classify.recipe.taught import cross_fitted, taught_alone
from classify.several.levels import probabilities_of_sets, sigmoid
from classify.views.base import Space
from hin.arrays.score_rows import log_softmax
from hin.arrays.types import Bools, Doubles, Int64, Reals

#: The prior of a teacher's reliability: 8 of 10 answers right, with the weight of 10 answers that a person checked.
_PRIOR, _HELD = 0.8, 2.5
#: The weight of an answer that nobody checked, and the least agreement of the other two raters that is divided by.
_UNCHECKED, _LEAST_AGREEMENT = 0.25, 0.05
#: The most documents whose labels by the names are compared with what a teacher teaches.
_MOST = 10_000
#: This many answers weigh as much as the overall reliability in a row of the confusion matrix.
_SHRINK = 20.0
#: A teacher with fewer answers, or so far above chance (1: always right), is not taken for a guesser.
_FEWEST, _CLEARLY = 20, 0.3
#: What fewer answers teach is not compared with the names: it still improves too much with their number.
_COMPARABLE = 100
#: Powers of the evidence's probabilities, which may be over- or underconfident; the likeliest is taken.
_POWERS = (0.25, 0.5, 1.0, 2.0)
_CERTAIN, _MOST_CERTAIN = 0.98, 0.9999


@dataclass(frozen=True)
class SourceReliability:
    """A teacher's reliability: its number of answers, the share estimated to be right, and whether they are used."""

    source: str
    answers: int
    right: float
    teaches: bool

    def as_record(self) -> dict[str, Any]:
        """Return the figures for the manifest."""
        return {"answers": self.answers, "right": round(self.right, 4), "teaches": self.teaches}

    @property
    def note(self) -> str:
        """One line for the user."""
        if not self.teaches:
            return f"{self.source}: {self.answers} answers, hardly better than chance: they teach nothing"
        return f"{self.source}: {self.answers} answers, estimated {self.right:.0%} right"


def weigh_teachers(
    known: Known,
    spaces: Sequence[Space],
    start: Reals,
    several: bool,
    sharpness: float = 2.0,
    options: KnownOptions | None = None,
) -> tuple[Known, tuple[SourceReliability, ...]]:
    """Weight the known labels, and return the reliability of each teacher.

    A person's labels are certain and replace the teachers' answers for the same documents. With one label per document,
    the likeliest of several teachers' answers stays.
    """
    if not known.taught.any():
        return known, ()
    assert known.source is not None
    options = options or KnownOptions()
    said: dict[int, set[int]] = {}
    for row, label in _pairs(known, np.flatnonzero(~known.taught)):
        said.setdefault(row, set()).add(label)
    scores = sharpness * cross_fitted(known, spaces, start, sharpness, options)
    size = len(known) / len(np.unique(known.rows))
    believed = probabilities_of_sets(scores, size) if several else np.exp(log_softmax(scores))
    _hold(believed, known.rows, said)
    weigh = _chances_of_sets if several else _chances
    weight, found = np.ones(len(known)), []
    for number, source in enumerate(known.sources):
        mine = np.flatnonzero(known.source == number)
        checked = [label in said[row] for row, label in _pairs(known, mine) if row in said]
        estimate = _estimate(known.choose(known.source == number), spaces, start, options, checked)
        chances = _at_most(weigh(believed[mine], known.labels[mine], estimate.right), estimate.most)
        teaches = len(mine) < _FEWEST or estimate.above >= _CLEARLY
        weight[mine] = chances * (estimate.worth if len(mine) >= _COMPARABLE else 1.0) if teaches else 0.0
        found.append(SourceReliability(source, len(mine), estimate.right, teaches))
    by_person = np.isin(known.rows, known.rows[~known.taught])
    keep = ~known.taught | (~by_person & (weight > 0))
    if not several:
        keep &= _likeliest(known.rows, np.where(keep, weight, -1.0))
    return replace(known.choose(keep), weight=weight[keep]), tuple(found)


def _hold(believed: Doubles, rows: Int64, said: Mapping[int, set[int]]) -> None:
    """Make a person's answers nearly certain in the probabilities of the answered documents."""
    for entry, row in enumerate(rows.tolist()):
        if row in said:
            believed[entry] = (1 - _CERTAIN) / max(1, believed.shape[1] - 1)
            believed[entry, list(said[row])] = _CERTAIN


def _pairs(known: Known, mine: Int64) -> list[tuple[int, int]]:
    return list(zip(known.rows[mine].tolist(), known.labels[mine].tolist(), strict=True))


@dataclass(frozen=True)
class _Estimate:
    """What is estimated of a teacher.

    Attributes
    ----------
    right : the share of its answers that are right.
    above : how far that is above chance (1: always right).
    most : the largest share that is plausible, by the answered documents alone.
    worth : a factor on the weight of its answers, less than 1 where what it teaches is worse than the names.
    """

    right: float
    above: float
    most: float
    worth: float


def _estimate(
    taught: Known,
    spaces: Sequence[Space],
    start: Reals,
    options: KnownOptions,
    checked: Sequence[bool],
) -> _Estimate:
    """Estimate how good a teacher is; `checked` says which answers a person confirmed."""
    rows, first, home = np.unique(taught.rows, return_index=True, return_inverse=True)
    size = max(1, round(len(taught) / len(rows)))
    chance, unchecked = size / start.shape[1], _UNCHECKED * (len(taught) - len(checked))
    said = np.zeros((len(rows), start.shape[1]), dtype=np.bool_)
    said[home, taught.labels] = True
    names = best_mask(np.asarray(start[rows]), size)
    alone = np.zeros(start.shape, dtype=np.float32)
    folds = best_mask(cross_fitted(taught, spaces, alone, 1.0, replace(options, stand_ins=0))[first], size)
    document, label = np.nonzero(names)
    as_taught = _as_taught(taught, Known(rows[document], label), spaces, start, options)
    by_documents = three_raters(said, names, folds)
    above = min(by_documents, as_taught)
    answers, right = unchecked + len(checked), unchecked * (above + (1 - above) * chance) + sum(checked)
    share = float((_HELD * _PRIOR + right) / (_HELD + answers))
    return _Estimate(
        share,
        float((right / answers - chance) / max(1 - chance, 1e-9)),
        max(share, by_documents + (1 - by_documents) * chance),
        (unchecked * _worth(said, names, folds) + len(checked)) / answers,
    )


def _worth(said: Bools, names: Bools, folds: Bools) -> float:
    """Compare a teacher's agreement with the regression on its other answers and with the names; 1 at most.

    Both agreements are proportional to the teacher's reliability, so their ratio does not depend on it.

    >>> said = np.eye(2, dtype=bool)[[0, 1, 0, 1, 0, 1, 0, 1]]
    >>> half = np.eye(2, dtype=bool)[[0, 1, 0, 1, 0, 1, 1, 0]]
    >>> _worth(said, half, said), _worth(said, said, half)
    (1.0, 0.25)
    """
    ratio = max(agreement(said, folds), _LEAST_AGREEMENT) / max(agreement(said, names), _LEAST_AGREEMENT)
    return min(1.0, ratio) ** 2


def _as_taught(taught: Known, by_names: Known, spaces: Sequence[Space], start: Reals, options: KnownOptions) -> float:
    """Measure how well what is taught agrees with the names where these are sure, by what the names would teach."""
    rows = np.unique(taught.rows)
    size = len(by_names) // len(rows)
    sure = _surest(start, rows, size)
    if len(sure) < _FEWEST:
        return 1.0
    names = best_mask(np.asarray(start[sure]), size)
    learned, reference = (
        agreement(best_mask(taught_alone(known, spaces, start.shape, sure, options), size), names)
        for known in (taught, by_names)
    )
    return min(1.0, max(0.0, learned) / reference) if reference >= _LEAST_AGREEMENT else 1.0


def three_raters(teacher: Bools, second: Bools, third: Bools) -> float:
    """Estimate how far above chance the first rater is, from the agreements of three that err independently.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 5, 4000)
    >>> said = [np.where(rng.random(4000) < p, truth, rng.integers(0, 5, 4000)) for p in (0.3, 0.4, 0.5)]
    >>> bool(abs(three_raters(*(np.eye(5, dtype=bool)[one] for one in said)) - 0.3) < 0.04)
    True
    """
    product = max(0.0, agreement(teacher, second)) * max(0.0, agreement(teacher, third))
    return min(1.0, float(np.sqrt(product / max(agreement(second, third), _LEAST_AGREEMENT))))


def _surest(start: Reals, answered: Int64, size: int) -> Int64:
    """Return the half of the other documents about whose best categories the names are surest, or a sample of it."""
    others = np.setdiff1d(np.arange(len(start)), answered)
    others = others[:: -(-len(others) // _MOST) or 1]
    ordered = -np.sort(-np.asarray(start[others], dtype=np.float64), axis=1)
    if not len(others) or size >= ordered.shape[1]:
        return others[:0]
    margin = ordered[:, size - 1] - ordered[:, size]
    return np.asarray(others[margin >= np.median(margin)])


def best_mask(scores: Reals, number: int) -> Bools:
    """Return the mask of the best scores of each row.

    >>> best_mask(np.array([[3, 1, 2], [0, 5, 1]]), 2).tolist()
    [[True, False, True], [False, True, True]]
    """
    order = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
    return np.asarray(order < number)


def agreement(one: Bools, other: Bools) -> float:
    """Measure how far two raters agree beyond chance, given the categories that each gives the documents: 1 at most.

    >>> same = np.eye(2, dtype=bool)[[0, 1, 0, 1]]
    >>> agreement(same, same), agreement(same, np.eye(2, dtype=bool)[[0, 0, 1, 1]])
    (1.0, 0.0)
    """
    each = float(one.sum(axis=1).mean())
    chance = float(one.mean(axis=0) @ other.mean(axis=0)) / each
    return (float((one & other).sum(axis=1).mean()) / each - chance) / max(1 - chance, 1e-9)


def _chances(believed: Doubles, labels: Int64, right: float) -> Doubles:
    """Return the probability that each answer is right, given the share that is.

    >>> believed = np.tile([[0.9, 0.05, 0.05], [0.05, 0.9, 0.05]], (30, 1))
    >>> each = _chances(believed, np.tile([0, 2], 30), 0.5)  # every second one is wrong
    >>> bool(each[0] > each[1] + 0.3)
    True
    """
    n, n_categories = believed.shape
    marginal = (np.bincount(labels, minlength=n_categories) + 1.0) / (n + n_categories)
    plain = _confusion(right, marginal)
    powered = [believed**power for power in _POWERS]
    rests = [rest / rest.sum(axis=1, keepdims=True) for rest in powered]
    rest = max(rests, key=lambda rest: _posterior(rest, labels, plain)[1])
    posterior, _ = _posterior(rest, labels, plain)
    counts = np.zeros((n_categories, n_categories))
    np.add.at(counts.T, labels, posterior)
    shrunk = (counts + _SHRINK * plain) / (counts.sum(axis=1, keepdims=True) + _SHRINK)
    posterior, _ = _posterior(rest, labels, shrunk)
    return np.asarray(posterior[np.arange(n), labels])


def _chances_of_sets(believed: Doubles, labels: Int64, right: float) -> Doubles:
    """Return the probability that each answer is right where a document may have several, by the odds of each alone.

    >>> believed = np.tile([[0.9, 0.2, 0.1], [0.1, 0.9, 0.2]], (30, 1))
    >>> each = _chances_of_sets(believed, np.tile([0, 2], 30), 0.5)
    >>> bool(each[0] > each[1] + 0.3)
    True
    """
    shares = np.bincount(labels, minlength=believed.shape[1]) / len(labels)
    by_chance = float((believed @ shares).mean())  # how often the same answers would be right about other documents
    gain = _log_odds(np.array(right)) - _log_odds(np.array(by_chance))
    return sigmoid(_log_odds(believed[np.arange(len(labels)), labels]) + gain)


def _at_most(chances: Doubles, mean: float) -> Doubles:
    """Lower the odds of all by the same factor until their mean is at most this.

    >>> _at_most(np.array([0.9, 0.5]), 0.5).round(2).tolist(), _at_most(np.array([0.9, 0.5]), 0.8).tolist()
    ([0.75, 0.25], [0.9, 0.5])
    """
    if chances.mean() <= mean:
        return chances
    sure = np.minimum(chances, _MOST_CERTAIN)
    odds, low, high = sure / (1 - sure), 0.0, 1.0
    for _ in range(60):
        factor = (low + high) / 2
        low, high = (factor, high) if (factor * odds / (1 + factor * odds)).mean() <= mean else (low, factor)
    return np.asarray(low * odds / (1 + low * odds))


def _log_odds(share: Doubles) -> Doubles:
    bounded = np.clip(share, 0.02, 0.98)
    return np.asarray(np.log(bounded / (1 - bounded)))


def _confusion(right: float, marginal: Doubles) -> Doubles:
    """Return a confusion matrix with `right` on its diagonal; wrong answers follow the teacher's label frequencies."""
    others = np.tile(marginal, (len(marginal), 1))
    np.fill_diagonal(others, 0.0)
    others *= (1 - right) / np.maximum(others.sum(axis=1, keepdims=True), 1e-12)
    np.fill_diagonal(others, right)
    return others


def _posterior(rest: Doubles, labels: Int64, confusion: Doubles) -> tuple[Doubles, float]:
    joint = rest * confusion[:, labels].T
    total = np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    return joint / total, float(np.log(total).sum())


def _likeliest(rows: Int64, weight: Doubles) -> Bools:
    """Return the mask of the entries that weigh most for their row; the first of equal ones."""
    order = np.lexsort((np.arange(len(rows)), -weight, rows))
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = rows[order][1:] != rows[order][:-1]
    chosen = np.zeros(len(rows), dtype=np.bool_)
    chosen[order[first]] = True
    return chosen
