"""The summary at the top of a report: documents by category, their confidence, and what to check first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hin.arrays.types import Bools, Ints, Reals
from hin.human import plural

#: Below this confidence a category is more probably wrong than right.
HALF = 0.5
_WORDS = 5


def answers_of(
    categories: Sequence[Mapping[str, Any]],
    predicted: Ints,
    confidence: Reals,
    words: Sequence[Sequence[str]] | None = None,
    second: Ints | None = None,
    truth: Ints | None = None,
    abstain_below: float | None = None,
) -> dict[str, Any] | None:
    """Summarise a classification in plain words; None where nothing was classified.

    Parameters
    ----------
    categories : the report's rows of categories.
    predicted : the category of each document, -1 for none.
    confidence : of each document's category.
    words : the instances that contribute most to each category's documents, the strongest first.
    second : the second likeliest category of each document.
    truth : the true categories, -1 where unknown.

    Examples
    --------
    >>> rows = [{"name": "login", "note": ""}, {"name": "repair", "note": ""}]
    >>> answered = answers_of(rows, np.array([0, 0, 1, -1]), np.array([0.9, 0.4, 0.8, 0.5]))
    >>> answered["lead"]
    '3 of 4 documents have a category; about 70 of 100 of these are expected to be right.'
    >>> [item["text"] for item in answered["first"][:2]]
    ['1 document has no category.', '1 document is less than half sure.']
    """
    given = predicted >= 0
    if not categories or not given.any():
        return None
    strong = words or [[] for _ in categories]
    rows = [_row(code, found, predicted, confidence) for code, found in enumerate(strong)]
    return {
        "lead": _lead(given, confidence) + _right(predicted, truth),
        "categories": rows,
        "first": _first(rows, categories, predicted, confidence, second, abstain_below),
    }


def _row(code: int, words: Sequence[str], predicted: Ints, confidence: Reals) -> dict[str, Any]:
    mine = predicted == code
    return {
        "documents": int(mine.sum()),
        "share": float(mine.mean()),
        "confidence": float(confidence[mine].mean()) if mine.any() else None,
        "unsure": int((mine & (confidence < HALF)).sum()),
        "words": list(words),
    }


def strongest(motifs: Ints, weights: Reals, predicted: Ints, n_categories: int) -> list[list[int]]:
    """Return the instances that add most to each category's scores, summed over its documents.

    >>> strongest(np.array([[4, 1], [4, -1]]), np.array([[0.5, 0.7], [0.5, 0.0]]), np.array([0, 0]), 1)
    [[4, 1]]
    """
    found = []
    for code in range(n_categories):
        mine = motifs[predicted == code]
        held = mine >= 0
        total = np.bincount(mine[held], weights=weights[predicted == code][held])
        found.append([int(motif) for motif in np.argsort(-total, kind="stable")[:_WORDS] if total[motif] > 0])
    return found


def _lead(given: Bools, confidence: Reals) -> str:
    n, have = len(given), int(given.sum())
    what = "All" if have == n else f"{have:,} of"
    mean = int(100 * confidence[given].mean() + 0.5)
    return (
        f"{what} {plural(n, 'document')} {'has' if n == 1 else 'have'} a category; "
        f"about {mean} of 100 of these are expected to be right."
    )


def _right(predicted: Ints, truth: Ints | None) -> str:
    known = np.zeros(len(predicted), dtype=np.bool_) if truth is None else (truth >= 0) & (predicted >= 0)
    if truth is None or not known.any():
        return ""
    right = int((predicted[known] == truth[known]).sum())
    return f" By the true labels in the data, {right:,} of {int(known.sum()):,} are."


def _first(
    rows: Sequence[Mapping[str, Any]],
    categories: Sequence[Mapping[str, Any]],
    predicted: Ints,
    confidence: Reals,
    second: Ints | None,
    abstain_below: float | None,
) -> list[dict[str, Any]]:
    """List what is worth a look, the most important first; `show` names the documents that the page lists on click."""
    items: list[dict[str, Any]] = []
    without = int((predicted < 0).sum())
    if without:
        asked = "" if abstain_below is None else f": less sure than the {abstain_below:g} asked for, or nothing known"
        have = "has" if without == 1 else "have"
        items.append(_item(f"{plural(without, 'document')} {have} no category{asked}.", category=-1))
    unsure = (predicted >= 0) & (confidence < HALF)
    if unsure.any():
        count = int(unsure.sum())
        between = _pair(unsure, predicted, second, categories)
        are = "is" if count == 1 else "are"
        items.append(_item(f"{plural(count, 'document')} {are} less than half sure.{between}", kind="half"))
    empty = [category["name"] for category, row in zip(categories, rows, strict=True) if not row["documents"]]
    if empty:
        items.append(_item(f"No document went to {', '.join(empty)}."))
    sure = [(row["confidence"], code) for code, row in enumerate(rows) if row["confidence"] is not None]
    if len(sure) > 1:
        lowest, code = min(sure)
        items.append(
            _item(f"{categories[code]['name']} is the least sure category: {lowest:.2f} on average.", category=code)
        )
    for code, category in enumerate(categories):
        if category["note"]:
            what = "category" if category["note"].startswith("weak") else "name"
            items.append(_item(f"The {what} {category['name']}: {category['note']}.", choose=code))
    return items


def _pair(unsure: Bools, predicted: Ints, second: Ints | None, categories: Sequence[Mapping[str, Any]]) -> str:
    """Name the two categories between which most of the unsure documents lie."""
    if second is None or len(categories) < 3:
        return ""
    pairs = np.sort(np.stack([predicted[unsure], second[unsure]], axis=1), axis=1)
    found, counts = np.unique(pairs, axis=0, return_counts=True)
    one, other = found[counts.argmax()].tolist()
    most = int(counts.max())
    if most < 2:
        return ""
    return f" Most often between {categories[one]['name']} and {categories[other]['name']} ({most:,})."


def _item(text: str, **show: Any) -> dict[str, Any]:
    return {"text": text, "show": show or None}
