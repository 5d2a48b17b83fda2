"""Prediction files: four columns, three formats, input order, whole or absent."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from classify.model.decision import Decision
from classify.model.prediction_files import write_predictions
from hin.errors import BadUsage

DOCUMENTS = ["d_2", 'd,"1"', "dé\n3"]
CATEGORIES = ["games", "ham radio"]
SCORES = np.array([[0.25, 0.75], [0.9, 0.1], [0.5, 0.5]], dtype=np.float32)


def read(path: Path) -> list[dict[str, object]]:
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            return [
                {**row, "confidence": float(row["confidence"]), "scores": json.loads(row["scores"]),
                 "category": row["category"] or None}
                for row in csv.DictReader(file)
            ]  # fmt: skip
    from pyarrow import parquet

    return parquet.read_table(path).to_pylist()


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_every_format_holds_the_same_records_in_input_order(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"predictions{suffix}"
    write_predictions(path, DOCUMENTS, CATEGORIES, SCORES)
    assert read(path) == [
        {"document": "d_2", "category": "ham radio", "confidence": 0.75, "scores": {"games": 0.25, "ham radio": 0.75}},
        {"document": 'd,"1"', "category": "games", "confidence": 0.9, "scores": {"games": 0.9, "ham radio": 0.1}},
        {"document": "dé\n3", "category": None, "confidence": 0.5, "scores": {"games": 0.5, "ham radio": 0.5}},
    ]
    first = path.read_bytes()
    write_predictions(path, DOCUMENTS, CATEGORIES, SCORES)
    assert path.read_bytes() == first
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_unsure_documents_are_left_without_a_category(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"predictions{suffix}"
    write_predictions(path, DOCUMENTS, CATEGORIES, SCORES, Decision(0.8))
    assert [row["category"] for row in read(path)] == [None, "games", None]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text("old\n")
    with pytest.raises(BadUsage, match="scores of shape"):
        write_predictions(path, DOCUMENTS, CATEGORIES, SCORES[:2])
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("name", "words"), [("p.txt", "format"), ("none/p.csv", "no folder")])
def test_a_bad_place_is_one_line(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match=words):
        write_predictions(tmp_path / name, DOCUMENTS, CATEGORIES, SCORES)


def test_a_threshold_outside_zero_and_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="abstain"):
        write_predictions(tmp_path / "p.csv", DOCUMENTS, CATEGORIES, SCORES, Decision(1.5))
