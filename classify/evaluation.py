"""Figures against the true labels, the only stage that reads them (section 4 of the paper)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.paper.selection import Selection
from hin.errors import BadInput
from hin.text.tokenize import fold

if TYPE_CHECKING:
    from classify.documents.sequences import Sequences
    from classify.paper.retrieval import Retrieved
    from hin.graph import Labels

__all__ = [
    "evaluate",
    "f1_scores",
    "generated_accuracy",
    "pattern_shares",
    "positions_of",
    "ratio",
    "retrieved_accuracy",
    "specificity_levels",
    "true_codes",
]

Ints = npt.NDArray[np.integer[Any]]
Counts = npt.NDArray[Any]


def true_codes(labels: Labels | None, categories: Sequence[str]) -> npt.NDArray[np.int32]:
    """Return each document's true category as a position in `categories`; -1 where it has none of them.

    Examples
    --------
    >>> from hin.graph import Labels
    >>> true_codes(Labels(("Fonts", "web"), np.array([0, 1, -1], dtype=np.int32)), ["games", "fonts"]).tolist()
    [1, -1, -1]
    """
    codes = positions_of(labels, categories)
    assert labels is not None
    return codes[labels.codes]


def positions_of(labels: Labels | None, categories: Sequence[str]) -> npt.NDArray[np.int32]:
    """Return each label name's position in `categories`, -1 for one that is none of them, and a last -1 for no label.

    Raises
    ------
    BadInput
        If there are no labels, or none is a category.
    """
    if labels is None:
        raise BadInput("the graph has no labels to evaluate against", hint="load it with --label FIELD")
    position = {_key(category): i for i, category in enumerate(categories)}
    # In a tree a label may be the whole path, `science > space`.
    keys = [_key(name) if _key(name) in position else _key(name.rpartition(" > ")[2]) for name in labels.names]
    codes = np.array([position.get(key, -1) for key in keys] + [-1], dtype=np.int32)
    if (codes[:-1] < 0).all():
        raise BadInput(
            f"none of the graph's labels ({_some(labels.names)}) is a category ({_some(categories)})",
            hint="name the categories as the labels are spelled",
        )
    return codes


def evaluate(truth: Ints, predicted: Ints, categories: Sequence[str]) -> dict[str, Any]:
    """Return micro and macro F1, a table by category and the confusion matrix (rows true, columns predicted).

    Documents without a true category (-1) are left out; a prediction of -1 is an abstention, which costs recall.

    Examples
    --------
    >>> figures = evaluate(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), ["a", "b"])
    >>> round(figures["micro_f1"], 3), round(figures["macro_f1"], 3), figures["confusion"]
    (0.75, 0.733, [[1, 1], [0, 2]])
    """
    n = len(categories)
    known = truth >= 0
    truth, predicted = np.asarray(truth)[known], np.asarray(predicted)[known]
    decided = predicted >= 0
    confusion = np.zeros((n, n), dtype=np.int64)
    np.add.at(confusion, (truth[decided], predicted[decided]), 1)
    right = np.diag(confusion).astype(np.float64)
    actual = np.bincount(truth, minlength=n)
    guessed = confusion.sum(axis=0)
    micro, macro, rows = f1_scores(right, guessed, actual, categories)
    return {
        "micro_f1": micro,
        "macro_f1": macro,
        "documents": int(known.sum()),
        "without_label": int((~known).sum()),
        "abstained": int((~decided).sum()),
        "categories": rows,
        "confusion": confusion.tolist(),
    }


def f1_scores(
    right: Counts, guessed: Counts, actual: Counts, categories: Sequence[str]
) -> tuple[float, float, list[dict[str, Any]]]:
    """Return micro-F1, macro-F1 and each category's figures, from how often each was right, given and true.

    Examples
    --------
    >>> micro, macro, rows = f1_scores(np.array([1, 0]), np.array([1, 1]), np.array([2, 0]), ["a", "b"])
    >>> micro, round(macro, 3), rows[0]["recall"]
    (0.5, 0.333, 0.5)
    """
    precision, recall = ratio(right, guessed), ratio(right, actual)
    f1 = ratio(2 * right, guessed + actual)
    present = (guessed + actual) > 0
    rows = [
        {
            "category": category,
            "precision": float(precision[i]),
            "recall": float(recall[i]),
            "f1": float(f1[i]),
            "documents": int(actual[i]),
            "predicted": int(guessed[i]),
        }
        for i, category in enumerate(categories)
    ]
    micro = float(ratio(2 * right.sum(), guessed.sum() + actual.sum()))
    return micro, float(f1[present].mean()) if present.any() else 0.0, rows


def retrieved_accuracy(
    retrieved: Sequence[Retrieved], truth: Ints, sizes: Sequence[int] = (50, 100, 200, 1000)
) -> list[dict[str, float]]:
    """Return the share of retrieved documents whose pseudo label is the true one, by how many are taken (figure 4).

    Examples
    --------
    >>> from classify.paper.retrieval import retrieve
    >>> found = retrieve(np.array([[3, 0], [2, 0], [0, 1]]), 10)
    >>> retrieved_accuracy(found, np.array([0, 1, 1]), [1, 2])
    [{'size': 1, 'documents': 2, 'accuracy': 1.0}, {'size': 2, 'documents': 3, 'accuracy': 0.6666666666666666}]
    """
    rows = []
    for size in sizes:
        pairs = [(truth[r.documents[:size]], column) for column, r in enumerate(retrieved)]
        known = sum(int((codes >= 0).sum()) for codes, _ in pairs)
        right = sum(int((codes == column).sum()) for codes, column in pairs)
        rows.append({"size": size, "documents": known, "accuracy": right / known if known else 0.0})
    return rows


def generated_accuracy(
    generated: Sequences, pseudo: Ints, sequences: Sequences, truth: Ints, n_categories: int
) -> float:
    """Return the share of generated documents that a naive Bayes of the true labels puts where they were generated for.

    An invented document has no true label; this asks in which real category its words and metadata are at home.

    Examples
    --------
    >>> from classify.documents.sequences import Sequences
    >>> real = Sequences.of([[0, 1], [2, 3]])
    >>> generated_accuracy(Sequences.of([[0, 0], [3, 2], [1, 1]]), np.array([0, 1, 1]), real, np.array([0, 1]), 2)
    0.6666666666666666
    """
    if generated.n_documents == 0:
        return 0.0
    n = int(max(generated.ids.max(initial=0), sequences.ids.max(initial=0))) + 1
    codes = np.repeat(truth, np.diff(sequences.offsets))
    seen = codes >= 0
    counts = np.bincount(sequences.ids[seen].astype(np.int64) * n_categories + codes[seen], minlength=n * n_categories)
    table = counts.reshape(n, n_categories) + 0.1
    weight = np.log(table / table.sum(axis=0))
    rows = np.repeat(np.arange(generated.n_documents), np.diff(generated.offsets))
    scores = np.zeros((generated.n_documents, n_categories))
    np.add.at(scores, rows, weight[generated.ids])
    return float((scores.argmax(axis=1) == pseudo).mean())


def pattern_shares(
    selection: Selection, categories: Sequence[str], pattern_of: Ints, patterns: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the share of each motif pattern among the selected instances, by category and overall (table 3).

    Examples
    --------
    >>> from classify.paper.selection import Selected
    >>> chosen = (Selected(np.array([0, 2]), np.ones(2), 2.0),)
    >>> pattern_shares(chosen, ["games"], np.array([0, 0, 1]), ["term", "venue-year"])[0]
    {'category': 'games', 'shares': {'term': 0.5, 'venue-year': 0.5}}
    """
    counts = [np.bincount(pattern_of[chosen.instances], minlength=len(patterns)) for chosen in selection]
    rows = [*zip(categories, counts, strict=True), ("overall", np.sum(counts, axis=0))]
    return [
        {"category": name, "shares": dict(zip(patterns, (count / max(1, count.sum())).tolist(), strict=True))}
        for name, count in rows
    ]


