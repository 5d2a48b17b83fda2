"""The columns that labels add to a table: category, confidence and the strongest reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from classify.model.prediction_files import prediction_records
from classify.report.reasons import reasons_of
from hin.arrays.types import Reals
from hin.human import shortened
from hin.progress import Progress, silent
from motifs import BadInstanceName, parse_name

if TYPE_CHECKING:
    from classify.model.decision import Decision
    from classify.model.explain import InstanceFacts
    from classify.model.predictor import Predictor
    from hin.graph import Graph

#: The number of reasons given for a label.
_REASONS = 3
#: The longest part of a reason, in characters: a cell should be read at a glance.
_LONG = 40


class ModelLabels(NamedTuple):
    """A model's result for the documents: the categories, their probabilities, and how these become labels."""

    categories: Sequence[str]
    probabilities: Reals
    decision: Decision


def added_columns(
    predictor: Predictor,
    facts: InstanceFacts,
    graph: Graph,
    labels: ModelLabels,
    scores: bool = False,
    progress: Progress = silent,
) -> dict[str, list[Any]]:
    """Return the added columns by document: `category` (or the list `categories`), `confidence`, `because`.

    Parameters
    ----------
    facts : names and patterns of the motif instances that are given as reasons.
    scores : add all categories' scores, too.
    """
    decision = labels.decision
    records = prediction_records(graph.documents.tolist(), *labels)
    wanted = ["category" if decision.sets is None else "categories", "confidence"]
    wanted += [name for name in decision.lists if name not in wanted]
    rows = [[record[name] for name in (*wanted, "scores")] for record in records]
    columns = dict(zip((*wanted, "scores"), map(list, zip(*rows, strict=True)), strict=True))
    all_scores = columns.pop("scores")
    columns["because"] = _find_reasons(predictor, facts, graph, labels, progress)
    if "path" in columns:
        columns["path"] = columns.pop("path")  # after the three that every table gets
    return columns | ({"scores": all_scores} if scores else {})


def _find_reasons(
    predictor: Predictor,
    facts: InstanceFacts,
    graph: Graph,
    labels: ModelLabels,
    progress: Progress,
) -> list[str | None]:
    """Return the strongest reasons of each document's surest category; None where it has no category."""
    probabilities = np.asarray(labels.probabilities)
    best = np.where(labels.decision.given(probabilities).first() >= 0, probabilities.argmax(axis=1), -1)
    found = reasons_of((predictor, facts), graph, best, _REASONS, progress).motifs
    known = {number: short_reason(facts.names[number]) for number in np.unique(found).tolist() if number >= 0}
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
