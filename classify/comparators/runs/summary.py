"""From runs to the paper's Table 2 and Table 5: means, spreads, two-tailed t-tests, time and memory."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from classify.comparators.parts.system import SYSTEMS
from classify.comparators.runs.published import HOURS, TABLE_2
from classify.comparators.runs.stored_runs import SystemRun

#: The systems that every other is compared with: the paper's, then our default.
REFERENCES = ("motifclass", "hin")
MEASURES = ("micro_f1", "macro_f1")


def t_test(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the p-value of a two-tailed unpaired t-test, as in the paper; None if one side has fewer than two runs.

    Systems without randomness give the same figure with every seed: then equal means are no difference (1), unequal
    ones are certain (0).

    >>> round(t_test([0.5, 0.52, 0.51], [0.6, 0.61, 0.62]), 5)
    0.00026
    >>> t_test([0.5, 0.5], [0.5, 0.5]), t_test([0.5, 0.5], [0.6, 0.6]), t_test([0.5], [0.6, 0.7])
    (1.0, 0.0, None)
    """
    from scipy.stats import ttest_ind

    if len(first) < 2 or len(second) < 2:
        return None
    if max(np.ptp(first), np.ptp(second)) < 1e-9:  # no more than rounding: the test would divide by it
        return 1.0 if abs(first[0] - second[0]) < 1e-9 else 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # scipy warns where one side is nearly constant
        return float(ttest_ind(first, second).pvalue)


def mean_and_spread(values: Sequence[float]) -> dict[str, float | None]:
    """Return the mean and the standard deviation over the seeds; None for one seed.

    >>> mean_and_spread([0.5, 0.75]), mean_and_spread([0.5])["spread"]
    ({'mean': 0.625, 'spread': 0.1767766952966369}, None)
    """
    return {"mean": float(np.mean(values)), "spread": float(np.std(values, ddof=1)) if len(values) > 1 else None}


def stars(first: Sequence[float], second: Sequence[float]) -> str:
    """Return the paper's marks: `*` and `**` where the first is significantly worse than the second (p < .05, p < .01).

    >>> stars([0.5, 0.52, 0.51], [0.6, 0.61, 0.62]), stars([0.6, 0.61], [0.5, 0.51])
    ('**', '')
    """
    p = t_test(first, second)
    if p is None or float(np.mean(first)) >= float(np.mean(second)) or p >= 0.05:
        return ""
    return "**" if p < 0.01 else "*"


def summarise(runs: Sequence[SystemRun]) -> list[dict[str, Any]]:
    """Return one row per system: first those of the paper, in the order of its Table 2, then the others as they ran.

    A row has `micro_f1` and `macro_f1` with `mean`, `spread` (standard deviation over the seeds) and, for each of
    `REFERENCES`, the p-value and the paper's marks.
    """
    place = {system: number for number, system in enumerate(TABLE_2)}
    groups: dict[str, list[SystemRun]] = {}
    for run in sorted(runs, key=lambda run: place.get(run.system, len(place))):
        groups.setdefault(run.system, []).append(run)
    values = {
        (system, measure): [float(getattr(run, measure)) for run in group if run.status == "done"]
        for system, group in groups.items()
        for measure in MEASURES
    }
    return [_row(system, group, values) for system, group in groups.items()]


def _row(system: str, group: Sequence[SystemRun], values: dict[tuple[str, str], list[float]]) -> dict[str, Any]:
    about = SYSTEMS.get(system).about
    done = [run for run in group if run.status == "done"]
    bad = [run for run in group if run.status != "done"]
    row: dict[str, Any] = {
        "system": system,
        "title": about.title,
        "supervision": about.supervision,
        "transformer": about.transformer,
        "status": "done" if not bad else bad[0].status if not done else "partly " + bad[0].status,
        "message": bad[0].message if bad else "",
        "runs": len(done),
        "documents": done[0].tested if done else 0,
        "seconds": float(np.mean([run.seconds for run in done or group])),
        "processor": float(np.mean([run.processor for run in done or group])),
        "megabytes": float(np.max([run.megabytes for run in done or group])),
        "notes": sorted({note for run in done for note in run.notes}),
        "models": dict(group[0].models),
        "settings": dict(group[0].settings),
        "paper_hours": dict(zip(("MAG-CS", "Amazon"), HOURS[system], strict=True)) if system in HOURS else None,
        "paper": TABLE_2[system]._asdict() if system in TABLE_2 else None,
    }
    for measure in MEASURES:
        own = values[(system, measure)]
        row[measure] = None if not own else {
            **mean_and_spread(own),
            **{name: _against(own, values.get((name, measure), [])) for name in REFERENCES if name != system},
        }  # fmt: skip
    return row


def _against(own: list[float], other: list[float]) -> dict[str, Any] | None:
    p = t_test(own, other)
    return None if p is None else {"p": p, "marks": stars(own, other)}
