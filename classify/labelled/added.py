"""The columns that labels add to a table: category, confidence and the strongest reasons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.model.prediction_files import prediction_records
from classify.report.reasons import reasons_of
from hin.arrays.types import Reals
from hin.human import shortened
from hin.progress import Progress, silent
from motifs import BadInstanceName, parse_name

if TYPE_CHECKING:
    from classify.model.decision import Decision
    from classify.model.fitted import FittedModel
    from hin.graph import Graph

#: The number of reasons given for a label.
_REASONS = 3
#: The longest part of a reason, in characters: a cell should be read at a glance.
_LONG = 40


def added_columns(
    model: FittedModel,
    graph: Graph,
    probabilities: Reals,
    decision: Decision,
    scores: bool = False,
    progress: Progress = silent,
) -> dict[str, list[Any]]:
    """Return the added columns by document: `category` (or the list `categories`), `confidence`, `because`.

    Parameters
    ----------
    model : gives the reasons.
    probabilities, decision : of the documents' categories, and how they become labels.
    scores : add all categories' scores, too.
    """
    records = prediction_records(graph.documents.tolist(), model.classes_.tolist(), probabilities, decision)
    wanted = ["category" if decision.sets is None else "categories", "confidence"]
    wanted += [name for name in decision.lists if name not in wanted]
    rows = [[record[name] for name in (*wanted, "scores")] for record in records]
    columns = dict(zip((*wanted, "scores"), map(list, zip(*rows, strict=True)), strict=True))
    all_scores = columns.pop("scores")
    columns["because"] = _find_reasons(model, graph, np.asarray(probabilities), decision, progress)
    if "path" in columns:
        columns["path"] = columns.pop("path")  # after the three that every table gets
    return columns | ({"scores": all_scores} if scores else {})


def _find_reasons(
    model: FittedModel, graph: Graph, probabilities: Reals, decision: Decision, progress: Progress
) -> list[str | None]:
    """Return the strongest reasons of each document's surest category; None where it has no category."""
    best = np.where(decision.given(probabilities).first() >= 0, probabilities.argmax(axis=1), -1)
    found = reasons_of((model.predictor_, model.facts_), graph, best, _REASONS, progress).motifs
    names = model.facts_.names
    known = {number: short_reason(names[number]) for number in np.unique(found).tolist() if number >= 0}
    return [
        "; ".join(known[number] for number in row if number >= 0) if label >= 0 else None
        for row, label in zip(found.tolist(), best.tolist(), strict=True)
    ]


def short_reason(name: str) -> str:
    """Format an instance's name for a reader of the table.

    >>> short_reason("TERM[water tank]"), short_reason("AGENT[Dmitri]-CHANNEL[mail]")
    ('water tank', 'agent Dmitri + channel mail')
    """
    try:
        parts = parse_name(name)
    except BadInstanceName:  # of a long pattern
        return _cut(name)
    return " + ".join(
        _cut(value) if label == "TERM" else f"{label.lower()} {_cut(value)}".strip() for label, value in parts
    )


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return shortened(text, _LONG)


def free_names(added: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Return a name for each added column that no column of the table has.

    >>> free_names(["category", "because"], ["id", "Category", "category"])
    {'category': 'category_2', 'because': 'because'}
    """
    # Spreadsheets and databases fold case.
    used, names = {name.casefold() for name in taken}, {}
    for wish in added:
        name, number = wish, 1
        while name.casefold() in used:
            number += 1
            name = f"{wish}_{number}"
        used.add(name.casefold())
        names[wish] = name
    return names
