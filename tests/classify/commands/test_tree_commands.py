"""A tree of categories from the labels file to predictions, figures, Cypher and the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import hin
from cli import app

pytestmark = pytest.mark.slow  # whole runs

TOPICS = {
    "space": ["space", "orbit", "rocket", "planet", "telescope", "lunar"],
    "medicine": ["medicine", "doctor", "patient", "hospital", "dose", "nurse"],
    "hockey": ["hockey", "puck", "goalie", "ice", "skate", "rink"],
    "baseball": ["baseball", "pitcher", "inning", "bat", "homer", "dugout"],
}
PARENTS = {"space": "science", "medicine": "science", "hockey": "sports", "baseball": "sports"}


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tree")
    rng, lines = np.random.default_rng(3), []
    for number in range(160):
        topic = list(TOPICS)[number % 4]
        words = [*rng.choice(TOPICS[topic], 6), PARENTS[topic], *(f"w{i}" for i in rng.integers(0, 50, 6))]
        lines.append(json.dumps({"id": f"d{number}", "text": " ".join(map(str, words)), "label": topic}))
    (place / "posts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    hin.load(place / "posts.jsonl", graph=place / "posts.hin")
    tree = "science\n  space\n  medicine\nsports > hockey\nsports > baseball\n"
    (place / "tree.txt").write_text(tree, encoding="utf-8")
    found = _run(
        "classify", "--graph", str(place / "posts.hin"), "-c", str(place / "tree.txt"), "--classifier", "linear",
        "--plain", "--scores", "--out", str(place / "out.jsonl"), "--json",
    )  # fmt: skip
    assert found.exit_code == 0, found.output
    (place / "figures.json").write_text(found.stdout, encoding="utf-8")
    return place


def test_every_level_is_measured_and_paths_are_predicted(folder: Path) -> None:
    figures = json.loads((folder / "figures.json").read_text())["evaluation"]
    assert [row["level"] for row in figures["levels"]] == [1, 2]
    assert figures["levels"][0]["micro_f1"] >= figures["micro_f1"] > 0.9
    assert [row["category"] for row in figures["levels"][0]["categories"]] == ["science", "sports"]
    for line in (folder / "out.jsonl").read_text().splitlines():
        row = json.loads(line)
        assert row["path"] == [PARENTS[row["category"]], row["category"]]


def test_cypher_has_the_tree(folder: Path) -> None:
    found = hin.query(
        folder / "posts.hin", "MATCH (c:Category)-[:PART_OF]->(p:Category) RETURN c.name, p.name ORDER BY c.name"
    )
    assert sorted(map(tuple, found.rows)) == sorted(PARENTS.items())


def test_unsure_documents_climb_without_another_fit(folder: Path) -> None:
    graph = str(folder / "posts.hin")
    model = json.loads(_run("evaluate", "--graph", graph, "--json").stdout)
    again = _run(
        "classify", "--graph", graph, "-c", str(folder / "tree.txt"), "--classifier", "linear",
        "--abstain-below", "0.98", "--plain", "--out", str(folder / "climbed.csv"), "--json",
    )  # fmt: skip
    reported = json.loads(again.stdout)
    climbed = reported["categories"]["science"] + reported["categories"]["sports"]
    assert climbed > 0
    figures = json.loads(_run("evaluate", "--graph", graph, "--json").stdout)
    assert figures["abstained"] > model["abstained"]
    assert figures["levels"][0]["abstained"] <= figures["abstained"]
    found = hin.query(
        folder / "posts.hin",
        "MATCH (d:Document)-[:CLASSIFIED_AS]->(c:Category) WHERE c.name IN ['science', 'sports'] RETURN count(d) AS n",
    )
    assert found.rows[0][0] == climbed
    assert _run("report", "--graph", graph, "--out", str(folder / "report.html")).exit_code == 0
    explained = _run("explain", "d0", "--graph", graph)
    assert "science > space" in explained.stdout
