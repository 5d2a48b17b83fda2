"""What the report says first is counted here again, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from classify.report.answers import answers_of, strongest
from classify.report.data import report_data
from tests.classify.report.report_samples import sample_graph, sample_inputs

ROWS = [{"name": "login", "note": ""}, {"name": "repair", "note": "in only 3 documents"}, {"name": "idle", "note": ""}]


def first(**given: Any) -> list[str]:
    reported = answers_of(ROWS, **given)
    assert reported is not None
    return [item["text"] for item in reported["first"]]


def test_every_sentence_is_counted_from_the_labels() -> None:
    predicted = np.array([0, 0, 0, 1, 1, -1])
    confidence = np.array([0.9, 0.4, 0.3, 0.9, 0.8, 0.2])
    reported = answers_of(
        ROWS, predicted, confidence, second=np.array([1, 1, 1, 0, 0, 0]), truth=np.array([0, 1, -1, 1, 1, 0])
    )
    assert reported is not None
    assert reported["lead"] == (
        "5 of 6 documents have a category; about 66 of 100 of these are expected to be right. "
        "By the true labels in the data, 3 of 4 are."
    )
    assert [item["text"] for item in reported["first"]] == [
        "1 document has no category.",
        "2 documents are less than half sure. Most often between login and repair (2).",
        "No document went to idle.",
        "login is the least sure category: 0.53 on average.",
        "The name repair: in only 3 documents.",
    ]
    assert [item["show"] for item in reported["first"]] == [
        {"category": -1}, {"kind": "half"}, None, {"category": 0}, {"choose": 1}
    ]  # fmt: skip
    assert [row["documents"] for row in reported["categories"]] == [3, 2, 0]
    assert [row["unsure"] for row in reported["categories"]] == [2, 0, 0]
    assert reported["categories"][2]["confidence"] is None


def test_nothing_is_said_where_there_is_nothing_to_say() -> None:
    assert answers_of([], np.array([-1]), np.array([0.0])) is None
    assert answers_of(ROWS, np.array([-1]), np.array([0.0])) is None
    reported = answers_of(ROWS[:1], np.array([0, 0]), np.array([0.9, 0.99]))
    assert reported is not None and reported["first"] == []
    assert reported["lead"].startswith("All 2 documents have a category; about 95 of 100")


def test_those_who_asked_to_abstain_are_reported_why() -> None:
    said = first(predicted=np.array([0, -1, -1]), confidence=np.array([0.9, 0.3, 0.2]), abstain_below=0.4)
    assert said[0] == "2 documents have no category: less sure than the 0.4 asked for, or nothing known."


def test_what_speaks_for_a_category_is_summed_over_its_documents() -> None:
    motifs = np.array([[7, 2], [7, -1], [3, 2]])
    weights = np.array([[0.3, 0.4], [0.3, 0.0], [0.5, 9.0]])
    assert strongest(motifs, weights, np.array([0, 0, 1]), 3) == [[7, 2], [2, 3], []]


def test_the_report_has_them(tmp_path_factory: pytest.TempPathFactory) -> None:
    data = report_data(sample_inputs(sample_graph(tmp_path_factory.mktemp("answers"))))
    answers = data.summary["answers"]
    assert sum(row["documents"] for row in answers["categories"]) == int((data.source.predicted >= 0).sum())
    assert all(row["words"] for row in answers["categories"])
    assert any(item["text"].startswith("The name data mining: in only 3 documents") for item in answers["first"])
