"""The quality of the last labels, from a person's answers about a random sample, and the effect of more answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.answers.asking import Round, expected_moves
from classify.answers.measured import measured_accuracy
from hin.stores.answers import AnswerLog

if TYPE_CHECKING:
    from classify.explore.session import Session
    from classify.explore.state.history import History

#: The borders of the bins of confidence.
_BINS = (0.0, 0.5, 0.7, 0.85, 0.95, 1.0)
#: The number of more answers whose effect is estimated.
MORE = 50


def quality(session: Session) -> dict[str, Any]:
    """Return the measured accuracy with its interval, calibration, confusion, and the expected effect of more answers.

    `evaluated` has the figures of `hin evaluate` where the graph has true labels.
    """
    stored = session.classified().stored
    measured = measured_accuracy(session.store, session.graph, stored)
    pairs = list(_measured_pairs(session))
    return {
        "expected_accuracy": stored.reliability.expected_accuracy,
        "weak": [str(one) for one in stored.reliability.weak],
        "measured": None if measured is None else measured.as_dict(),
        "answers": len(pairs),
        "calibration": calibration([(sure, answer == label) for answer, label, sure in pairs]),
        "confusion": confusion([(answer, label) for answer, label, _ in pairs]),
        "more": expected_of_more(session, None if measured is None else (measured.high - measured.low) / 2, len(pairs)),
        "evaluated": _evaluated(session),
    }


def _measured_pairs(session: Session) -> Iterator[tuple[str, str, float]]:
    """Yield the answer, the label ("" for none) and the confidence of each document that was answered for measuring."""
    stored, graph = session.classified().stored, session.graph
    current = AnswerLog(session.store).current(graph)
    taught = {answer.document for answer in current if answer.purpose == "teach"}
    for answer in current:
        if answer.purpose != "measure" or answer.verdict == "cannot tell" or answer.document in taught:
            continue
        row = graph.documents.index(answer.document)
        label = int(stored.labels[row])
        given = "" if label < 0 else stored.categories[label]
        said = given if given in answer.categories else "".join(answer.categories[:1])
        yield said, given, float(stored.exact[row].max())


def calibration(answers: list[tuple[float, bool]]) -> list[dict[str, Any]]:
    """Return, for each bin of confidence with answers, the mean confidence and the share that is right.

    >>> calibration([(0.9, True), (0.88, False), (0.6, True)])[1]["right"]
    0.5
    """
    sure = np.array([one for one, _ in answers], dtype=np.float64)
    right = np.array([one for _, one in answers], dtype=np.float64)
    home = np.clip(np.searchsorted(_BINS, sure, side="right") - 1, 0, len(_BINS) - 2)
    return [
        {
            "low": _BINS[number],
            "high": _BINS[number + 1],
            "answers": int((home == number).sum()),
            "confidence": round(float(sure[home == number].mean()), 4),
            "right": round(float(right[home == number].mean()), 4),
        }
        for number in range(len(_BINS) - 1)
        if (home == number).any()
    ]


def confusion(answers: list[tuple[str, str]]) -> dict[str, Any]:
    """Return a table of answers (rows) against labels (columns), with the names of both.

    >>> confusion([("web", "web"), ("web", "mail")])
    {'names': ['mail', 'web'], 'table': [[0, 0], [1, 1]]}
    """
    names = sorted({name for pair in answers for name in pair})
    table = [[0] * len(names) for _ in names]
    for answer, label in answers:
        table[names.index(answer)][names.index(label)] += 1
    return {"names": names, "table": table}


def expected_of_more(session: Session, half: float | None, answers: int) -> dict[str, Any]:
    """Estimate the effect of 50 more answers: on the interval, if they measure; on the labels, if they teach."""
    moves = expected_moves(_rounds(session.history()), MORE)
    return {
        "answers": MORE,
        "half_width": None if half is None else round(half, 4),
        "half_width_then": None if half is None else round(half * float(np.sqrt(answers / (answers + MORE))), 4),
        "moves": None if moves is None else round(moves),
    }


def _rounds(history: History) -> list[Round]:
    """Return the runs in which nothing but answers was new, as rounds of questions."""
    runs, found = history.runs(), []
    for before, after in zip(runs, runs[1:], strict=False):
        new = after["known"] - before["known"]
        if new > 0 and before["names"] == after["names"]:
            first, second = (history.named_labels(run["number"]) for run in (before, after))
            found.append(Round(new, new, max(0, int((first != second).sum()) - new)))
    return found


def _evaluated(session: Session) -> dict[str, Any] | None:
    """Return the figures against the true labels of the graph; None where it has none of these categories."""
    from classify.figures import figures_of
    from hin.errors import BadInput

    stored, graph = session.classified().stored, session.graph
    if graph.labels is None:
        return None
    known_rows = [graph.documents.index(document) for document in stored.known]
    try:
        figures = figures_of(graph.labels, stored.categories, stored.probabilities, stored.decision, known_rows)
    except BadInput:
        return None
    return {key: figures.get(key) for key in ("micro_f1", "macro_f1", "categories", "confusion")}
