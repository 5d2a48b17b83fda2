"""Classifying a second time: what depends on nothing new is not made again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from classify.model.estimator import MotifClassifier
from hin.demo.corpus import DemoOptions, write_demo
from hin.stores.base import open_store

pytestmark = pytest.mark.slow

QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue", "--classifier", "linear"]


def test_abstaining_alone_trains_nothing(hin: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, graph = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin"
    hin("load", files.documents, "--graph", graph)
    first, second, third = (tmp_path / f"{i}.jsonl" for i in range(3))
    asked = ["classify", "-c", files.labels, *QUICK, "--graph", graph]
    hin(*asked, "--out", first)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("nothing needs to be trained")

    with monkeypatch.context() as only:
        only.setattr(MotifClassifier, "fit", never)
        told = hin(*asked, "--abstain-below", "0.6", "--out", second, "--json").json
        rows = [json.loads(line) for line in first.read_text().splitlines()]
        unsure = {row["document"] for row in rows if row["confidence"] < 0.6}
        assert told["abstained"] == len(unsure) > 0
        again = [json.loads(line) for line in second.read_text().splitlines()]
        assert again == [{**row, "category": None} if row["document"] in unsure else row for row in rows]
        query = "MATCH (d:Document)-[:CLASSIFIED_AS]->(c) RETURN count(d) AS n"
        assert hin("query", query, "--graph", graph, "--format", "json").json[0]["n"] == len(rows) - len(unsure)
        hin(*asked, "--out", third)
        assert third.read_bytes() == first.read_bytes()
        assert open_store(graph).check() == []
        with pytest.raises(AssertionError, match="nothing needs"):
            hin(*asked, "--allow-missing")
