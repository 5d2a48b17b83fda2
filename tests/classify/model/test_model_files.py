"""A saved model whose words were altered is refused in one line, before anything is predicted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from classify import Category, MotifClassifier
from embed import EmbedOptions
from hin.errors import DamagedGraph

TEXTS = [text for i in range(20) for text in (f"cider orchard fruit w{i % 3}", f"orbit launch fuel w{i % 3}")]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    embed = EmbedOptions(dim=8, epochs=2)
    names = [Category("cider"), Category("orbit")]
    model = MotifClassifier(names, classifier="linear", knowledge=None, embed=embed, n_jobs=1).fit(TEXTS)
    place = tmp_path_factory.mktemp("models") / "model"
    model.save(place)
    return place


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head["reading"].update(html=7),
        lambda head: head["reading"].update(renames={"a": 1}),
        lambda head: head["reading"].update(renames=[1]),
        lambda head: head["reading"].update(id=3),
        lambda head: head.update(reading=[1]),
        lambda head: head.update(known="all"),
        lambda head: head.update(notes=5),
        lambda head: head.update(text_fields=[1]),
        lambda head: head.update(min_count="five"),
    ],
)
def test_altered_words_are_refused(saved: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = saved / "model.json"
    written = path.read_text()
    assert MotifClassifier.load(saved).predict(["cider fruit"]).tolist() == ["cider"]
    head = json.loads(written)
    change(head)
    path.write_text(json.dumps(head))
    try:
        with pytest.raises(DamagedGraph, match="no readable model|model.json is damaged"):
            MotifClassifier.load(saved)
    finally:
        path.write_text(written)
