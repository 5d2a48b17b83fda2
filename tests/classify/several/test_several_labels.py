"""Several categories per document: in Python, on the command line, in files, in Cypher, in the report."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given as example
from hypothesis import strategies as st
from typer.testing import CliRunner

import hin
from classify import MotifClassifier
from classify.evaluation import true_sets
from classify.model.confidence import gets_category
from classify.model.decision import Decision
from classify.several.options import SeveralOptions
from classify.several.rule import SetRule, set_rule
from cli import app, main
from hin.errors import BadUsage

pytestmark = pytest.mark.slow  # whole runs

TOPICS = {
    "crime": ["crime", "police", "murder", "detective", "gang", "robbery"],
    "space": ["space", "planet", "rocket", "alien", "orbit", "astronaut"],
    "music": ["music", "song", "band", "concert", "guitar", "singer"],
    "horror": ["horror", "ghost", "blood", "monster", "scream", "haunted"],
}


def _films(path: Path, n: int = 240) -> Path:
    """Films with one or two topics each, recognisable by their words."""
    rng = np.random.default_rng(7)
    names = list(TOPICS)
    lines = []
    for number in range(n):
        chosen = [names[number % 4], names[(number + 1 + number // 4 % 3) % 4]][: 1 + number % 2]
        words = [str(word) for topic in chosen for word in rng.choice(TOPICS[topic], 8)]
        filler = [f"w{int(i)}" for i in rng.integers(0, 60, 6)]
        rng.shuffle(words)
        lines.append(json.dumps({"id": f"f{number}", "text": " ".join(words + filler), "label": chosen}))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("several")
    hin.load(_films(place / "films.jsonl"), graph=place / "films.hin")
    (place / "labels.txt").write_text("\n".join(TOPICS), encoding="utf-8")
    return place


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


@pytest.fixture(scope="module")
def classified(folder: Path) -> dict[str, Any]:
    found = _run(
        "classify", "--graph", str(folder / "films.hin"), "-c", str(folder / "labels.txt"), "--several",
        "--plain", "--scores", "--out", str(folder / "out.jsonl"), "--save-model", str(folder / "model"), "--json",
    )  # fmt: skip
    assert found.exit_code == 0, found.output
    return dict(json.loads(found.stdout))


def test_sets_are_found_without_labels(classified: dict[str, Any]) -> None:
    figures = classified["evaluation"]
    assert figures["micro_f1"] > 0.8
    assert figures["ranking_loss"] < 0.1
    assert {"macro_f1", "example_f1", "categories"} <= set(figures)
    assert 1.0 < classified["given_number"] < 2.2


def test_predictions_carry_the_list(classified: dict[str, Any], folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert len(rows) == 240
    assert any(len(row["categories"]) > 1 for row in rows)
    for row in rows:
        assert row["category"] == row["categories"][0]
        sure = [row["scores"][name] for name in row["categories"]]
        assert sure == sorted(sure, reverse=True)
        assert row["confidence"] == sure[0]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_new_documents_get_lists_in_every_format(classified: dict[str, Any], folder: Path, kind: str) -> None:
    new = folder / "new.jsonl"
    text = "murder police gang detective crime concert guitar band song music"
    new.write_text(json.dumps({"id": "n1", "text": text}), encoding="utf-8")
    out = folder / f"new.{kind}"
    assert _run("predict", str(new), "--model", str(folder / "model"), "--out", str(out)).exit_code == 0
    if kind == "csv":
        with out.open(encoding="utf-8") as file:
            listed = json.loads(next(csv.DictReader(file))["categories"])
    else:
        listed = pq.read_table(out).column("categories").to_pylist()[0]
    assert listed
    assert set(listed) <= {"crime", "music"}


def test_cypher_has_a_relationship_for_each(classified: dict[str, Any], folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    wanted = sorted((row["document"], name) for row in rows for name in row["categories"])
    found = hin.query(
        folder / "films.hin", "MATCH (d:Document)-[:CLASSIFIED_AS]->(c:Category) RETURN d.id AS d, c.name AS c"
    )
    assert sorted(map(tuple, found.rows)) == wanted


def test_evaluate_explain_and_report_know_the_sets(classified: dict[str, Any], folder: Path) -> None:
    graph = str(folder / "films.hin")
    figures = json.loads(_run("evaluate", "--graph", graph, "--json").stdout)
    assert figures["example_f1"] == classified["evaluation"]["example_f1"]
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    several = next(row for row in rows if len(row["categories"]) > 1)
    reported = json.loads(_run("explain", several["document"], "--graph", graph, "--json").stdout)
    assert [entry["category"] for entry in reported["categories"]] == several["categories"]
    assert "also: " in _run("explain", several["document"], "--graph", graph).stdout
    made = _run("report", "--graph", graph, "--out", str(folder / "report.html"))
    assert made.exit_code == 0, made.output


def test_python_gives_an_indicator_matrix(folder: Path) -> None:
    model = MotifClassifier(folder / "labels.txt", several=SeveralOptions(True, at_most=1), classifier="linear")
    graph = hin.open(folder / "films.hin")
    model.fit(graph)
    found = model.predict(graph)
    assert found.shape == (240, 4)
    assert (found.sum(axis=1) == 1).all()
    assert np.array_equal(found.astype(bool), model.sets_)


@pytest.mark.parametrize("expected", [0.1, 0.28])
def test_where_few_documents_have_a_category_the_others_are_not_without_evidence(folder: Path, expected: float) -> None:
    several = SeveralOptions(several=True, expected_number=expected)
    model = MotifClassifier(list(TOPICS), classifier="linear", several=several, n_jobs=1)
    found = model.fit(hin.open(folder / "films.hin")).probabilities_
    assert gets_category(found).all(), "all probabilities of a document are said to be equal where nothing is known"
    assert abs(found.sum(axis=1).mean() - expected) < 0.01 and expected / 4 < found.max(axis=1).mean() < expected
    given = model.decision().given(found)
    means = {c: given.confidence[given.categories == c].mean() for c in set(given.categories.tolist())}
    weak = {one.category for one in model.reliability_.weak}
    assert weak == {list(TOPICS)[c] for c, mean in means.items() if mean < 0.4}


def test_known_documents_may_have_several(folder: Path) -> None:
    graph = hin.open(folder / "films.hin")
    labels: list[Any] = [None] * 240
    labels[0] = ["music", "horror"]
    model = MotifClassifier(folder / "labels.txt", several=True, classifier="linear").fit(graph, labels)
    assert model.sets_[0].tolist() == [name in ("music", "horror") for name in model.classes_]
    assert model.explain("f0")["known"] == ["horror", "music"]
    with pytest.raises(BadUsage, match="several labels"):
        MotifClassifier(folder / "labels.txt").fit(graph, labels)


def test_answers_correct_the_expected_number_and_the_sizes_of_the_categories(folder: Path) -> None:
    graph = hin.open(folder / "films.hin")
    truth = true_sets(graph.labels, list(TOPICS))
    rare = np.flatnonzero(~truth[:, 2] | (np.arange(240) % 8 == 0))[:80]  # answers that seldom name the third
    labels: list[Any] = [None] * 240
    for row in rare.tolist():
        labels[row] = [name for name, own in zip(TOPICS, truth[row], strict=True) if own]
    model = MotifClassifier(list(TOPICS), several=True, classifier="linear", n_jobs=1).fit(graph, labels)
    posterior = np.exp(np.asarray(model.soft_labels_.logs))
    sizes = posterior.sum(axis=0) * model.soft_labels_.expected / posterior.sum()
    assert np.abs(model.sets_.mean(axis=0) - sizes).max() < 0.05
    assert abs(model.soft_labels_.expected - truth.sum() / 240) < 0.1  # 1.09 without the answers, where 1.5 are true


def test_shares_may_exceed_the_whole(folder: Path) -> None:
    labels = [f"{name} [60%]" for name in TOPICS]
    graph = hin.open(folder / "films.hin")
    model = MotifClassifier(labels, several=SeveralOptions(True, expected_number=2.4), classifier="linear").fit(graph)
    assert np.abs(model.sets_.mean(axis=0) - 0.6).max() < 0.02


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--threshold", "0.4"], "add --several"),
        (["--at-most", "2"], "add --several"),
        (["--several", "--expected-number", "0"], "expected"),
        (["--several", "--preset", "paper"], "preset"),
    ],
)
def test_bad_usage_is_reported_in_a_line(
    folder: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["classify", "--graph", str(folder / "films.hin"), "-c", str(folder / "labels.txt"), *arguments])
    error = capsys.readouterr().err
    assert ended.value.code == 2
    assert said in error
    assert "Traceback" not in error


def test_two_known_labels_need_several(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = folder / "few.csv"
    few.write_text("document,category\nf1,crime\nf1,music\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["classify", "--graph", str(folder / "films.hin"), "-c", str(folder / "labels.txt"), "--known", str(few)])
    error = capsys.readouterr().err
    assert "few.csv, line 3" in error
    assert "--several" in error


@example(st.integers(2, 6), st.integers(1, 30), st.floats(1, 6), st.integers(0, 2**32 - 1))
def test_rules_hold_for_any_scores(n_categories: int, n: int, expected: float, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(n, n_categories))
    rule = set_rule(scores, expected, 0.7)
    found = rule.probabilities(scores)
    assert np.isfinite(found).all()
    given = Decision(sets=SetRule(rule.scale, rule.level, rule.threshold, at_most=2)).given(found)
    counts = np.bincount(given.documents, minlength=n)
    assert counts.max() <= 2
    assert (np.diff(given.documents) >= 0).all()
