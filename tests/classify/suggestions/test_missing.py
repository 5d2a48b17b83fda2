"""Documents that belong to none of the categories: found, grouped, named, and left without a category."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import hin
from classify import MotifClassifier
from classify.report.sources import inputs_of
from cli import app, main
from hin.stores.base import open_store

pytestmark = pytest.mark.slow  # whole runs

TOPICS = {
    "space": ["space", "orbit", "rocket", "planet", "telescope", "lunar", "comet"],
    "medicine": ["medicine", "doctor", "patient", "hospital", "dose", "nurse", "clinic"],
    "hockey": ["hockey", "puck", "goalie", "ice", "skate", "rink", "stick"],
    "cooking": ["recipe", "oven", "butter", "flour", "sauce", "garlic", "simmer"],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("missing")
    rng, lines = np.random.default_rng(5), []
    for number in range(240):
        topic = list(TOPICS)[number % 4]
        words = [*rng.choice(TOPICS[topic], 8), *(f"w{i}" for i in rng.integers(0, 40, 4))]
        lines.append(json.dumps({"id": f"d{number}", "text": " ".join(map(str, words)), "label": topic}))
    (folder / "posts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    hin.load(folder / "posts.jsonl", graph=folder / "posts.hin")
    (folder / "labels.txt").write_text("space\nmedicine\nhockey\n", encoding="utf-8")
    return folder


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def test_the_category_that_was_left_out_is_found_and_named(place: Path) -> None:
    graph = hin.open(place / "posts.hin")
    model = MotifClassifier(place / "labels.txt", classifier="linear", other=True).fit(graph)
    found = model.suggest_missing()
    missing = np.arange(240) % 4 == 3
    assert found.none[missing].mean() > 0.8
    assert found.none[~missing].mean() < 0.1
    assert set(found.groups[0].words[:4]) <= set(TOPICS["cooking"])
    assert sum(group.none for group in found.groups) <= found.none.sum()
    assert sum(len(group.documents) for group in model.suggest_missing(share=0.1).groups) <= 25
    given = model.decision().given(model.probabilities_).first()
    assert (given[missing] < 0).mean() > 0.8
    assert any("far from every category" in note for note in model.notes_)


def test_the_commands_tell_and_leave_out(place: Path) -> None:
    common = ["--graph", str(place / "posts.hin")]
    labels = ["-c", str(place / "labels.txt"), "--classifier", "linear", "--other"]
    found = _run("classify", *common, *labels, "--plain", "--out", str(place / "out.jsonl"), "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["abstained"] > 30
    rows = [json.loads(line) for line in (place / "out.jsonl").read_text().splitlines()]
    without = [row["document"] for row in rows if row["category"] is None]
    linked = hin.query(place / "posts.hin", "MATCH (d:Document)-[:CLASSIFIED_AS]->(:Category) RETURN d.id AS d")
    assert {row[0] for row in linked.rows} == {row["document"] for row in rows} - set(without)
    reported = json.loads(_run("suggest", *common, "--missing", "--json").stdout)
    assert reported["documents"] > 30
    assert set(reported["groups"][0]) == {"documents", "none", "words", "typical"}
    assert "a group of " in _run("suggest", *common, "--missing").stdout
    notes = inputs_of(open_store(place / "posts.hin")).notes
    assert any(note.startswith("a group of ") and "oven" in note for note in notes)


def test_what_does_not_go_together_is_refused(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["suggest", "--graph", str(place / "posts.hin"), "--missing", "--documents", "5"])
    assert ended.value.code == 2
    assert "--missing goes with neither" in capsys.readouterr().err


def test_with_every_name_there_hardly_any_document_is_left_out(place: Path) -> None:
    model = MotifClassifier([*TOPICS], classifier="linear").fit(hin.open(place / "posts.hin"))
    assert model.suggest_missing().none.mean() < 0.1


def test_what_is_stored_says_the_same_as_the_model(place: Path) -> None:
    labels = ["-c", str(place / "labels.txt"), "--classifier", "linear"]
    assert _run("classify", "--graph", str(place / "posts.hin"), *labels).exit_code == 0
    reported = json.loads(_run("suggest", "--graph", str(place / "posts.hin"), "--missing", "--json").stdout)
    graph = hin.open(place / "posts.hin")
    found = MotifClassifier(place / "labels.txt", classifier="linear").fit(graph).suggest_missing()
    assert reported["documents"] == found.none.sum()
    assert [group["words"] for group in reported["groups"]] == [list(group.words) for group in found.groups]
