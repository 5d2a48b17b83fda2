"""Columns by what they hold: identifiers, dates, numbers, lists of prose, spellings, columns that say the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hin
from hin.errors import BadInput, BadUsage

PROSE = "A harbour pilot finds the old chart behind the mirror of the inn, number"


def graph_of(tmp_path: Path, columns: dict[str, list[Any]], **options: Any) -> hin.Graph:
    """Load columns as a CSV file would have them, with a text beside."""
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(["text", *columns]), *(f'"{PROSE} {i}",' + ",".join(map(str, row)) for i, row in enumerate(rows))]
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n")
    return hin.load(tmp_path / "a.csv", phrases=False, **options)


CITY = [("Oslo", "Rome", "Lima")[i % 3] for i in range(60)]
IDS = {
    "rcid": [3 + 7 * i for i in range(60)],
    "grant_number": [f"{(i * 37) % 61 + 2100000}" for i in range(60)],
    "Tweet ID": [f"99{(i * 37) % 61:05}" for i in range(60)],
    "wreck_no": [(i * 37) % 61 for i in range(60)],
    "identifiant_projet_gagnant": [f"P{(i * 37) % 61}" for i in range(60)],
    "dossier": [f"AB-{(i * 37) % 61:04}/x" for i in range(60)],
    "Aktenzeichen": [f"AZ {(i * 37) % 61:04}/23" for i in range(60)],
}


@pytest.mark.parametrize("name", IDS)
def test_an_identifier_is_found_whatever_its_name(tmp_path: Path, name: str) -> None:
    graph = graph_of(tmp_path, {name: IDS[name], "city": CITY})
    assert graph.documents.tolist() == [str(value) for value in IDS[name]]


def test_a_measure_is_no_identifier_and_no_metadata(tmp_path: Path) -> None:
    population, latitude = [(i * 37) % 61 + 1000 for i in range(60)], [f"4{i % 9}.{i}" for i in range(60)]
    columns = {"population": population, "latitude": latitude}
    graph = graph_of(tmp_path, {**columns, "age": [i % 45 for i in range(60)], "city": CITY})
    assert graph.documents[0] == "a.csv:2" and graph.fields == ("city",)
    left_out = {decision.column: decision.use for decision in graph.columns}
    assert left_out["age"] == left_out["latitude"] == left_out["population"] == "left out"
    assert "age" in graph_of(tmp_path, {"age": [i % 45 for i in range(60)], "city": CITY}, metadata="age,*").fields


@pytest.mark.parametrize("columns", [["text"], ["text", "city"], ["query"]])
def test_a_text_like_file_numbers_is_still_the_text(tmp_path: Path, columns: list[str]) -> None:
    rows = [dict(zip(columns, (f"rain {i}", "Oslo"), strict=False)) for i in range(8)]
    graph = hin.load(rows, phrases=False)
    assert graph.documents[0] == "0" and "rain" in graph.names("term").tolist()


def test_tags_between_bars_are_a_list_even_if_most_rows_hold_a_rare_one(tmp_path: Path) -> None:
    tags = [f"{('eclipse', 'css', 'java')[i % 3]}|{('maven', 'html')[i % 2]}|rare-{i}" for i in range(60)]
    titles = [f"Rain floods the harbour of town {i} | Daily News" for i in range(60)]
    graph = graph_of(tmp_path, {"tags": tags, "city": CITY})
    assert {"eclipse", "css", "maven"} <= set(graph.names("tags").tolist())
    assert "city" in graph.fields
    (tmp_path / "b.csv").write_text("\n".join(["title", *titles]))
    assert hin.load(tmp_path / "b.csv", phrases=False).fields == ()  # a title and the site's name are no list


def test_numbers_that_look_like_codes_are_metadata(tmp_path: Path) -> None:
    codes = {"stars": [i % 5 for i in range(60)], "opened": [1990 + i % 25 for i in range(60)]}
    codes |= {"plant": [f"{i % 20:03}" for i in range(60)], "zip": [10000 + 7 * (i % 20) for i in range(60)]}
    assert graph_of(tmp_path, {**codes, "city": CITY}).fields[:3] == ("stars", "opened", "plant")


@pytest.mark.parametrize(
    "spell", ["{y}-{m:02}-{d:02}", "{d:02}/{m:02}/{y}", "{m}/{d}/{y}", "{d}.{m}.{y}", "{y}-{m:02}-{d:02}T10:00:00Z"]
)
def test_dates_become_year_and_month(tmp_path: Path, spell: str) -> None:
    dates = [spell.format(y=2020 + i // 20, m=1 + i % 4, d=1 + i % 28) for i in range(60)]
    graph = graph_of(tmp_path, {"sent": dates, "city": CITY})
    assert sorted(graph.names("sent_year").tolist()) == ["2020", "2021", "2022"]
    assert graph.fields == ("sent_year", "sent_month", "city") and len(graph.names("sent_month")) == 12
    assert graph.names("sent_month")[0] == "2020-01"
    assert graph_of(tmp_path, {"sent": dates, "city": CITY}, dates="none").fields == ("city",)
    assert graph_of(tmp_path, {"sent": dates, "city": CITY}, dates="weekday").fields == ("sent_weekday", "city")


def test_a_part_of_a_date_that_does_not_exist_is_one_line() -> None:
    with pytest.raises(BadUsage, match="dates have no 'hour'; give year, month and weekday, or none"):
        hin.load([{"text": "x"}], dates="hour")


def test_appended_dates_go_where_the_first_went(tmp_path: Path) -> None:
    rows = [{"id": str(i), "text": f"{PROSE} {i}", "sent": f"{2020 + i % 3}-0{1 + i % 9}-02"} for i in range(30)]
    hin.load(rows[:20], graph=tmp_path / "g.hin")
    more = hin.load(rows[20:], graph=tmp_path / "g.hin", append=True)
    assert more.fields == ("sent_year", "sent_month") and len(more.names("sent_year")) == 3


def test_lists_of_sentences_are_no_metadata() -> None:
    rows = [{"id": str(i), "text": "x", "quotes": [f"{PROSE} {i}", f"{PROSE} {i + 1}"]} for i in range(20)]
    assert hin.load(rows).fields == ()


def test_one_value_in_two_spellings_is_one(tmp_path: Path) -> None:
    tags = ["Deep Sea", "deep sea", "deep  sea", "deep sea", "Sky", "sky", "Sky"] * 6
    graph = graph_of(tmp_path, {"tag": tags})
    assert graph.names("tag").tolist() == ["deep sea", "Sky"]
    assert any("only in case or spaces: 3 of tag (" in note for note in graph.notes)
    assert len(graph_of(tmp_path, {"tag": tags}, keep_case=True).names("tag")) == 5
    rows = [{"id": "a", "text": "x", "tag": ["Sea", "sea", "Sky"]}, {"id": "b", "text": "x", "tag": ["sea"]}]
    made = hin.load(rows)
    assert [made.edges("tag").row(i).tolist() for i in range(2)] == [[0, 1], [0]] and made.names("tag")[0] == "sea"


def test_of_two_columns_that_say_the_same_one_is_used(tmp_path: Path) -> None:
    codes = {"Oslo": "017", "Rome": "020", "Lima": "051"}
    graph = graph_of(tmp_path, {"plant": [codes[city] for city in CITY], "city": CITY, "status": ["ok"] * 60})
    assert graph.fields == ("city",)
    why = {decision.column: decision.why for decision in graph.columns}
    assert why["plant"] == "it says the same as city" and why["status"] == "it is the same in every document"


def test_a_column_that_says_the_same_as_the_label_is_not_used(tmp_path: Path) -> None:
    label = [f"topic{i % 3}" for i in range(60)]
    graph = graph_of(tmp_path, {"city": CITY, "label": label, "mood": ["a", "b"] * 30})
    assert graph.fields == ("mood",)
    assert any(decision.why == "it says the same as the label" for decision in graph.columns)


def test_a_plan_is_shown_written_edited_and_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sent = [f"{2020 + i // 20}-0{1 + i % 4}-02" for i in range(60)]
    same = graph_of(tmp_path, {"age": [i % 45 for i in range(60)], "city": CITY, "sent": sent})
    command = [sys.executable, "-m", "hin", "load", "a.csv", "--dry-run", "--columns", "plan.toml"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said[0].split() == ["column", "kind", "values", "example", "why"] and len(said) == 2 + 6
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "plan.toml"]
    plan = tmp_path / "plan.toml"
    again = hin.load("a.csv", columns="plan.toml", phrases=False)
    assert again.fields == ("city", "sent_year", "sent_month") and set(again.fields) == set(same.fields)
    plan.write_text(plan.read_text().replace('"age" = "left out"', '"age" = "metadata"'))
    assert "age" in hin.load("a.csv", columns="plan.toml").fields
    plan.write_text('[columns]\n"age" = "number"\n')
    with pytest.raises(BadInput, match="'age' is 'number'; expected one of id, text"):
        hin.load("a.csv", columns="plan.toml")


@pytest.mark.parametrize("name", ["topic", "target", "airline_sentiment"])
def test_a_column_that_looks_like_the_answer_is_left_out_without_a_label_too(tmp_path: Path, name: str) -> None:
    graph = graph_of(tmp_path, {"city": CITY, name: [("a", "b")[i % 2] for i in range(60)]}, label="")
    assert graph.fields == ("city",) and graph.labels is None
