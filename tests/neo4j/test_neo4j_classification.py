"""Several categories, trees, suggestions and the next round on Neo4j give what they give on a folder."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from classify.views.co_occurrence import CooccurrenceView
from classify.views.tf_idf import TfidfView
from hin.stores.answers import Answer, AnswerLog
from hin.stores.base import open_store
from hin.stores.querying import QueryOptions, query
from tests.classify.commands.test_tree_commands import PARENTS, TOPICS
from tests.neo4j.comparing import same_rows

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

TREE = "science\n  space\n  medicine\nsports > hockey\nsports > baseball\n"
QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue", "--classifier", "linear"]
GIVEN = "MATCH (d:Document)-[a:CLASSIFIED_AS]->(c:Category) RETURN d.id AS d, c.name AS c, a.confidence AS sure"


class Places:
    """The same commands on a folder and on a server; what they print is the same."""

    def __init__(self, hin: Callable, url: str, home: Path) -> None:
        self.hin = hin
        self.home = home
        self.places = {"folder": home / "posts.hin", "database": url}

    def run(self, *arguments: object) -> Any:
        here, there = self.runs(*arguments)
        assert here.out == there.out
        return there

    def runs(self, *arguments: object) -> list[Any]:
        """Run a command that prints times or places."""
        runs = [self.hin(*arguments, "--graph", place) for place in self.places.values()]
        assert [run.code for run in runs] == [0, 0], [run.err for run in runs]
        return runs

    def written(self, *arguments: object) -> str:
        """Return the file that a command writes with `--out`."""
        files = {name: self.home / f"{name}.csv" for name in self.places}
        form = ["--plain", "--scores"] if arguments[0] == "classify" else []
        for name, place in self.places.items():
            done = self.hin(*arguments, *form, "--out", files[name], "--graph", place)
            assert done.code == 0, done.err
        here, there = (file.read_text(encoding="utf-8") for file in files.values())
        assert here == there
        return there

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        here, there = (query(str(place), text, QueryOptions(limit=0)) for place in self.places.values())
        assert here.columns == there.columns
        assert same_rows(here, there, ordered=False), text
        return there.rows


@pytest.fixture
def both(neo4j_server: Any, hin: Callable, tmp_path: Path) -> Places:
    rng, lines = np.random.default_rng(3), []
    names = list(TOPICS)
    for number in range(120):
        chosen = [names[number % 4], names[(number + 1 + number // 4 % 3) % 4]][: 1 + number % 2]
        words = [word for topic in chosen for word in (*rng.choice(TOPICS[topic], 7), PARENTS[topic])]
        words += [f"w{i}" for i in rng.integers(0, 50, 6)]
        record = {"id": f"d{number}", "text": " ".join(map(str, words)), "venue": f"V{number % 4}", "label": chosen[0]}
        lines.append(json.dumps(record))
    (tmp_path / "posts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "labels.txt").write_text("\n".join(TOPICS), encoding="utf-8")
    (tmp_path / "tree.txt").write_text(TREE, encoding="utf-8")
    places = Places(hin, neo4j_server.url, tmp_path)
    places.runs("load", tmp_path / "posts.jsonl", "--metadata", "venue", "-q")  # which says the same as the label
    return places


def test_a_document_is_joined_to_each_of_its_categories(both: Places) -> None:
    reported = both.written("classify", "-c", both.home / "labels.txt", "--several", *QUICK)
    listed = {row["document"]: json.loads(row["categories"]) for row in csv.DictReader(reported.splitlines())}
    assert max(map(len, listed.values())) > 1
    found = [(document, category) for document, category, _ in both.rows(GIVEN)]
    assert sorted(found) == sorted((document, name) for document, names in listed.items() for name in names)
    pairs = """MATCH (a:Category)<-[:CLASSIFIED_AS]-(d:Document)-[:CLASSIFIED_AS]->(b:Category)
        WHERE a.name < b.name RETURN a.name AS one, b.name AS other, count(d) AS documents"""
    assert sum(row[2] for row in both.rows(pairs)) > 0


def test_a_tree_of_categories_is_in_the_database(both: Places) -> None:
    both.written("classify", "-c", both.home / "tree.txt", *QUICK)
    parts = both.rows("MATCH (c:Category)-[:PART_OF]->(p:Category) RETURN c.name AS c, p.name AS p")
    assert sorted(parts) == sorted(PARENTS.items())
    below = """MATCH (d:Document)-[:CLASSIFIED_AS]->(:Category)-[:PART_OF*0..]->(top:Category {name: 'science'})
        RETURN count(d) AS documents"""
    leaves = [category for _, category, _ in both.rows(GIVEN)]
    assert both.rows(below) == [(sum(PARENTS[leaf] == "science" for leaf in leaves),)]
    both.written("classify", "-c", both.home / "labels.txt", *QUICK)
    assert both.rows("MATCH (c:Category)-[:PART_OF]->() RETURN c.name AS c") == []


def test_rounds_of_suggestions_and_labels(both: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["classify", "-c", both.home / "labels.txt", *QUICK]
    both.written(*asked)
    offered = both.run("suggest", "--top", "3", "--json").json
    assert {row["category"] for row in offered} == set(TOPICS)
    few = both.written("suggest", "--documents", "6")
    labels = {f"d{number}": list(TOPICS)[number % 4] for number in range(120)}
    rows = list(csv.DictReader(few.splitlines()))
    assert len(rows) == 6 and {row["category"] for row in rows} == {""}
    known = both.home / "known.csv"
    with known.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "category": labels[row["document"]]} for row in rows)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it depends on no label")

    with monkeypatch.context() as only:  # the files beside the database serve the next round
        for kind in (TfidfView, CooccurrenceView):
            only.setattr(kind, "instances", never)
        only.setattr("embed.embedding_stage.train_on", never)
        both.written(*asked, "--known", known)
    given = {document: category for document, category, _ in both.rows(GIVEN)}
    assert all(given[row["document"]] == labels[row["document"]] for row in rows)
    why = both.run("explain", rows[0]["document"], "--flip")
    assert "you labelled" in why.out
    assert both.written("diff").startswith("document,before,after,")
    for reported in both.runs("info", "--json"):  # with times
        assert [one["known"] for one in reported.json["classifications"]] == [0, 6]
    again = both.written("suggest", "--documents", "6")
    assert not {row["document"] for row in csv.DictReader(again.splitlines())} & {row["document"] for row in rows}
    with monkeypatch.context() as only:
        only.setattr("classify.pipeline.find_names", never)
        both.written(*asked, "--known", known, "--abstain-below", "0.7")
    sure = {document for document, _, _ in both.rows(GIVEN)}
    assert len(sure) < len(given) and all(confidence >= 0.7 for _, _, confidence in both.rows(GIVEN))
    for place in both.places.values():
        assert open_store(place).check() == []


def test_answers_are_shown_and_teach_alike(both: Places) -> None:
    labelled = """MATCH (d:Document)-[a:LABELLED_AS]->(c:Category)
        RETURN d.id AS d, c.name AS c, a.source AS s, a.confidence AS sure, a.at AS at"""
    numbers = "MATCH (c:Category) RETURN c.name AS name, c.number AS number"
    names = list(TOPICS)
    answers = [
        Answer("d0", (names[1],), at="2026-01-01T00:00:00+00:00"),
        Answer("d1", (names[0],), "minilm", 0.5, at="2026-01-01T00:00:00+00:00"),
        Answer("d2", ("another",), "minilm", at="2026-01-01T00:00:00+00:00"),
    ]
    stores = [open_store(place) for place in both.places.values()]
    for store in stores:
        AnswerLog(store).append(answers, store.read_graph())
        store.show_answers()
    assert len(both.rows(labelled)) == 3  # before anything is classified
    both.rows(numbers)
    both.written("classify", "-c", both.home / "labels.txt", *QUICK)
    assert sorted(row[:3] for row in both.rows(labelled))[:2] == [
        ("d0", names[1], "person"),
        ("d1", names[0], "minilm"),
    ]
    assert len(both.rows(numbers)) == len(names) + 1
    for store in stores:
        AnswerLog(store).undo(1, 2)
        store.show_answers()
    assert [row[0] for row in both.rows(labelled)] == ["d0"]
    assert len(both.rows(numbers)) == len(names)
