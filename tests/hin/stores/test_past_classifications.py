"""The last classifications of a graph: numbered, bounded, of the documents they were made from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hin
from hin.errors import BadUsage, DamagedGraph, MissingStage, UnknownName
from hin.stages import Stage
from hin.stores.base import open_store
from hin.stores.findings import Findings
from hin.stores.past_classifications import MODELS, MOST, PastClassifications


def add(past: PastClassifications, folder: Path, number: int, **options: Any) -> None:
    """Store a classification as `hin classify` would have written it."""
    path = folder / f"classify-{number:012d}"
    (path / "model").mkdir(parents=True)
    (path / "model" / "model.json").write_text("{}")
    (path / "classification.json").write_text("{}")
    Findings(classified=Findings.labels([0, 1], [0, number % 2], [0.9, 0.8])).save(path)
    stage = Stage("classify", path, {"seed": number, **options}, None, path.name, {})
    past.add(stage, ["data mining", "database"], past.store.read_graph())


@pytest.fixture
def past(papers: Path, tmp_path: Path) -> PastClassifications:
    hin.load(papers, graph=tmp_path / "g.hin")
    return PastClassifications(open_store(tmp_path / "g.hin"))


def test_the_newest_stay_and_their_numbers_too(past: PastClassifications, tmp_path: Path) -> None:
    for number in range(1, MOST + 4):
        add(past, tmp_path, number)
    found = past.entries()
    assert [one.number for one in found] == list(range(4, MOST + 4))
    assert [one.model is not None for one in found] == [False] * (MOST - MODELS) + [True] * MODELS
    assert [one.options["seed"] for one in found] == [one.number for one in found]
    assert past.find(-1).number == MOST + 3 and past.find("5").number == 5
    assert past.find(5).classified.column("category").to_pylist() == [0, 1]


def test_the_same_classification_is_stored_once(past: PastClassifications, tmp_path: Path) -> None:
    add(past, tmp_path, 1)
    stage = Stage("classify", tmp_path / "classify-000000000001", {"seed": 1}, None, "classify-000000000001", {})
    past.add(stage, ["data mining", "database"], past.store.read_graph())
    assert len(past.entries()) == 1


def test_they_stay_through_more_documents_but_not_other_ones(
    past: PastClassifications, tmp_path: Path, hin: Callable
) -> None:
    add(past, tmp_path, 1)
    more = tmp_path / "more.jsonl"
    more.write_text('{"id": "p9", "title": "Joins", "abstract": "Database joins."}\n')
    assert hin("load", more, "--append", "--graph", tmp_path / "g.hin").code == 0
    (one,) = PastClassifications(open_store(tmp_path / "g.hin")).entries()
    assert one.documents == 3 and one.is_of(open_store(tmp_path / "g.hin").read_graph())
    assert hin("load", more, "--replace", "--graph", tmp_path / "g.hin").code == 0
    assert not one.is_of(open_store(tmp_path / "g.hin").read_graph())


def test_what_is_not_there_is_said(past: PastClassifications, tmp_path: Path) -> None:
    with pytest.raises(MissingStage, match="not been classified"):
        past.find(-1)
    add(past, tmp_path, 1)
    with pytest.raises(UnknownName, match="no classification 7; there are 1"):
        past.find(7)
    with pytest.raises(UnknownName, match="no classification -2"):
        past.find(-2)
    with pytest.raises(BadUsage, match="'x' is not a number"):
        past.find("x")


@pytest.mark.parametrize("file", ["head.json", "classified.arrow"])
def test_a_damaged_one_is_said(past: PastClassifications, tmp_path: Path, file: str) -> None:
    add(past, tmp_path, 1)
    path = past.folder / "000001" / file
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DamagedGraph, match=file):
        _ = past.find(1).classified
    path.unlink()
    with pytest.raises(DamagedGraph, match="missing"):
        _ = past.find(1).classified


def test_they_are_copied_with_the_graph(past: PastClassifications, tmp_path: Path) -> None:
    add(past, tmp_path, 1)
    hin.copy(tmp_path / "g.hin", tmp_path / "h.hin")
    (one,) = PastClassifications(open_store(tmp_path / "h.hin")).entries()
    assert one.classified.equals(past.find(1).classified) and one.model is not None
