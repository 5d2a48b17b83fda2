"""The user's own rows with more columns: every cell as it was, in every format."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hin
from classify.labelled.rows import rows_of_documents, rows_of_files, rows_of_graph
from classify.labelled.writing import ENDINGS, LabelledTable
from hin.errors import BadInput, DuplicateDocument
from hin.reading.options import LoadOptions
from hin.stores.base import open_store

TABLE = (
    'code,text,note,category\n'
    '007,"On graphs, and ""more""","two\nlines",x\n'
    '1.10,"Ünïcode 漢字 😀",,y\n'
    '=1+1,words again, spaced ,\n'
)  # fmt: skip
ADDED = {"category": ["a", None, "b"], "confidence": [0.5, 0.25, 1.0], "because": ["graphs; more", None, "-words"]}


def labelled(path: Path, **options: object) -> LabelledTable:
    reading = LoadOptions(**{"text": "text", "metadata": "note", **options})
    graph = hin.load(path, **{"text": "text", "metadata": "note", **options})
    return LabelledTable(rows_of_files([str(path)], reading, graph), ADDED)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def cells(path: Path, delimiter: str = ",") -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def test_every_cell_of_a_csv_file_is_as_it_was(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    labelled(table).write(out)
    before, after = cells(table), cells(out)
    assert [row[:4] for row in after] == before
    assert after[0][4:] == ["category_2", "confidence", "because"]
    assert after[1][4:] == ["a", "0.5", "graphs; more"]
    assert after[2][4:] == ["", "0.25", ""]
    assert after[3][6] == "'-words"  # no formula


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", 'id,text,note\n007,"one",1.50\n"b","tw""o\nlines",\nc,three,2024-01-02\n'),
        ("utf-8", '"id","text","note"\r\n"a","one","x"\r\n"b","two","y"\r\n"c","three","z"\r\n'),
        ("cp1252", "id;text;note\na;caf\u00e9 \u20ac;x\nb;cr\u00e8me br\u00fbl\u00e9e;y\nc;na\u00efve;z\n"),
        ("utf-16", "id\ttext\tnote\na\tone\tx\nb\ttwo\ty\nc\tthree\tz\n"),
        ("utf-8", "sep=;\nid;text;note;note\na;one;x;1\nb;two;y;2\nc;three;z;3\n"),
        ("utf-8", "id,text,note,,\na,one,x,,\nb,two,y,,\nc,three,z,,\n"),
        ("utf-8", 'id,text,note\na,"one \\"two\\"",x\nb,"two, \\"three",y\nc,three,z\n'),
        ("utf-8", 'id, text, note\na, "one, two", x\nb, two, y\nc, three, z\n'),
    ],
)
def test_a_text_table_keeps_its_own_spelling(tmp_path: Path, encoding: str, text: str) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_bytes(text.encode(encoding))
    graph = hin.load(path)
    LabelledTable(rows_of_files([str(path)], LoadOptions(), graph), ADDED).write(out)
    made = out.read_bytes().decode(encoding)
    ends = "\r\n" if "\r\n" in text else "\n"
    own = [line for line in text.split(ends) if line and not line.startswith("sep=")]
    cut = [line for line in made.split(ends) if line and not line.startswith("sep=")]
    assert all(line.startswith(start) for line, start in zip(cut, own, strict=True)), made
    assert made.startswith("sep=;") == text.startswith("sep=;")


TABS = "id\ttext\na\tone, two\nb\tthree\nc\tfour\n"


@pytest.mark.parametrize(("name", "text"), [("t.tsv", TABS), ("t.txt", "one, two\nthree\nfour\n")])
def test_what_is_asked_for_as_csv_has_commas(tmp_path: Path, name: str, text: str) -> None:
    path, out = tmp_path / name, tmp_path / "out.csv"
    path.write_text(text)
    LabelledTable(rows_of_files([str(path)], LoadOptions(), hin.load(path)), ADDED).write(out)
    header, first = cells(out)[:2]
    assert header[-4:] == ["text", "category", "confidence", "because"] and first[-4:-2] == ["one, two", "a"]


def test_a_dict_of_python_comes_back_as_json(tmp_path: Path) -> None:
    path, out = tmp_path / "t.jsonl", tmp_path / "out.jsonl"
    path.write_text("{'id': 'a', 'text': 'one'}\n{'id': 'b', 'text': 'two'}\n{'id': 'c', 'text': \"it's\"}\n")
    LabelledTable(rows_of_files([str(path)], LoadOptions(), hin.load(path)), ADDED).write(out)
    first = json.loads(out.read_text().splitlines()[0])
    assert first == {"id": "a", "text": "one", "category": "a", "confidence": 0.5, "because": "graphs; more"}


