"""Figures against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classify.evaluation import evaluate, true_codes
from hin.errors import BadInput
from hin.graph import Labels


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_f1_agrees_with_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    from sklearn.metrics import confusion_matrix, f1_score

    truth, predicted = np.array(pairs).T
    figures = evaluate(truth, predicted, ["a", "b", "c", "d"])
    assert figures["micro_f1"] == pytest.approx(f1_score(truth, predicted, average="micro"))
    assert figures["macro_f1"] == pytest.approx(f1_score(truth, predicted, average="macro", zero_division=0.0))
    assert figures["confusion"] == confusion_matrix(truth, predicted, labels=range(4)).tolist()


def test_the_table_by_hand() -> None:
    figures = evaluate(np.array([0, 0, 0, 1, -1]), np.array([0, 0, 1, 1, 1]), ["a", "b"])
    assert figures["documents"] == 4
    assert figures["without_label"] == 1
    assert figures["categories"][0] == {
        "category": "a", "precision": 1.0, "recall": pytest.approx(2 / 3), "f1": pytest.approx(0.8), "documents": 3,
        "predicted": 2,
    }  # fmt: skip
    assert figures["confusion"] == [[2, 1], [0, 1]]


def test_abstaining_costs_recall_but_not_precision() -> None:
    figures = evaluate(np.array([0, 0, 1, 1]), np.array([0, -1, 1, -1]), ["a", "b"])
    assert figures["abstained"] == 2
    assert [row["precision"] for row in figures["categories"]] == [1.0, 1.0]
    assert [row["recall"] for row in figures["categories"]] == [0.5, 0.5]
    assert figures["micro_f1"] == pytest.approx(2 / 3)


def test_nothing_to_evaluate_is_zero_not_an_error() -> None:
    assert evaluate(np.array([-1]), np.array([0]), ["a", "b"])["micro_f1"] == 0.0


def test_labels_are_matched_to_categories_by_spelling() -> None:
    labels = Labels(("Data-Mining", "web", "xyz"), np.array([0, 1, 2, -1], dtype=np.int32))
    assert true_codes(labels, ["web", "data mining"]).tolist() == [1, 0, -1, -1]


def test_missing_or_foreign_labels_say_what_to_do() -> None:
    with pytest.raises(BadInput, match="--label"):
        true_codes(None, ["a"])
    with pytest.raises(BadInput, match="none of the graph's labels"):
        true_codes(Labels(("x",), np.array([0], dtype=np.int32)), ["a", "b"])
