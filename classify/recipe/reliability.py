"""The reliability of each teacher, estimated without true labels.

The reliability is read off three raters that err about independently: the teacher, the names' scores, and a regression
on the teacher's answers for other documents (cross-fitting, five folds). Corrected for chance, the agreement of two is
the product of their reliabilities, so three agreements determine the teacher's, however bad the names are on the
documents that were asked about. EM with one rest of evidence instead finds any reliability plausible where that
evidence is weak, and stays near its prior. Documents that a person answered too count four times as much.

The probability that a single answer is right follows from the reliability and the rest of the evidence (Dawid and Skene
1979), by a confusion matrix that is shrunk towards the reliability where answers are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.categories.known import Known
from classify.recipe.options import KnownOptions
from classify.recipe.taught import cross_fitted
from classify.views.base import Space
from hin.arrays.score_rows import log_softmax

__all__ = ["SourceReliability", "weigh_teachers"]

Floats = npt.NDArray[np.float64]

#: The prior of a teacher's reliability: 8 of 10 answers right, with the weight of 10 answers that a person checked.
_PRIOR, _HELD = 0.8, 10.0
#: The weight of an answer that nobody checked, and the least agreement of the other two raters that is divided by.
_UNCHECKED, _LEAST_AGREEMENT = 0.25, 0.05
#: This many answers weigh as much as the overall reliability in a row of the confusion matrix.
_SHRINK = 20.0
#: With fewer answers, or more standard deviations above chance, a teacher is not taken for a guesser.
_FEWEST, _CHANCE = 20, 2.0
#: Powers of the evidence's probabilities, which may be over- or underconfident; the likeliest is taken.
_POWERS = (0.25, 0.5, 1.0, 2.0)
_CERTAIN = 0.98


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
            return f"{self.source}: {self.answers} answers, no better than chance: they teach nothing"
        return f"{self.source}: {self.answers} answers, estimated {self.right:.0%} right"


def weigh_teachers(
    known: Known,
    spaces: Sequence[Space],
    start: npt.NDArray[np.floating[Any]],
    several: bool,
    sharpness: float = 2.0,
    options: KnownOptions | None = None,
) -> tuple[Known, tuple[SourceReliability, ...]]:
    """Weight the known labels by the probability that each is right, and return the reliability of each teacher.

    A person's labels are certain and replace the teachers' answers for the same documents. With one label a document,
    the likeliest of several teachers' answers stays.
    """
    if not known.taught.any():
        return known, ()
    assert known.source is not None
    options = options or KnownOptions()
    believed = _believed(known, spaces, start, sharpness, options)
    said = dict(zip(*(part.tolist() for part in _of_person(known)), strict=True))
    weight, found = np.ones(len(known)), []
    for number, source in enumerate(known.sources):
        mine = np.flatnonzero(known.source == number)
        if several:  # probability spread over a document's categories is no test of one answer
            right, teaches, chances = _PRIOR, True, np.full(len(mine), _PRIOR)
        else:
            checked = [said[row] == label for row, label in _pairs(known, mine) if row in said]
            right = _reliability(known.choose(known.source == number), spaces, start, sharpness, options, checked)
            chances = _chances(believed[mine], known.labels[mine], right)
            teaches = len(mine) < _FEWEST or _beyond_chance(believed[mine], known.labels[mine]) >= _CHANCE
        weight[mine] = chances if teaches else 0.0
        found.append(SourceReliability(source, len(mine), float(right), bool(teaches)))
    by_person = np.isin(known.rows, known.rows[~known.taught])
    keep = ~known.taught | (~by_person & (weight > 0))
    if not several:
        keep &= _likeliest(known.rows, np.where(keep, weight, -1.0))
    return replace(known.choose(keep), weight=weight[keep]), tuple(found)


def _believed(
    known: Known, spaces: Sequence[Space], start: npt.NDArray[np.floating[Any]], sharpness: float, options: KnownOptions
) -> Floats:
    """Return each answered document's probabilities by the other evidence; a person's answer is nearly certain."""
    logs = log_softmax(sharpness * cross_fitted(known, spaces, start, sharpness, options))
    believed = np.exp(logs)
    n_categories = start.shape[1]
    said = {int(row): int(label) for row, label in zip(*_of_person(known), strict=True)}
    for entry, row in enumerate(known.rows.tolist()):
        if row in said:
            believed[entry] = (1 - _CERTAIN) / max(1, n_categories - 1)
            believed[entry, said[row]] = _CERTAIN
    return np.asarray(believed)


def _of_person(known: Known) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    held = known.held_only
    return held.rows, held.labels


def _pairs(known: Known, mine: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    return list(zip(known.rows[mine].tolist(), known.labels[mine].tolist(), strict=True))


def _reliability(
    taught: Known,
    spaces: Sequence[Space],
    start: npt.NDArray[np.floating[Any]],
    sharpness: float,
    options: KnownOptions,
    checked: Sequence[bool],
) -> float:
    """Estimate the share of a teacher's answers that are right; `checked` says which a person confirmed."""
    alone = np.zeros(start.shape, dtype=np.float32)
    regression = cross_fitted(taught, spaces, alone, sharpness, replace(options, stand_ins=0)).argmax(axis=1)
    names = np.asarray(start[taught.rows]).argmax(axis=1)
    share = three_raters(taught.labels, names, regression, start.shape[1])
    unchecked = _UNCHECKED * (len(taught) - len(checked))
    return float((_HELD * _PRIOR + unchecked * share + sum(checked)) / (_HELD + unchecked + len(checked)))


