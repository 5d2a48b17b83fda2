"""Models and explanations as a notebook shows them."""

from __future__ import annotations

from typing import Any

import numpy as np

from classify.documents.unknown import unknown_names
from classify.model.confidence import gets_category
from hin.human import plural
from hin.notebook.html_parts import card, details, escaped, lines, share_bar, table

#: How many reasons, categories, notes and unknown words are shown.
REASONS = 12
CATEGORIES = 40
NOTES = 20
WORDS = 8


class Explanation(dict[str, Any]):
    """Why a document has its label: a plain mapping that a notebook shows as a table of reasons.

    Examples
    --------
    >>> Explanation(document="d1", category=None, note="nothing to go on", reasons=[])["document"]
    'd1'
    """

    def _repr_html_(self) -> str:
        return explanation_card(self)


class ShownInNotebooks:
    """A model whose results are shown above scikit-learn's diagram, wherever scikit-learn shows one."""

    def _html_repr(self: Any) -> str:
        from sklearn.utils import estimator_html_repr

        return model_card(self) + str(estimator_html_repr(self))

    def _repr_html_inner(self) -> str:
        return self._html_repr()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        from sklearn import get_config

        shown = {"text/plain": repr(self)}
        return {**shown, "text/html": self._html_repr()} if get_config()["display"] == "diagram" else shown


def explanation_card(explanation: dict[str, Any]) -> str:
    """Return the reasons for a label as HTML: the strongest first, each with its part of the score."""
    if explanation["category"] is None:
        return card(f"{escaped(explanation['document'])}: no category", lines([escaped(explanation["note"], 200)]))
    category = " &gt; ".join(escaped(part) for part in explanation.get("path", [explanation["category"]]))
    notes = []
    if explanation.get("known"):
        said = explanation["known"] if isinstance(explanation["known"], list) else [explanation["known"]]
        notes.append(f"you labelled this: {', '.join(escaped(one) for one in said)}")
    also = [one for one in explanation.get("categories", ()) if one["category"] != explanation["category"]]
    if also:
        listed = (f"{escaped(one['category'])} ({one['confidence']:.2f})" for one in also)
        notes.append(f"also: {', '.join(listed)}")
    winner = explanation.get("winner") or explanation
    shown = (
        {"runner-up": explanation["runner_up"]} if winner["category"] == explanation["category"] else {"winner": winner}
    )
    notes += [f"{what}: {escaped(one['category'])}" for what, one in shown.items()]
    if unknown := _unknown(explanation.get("unknown")):
        notes.append(f"not known to the model: {unknown}")
    title = f"{escaped(explanation['document'])}: {category} (confidence {explanation['confidence']:.2f})"
    return card(title, lines(notes), _reasons(explanation["reasons"], explanation["score"]))


def _reasons(reasons: list[dict[str, Any]], score: float) -> str:
    shown, rest = reasons[:REASONS], reasons[REASONS:]
    most = max((abs(reason["weight"]) for reason in shown), default=0.0) or 1.0
    rows = [[escaped(one["instance"]), one["weight"], share_bar(one["weight"] / most)] for one in shown]
    if rest:
        rows.append([f"{len(rest):,} more", float(sum(one["weight"] for one in rest)), ""])
    return table(["reason", "weight", ""], rows) + lines([f"The weights add up to the score, {score:.3f}."])


def _unknown(found: dict[str, Any] | None) -> str:
    names = unknown_names(found)
    more = [f"{len(names) - WORDS:,} more"] if len(names) > WORDS else []
    return ", ".join([*(escaped(one) for one in names[:WORDS]), *more])


def model_card(model: Any) -> str:
    """Return the results of a fitted model as HTML: documents and confidence of each category, and its notes."""
    if not hasattr(model, "predictor_"):
        return ""
    parts = [_categories(model)]
    if model.notes_:
        first = [escaped(note, 400) for note in model.notes_[:NOTES]]
        more = [f"and {len(model.notes_) - NOTES:,} more"] if len(model.notes_) > NOTES else []
        parts.append(details(plural(len(model.notes_), "note"), lines([*first, *more])))
    found = plural(len(model.classes_), "category", "categories")
    where = f" for {plural(len(model.labels_), 'document')}" if hasattr(model, "labels_") else ""
    return card(f"{escaped(type(model).__name__)}: {found}{where}", *parts)


def _categories(model: Any) -> str:
    classes = model.classes_[:CATEGORIES].tolist()
    more = lines([f"and {len(model.classes_) - CATEGORIES:,} more"] if len(model.classes_) > CATEGORIES else [])
    if not hasattr(model, "labels_"):  # a saved model has no documents
        return table(["category"], [[escaped(category)] for category in classes]) + more
    given = _given_mask(model)
    rows = []
    for code, category in enumerate(classes):
        count = int(given[:, code].sum())
        confidence = f"{model.probabilities_[given[:, code], code].mean():.2f}" if count else ""
        rows.append([escaped(category), count, confidence])
    without = int((~given.any(axis=1)).sum())
    if without:
        rows.append(["none", without, ""])
    return table(["category", "documents", "mean confidence"], rows) + more


def _given_mask(model: Any) -> np.ndarray:
    """Return documents x categories, true where the document was given the category."""
    if model.predictor_.sets is not None:
        return np.asarray(model.sets_)
    given = np.zeros(model.probabilities_.shape, dtype=np.bool_)
    rows = np.flatnonzero(gets_category(model.probabilities_))
    given[rows, model.probabilities_[rows].argmax(axis=1)] = True
    return given
