"""`hin predict` on a cluster: the probabilities of a saved model are the same to the byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from classify import MotifClassifier
from classify.model.on_engine import label_blocks
from embed.options import EmbedOptions
from hin.errors import DuplicateDocument
from hin.loading import load
from hin.reading.documents import BatchReader

pytestmark = pytest.mark.spark

TOPICS = {"music": "song melody band guitar album", "sports": "match team goal league coach"}


def write_topics(file: Path, count: int) -> Path:
    """Write documents of two topics, with authors."""
    chance = np.random.default_rng(0)
    rows = []
    for i in range(count):
        topic = sorted(TOPICS)[i % 2]
        words = [topic] * (i % 5 == 0) + chance.choice(TOPICS[topic].split(), 8).tolist()
        rows.append({"id": f"d{i}", "text": " ".join(words), "author": [f"{topic}-{chance.integers(0, 5)}"]})
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A fitted model and a file of documents."""
    folder = tmp_path_factory.mktemp("model")
    file = write_topics(folder / "documents.jsonl", 240)
    fitted = MotifClassifier(
        list(TOPICS), patterns=["term", "author"], min_count=2, classifier="linear", knowledge=None,
        embed=EmbedOptions(dim=16, epochs=3),
    )  # fmt: skip
    fitted.fit(load(file))
    fitted.save(folder / "saved")
    return folder / "saved", file


def test_the_probabilities_are_the_same(spark: Any, model: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, file = model
    monkeypatch.setattr("hin.reading.documents.BATCH_SIZE", 50)
    here = MotifClassifier.load(folder)
    batches = list(BatchReader(file))
    expected = np.concatenate([here.predict_proba(batch) for batch in batches])
    found = list(label_blocks(BatchReader(file), spark, folder))
    assert len(found) > 3
    assert [name for part in found for name in part.ids] == [name for batch in batches for name in batch.ids]
    assert np.concatenate([part.probabilities for part in found]).tobytes() == expected.tobytes()


def test_bad_documents_are_reported_as_here(
    spark: Any, model: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, file = model
    monkeypatch.setattr("hin.reading.documents.BATCH_SIZE", 50)
    twice = tmp_path / "twice.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    twice.write_text("".join([*lines, lines[3]]))
    with pytest.raises(DuplicateDocument, match=r"line 241, field 'id': the id 'd3' was used before, in line 4"):
        list(label_blocks(BatchReader(twice), spark, folder))
