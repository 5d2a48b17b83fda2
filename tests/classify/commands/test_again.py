"""Classifying a second time: what depends on nothing new is not made again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from classify.model.fitted import FittedModel
from hin.demo.corpus import DemoOptions, write_demo
from hin.stores.base import open_store

pytestmark = pytest.mark.slow

QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue", "--classifier", "linear"]


def test_abstaining_alone_trains_nothing(hin: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, graph = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin"
    hin("load", files.documents, "--graph", graph)
    first, second, third = (tmp_path / f"{i}.jsonl" for i in range(3))
    asked = ["classify", "-c", files.labels, *QUICK, "--graph", graph, "--plain"]
    hin(*asked, "--out", first)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("nothing needs to be trained")

    with monkeypatch.context() as only:
        only.setattr("classify.pipeline.find_names", never)
        reported = hin(*asked, "--abstain-below", "0.9", "--out", second, "--json").json
        rows = [json.loads(line) for line in first.read_text().splitlines()]
        unsure = {row["document"] for row in rows if row["confidence"] < 0.9}
        assert reported["abstained"] == len(unsure) > 0
        again = [json.loads(line) for line in second.read_text().splitlines()]
        assert again == [{**row, "category": None} if row["document"] in unsure else row for row in rows]
        query = "MATCH (d:Document)-[:CLASSIFIED_AS]->(c) RETURN count(d) AS n"
        assert hin("query", query, "--graph", graph, "--format", "json").json[0]["n"] == len(rows) - len(unsure)
        hin(*asked, "--out", third)
        assert third.read_bytes() == first.read_bytes()
        assert open_store(graph).check() == []
        done = hin(*asked, "--strict-names")
        assert done.code == 1 and "nothing needs to be trained" in done.err


def test_another_keyword_places_no_view_and_trains_no_vector_again(
    hin: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from classify.views.co_occurrence import CooccurrenceView
    from classify.views.tf_idf import TfidfView

    files, graph = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin"
    hin("load", files.documents, "--graph", graph)
    asked = ["classify", *QUICK, "--graph", graph]
    hin(*asked, "-c", files.labels)
    first, *others = files.labels.read_text().splitlines()
    more = tmp_path / "more.txt"
    more.write_text("\n".join([f"{first}: VENUE[{_venue(files.documents)}]", *others]))
    fresh = tmp_path / "fresh.hin"
    hin("load", files.documents, "--graph", fresh)
    hin("classify", *QUICK, "--graph", fresh, "-c", more, "--out", tmp_path / "fresh.jsonl")

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it depends on no keyword")

    with monkeypatch.context() as only:
        for kind in (TfidfView, CooccurrenceView):
            only.setattr(kind, "instances", never)
        only.setattr("embed.embedding_stage.train_on", never)
        done = hin(*asked, "-c", more, "--out", tmp_path / "again.jsonl")
    assert done.code == 0, done.err
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "fresh.jsonl").read_bytes()


def _venue(documents: Path) -> str:
    venue = json.loads(documents.read_text().partition("\n")[0])["venue"]
    return str(venue[0] if isinstance(venue, list) else venue)


def test_labelling_imports_no_more_than_it_needs_and_abstaining_alone_nothing_that_trains(
    hin: Callable, tmp_path: Path
) -> None:
    files, graph = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin"
    hin("load", files.documents, "--graph", graph)
    asked = ["classify", "-c", str(files.labels), *QUICK, "--graph", str(graph)]
    _check_imports(asked, "sklearn", "pandas", "networkx")
    reported = [*asked, "--abstain-below", "0.9"]
    _check_imports(reported, "sklearn", "pandas", "torch", "numba")
    saved = tmp_path / "model"
    hin(*reported, "--save-model", saved)
    assert FittedModel.load(saved).classes_.tolist() == files.labels.read_text().split("\n")[:-1]


def _check_imports(asked: list[str], *unwanted: str) -> None:
    """Run a command in a process of its own; none of these packages may have been imported at its end."""
    script = (
        "import sys, cli\n"
        f"sys.argv[1:] = {asked!r}\n"
        "try:\n    cli.main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print([name for name in {unwanted!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert "classified in" in done.stdout and done.stdout.splitlines()[-1] == "[]", done.stdout
