"""Compare two classifications: the documents that changed category, and the reasons that changed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from classify.evaluation import true_sets
from classify.model.fitted import FittedModel
from hin.arrays.types import Doubles
from hin.errors import BadInput, BadUsage
from hin.graph import Graph
from hin.stores.answers import AnswerLog
from hin.stores.base import Store, open_store
from hin.stores.past_classifications import PastClassification, PastClassifications

__all__ = ["Difference", "Flow", "MovedDocument", "ReasonChange", "RightLabels", "diff"]

#: Options that do not affect the labels.
_BESIDE = ("categories", "known", "used", "version", "answers", "taught")


@dataclass(frozen=True)
class Flow:
    """How many documents moved from one label to another; "" is no category, several are joined by commas."""

    before: str
    after: str
    documents: int


@dataclass(frozen=True)
class ReasonChange:
    """A reason's weight for the new label minus that for the old one, in the model before and in the one after."""

    pattern: str
    instance: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """The change of the weight."""
        return self.after - self.before


@dataclass(frozen=True)
class MovedDocument:
    """A document with another label than before; `truth` holds its true labels where they are known."""

    document: str
    title: str
    before: str
    after: str
    confidence_before: float | None
    confidence_after: float | None
    truth: tuple[str, ...] | None = None
    reasons: tuple[ReasonChange, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the document as a record for machines."""
        reasons = [{**asdict(one), "change": one.change} for one in self.reasons]
        return {**asdict(self), "truth": None if self.truth is None else list(self.truth), "reasons": reasons}


@dataclass(frozen=True)
class RightLabels:
    """How many labels were right before and after: every category given is a true one.

    Attributes
    ----------
    source : "labels" (the graph's true labels) or "answers" (those given for measuring).
    documents : the number of documents with a known true label.
    mended, spoiled : documents that were wrong before and are right now, and the other way round.
    """

    source: str
    documents: int
    before: int
    after: int
    mended: int
    spoiled: int


class Difference:
    """The difference of two classifications of one graph.

    Attributes
    ----------
    before, after : the two.
    graph : their documents.
    documents : how many were compared: those that both have.
    rows : the rows of the documents that moved.
    """

    def __init__(self, store: Store, before: PastClassification, after: PastClassification) -> None:
        self.store, self.before, self.after = store, before, after
        self.graph: Graph = store.read_graph()
        for past in (before, after):
            if not past.is_of(self.graph):
                raise BadUsage(
                    f"classification {past.number} is of other documents than the graph has now",
                    hint="`hin info` lists all; compare two that were made since the last `hin load`",
                )
        self.documents = min(before.documents, after.documents)
        self._old, self._sure_before = _labels(before, self.documents)
        self._new, self._sure_after = _labels(after, self.documents)
        self.rows = [row for row, (old, new) in enumerate(zip(self._old, self._new, strict=True)) if old != new]

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """Where the documents moved, the largest flow first."""
        count = Counter(self._flow(row) for row in self.rows)
        return tuple(Flow(*pair, number) for pair, number in sorted(count.items(), key=lambda one: (-one[1], one[0])))

    def _flow(self, row: int) -> tuple[str, str]:
        return ", ".join(self._old[row]), ", ".join(self._new[row])

    @cached_property
    def changed(self) -> tuple[tuple[str, Any, Any], ...]:
        """The options and categories that differ: name, value before, value after."""
        old, new = _made_with(self.before.options), _made_with(self.after.options)
        return tuple((name, old.get(name), new.get(name)) for name in {**old, **new} if old.get(name) != new.get(name))

    @property
    def has_reasons(self) -> bool:
        """Whether both models are stored, so that reasons can be compared."""
        return self.before.model is not None and self.after.model is not None

    @cached_property
    def right(self) -> RightLabels | None:
        """How many labels were right before and after; None where no true labels or measuring answers are known."""
        source, truth = self._truth
        rows = sorted(truth)
        if not rows:
            return None
        was, now = (np.array([_is_right(labels[row], truth[row]) for row in rows]) for labels in (self._old, self._new))
        mended, spoiled = int((now & ~was).sum()), int((was & ~now).sum())
        return RightLabels(source, len(rows), int(was.sum()), int(now.sum()), mended, spoiled)

    @cached_property
    def _truth(self) -> tuple[str, dict[int, tuple[str, ...]]]:
        """The true labels of the compared documents by row, and their source."""
        if self.graph.labels is not None:
            names = list(self.after.names)
            try:
                found = true_sets(self.graph.labels, names)[: self.documents]
            except BadInput:  # none of them is a category
                return "labels", {}
            rows, columns = np.nonzero(found)
            truth: dict[int, tuple[str, ...]] = {}
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
                truth[row] = (*truth.get(row, ()), names[column])
            return "labels", truth
        said = [one for one in AnswerLog(self.store).current(self.graph) if one.purpose == "measure"]
        places = ((self.graph.documents.index(one.document), one) for one in said if one.verdict != "cannot tell")
        return "answers", {row: one.categories for row, one in places if row < self.documents}

    def examples(self, number: int = 5, reasons: int = 5) -> list[MovedDocument]:
        """Return documents that moved, in turn from each flow, the surest first, with the reasons that changed most.

        Documents that the user has answered since come last.
        """
        rows = self._in_turn()[:number]
        models = self._models if rows and reasons and self.has_reasons else None
        return [self.moved(row, () if models is None else self._reasons(row, *models)[:reasons]) for row in rows]

    def moved(self, row: int, reasons: Sequence[ReasonChange] = ()) -> MovedDocument:
        """Describe the change of one document: labels, confidence, and the reasons that changed most."""
        return MovedDocument(
            self.graph.documents[row],
            self.graph.texts.title(row, 70),
            *self._flow(row),
            _or_none(self._sure_before[row]),
            _or_none(self._sure_after[row]),
            self._truth[1].get(row),
            tuple(reasons),
        )

    def _in_turn(self) -> list[int]:
        known = set(self.after.options.get("known") or ()) - set(self.before.options.get("known") or ())
        order = sorted(
            self.rows,
            key=lambda row: (self.graph.documents[row] in known, -np.nan_to_num(self._sure_after[row]), row),
        )
        rank = {(flow.before, flow.after): i for i, flow in enumerate(self.flows)}
        turn: Counter[tuple[str, str]] = Counter()
        places = []
        for row in order:
            flow = self._flow(row)
            places.append((turn[flow], rank[flow], row))
            turn[flow] += 1
        return [row for *_, row in sorted(places)]

    @cached_property
    def _models(self) -> tuple[FittedModel, FittedModel]:
        assert self.before.model is not None and self.after.model is not None
        return FittedModel.load(self.before.model), FittedModel.load(self.after.model)

    def _reasons(self, row: int, old: FittedModel, new: FittedModel) -> list[ReasonChange]:
        """Return the reasons whose part in the margin of the new label over the old changed, most changed first."""
        lost, gained = set(self._old[row]) - set(self._new[row]), set(self._new[row]) - set(self._old[row])
        parts: dict[tuple[str, str], list[float]] = {}
        for side, model in enumerate((old, new)):
            for sign, names in ((-1, lost), (1, gained)):
                for name in sorted(names):
                    for pattern, instance, weight in _weights(model, self.graph, row, name):
                        parts.setdefault((pattern, instance), [0.0, 0.0])[side] += sign * weight
        found = [ReasonChange(*key, *margin) for key, margin in parts.items()]
        return sorted(found, key=lambda one: (-abs(one.change), one.instance))

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield all documents that moved as plain records."""
        for row in self.rows:
            record = self.moved(row).as_dict()
            del record["reasons"], record["title"]
            yield record if self._truth[1] else {name: v for name, v in record.items() if name != "truth"}

    def as_dict(self, examples: int = 5, reasons: int = 5) -> dict[str, Any]:
        """Return the difference as a record for machines."""
        return {
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
            "documents": self.documents,
            "moved": len(self.rows),
            "new_documents": self.after.documents - self.documents,
            "changed": [{"what": name, "before": old, "after": new} for name, old, new in self.changed],
            "right": None if self.right is None else asdict(self.right),
            "flows": [asdict(flow) for flow in self.flows],
            "examples": [one.as_dict() for one in self.examples(examples, reasons)],
        }


def diff(
    graph: str | os.PathLike[str] | Store | None = None,
    before: int = -2,
    after: int = -1,
    *,
    model: str | os.PathLike[str] | None = None,
) -> Difference:
    """Compare two of the last classifications of a stored graph.

    Parameters
    ----------
    graph : the place of the graph, or an open store.
    before, after : numbers as `hin info` lists them, or places from the end: -1 is the last.
    model : for a database, the local folder of its vectors.

    Examples
    --------
    >>> diff("nowhere.hin")
    Traceback (most recent call last):
    hin.errors.GraphNotFound: no graph at nowhere.hin; ...
    """
    store = graph if isinstance(graph, Store) else open_store(graph, model)
    store.read_graph()  # a missing graph is reported before anything else
    past = PastClassifications(store)
    if before == -2 and len(past.entries()) == 1:
        raise BadUsage("there is only one classification so far", hint="run `hin classify` again, with other options")
    return Difference(store, past.find(before), past.find(after))


def _labels(past: PastClassification, number: int) -> tuple[list[tuple[str, ...]], Doubles]:
    """Return the categories of the first documents, by name, and the confidence of the surest."""
    rows, categories, sure = (
        past.classified.column(name).to_numpy() for name in ("document", "category", "confidence")
    )
    single = [(name,) for name in past.names]
    labels: list[tuple[str, ...]] = [()] * past.documents
    confidence = np.full(past.documents, np.nan)
    confidence[rows[::-1]] = sure[::-1]  # the first, the surest, remains
    for row, category in zip(rows.tolist(), categories.tolist(), strict=True):
        labels[row] = tuple(sorted((*labels[row], past.names[category]))) if labels[row] else single[category]
    return labels[:number], confidence[:number]


def _is_right(given: tuple[str, ...], truth: tuple[str, ...]) -> bool:
    return set(given) <= set(truth) if given else not truth


def _weights(model: FittedModel, graph: Graph, row: int, category: str) -> Iterator[tuple[str, str, float]]:
    """Yield the parts of a category's score; none for a category that the model does not have."""
    if category in model.classes_:
        for one in model.explain(graph.documents[row], graph, category)["reasons"]:
            yield one["pattern"], one["instance"], one["weight"]


def _made_with(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options and categories of a classification, one entry for each."""
    made = {name: value for name, value in options.items() if name not in _BESIDE}
    made["known documents"] = len(options.get("known") or ())
    for source, taught in (options.get("taught") or {}).items():
        made[f"answers of {source}"] = len(taught)
    for one in options.get("categories") or ():
        words = [*one.get("keywords", ()), *(f"-{word}" for word in one.get("excluded", ()))]
        made[f"category {one['name']}"] = ", ".join(words)
    return made


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
