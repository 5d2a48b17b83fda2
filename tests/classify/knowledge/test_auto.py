"""Which model `--knowledge auto` chooses, and models handed in as functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from classify.knowledge import auto
from classify.knowledge.auto import RECOMMENDED, choose_model, encoder_advice
from classify.knowledge.opening import open_model
from classify.knowledge.options import KnowledgeOptions
from classify.knowledge.scoring import ScoringModel
from hin.errors import BadInput


@pytest.fixture
def cached(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the user's model cache hold some models, and the extra `encoder` be installed or not."""
    monkeypatch.delenv("HIN_KNOWLEDGE")

    def hold(
        *names: str, installed: bool = True, files: tuple[str, ...] = ("model.safetensors", "tokenizer.json")
    ) -> None:
        def find(name: str, file: str) -> str | None:
            return f"/cache/{file}" if name in names and file in files else None

        monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", find)
        monkeypatch.setattr(auto, "find_spec", lambda _: object() if installed else None)

    return hold


def test_without_an_encoder_on_this_machine_the_built_in_model_is_used(cached: Callable[..., None]) -> None:
    cached()
    assert choose_model() == "wordllama"
    cached(RECOMMENDED[0], files=("tokenizer.json",))  # a download that was cut off
    assert choose_model() == "wordllama"


def test_an_encoder_in_the_cache_is_used_where_it_can_be_run(cached: Callable[..., None]) -> None:
    cached(RECOMMENDED[1])
    assert choose_model() == RECOMMENDED[1]
    assert KnowledgeOptions().model == RECOMMENDED[1]
    assert KnowledgeOptions("wordllama").model == "wordllama"
    cached(RECOMMENDED[1], installed=False)
    assert choose_model() == "wordllama"
    assert "pip install" in encoder_advice()
    assert encoder_advice("english") == encoder_advice()
    assert RECOMMENDED[0] not in encoder_advice("chinese"), "an English encoder is no help in Chinese"


def test_the_environment_names_the_model(cached: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    cached(RECOMMENDED[0])
    monkeypatch.setenv("HIN_KNOWLEDGE", "none")
    assert KnowledgeOptions().model == "none"
    monkeypatch.setenv("HIN_KNOWLEDGE", "auto")
    assert choose_model() == RECOMMENDED[0]


def _letters(texts: Any, names: Any) -> list[list[float]]:
    return [[float(text[:1] == name[:1]) for name in names] for text in texts]


def test_a_function_is_a_model_once_the_names_are_known() -> None:
    model = open_model(_letters)
    assert isinstance(model, ScoringModel)
    assert model.name == "_letters"
    assert model.bound(["art", "music"]).read(["museum"]).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("scores", [[[1.0]], [[1.0, float("nan")]], [1.0, 2.0]])
def test_scores_of_another_shape_are_refused(scores: Any) -> None:
    model = ScoringModel(lambda texts, names: np.array(scores), "odd").bound(["art", "music"])
    with pytest.raises(BadInput, match="odd gave scores"):
        model.encode(["museum"])


def test_a_name_that_is_no_model_is_still_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no folder"):
        open_model(tmp_path / "absent")
