"""Scores of many documents lie in files: the same numbers, and no more memory than a few blocks."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from classify import MotifClassifier
from classify.model.decision import Decision
from classify.recipe.agreement import agree
from embed.options import EmbedOptions
from hin.arrays.score_rows import best, by_rows, in_units, weighted_sum
from hin.arrays.stored_rows import BLOCK
from hin.files import mapped
from tests.spark.test_spark_predict import TOPICS, write_topics

QUICK = EmbedOptions(dim=16, epochs=2)


@pytest.fixture
def in_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let even the smallest array of scores be a file's."""
    monkeypatch.setattr(mapped, "_LARGE_ZEROS", 1)
    monkeypatch.setattr(mapped, "_LARGE_ARRAY", 1)


def some_scores(seed: int = 0, documents: int = 2 * BLOCK + 3) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((documents, 5)).astype(np.float32)


def test_the_sums_and_the_best_are_those_of_whole_arrays(in_files: None) -> None:
    one, other = some_scores(0), some_scores(1)
    assert np.array_equal(weighted_sum([one, other], [1.0, 0.25]), one + np.float32(0.25) * other)
    assert np.array_equal(best(one), one.argmax(axis=1))
    assert np.array_equal(by_rows(np.exp, one), np.exp(one))
    np.testing.assert_allclose(in_units(one), one / one.std(dtype=np.float64), rtol=1e-6)


def test_views_agree_alike_in_files_and_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"a": [some_scores(0), some_scores(1)], "b": [some_scores(2)]}
    here = agree({name: list(scores) for name, scores in given.items()})
    monkeypatch.setattr(mapped, "_LARGE_ZEROS", 1)
    there = agree({name: list(scores) for name, scores in given.items()})
    assert here.scores.tobytes() == there.scores.tobytes() and here.weights == there.weights


def test_what_is_given_does_not_depend_on_the_blocks() -> None:
    scores = np.exp(some_scores(3))
    probabilities = scores / scores.sum(axis=1, keepdims=True)
    whole, decision = Decision(0.3).given(probabilities), Decision(0.3)
    parts = [decision.given(probabilities[first : first + 1000]) for first in range(0, len(probabilities), 1000)]
    assert whole.first().tolist() == np.concatenate([part.first() for part in parts]).tolist()
    assert whole.confidence.tolist() == np.concatenate([part.confidence for part in parts]).tolist()
    assert len(Decision().given(probabilities[:0]).documents) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_pass_over_files_holds_a_few_blocks(in_files: None) -> None:
    def held() -> int:
        found = re.search(r"RssFile:\s+(\d+)", Path("/proc/self/status").read_text())
        assert found is not None
        return int(found[1]) * 1024

    large = mapped.mapped_zeros((100 * BLOCK, 24), np.float32)  # 39 MB
    mapped.release_pages(large)
    before = held()
    found = weighted_sum([large, large], [1.0, 2.0])
    assert not found.any()
    mapped.release_pages(found)
    assert held() - before < large.nbytes // 2


def test_a_fit_is_the_same_with_all_its_scores_in_files(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    source = write_topics(tmp_path / "documents.jsonl", 240)

    def fitted() -> MotifClassifier:
        model = MotifClassifier(list(TOPICS), min_count=2, classifier="linear", knowledge=None, embed=QUICK)
        return model.fit(source)

    here = fitted()
    request.getfixturevalue("in_files")
    there = fitted()
    assert here.probabilities_.tobytes() == there.probabilities_.tobytes()
    assert here.labels_.tolist() == there.labels_.tolist()
