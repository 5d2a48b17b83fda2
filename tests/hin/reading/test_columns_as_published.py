"""Columns of tables as agencies and newspapers publish them; each of these was read wrongly once."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import hin
from hin.loading import plan_columns
from hin.reading.columns.plan import PlannedColumn
from hin.reading.options import LoadOptions

DISHES = [
    f"{how} {what} with {side}" for how in ("Baked", "Fried") for what in ("cod", "hake") for side in "abcdefghij"
]
PROSE = "A harbour pilot finds the old chart number {} behind the mirror of the inn."


def table(path: Path, columns: dict[str, Sequence[Any]], **how: Any) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, **how)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def planned(path: Path, **options: Any) -> dict[str, PlannedColumn]:
    return {row.column: row for row in plan_columns(str(path), LoadOptions(phrases=False, **options))[0]}


def texts(count: int) -> list[str]:
    return [PROSE.format(i) for i in range(count)]


def test_words_that_differ_in_nearly_every_record_are_text(tmp_path: Path) -> None:
    people = [f"{name} {other}" for name in ("Ann", "Bob", "Cleo", "Dan") for other in "KLMNOPQRST"]
    path = table(
        tmp_path / "a.csv",
        {
            "dish": DISHES,
            "art_title": people,
            "artist": people[::-1],
            "cast": [f"Al A{i}, Bo B{i}, Cy C{i}, Di D{i}, Ed E{i}" for i in range(40)],
            "address": [f"{i} Old Harbour Road" for i in range(40)],
            "ingredients": [f"{i} eggs, {i} oz of flour, salt, {i} cups of milk" for i in range(40)],
            "description": texts(40),
        },
    )
    plan = planned(path)
    assert [name for name, row in plan.items() if row.kind == "text"] == [
        "dish",
        "art_title",
        "ingredients",
        "description",
    ]
    assert {plan[name].kind for name in ("artist", "cast", "address")} == {"left out"}
    assert hin.load(path, phrases=False).texts.fields[0] == "dish", "a title comes first"


def test_a_second_title_that_mostly_says_the_same_is_left_out(tmp_path: Path) -> None:
    other = [*DISHES[:30], *(f"Poisson au {i}" for i in range(10))]
    plan = planned(table(tmp_path / "a.csv", {"title": DISHES, "original_title": other}))
    assert (plan["original_title"].kind, plan["original_title"].why) == ("left out", "it says the same as title")


def test_missing_values_make_numbers_no_metadata(tmp_path: Path) -> None:
    ages = ["NA" if i % 5 == 0 else str(i) for i in range(60)]
    row = planned(table(tmp_path / "a.csv", {"text": texts(60), "age": ages}))["age"]
    assert (row.kind, row.values, row.example) == ("left out", 48, "1"), row


def test_figures_of_the_first_records_are_not_shown_for_all(tmp_path: Path) -> None:
    count = 5000
    columns = {
        "text": texts(count),
        "age": [i * 2477 % 4500 for i in range(count)],
        "page": [f"https://a.example/{i}" for i in range(count)],
    }
    plan = planned(table(tmp_path / "a.csv", columns))
    assert (plan["age"].values, plan["age"].why) == (None, "numbers that do not look like codes")
    assert (plan["page"].values, plan["page"].why) == (count, "5,000 of its 5,000 values differ")
    few = planned(table(tmp_path / "b.csv", {name: values[:50] for name, values in columns.items()}))
    assert few["age"].values == 50


def test_an_id_that_was_found_by_the_first_values_may_come_again(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", {"text": texts(4200), "serial": [*range(4190), *range(10)]})
    graph = hin.load(path, phrases=False)
    assert graph.documents.tolist()[:2] == ["0", "1"] and graph.documents.tolist()[-1] == "9 (a.csv:4201)"
    assert [note for note in graph.notes if note.startswith("10 values of serial, which is taken for the id, came")]
    named = table(tmp_path / "b.csv", {"text": texts(2), "id": [1, 1]})
    with pytest.raises(hin.HinError, match="the id '1' was used before"):
        hin.load(named)


def test_a_date_has_a_line_for_each_part_and_no_other(tmp_path: Path) -> None:
    days = [f"{i + 1}-Apr-82" for i in range(28)]
    plan = planned(table(tmp_path / "a.csv", {"text": texts(28), "born": days, "city": ["Oslo", "Rome"] * 14}))
    assert list(plan) == ["@line", "text", "born_year", "born_month", "city"]
    assert [(plan[name].kind, plan[name].example) for name in ("born_year", "born_month")] == [
        ("left out", "1982"),
        ("left out", "1982-04"),
    ]


def test_of_two_marks_in_cells_the_one_between_values_is_found(tmp_path: Path) -> None:
    kinds = ["1. Urgences | Emergency", "2. Eau | Water", "3. Vivres | Food", "4. Abri | Shelter"]
    cells = [f"{kinds[i % 4]}, {kinds[i % 3]}, " for i in range(60)]
    path = table(tmp_path / "a.csv", {"text": texts(60), "tags": cells, "Category": cells})
    graph = hin.load(path, phrases=False)
    assert sorted(graph.names("tags").tolist()) == kinds
    assert planned(path)["Category"].why.startswith("maybe the labels:")


def test_of_an_address_and_a_name_the_name_is_used(tmp_path: Path) -> None:
    flags = [f"https://flags.example/{i % 4}.svg" for i in range(40)]
    plan = planned(table(tmp_path / "a.csv", {"text": texts(40), "flag": flags, "land": ["FI", "NO", "SE", "DK"] * 10}))
    assert (plan["flag"].kind, plan["flag"].why, plan["land"].kind) == (
        "left out",
        "it says the same as land",
        "metadata",
    )


def test_objects_are_not_said_to_repeat_or_to_be_sentences(tmp_path: Path) -> None:
    points = [{"type": "Point", "coordinates": [i, i, i], "crs": {"a": 1, "b": 2, "c": 3}} for i in range(30)]
    made = [{"name": f"Dish {i}", "parts": [1, 2]} for i in range(30)]
    rows = [{"text": text, "at": at, "made": one} for text, at, one in zip(texts(30), points, made, strict=True)]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(rows))
    plan = planned(path)
    assert (plan["at"].kind, plan["at"].why) == ("left out", "it holds an object")
    assert (plan["made"].kind, plan["made"].why) == ("left out", "30 of its 30 values differ")


def test_numbers_that_count_down_are_ids_although_a_few_are_out_of_order(tmp_path: Path) -> None:
    serial = [*range(500, 300, -1)]
    serial[50:52] = serial[51], serial[50]
    assert planned(table(tmp_path / "a.csv", {"Serial": serial, "text": texts(200)}))["Serial"].kind == "id"


def test_columns_whose_names_differ_only_in_their_marks_get_two_names(tmp_path: Path) -> None:
    values = {"image_url": ["a", "b"] * 10, "image-url": ["x", "y", "z", "x"] * 5}
    graph = hin.load(table(tmp_path / "a.csv", {"text": texts(20), **values}), phrases=False)
    assert set(graph.fields) == {"image_url", "image_url_2"}


@pytest.mark.parametrize("mark", ["|", ";", ","])
def test_quotes_inside_a_table_that_quotes_nothing_are_quotes(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "a.csv"
    rows = ["1@Homer's Odyssey is on@Sam", '2@Al sings and plays@"Weird Al" Yankovic', '3@"He said ""no"" again"@Ann']
    path.write_text("\n".join(["id@text@star", *rows]).replace("@", mark) + "\n")
    graph = hin.load(path, phrases=False)
    assert graph.documents.tolist() == ["1", "2", "3"]
    assert graph.names("star").tolist() == ["Sam", '"Weird Al" Yankovic', "Ann"]


def test_a_dry_run_says_what_a_load_says(tmp_path: Path, hin: Callable) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("id,text\n1,l’été à l’île\n2,déjà vu là-bas\n".encode("cp1252"))
    assert "not UTF-8, read as cp1252" in hin("load", path, "--dry-run").err


def test_files_of_a_folder_that_are_no_documents_are_said(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.png", "d.csv"):
        (tmp_path / name).write_text("A harbour pilot.")
    assert [note for note in hin.load(tmp_path).notes if "2 files skipped, no documents (" in note]


def test_what_classify_added_to_a_file_is_left_out(tmp_path: Path) -> None:
    reasons = [f"{a}; {b}; word" for a in ("rope", "ladder", "mast", "sail") for b in "vwxyz"]
    added = {"category": ["sea", "land"] * 10, "confidence": [0.5] * 20, "because": reasons}
    plan = planned(table(tmp_path / "a.csv", {"text": texts(20), **added}))
    assert {plan[name].kind for name in added} == {"left out"}
    assert planned(table(tmp_path / "b.csv", {"text": texts(20), "because": reasons}))["because"].kind != "left out"


def test_a_number_among_names_is_text_whatever_stands_beside_it(tmp_path: Path) -> None:
    rows = [{"name": f"Old inn number {i}", "rating": 4.5} for i in range(30)] + [{"name": 1776, "rating": 4.5}]
    path = tmp_path / "inns.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert hin.load(path).texts.fields == ("name",)
    assert [*hin.load(path).texts][-1] == ("1776",)


def test_texts_inside_objects_and_lists_are_found_where_no_column_is_prose(tmp_path: Path) -> None:
    rows = [
        {
            "id": i,
            "name": f"The Fool {i}",
            "meaning": {"light": [f"You begin the journey number {i}.", "Nobody stops you now."]},
            "advice": [
                f"Watch for the new project number {i} and its many new beginnings.",
                "Be brave and go on until the very end.",
            ],
            "messages": [
                {"role": "user", "content": f"Where do I find pears number {i}?"},
                {"content": "On the left."},
            ],
            "authors": [{"name": "Ann"}, {"name": "Bob"}],
        }
        for i in range(30)
    ]
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    graph = hin.load(path)
    assert graph.texts.fields == ("name", "advice", "meaning.light", "messages.content")
    assert [*graph.texts][0][3] == "Where do I find pears number 0?\nOn the left."
    assert planned(path)["messages.content"].why == "messages holds texts there"
    for row in rows:
        row["body"] = PROSE.format(row["id"])
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert "messages.content" not in hin.load(path).texts.fields


LISTS = {"text": ["Able Mable", "Ace Card VII"], "column 2": [["white blood", "lymphopenia"], ["a sore mouth"]]}


@pytest.mark.parametrize(("text", "listed"), LISTS.items())
def test_a_long_list_beside_a_description_is_the_records(tmp_path: Path, text: str, listed: list[Any]) -> None:
    path = tmp_path / "corpus.json"
    whole = {"description": "Code names", "source": "a page", "names": listed * 20}
    path.write_text(json.dumps(whole), encoding="utf-8")
    assert len(hin.load(path, text=text)) == 40


def test_phrases_that_repeat_are_the_text_where_nothing_else_is_but_an_address(tmp_path: Path) -> None:
    goods = [f"{code}:CONSULTING SERVICES ON {thing}" for code in range(60) for thing in ("ROADS", "SCHOOL MEALS")] * 3
    path = table(
        tmp_path / "orders.csv",
        {
            "Commodity": goods,
            "Supplier": [f"{name} Inc." for name in range(180)] * 2,
            "street address": [f"{i} Old Harbour Road, 3rd floor" for i in range(360)],
            "State": ["DC", "MD", "VA"] * 120,
        },
    )
    assert [name for name, row in planned(path).items() if row.kind == "text"] == ["Commodity"]


def test_why_a_column_was_left_out_is_all_that_is_said_of_it(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", {"category": [f"Topic{i % 380}" for i in range(400)], "text": texts(400)})
    assert planned(path)["category"].why == "380 of its 400 values differ"