def specificity_levels(
    cosines: npt.NDArray[np.floating[Any]],
    kappa: npt.NDArray[np.floating[Any]],
    name_kappa: Sequence[float],
    categories: Sequence[str],
    levels: Sequence[float] = (0, 1, 2, 3, 4),
    top: int = 3,
) -> list[dict[str, Any]]:
    """Return the instances nearest to each name with kappa within levels of the name's kappa (table 4).

    Examples
    --------
    >>> rows = specificity_levels(np.array([[0.9], [0.8], [0.7]]), np.array([0.5, 2.5, 9.0]), [1.0], ["games"])
    >>> [(row["from"], row["instances"]) for row in rows]
    [(0.0, [0]), (1.0, []), (2.0, [1]), (3.0, []), (4.0, [2])]
    """
    rows = []
    for column, category in enumerate(categories):
        for low, high in zip(levels, [*levels[1:], np.inf], strict=True):
            inside = np.flatnonzero((kappa >= low * name_kappa[column]) & (kappa < high * name_kappa[column]))
            best = inside[np.argsort(-cosines[inside, column], kind="stable")][:top]
            rows.append(
                {
                    "category": category,
                    "kappa": float(name_kappa[column]),
                    "from": float(low),
                    "to": None if np.isinf(high) else float(high),
                    "instances": best.tolist(),
                }
            )
    return rows


def ratio(numerator: Any, denominator: Any) -> Any:
    """Divide, with 0 where there is nothing to divide by.

    >>> ratio(np.array([1, 1]), np.array([2, 0])).tolist()
    [0.5, 0.0]
    """
    nothing = np.zeros_like(np.asarray(numerator, dtype=np.float64))
    return np.divide(numerator, denominator, out=nothing, where=np.asarray(denominator) > 0)


def _some(names: Sequence[str]) -> str:
    return ", ".join([*names[:3], *(["..."] if len(names) > 3 else [])])


def _key(name: str) -> str:
    return " ".join(fold(name).replace("-", " ").replace("_", " ").split())