@pytest.mark.parametrize(
    ("encoding", "ending", "category", "was_in"),
    [
        ("cp1252", ".csv", "a", None),
        ("cp1252", ".csv", "\u6cd5", "cp1252"),
        ("cp1252", ".tsv", "a", "cp1252"),
        ("cp1252", ".jsonl", "\u6cd5", None),
        ("utf-8", ".tsv", "\u6cd5", None),
    ],
)
def test_another_encoding_than_the_files_is_noted(
    tmp_path: Path, encoding: str, ending: str, category: str, was_in: str | None
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("id;text;note\na;caf\u00e9 \u20ac;x\nb;cr\u00e8me;y\nc;na\u00efve;z\n".encode(encoding))
    rows = rows_of_files([str(path)], LoadOptions(encoding=encoding), hin.load(path, encoding=encoding))
    made = LabelledTable(rows, {**ADDED, "category": [category] * 3})
    made.write(tmp_path / f"out{ending}")
    assert made.was_in == was_in


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_has_all_rows_and_columns_and_is_read_back(table: Path, tmp_path: Path, ending: str) -> None:
    out, again = tmp_path / f"out{ending}", tmp_path / f"again{ending}"
    labelled(table).write(out)
    labelled(table).write(again)
    assert out.read_bytes() == again.read_bytes()
    read = hin.load(out, text="text", metadata="note,code,category_2,because", id="@line", label="")
    assert len(read) == 3
    assert set(read.names("code")) == {"007", "1.10", "=1+1"}
    assert set(read.names("category_2")) == {"a", "b"}


@pytest.mark.parametrize(("delimiter", "mark", "ends"), [(";", "", "\n"), ("\t", "\ufeff", "\r\n"), ("|", "", "\r\n")])
def test_delimiter_mark_and_line_ends_stay(tmp_path: Path, delimiter: str, mark: str, ends: str) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    rows = ["id text", "a one,two", "b three", "c four"]
    path.write_bytes((mark + ends.join(row.replace(" ", delimiter) for row in rows) + ends).encode())
    graph = hin.load(path)
    LabelledTable(rows_of_files([str(path)], LoadOptions(), graph), ADDED).write(out)
    content = out.read_bytes().decode()
    assert content.startswith(mark + delimiter.join(["id", "text", "category"]))
    assert content.count(ends) == 4 and content.count("\n") == 4


def test_added_numbers_have_the_decimal_commas_of_the_file(tmp_path: Path) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text("text;note;price\none two;x;3,50\nthree;y;12,00\nfour;z;0,75\n")
    labelled(path).write(out)
    assert [row[4] for row in cells(out, ";")] == ["confidence", "0,5", "0,25", "1,0"]


def test_json_keeps_its_own_spelling(tmp_path: Path) -> None:
    path, out = tmp_path / "t.jsonl", tmp_path / "out.jsonl"
    lines = [
        '{"text": "one", "n": 1.10}',
        '{ "text": "two", "deep": {"a": [1, "ß"]} }',
        '{"text":"three","category":1}',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    reading = LoadOptions(text="text", metadata="n", label="")
    LabelledTable(
        rows_of_files([str(path)], reading, hin.load(path, text="text", metadata="n", label="")), ADDED
    ).write(out)
    written = out.read_text(encoding="utf-8").splitlines()
    own = [line[:-1].rstrip() for line in lines]
    assert [line.partition(',"category_2"')[0] for line in written] == own
    assert json.loads(written[1])["deep"] == {"a": [1, "ß"]} and json.loads(written[2])["category_2"] == "b"


@pytest.mark.parametrize("kind", ["parquet", "feather", "arrows"])
def test_typed_columns_keep_their_types(tmp_path: Path, kind: str) -> None:
    import datetime

    import pyarrow as pa
    from pyarrow import feather, ipc, parquet

    path, out = tmp_path / f"t.{kind}", tmp_path / "out.parquet"
    day = datetime.date(2020, 2, 2)
    own = pa.table({"text": ["a b", "c d", "e f"], "day": [day] * 3, "size": pa.array([1, None, 3], pa.int16())})
    if kind == "arrows":
        with ipc.new_stream(path, own.schema) as stream:
            stream.write_table(own)
    else:
        {"parquet": parquet.write_table, "feather": feather.write_feather}[kind](own, path)
    LabelledTable(rows_of_files([str(path)], LoadOptions(), hin.load(path)), ADDED).write(out)
    after = parquet.read_table(out)
    assert after.select(own.column_names).equals(own)
    assert after.column_names[3:] == ["category", "confidence", "because"]


def test_a_workbook_keeps_its_dates_and_other_sheets(tmp_path: Path) -> None:
    import datetime

    import openpyxl

    path, out = tmp_path / "t.xlsx", tmp_path / "out.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["Tickets of 2020"])
    book.active.append(["text", "day"])
    for text in ("one two", "three", "four"):
        book.active.append([text, datetime.datetime(2020, 2, 2)])
    book.create_sheet("notes")["A1"] = "kept"
    book.save(path)
    LabelledTable(rows_of_files([str(path)], LoadOptions(), hin.load(path)), ADDED).write(out)
    after = openpyxl.load_workbook(out)
    rows = list(after.worksheets[0].values)
    assert rows[1] == ("text", "day", "category", "confidence", "because")
    assert rows[2] == ("one two", datetime.datetime(2020, 2, 2), "a", 0.5, "graphs; more")
    assert after["notes"]["A1"].value == "kept"


def test_a_workbook_with_an_index_and_years_for_names_stays_itself(tmp_path: Path) -> None:
    import openpyxl
    import pandas as pd

    path, out = tmp_path / "t.xlsx", tmp_path / "out.xlsx"
    rows = pd.DataFrame({"text": ["one two", "three", "four"], 2019: [1, 2, 3]})
    rows.to_excel(path, sheet_name="Tickets")
    graph = hin.load(path, metadata="2019")
    LabelledTable(rows_of_files([str(path)], LoadOptions(metadata="2019"), graph), ADDED).write(out)
    sheet = openpyxl.load_workbook(out)["Tickets"]
    assert [cell.value for cell in sheet[1]] == [None, "text", 2019, "category", "confidence", "because"]
    assert sheet["D2"].value == "a"


def test_ragged_rows_and_ids_used_twice_are_refused_or_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,text\na,one two\nb,three,four\na,five\nc,six\nd,seven\n")
    with pytest.raises(BadInput, match="line 3"):
        hin.load(path)
    graph = hin.load(path, on_error="skip")
    rows = rows_of_files([str(path)], LoadOptions(on_error="skip"), graph)
    assert [(row.values["text"], row.document) for row in rows.rows] == [
        ("one two", 0), ("five", -1), ("six", 1), ("seven", 2),
    ]  # fmt: skip
    assert rows.unread == 1
    assert LabelledTable(rows, ADDED).more(rows.rows[1]) == {"category": None, "confidence": None, "because": None}
    path.write_text("id,text\na,one two\na,five\n")
    with pytest.raises(DuplicateDocument):
        hin.load(path)


def test_rows_come_from_the_source_while_it_is_unchanged_and_else_from_the_graph(tmp_path: Path) -> None:
    path, place = tmp_path / "t.csv", tmp_path / "t.hin"
    path.write_text("id,text,kind,extra\na,one two,x,1\nb,three four,y,\n")
    graph = hin.load(path, graph=place, metadata="kind")
    found = rows_of_graph(open_store(place), graph)
    assert found is not None and found.columns == ["id", "text", "kind", "extra"]
    path.write_text(path.read_text().replace("three", "other"))
    assert rows_of_graph(open_store(place), graph) is None
    assert rows_of_documents(graph).columns == ["document", "text", "kind"]


@pytest.mark.parametrize("typed", ["games, fonts", "games; fonts", "games\nfonts"])
def test_categories_may_be_typed(typed: str) -> None:
    assert [category.name for category in hin.read_categories(typed)] == ["games", "fonts"]


def test_a_labels_file_that_is_missing_is_still_an_error(hin: Callable, table: Path) -> None:
    done = hin("classify", table, "-c", "labels.txt", "--out", table.with_name("out.csv"))
    assert done.code == 1 and "cannot read labels.txt" in done.err
    assert not table.with_name("out.csv").exists()


def test_rows_of_empty_cells_and_a_first_line_that_is_a_record_stay(tmp_path: Path) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text("text,note\nA harbour,x\n,\n\nAn inn,y\nA mirror,z\n,\n", encoding="utf-8")
    labelled(path).write(out)
    assert [row[:2] for row in cells(out)] == [row for row in cells(path) if row]
    assert [row[2:] for row in cells(out)][1:4] == [["a", "0.5", "graphs; more"], ["", "", ""], ["", "0.25", ""]]
    path.write_text("RFC0001; Host software\nRFC0002; Host names\nRFC0003; Conventions\n", encoding="utf-8")
    labelled(path, text="column 2", metadata="*").write(out)
    assert out.read_text(encoding="utf-8").splitlines()[:2] == [
        "column 1;column 2;category;confidence;because",
        'RFC0001; Host software;a;0.5;"graphs; more"',
    ]
