"""Which metadata is used: judged by the texts, before anything is trained, without labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from classify import Category, ClassifyOptions, Pipeline, Workspace
from classify.fields.judging import judge
from classify.knowledge.corpus_knowledge import document_texts
from classify.recipe.seeds import seeds_of
from classify.recipe.soft_labels import SoftLabels
from embed import EmbedOptions
from hin import load, open_store
from hin.demo.corpus import DemoOptions, write_demo

RNG = np.random.default_rng(1)
N = 600
TOPIC, TIME = RNG.integers(3, size=N), RNG.integers(3, size=N)


def values(column: Any) -> Any:
    return sparse.csr_array(np.eye(int(column.max()) + 1, dtype=np.float32)[column])


def soft(before: Any, after: Any) -> SoftLabels:
    return SoftLabels(np.log(np.eye(3)[after] + 0.01), np.eye(3, dtype=np.float32)[before], {}, {})


def mixed(one: Any, other: Any, share: float) -> Any:
    """Labels of which a share is the one, the rest the other."""
    return np.where(np.random.default_rng(2).random(N) < share, one, other)


FIELDS = {
    "a_topic": values(mixed(TOPIC, RNG.integers(3, size=N), 0.8)),
    "random_2": values(RNG.integers(2, size=N)),
    "random_70": values(RNG.integers(70, size=N)),
    "random_500": values(RNG.integers(500, size=N)),
    "session": values(TIME),
    "session_copy": values(2 - TIME),
    "constant": values(np.zeros(N, dtype=np.int64)),
}


def test_a_field_is_used_where_it_predicts_the_subjects_of_the_names() -> None:
    # The EM has drifted: a fifth of the labels by the names follow the time, most of those after it.
    found = judge(soft(mixed(TIME, TOPIC, 0.2), mixed(TIME, TOPIC, 0.6)), FIELDS)
    assert found.used == ["a_topic"]
    why = {one.field: one.why for one in found.fields}
    assert why["session"].startswith("it predicts something else than the names")
    assert why["session_copy"] == "it says the same as session"
    assert {why[name] for name in ("random_2", "random_70", "random_500", "constant")} == {"it predicts no category"}


def test_a_field_that_the_em_does_not_drift_to_is_used() -> None:
    assert judge(soft(mixed(TIME, TOPIC, 0.4), mixed(TIME, TOPIC, 0.45)), FIELDS).used == ["a_topic", "session"]


def test_a_keyword_that_is_a_value_keeps_its_field() -> None:
    assert "random_2" in judge(soft(TOPIC, TOPIC), FIELDS, {"random_2"}).used


def test_two_fields_that_tell_only_together_are_used_together() -> None:
    shift = RNG.integers(3, size=N)
    halves = {"one": values((TOPIC + shift) % 3), "other": values(shift), "third": values(RNG.integers(3, size=N))}
    found = judge(soft(TOPIC, TOPIC), halves)
    assert found.used == ["one", "other"] and found.pairs == (("one", "other"),)
    assert found.takes("one", "other") and not found.takes("one", "one") and not found.takes("other", "third")
    assert found.lines()[0] == "Metadata used in pairs only: other with one"


def test_what_few_documents_cannot_show_is_said_in_one_reading() -> None:
    assert judge(None, {"team": FIELDS["random_2"]}).lines() == [
        "Metadata used, not judged since there are fewer than 100 documents: team"
    ]


def test_a_field_whose_values_are_the_category_names_is_set_aside() -> None:
    rows = [{"text": f"{word} again", "folder": word.upper()} for word in ("stars", "plants") * 5]
    names = (Category("stars"), Category("Plants"))
    found = Pipeline(load(rows, metadata=["folder"]), names).fields
    assert found is not None and found.used == []
    assert found.lines() == [
        "Metadata set aside, its values are the category names (`hin load --label` evaluates with it): folder "
        "(--pattern folder uses it)"
    ]
    asked = (Category("stars", ("FOLDER[STARS]",)), names[1])
    found = Pipeline(load(rows, metadata=["folder"]), asked).fields
    assert found is not None and found.used == ["folder"]


@pytest.mark.parametrize("value", ["data/card arrival", "data/sets/Card_arrival", "CARD-ARRIVAL"])
def test_a_category_name_is_known_as_the_end_of_a_path_and_however_its_words_are_joined(value: str) -> None:
    rows = [{"text": f"{word} again", "folder": word} for word in ("cash", value) * 5]
    names = (Category("Cash"), Category("card arrival"))
    found = Pipeline(load(rows, metadata=["folder"]), names).fields
    assert found is not None and found.used == []


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo with a field that says nothing and one that copies another."""
    folder = tmp_path_factory.mktemp("fields")
    rng, rows = np.random.default_rng(3), []
    for line in write_demo(folder, DemoOptions(documents=300)).documents.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.append({**row, "coin": str(rng.integers(2)), "zz_venue": f"at {row['venue']}"})
    (folder / "more.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    load(folder / "more.jsonl", graph=folder / "graph.hin", metadata=["author", "venue", "year", "coin", "zz_venue"])
    return folder / "graph.hin"


NAMES = tuple(Category(name) for name in ("astronomy", "botany", "geology", "linguistics", "robotics"))
QUICK = ClassifyOptions(classifier="linear", embed=EmbedOptions(dim=16, epochs=2))


@pytest.mark.slow
def test_what_is_set_aside_takes_no_part_and_is_judged_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Workspace(open_store(place)) as workspace:
        stored = Pipeline(workspace.graph, NAMES, QUICK, workspace=workspace).stored
        aside = {one["field"] for one in stored.used["fields"] if not one["used"]}
        assert {"coin", "zz_venue"} <= aside and not {"venue", "year"} & aside
    with Workspace(open_store(place)) as workspace:
        monkeypatch.setattr("classify.pipeline.label_texts", lambda *_: pytest.fail("it was judged before"))
        motifs = Pipeline(workspace.graph, NAMES, QUICK, workspace=workspace).motifs
        assert not {field for table in motifs for field in table.fields} & {"coin", "zz_venue"}
        named = ClassifyOptions(["coin"], classifier="linear", embed=QUICK.embed)
        assert Pipeline(workspace.graph, NAMES, named, workspace=workspace).motifs.find("COIN[1]") is not None


@pytest.mark.slow
def test_discover_says_no_to_what_was_set_aside(place: Path, hin: Callable[..., Any]) -> None:
    with Workspace(open_store(place)) as workspace:
        assert Pipeline(workspace.graph, NAMES, QUICK, workspace=workspace).stored.used["fields"]
    reported = hin("motifs", "--discover", "--max-size", 1, "--json", "--graph", place)
    found = {one["pattern"]: one for one in reported.json}
    assert found["zz_venue"]["use"] == "no" and "says the same as venue" in found["zz_venue"]["why"]


@pytest.mark.slow
def test_keywords_that_are_no_terms_are_found_in_the_sample_that_is_judged(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Their documents have numbers in the whole corpus, of which the pass reads a part.
    monkeypatch.setattr("classify.fields.text_pass.MOST_DOCUMENTS", 150)
    with Workspace(open_store(place)) as workspace:
        first = document_texts(workspace.graph, np.arange(1))[0].split()
    phrase = " ".join(first[3:6]).strip(".,")
    names = (Category("astronomy", (phrase,)), *NAMES[1:])
    with Workspace(open_store(place)) as workspace:
        pipeline = Pipeline(workspace.graph, names, QUICK, workspace=workspace)
        assert pipeline.fields is not None and len(pipeline.read_texts.rows) == 150
        seeds = seeds_of(names, pipeline.names.findings, pipeline.terms)
        held = [unit.seen for given in seeds.units for unit in given if unit.seen is not None]
        inside = [unit.seen for given in seeds.within(pipeline.read_texts.rows).units for unit in given if unit.seen]
        assert held and max(rows.max() for rows, _ in held) >= 150 > max(rows.max() for rows, _ in inside)


def test_a_keyword_outside_the_sample_that_is_read_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents that hold a metadata value are numbered in the graph, those that are read within the sample."""
    monkeypatch.setattr("classify.fields.text_pass.MOST_DOCUMENTS", 120)
    rows = [
        {"id": str(i), "text": ("apples and pears", "rockets and fuel")[i % 2] + f" w{i % 7}", "city": f"c{i % 4}"}
        for i in range(300)
    ]
    categories = [Category("apples", ("CITY[c0]",)), Category("rockets")]
    judged = Pipeline(load(rows, phrases=False), categories, QUICK).fields
    assert judged is not None and "city" in judged.used
