"""The accuracy of the labels from a few answers and all predictions: a stratified estimate with a 95 % interval.

Documents are drawn by strata of label and confidence, more where the labels are doubtful (Neyman's allocation), and
never from those that were answered for training. The strata of each draw are stored, so the estimate stays unbiased
when the documents are classified again. Stratified rather than prediction-powered: with such strata both use the same
predictions, and the stratified estimate needs no calibrated confidence.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from classify.answers.measured_f1 import MeasuredFigure
from hin.arrays.types import Bools, Int64, Ints, Reals
from hin.files.checked import damaged, plain_file
from hin.files.json_shapes import mismatch

FILE = "draws.jsonl"
#: The normal quantile of a 95 % interval.
_Z = 1.959964
#: The mean and the least number of draws per stratum, and the least variance that a confidence stands for.
_EACH, _LEAST, _DOUBT = 4, 2, 0.1


@dataclass(frozen=True)
class Draw:
    """Documents drawn for measuring: their ids, the stratum of each, and how many documents each stratum has."""

    documents: tuple[str, ...]
    strata: tuple[int, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class MeasuredShare:
    """A share with its 95 % interval, the number of answers it is from, and micro- and macro-F1 where estimated."""

    share: float
    low: float
    high: float
    answers: int
    f1: Mapping[str, MeasuredFigure] = field(default_factory=dict)

    def needed(self, half_width: float = 0.03) -> int:
        """Estimate the number of further answers that would reduce the interval to this half width."""
        now = max((self.high - self.low) / 2, 1e-9)
        return max(0, int(np.ceil(self.answers * ((now / half_width) ** 2 - 1))))

    def as_dict(self) -> dict[str, Any]:
        """Return the estimate as a record for machines."""
        return {
            "accuracy": round(self.share, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
            "answers": self.answers,
            "more_for_0.03": self.needed(),
            **{name: figure.as_dict() for name, figure in self.f1.items()},
        }


def draw_documents(
    confidence: Reals,
    labels: Ints,
    free: Bools,
    number: int,
    rng: np.random.Generator,
) -> tuple[Int64, Int64, list[int]]:
    """Draw documents by strata of label and confidence; return their rows, the stratum of each and the strata's sizes.

    Labels differ more in accuracy than confidence shows; small ones share strata.

    >>> rng, label = np.random.default_rng(0), np.arange(100) % 2
    >>> rows, strata, sizes = draw_documents(np.linspace(0.2, 1, 100), label, np.ones(100, dtype=np.bool_), 20, rng)
    >>> len(set(rows.tolist())), sum(sizes)
    (20, 100)
    """
    rows = np.flatnonzero(free)
    number = min(number, len(rows))
    groups = _strata(rows, confidence, labels, max(1, number // _EACH))
    sure = np.array([float(np.mean(confidence[group])) for group in groups])
    want = np.array([len(group) for group in groups]) * np.sqrt(np.maximum(sure * (1 - sure), _DOUBT))
    share = np.maximum(want / want.sum() * number, min(_LEAST, number // len(groups)))
    counts = np.minimum(np.floor(share).astype(int), [len(group) for group in groups])
    while counts.sum() != number:  # correct the rounding: take from the largest, or add where most is missing
        if counts.sum() > number:
            counts[int(np.where(counts > 1, counts / share, -np.inf).argmax())] -= 1
        else:
            room = np.array([len(group) for group in groups]) > counts
            counts[int(np.where(room, share - counts, -np.inf).argmax())] += 1
    chosen = [np.sort(rng.choice(group, count, replace=False)) for group, count in zip(groups, counts, strict=True)]
    strata = np.repeat(np.arange(len(groups)), counts)
    return np.concatenate(chosen), strata, [len(group) for group in groups]


def _strata(
    rows: Int64,
    confidence: Reals,
    labels: Ints,
    number: int,
) -> list[Int64]:
    """Divide documents by label, and each label's by confidence, into about `number` parts of similar size."""
    home, sizes = np.unique(labels[rows], return_inverse=True, return_counts=True)[1:]
    home = np.where(number * sizes[home] < 0.5 * len(rows), -1, home)  # the small labels together
    parts = []
    for one in np.unique(home):
        mine = rows[home == one]
        mine = mine[np.argsort(confidence[mine], kind="stable")]
        parts += np.array_split(mine, max(1, min(len(mine), round(number * len(mine) / len(rows)))))
    return parts


def estimate_share(
    right: Sequence[bool], strata: Sequence[int], sizes: Sequence[int], expected: Sequence[float]
) -> MeasuredShare:
    """Estimate the share that is right, with Wilson's interval at the effective sample size of the strata.

    Parameters
    ----------
    right, strata : of each answered document.
    sizes : how many documents each stratum has.
    expected : the confidence of each answered document; it acts as one more answer in each stratum, so that a
        stratum in which all answers agree is not treated as certain.
    """
    values, home, sure = np.asarray(right, dtype=float), np.asarray(strata), np.asarray(expected, dtype=float)
    there = [number for number in range(len(sizes)) if (home == number).any()]
    total = float(sum(sizes[number] for number in there))
    share = variance = 0.0
    for number in there:
        mine, weight = values[home == number], sizes[number] / total
        smoothed = (mine.sum() + sure[home == number].mean()) / (len(mine) + 1)
        share += weight * float(mine.mean())
        variance += weight**2 * float(smoothed * (1 - smoothed)) / len(mine)
    middle = min(max(share, 0.5 / len(values)), 1 - 0.5 / len(values))
    worth = middle * (1 - middle) / max(variance, 1e-12)
    centre = (share + _Z**2 / (2 * worth)) / (1 + _Z**2 / worth)
    half = _Z / (1 + _Z**2 / worth) * np.sqrt(share * (1 - share) / worth + _Z**2 / (4 * worth**2))
    return MeasuredShare(share, max(0.0, centre - half), min(1.0, centre + half), len(values))


def write_draw(folder: Path, draw: Draw) -> None:
    """Append a draw; it is on disk when this returns."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {"documents": draw.documents, "strata": draw.strata, "sizes": draw.sizes}
    with (folder / FILE).open("ab") as file:
        file.write(b"\n" + json.dumps(record, ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read_draws(folder: Path) -> list[Draw]:
    """Read all draws, oldest first; a line left incomplete by a killed process has no answers yet and is skipped."""
    path = folder / FILE
    if not os.path.lexists(path):
        return []
    found = []
    for line in plain_file(path).read_bytes().splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if fault := mismatch(record, {"documents": [str], "strata": [int], "sizes": [int]}):
            raise damaged(path, fault)
        found.append(Draw(tuple(record["documents"]), tuple(record["strata"]), tuple(record["sizes"])))
    return found