def three_raters(
    teacher: npt.NDArray[np.integer[Any]],
    second: npt.NDArray[np.integer[Any]],
    third: npt.NDArray[np.integer[Any]],
    n_categories: int,
) -> float:
    """Estimate the share of the first rater's labels that are right, from three that err independently.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 5, 4000)
    >>> one, two, three = (np.where(rng.random(4000) < p, truth, rng.integers(0, 5, 4000)) for p in (0.3, 0.4, 0.5))
    >>> bool(abs(three_raters(one, two, three, 5) - np.mean(one == truth)) < 0.04)
    True
    """

    def agreement(one: npt.NDArray[np.integer[Any]], other: npt.NDArray[np.integer[Any]]) -> float:
        shares = [np.bincount(labels, minlength=n_categories) / len(labels) for labels in (one, other)]
        chance = float(shares[0] @ shares[1])
        return max(0.0, float(np.mean(one == other)) - chance) / max(1 - chance, 1e-9)

    product = agreement(teacher, second) * agreement(teacher, third)
    reliable = min(1.0, float(np.sqrt(product / max(agreement(second, third), _LEAST_AGREEMENT))))
    return reliable + (1 - reliable) / n_categories


def _chances(believed: Floats, labels: npt.NDArray[np.int64], right: float) -> Floats:
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


def _confusion(right: float, marginal: Floats) -> Floats:
    """Return a confusion matrix with `right` on its diagonal; wrong answers follow the teacher's label frequencies."""
    others = np.tile(marginal, (len(marginal), 1))
    np.fill_diagonal(others, 0.0)
    others *= (1 - right) / np.maximum(others.sum(axis=1, keepdims=True), 1e-12)
    np.fill_diagonal(others, right)
    return others


def _posterior(rest: Floats, labels: npt.NDArray[np.int64], confusion: Floats) -> tuple[Floats, float]:
    joint = rest * confusion[:, labels].T
    total = np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    return joint / total, float(np.log(total).sum())


def _beyond_chance(believed: Floats, labels: npt.NDArray[np.int64]) -> float:
    """Return the z-score of the answers' agreement with the evidence against that of the same answers shuffled.

    >>> _beyond_chance(np.tile([[0.9, 0.1], [0.1, 0.9]], (30, 1)), np.zeros(60, dtype=np.int64))
    0.0
    """
    shares = np.bincount(labels, minlength=believed.shape[1]) / len(labels)
    mean = believed @ shares
    variance = float((np.square(believed) @ shares - mean**2).sum())
    excess = float((believed[np.arange(len(labels)), labels] - mean).sum())
    return excess / np.sqrt(variance) if variance > 1e-12 else 0.0


def _likeliest(rows: npt.NDArray[np.int64], weight: Floats) -> npt.NDArray[np.bool_]:
    """Return the mask of the entries that weigh most for their row; the first of equal ones."""
    order = np.lexsort((np.arange(len(rows)), -weight, rows))
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = rows[order][1:] != rows[order][:-1]
    chosen = np.zeros(len(rows), dtype=np.bool_)
    chosen[order[first]] = True
    return chosen
