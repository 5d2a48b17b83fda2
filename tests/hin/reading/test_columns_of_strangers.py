"""Columns as strangers' tables have them: ids that are none or have gaps, dots in names, kinds under a text's name."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import hin
from hin.commands.load import show_columns
from hin.console import Console
from hin.loading import plan_columns
from hin.reading.columns.plan import PlannedColumn
from hin.reading.dates import part_of_date
from hin.reading.options import LoadOptions

ROWS = range(60)
SKIES = ("rain", "wind", "sun")
#: Sentences that differ.
TEXTS = [f"The boat number {i} lay in the harbour until the wind turned to the north" for i in ROWS]


def table(path: Path, columns: Mapping[str, Sequence[Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def planned(path: Path) -> dict[str, PlannedColumn]:
    rows, _ = plan_columns(path, LoadOptions(phrases=False))
    assert len({row.column for row in rows}) == len(rows), "a column has two lines"
    return {row.column: row for row in rows}


def test_a_column_named_id_that_groups_the_records_is_not_the_id(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", {"id": [f"2013-{'FPS'[i % 3]}" for i in ROWS], "text": TEXTS})
    plan = planned(path)
    assert plan["@line"].kind == "id" and len(hin.load(path)) == 60
    named = LoadOptions(id="id", phrases=False)
    with pytest.raises(hin.HinError, match="the id '2013-F' was used before, in line 2"):
        plan_columns(path, named)


def test_an_id_with_gaps_and_a_repetition_is_the_id(tmp_path: Path) -> None:
    names = [f"v{i}" for i in ROWS]
    names[7], names[9], names[30] = "NA", "", "v3"
    graph = hin.load(table(tmp_path / "a.csv", {"id": names, "text": TEXTS}))
    assert graph.documents.tolist()[7:10] == ["a.csv:9", "v8", "a.csv:11"]
    assert graph.documents.tolist()[30] == "v3 (a.csv:32)"
    assert any(note.startswith("3 values of id, which is taken for the id, came again or are") for note in graph.notes)
    path = table(tmp_path / "b.csv", {"page_id": [f"p/{i}" for i in ROWS[:-1]] + ["NA"], "text": TEXTS})
    assert planned(path)["page_id"].kind == "id"


def test_ids_of_some_words_and_codes_that_look_like_powers(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", {"match_id": [f"ODI # {i}" for i in ROWS], "text": TEXTS})
    assert planned(path)["match_id"].kind == "id"
    path = table(tmp_path / "b.csv", {"town11cd": [f"E{34000007 + 3 * i % 70}" for i in ROWS], "text": TEXTS})
    assert planned(path)["town11cd"].kind == "id"
    path = table(tmp_path / "c.csv", {"painting_index": [i * 7 % 61 for i in ROWS], "text": TEXTS})
    assert planned(path)["painting_index"].kind == "id"


def test_words_and_numbers_in_any_order_are_ids_in_the_first_column_beside_a_text(tmp_path: Path) -> None:
    packages = [f"lib{'abcdefgh'[i % 8]}{'abcdefgh'[i // 8]}" for i in ROWS]
    for name, values in (("package", packages), ("film", [i * 37 % 61 + 1000 for i in ROWS])):
        found = planned(table(tmp_path / "a.csv", {name: values, "text": TEXTS}))
        assert (found[name].kind, found[name].example) == ("id", str(values[0]))
        assert planned(table(tmp_path / "b.csv", {"text": TEXTS, name: values}))[name].kind == "left out"
    assert planned(table(tmp_path / "c.csv", {"size": [i * 37 % 61 + 0.5 for i in ROWS], "text": TEXTS}))["@line"]


def test_the_example_of_an_id_is_what_its_document_is_called(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"_id": {"$oid": f"5f{i:06}"}, "text": TEXTS[i]} for i in ROWS]))
    assert planned(path)["_id"].example == "5f000000" == hin.load(path).documents[0]


def test_names_with_dots_hold_dates_and_lists_like_others(tmp_path: Path) -> None:
    path = table(
        tmp_path / "a.csv",
        {
            "date.aired": [f"{1969 + i % 9}-0{1 + i % 4}-13" for i in ROWS],
            "season": [str(i % 4) for i in ROWS],
            "season.type": [f"{SKIES[i % 3]},{SKIES[(i + 1 + i % 2) % 3]}" for i in ROWS],
            "text": TEXTS,
        },
    )
    plan = planned(path)
    assert [plan[name].values for name in ("date.aired_year", "date.aired_month", "season.type")] == [9, 36, 3]
    assert plan["season"].values == 4
    graph = hin.load(path, phrases=False)
    assert sorted(graph.names("season.type").tolist()) == ["rain", "sun", "wind"]
    assert "1969" in graph.names("date.aired_year").tolist()


def test_a_few_values_that_repeat_under_a_text_s_name_are_metadata(tmp_path: Path) -> None:
    columns = {"subject": ["Politics", "Art and law", "Schools"] * 20, "event": TEXTS}
    plan = planned(table(tmp_path / "a.csv", columns))
    assert (plan["subject"].kind, plan["event"].kind) == ("metadata", "text")
    plan = planned(table(tmp_path / "b.csv", {"subject": columns["subject"], "year": [2000 + i % 7 for i in ROWS]}))
    assert plan["subject"].kind == "text"  # there is nothing else


def test_the_longest_column_is_one_that_most_records_have(tmp_path: Path) -> None:
    notes = [f"Had hurt that knee in spring {i}" for i in range(3)] + [""] * 57
    path = table(tmp_path / "a.csv", {"cause": [f"Fell off slide {i // 2}" for i in ROWS], "other": notes})
    assert planned(path)["cause"].kind == "text"


@pytest.mark.parametrize(("written", "year"), [("17/6/47", "1947"), ("24-Apr-82", "1982"), ("01.02.29", "2029")])
def test_years_of_two_digits_have_the_century_that_excel_gives_them(written: str, year: str) -> None:
    assert part_of_date(written, "year") == year


def test_records_without_the_text_are_empty_documents_where_the_first_ones_show_some(tmp_path: Path) -> None:
    rows = [{"n": i, "text": text} if i % 5 else {"n": i} for i, text in enumerate(TEXTS)]
    assert len(hin.load(json_file(tmp_path / "a.json", rows))) == 60


MEANINGS = {f"word {i}": {"meaning": text, "tags": ["sea"]} for i, text in enumerate(TEXTS)}


@pytest.mark.parametrize(
    "value",
    [
        dict(zip(MEANINGS, TEXTS, strict=True)),
        {"description": "A dictionary.", "words": dict(zip(MEANINGS, TEXTS, strict=True))},
        {"description": "A dictionary.", "source": "https://a.example", "words": MEANINGS},
    ],
    ids=["texts by name", "described", "described objects"],
)
def test_one_json_object_that_is_keyed_by_name(tmp_path: Path, value: Any) -> None:
    graph = hin.load(json_file(tmp_path / "a.json", value), phrases=False)
    assert graph.documents.tolist() == list(MEANINGS) and "harbour" in graph.names("term").tolist()


def test_a_short_list_of_many_columns_has_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = {f"flag_{k}": [("yes", "no")[i * k % 3 % 2] for i in ROWS] for k in range(40)}
    path = table(tmp_path / "a.csv", {**flags, "case": TEXTS})
    show_columns(plan_columns(path, LoadOptions(phrases=False))[0], Console(), as_message=True)
    shown = capsys.readouterr().err.splitlines()
    assert shown[-2].split()[:2] == ["case", "text"] and len(shown) == 23


def test_long_values_in_notes_are_cut(tmp_path: Path) -> None:
    long = "a word that goes on " * 9
    path = table(tmp_path / "a.csv", {"text": TEXTS, "kind": [long, long.upper(), "b", "c"] * 15})
    (note,) = hin.load(path, phrases=False).notes
    assert len(note) < 250 and "…" in note


def json_file(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_where_nothing_is_prose_names_of_several_words_are_the_text(tmp_path: Path) -> None:
    kinds = [
        f"{what} {of}"
        for what in ("rifle", "boot", "tent", "radio", "truck")
        for of in ("cover", "kit", "case", "rack")
    ]
    streets = [f"Harbour Lane {'abcdefghijkl'[i % 12]}" for i in range(300)]
    columns = {"street": streets, "landmark": streets, "goods": [kinds[i % 20] for i in range(300)], "n": range(300)}
    row = planned(table(tmp_path / "a.csv", columns))["goods"]
    assert (row.kind, row.why) == (
        "text",
        "no column is prose, and it has the most different names of several words, 20",
    )


def test_a_column_that_the_user_does_not_name_is_said_to_be_left_out_for_that(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", {"text": TEXTS, "sky": [SKIES[i % 3] for i in ROWS], "sea": TEXTS[::-1]})
    rows, _ = plan_columns(path, LoadOptions(phrases=False, text="text", metadata="sky"))
    assert {row.column: row.why for row in rows}["sea"] == "`metadata=` names others"
