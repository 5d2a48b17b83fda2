"""Spreadsheets, databases, Arrow, zip archives, URLs, plain text, tables without names: read, or refused with why."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import sqlite3
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pytest

import hin
from hin.errors import BadInput, BadUsage, HinError
from hin.reading.documents import BatchReader, read_records
from hin.reading.formats import format_of
from hin.reading.inputs.source import Source
from hin.reading.options import LoadOptions

ROWS = [
    {"id": "p1", "text": "Mining large graphs", "tags": "['a', 'b']", "year": 2008},
    {"id": "p2", "text": "Query plans", "tags": "['a']", "year": 2009},
]
WANTED = [("p1", ("Mining large graphs",), ["a", "b"], ["2008"]), ("p2", ("Query plans",), ["a"], ["2009"])]


def found(path: Any, **options: Any) -> list[Any]:
    return [
        (r.id, r.texts, r.metadata.get("tags"), r.metadata.get("year"))
        for r in read_records(path, LoadOptions(**options))
    ]


def failure(path: Any, **options: Any) -> str:
    with pytest.raises(HinError) as caught:
        list(read_records(path, LoadOptions(**options)))
    return str(caught.value)


def sqlite_file(path: Path) -> Path:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE papers (id TEXT, text TEXT, tags TEXT, year INTEGER)")
        database.executemany("INSERT INTO papers VALUES (:id, :text, :tags, :year)", ROWS)
    database.close()
    return path


def xlsx_file(path: Path, above: bool = False) -> Path:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "Notes"
    sheet = book.create_sheet("Papers")
    if above:
        sheet.append(["All papers, state of May"])
        sheet.append([])
    sheet.append(list(ROWS[0]))
    for row in ROWS:
        sheet.append(list(row.values()))
    book.save(path)
    return path


def duckdb_file(path: Path) -> Path:
    import duckdb

    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE papers (id TEXT, text TEXT, tags TEXT[], year INTEGER)")
        database.executemany(
            "INSERT INTO papers VALUES (?, ?, ?, ?)",
            [["p1", "Mining large graphs", ["a", "b"], 2008], ["p2", "Query plans", ["a"], 2009]],
        )
    return path


def test_sqlite_by_its_bytes_by_table_and_by_query(tmp_path: Path) -> None:
    path = sqlite_file(tmp_path / "papers.db")
    assert found(path) == WANTED
    assert found(f"{path}::papers") == WANTED
    assert found(f"{path}::SELECT * FROM papers WHERE year > 2008") == WANTED[1:]
    packed = tmp_path / "packed.db.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert found(packed) == WANTED


def test_sqlite_takes_the_table_with_the_texts_and_only_looks(tmp_path: Path) -> None:
    path = sqlite_file(tmp_path / "papers.db")
    with sqlite3.connect(path) as database:
        database.execute('CREATE TABLE "other ""one" (x)')
        database.execute("CREATE TABLE abstracts (x)")
        database.execute("INSERT INTO abstracts VALUES ('A harbour pilot finds the old chart behind the mirror.')")
    database.close()
    tables = 'papers, other "one, abstracts'
    reader = BatchReader(path, LoadOptions(text="x"))
    assert [batch.texts for batch in reader] == [[("A harbour pilot finds the old chart behind the mirror.",)]]
    assert reader.notes == [
        f"{path}: of its tables abstracts was read, the one with the longest texts ('{path}::papers' reads another)"
    ]
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE reviews (x)")
        database.execute("INSERT INTO reviews VALUES ('A pilot finds the chart behind the mirror.')")
    database.close()
    before, tables = path.read_bytes(), f"{tables}, reviews"
    assert failure(path) == (
        f"{path} has several tables: {tables}; name the one with the documents, for example '{path}::abstracts'"
    )
    assert failure(f"{path}::paper") == f"{path}: no table 'paper'; did you mean 'papers'? there are {tables}"
    for query in (
        "WITH x AS (SELECT 1) DELETE FROM papers",
        "SELECT load_extension('x')",
        "SELECT 1; DROP TABLE papers",
        "WITH x AS (SELECT 1) INSERT INTO papers SELECT 1, 2, 3, 4",
    ):
        assert "the database cannot be read" in failure(f"{path}::{query}"), query
    assert "two columns are called 'id'" in failure(f"{path}::SELECT a.id, b.id FROM papers a, papers b")
    assert failure(f'{path}::other "one').startswith(f"{path}::other")
    assert path.read_bytes() == before


def test_duckdb(tmp_path: Path) -> None:
    path = duckdb_file(tmp_path / "papers.duckdb")
    assert found(path) == WANTED
    assert found(f"{path}::SELECT * FROM papers WHERE year > 2008") == WANTED[1:]
    secret = tmp_path / "secret.csv"
    secret.write_text("id,text\n1,x\n")
    assert "cannot be read" in failure(f"{path}::SELECT * FROM read_csv('{secret}')")
    assert "cannot be read" in failure(f"{path}::WITH x AS (SELECT 1) DELETE FROM papers")


def test_duckdb_has_the_cores_of_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself it takes those of the machine: in a container with 2 of 64 cores, 64 threads."""
    path = duckdb_file(tmp_path / "papers.duckdb")
    query = f"{path}::SELECT id, 'threads: ' || current_setting('threads') AS text FROM papers LIMIT 1"
    for cores in (1, 3):
        monkeypatch.setattr("hin.reading.formats.duckdb_file.core_count", lambda cores=cores: cores)
        assert [record.texts for record in read_records(query)] == [(f"threads: {cores}",)]


def test_spreadsheets(tmp_path: Path) -> None:
    path = xlsx_file(tmp_path / "papers.xlsx")
    assert found(path) == WANTED
    assert found(xlsx_file(tmp_path / "above.xlsx", above=True)) == WANTED
    assert found(f"{path}::Papers") == WANTED
    assert failure(f"{path}::Paper") == f"{path}: no sheet 'Paper'; did you mean 'Papers'? there are Notes, Papers"
    misnamed = tmp_path / "papers.csv"
    misnamed.write_bytes(path.read_bytes())
    assert found(misnamed) == WANTED
    assert [r.id for r in read_records(path, LoadOptions(id="@line"))] == ["papers.xlsx:2", "papers.xlsx:3"]
    (tmp_path / "broken.xlsx").write_bytes(path.read_bytes()[:500])
    assert "not a readable spreadsheet" in failure(tmp_path / "broken.xlsx")
    whole = path.read_bytes()
    sheet = whole.index(b"PK\x03\x04", whole.index(b"sheet1.xml") - 60)
    (tmp_path / "broken.xlsx").write_bytes(whole[:sheet] + b"no" + whole[sheet + 2 :])  # found when the sheet is read
    assert "not a readable spreadsheet" in failure(tmp_path / "broken.xlsx")


@pytest.mark.parametrize("kind", ["feather", "file", "stream"])
def test_arrow(tmp_path: Path, kind: str) -> None:
    table = pa.table({name: [row[name] for row in ROWS] for name in ROWS[0]})
    table = table.set_column(2, "tags", pa.array([["a", "b"], ["a"]]))
    path = tmp_path / f"papers.{'feather' if kind == 'feather' else 'arrow'}"
    if kind == "feather":
        feather.write_feather(table, path)
    else:
        make = pa.ipc.new_file if kind == "file" else pa.ipc.new_stream
        with pa.OSFile(str(path), "wb") as sink, make(sink, table.schema) as writer:
            writer.write_table(table)
    assert found(path) == WANTED
    assert "not a readable Arrow file" in failure(write(tmp_path / "bad.arrow", b"ARROW1 but no more"))


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_the_directory_of_an_archive_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is as long as there are members: read for each of them, it would cost their number squared."""
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(200):
            archive.writestr(f"{i}.json", json.dumps({"id": f"p{i}", "text": "Mining large graphs"}))
    opened = []
    read = zipfile.ZipFile._RealGetContents  # type: ignore[attr-defined]
    monkeypatch.setattr(zipfile.ZipFile, "_RealGetContents", lambda self: (opened.append(self), read(self)))
    started = []
    monkeypatch.setattr(threading.Thread, "start", started.append)
    assert len(list(read_records(path))) == 200
    assert len(opened) == 1
    assert not started, "a thread for each small member takes longer than reading it"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other.json", json.dumps({"id": "other", "text": "Mining large graphs"}))
    assert [record.id for record in read_records(path)] == ["other"], "a file that changed is opened again"


def test_a_zip_archive_stands_for_its_files(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/one.csv", "id,text,tags,year\np1,Mining large graphs,\"['a', 'b']\",2008\n")
        archive.writestr("__MACOSX/data/._one.csv", "rubbish")
        archive.writestr(
            "data/two.jsonl.gz", gzip.compress(b'{"id": "p2", "text": "Query plans", "tags": ["a"], "year": 2009}')
        )
    assert found(path) == WANTED
    assert found(f"{path}::data/one.csv") == WANTED[:1]
    assert "no file 'x' in the archive" in failure(f"{path}::x")
    reader = BatchReader(path)
    list(reader)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert reader.inputs == [{"file": str(path), "bytes": path.stat().st_size, "sha256": sha256}], "one input, not two"
    part = BatchReader(f"{path}::data/one.csv")
    list(part)
    assert [entry["file"] for entry in part.inputs] == [f"{path}::data/one.csv"]
    with zipfile.ZipFile(tmp_path / "none.zip", "w"):
        pass
    (tmp_path / "cut.zip").write_bytes(path.read_bytes()[:100])
    assert "the zip archive is damaged" in failure(tmp_path / "cut.zip")
    with zipfile.ZipFile(tmp_path / "name.zip", "w") as archive:
        archive.writestr("é.csv", "id,text\np1,Mining large graphs\n")
    spoiled = (tmp_path / "name.zip").read_bytes().replace("é".encode(), b"\xc3\xff")
    for name, said in (("name.zip", "the zip archive is damaged"), ("name.ods", "not a readable spreadsheet")):
        (tmp_path / name).write_bytes(spoiled)
        assert said in failure(tmp_path / name)


def test_urls_by_fsspec(monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/papers.csv.gz", gzip.compress(b"id,text,year\np1,Mining large graphs,2008\n"))
    assert [r.id for r in read_records("memory://papers.csv.gz")] == ["p1"]
    assert failure("memory://nowhere.csv") == "memory://nowhere.csv: not found; check the address"
    assert "cannot be read" in failure("nosuch://papers.csv")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    assert failure("https://example.org/papers.csv") == (
        "https://example.org/papers.csv: URLs are read with fsspec, which is not installed; "
        "install it with `pip install fsspec aiohttp`, or fetch the file first"
    )


def test_plain_text_is_one_document_a_line(tmp_path: Path) -> None:
    one = write(tmp_path / "one.txt", b"A single line about graphs\n")
    assert [(r.id, r.texts) for r in read_records(one)] == [("one.txt:1", ("A single line about graphs",))]
    two = write(tmp_path / "two.txt", b"First, a line.\n\nThen, after a gap, another.")
    assert [r.texts[0] for r in read_records(two)] == ["First, a line.", "Then, after a gap, another."]
    table = write(tmp_path / "table.txt", b"id\ttext\tyear\np1\tMining\t2008\np2\tPlans\t2009\n")
    assert [r.metadata for r in read_records(table)] == [{"year": ["2008"]}, {"year": ["2009"]}]
    lines = write(tmp_path / "lines.txt", b'{"id": "p1", "text": "Mining"}\n')
    assert [r.id for r in read_records(lines)] == ["p1"]
    assert [r.texts[0] for r in read_records(write(tmp_path / "old.txt", b"caf\xe9 society\n"))] == ["café society"]
    assert "empty" in failure(write(tmp_path / "no.txt", b""))


HEADERLESS = b'3,"Wall Street closes higher","Prices rose on Monday as %s the market opened early"\n4,"Cup","Again"\n'


def test_a_table_without_names_gets_numbers_for_them(tmp_path: Path) -> None:
    path = write(tmp_path / "news.csv", HEADERLESS % (b"so " * 1000))
    reader = BatchReader(path)
    assert [batch.metadata for batch in reader] == [
        {"column 1": [["3"], ["4"]], "column 2": [["Wall Street closes higher"], ["Cup"]]}
    ]
    assert reader.notes == [
        f"{path}: its first line is a record: the columns are numbered "
        "(`columns='NAME,NAME'`, or `columns='@first'` if it has their names)"
    ]
    records = list(read_records(path, LoadOptions(columns="kind,title,body", text="title,body")))
    assert [r.metadata for r in records] == [{"kind": ["3"]}, {"kind": ["4"]}]
    assert "the row has 3 cells, --columns names 2" in failure(path, columns="a,b")
    wide = write(tmp_path / "wide.csv", b"place,2008,2009,2010\np1,x,y,z\n")
    assert [r.texts for r in read_records(wide, LoadOptions(text="2008"))] == [("x",)]
    taken = write(tmp_path / "taken.csv", b"1,2,3\n4,5,on graphs\n")
    assert [r.texts for r in read_records(taken, LoadOptions(columns="@first", text="3"))] == [("on graphs",)]


FIRST_LINES = {
    "records alike but for figures": (b"RFC0001,Host Software\nRFC0002,Host software\nRFC0003,Conventions\n", True),
    "missing values": (b'-1,"Unknown",\\N,"-","N/A"\n1,"Private flight",\\N,"-","Y"\n', True),
    "questions above answers": (b"How was it, on the whole, for you and yours\tWhy\n" + b"Good\tSun\n" * 4, False),
    "years above counts": (b"place,2008,2009,2010\n" + b"Rome,3,4,5\n" * 4, False),
}


@pytest.mark.parametrize(("content", "is_record"), FIRST_LINES.values(), ids=FIRST_LINES)
def test_the_first_line_is_compared_with_those_below_it(tmp_path: Path, content: bytes, is_record: bool) -> None:
    path = write(tmp_path / "a.csv", content)
    with Source(str(path)) as source:
        rows = [value for _, value, _ in format_of(source).rows(source)]
    assert (list(rows[0])[0] == "column 1", len(rows)) == (is_record, content.count(b"\n") - (not is_record))


NO_TEXT = {
    "pdf": (b"%PDF-1.7 ...", "a PDF; take its text out first, for example with pdftotext"),
    "html": (b"<!DOCTYPE html><html>", "a web page; expected a file of records: one row or object per document"),
    "pickle": (
        b"\x80\x04\x95\x00",
        "a Python pickle, which could run code when read; write",
    ),
}


@pytest.mark.parametrize(("content", "said"), NO_TEXT.values(), ids=NO_TEXT)
def test_what_is_no_text_is_called_by_its_name(tmp_path: Path, content: bytes, said: str) -> None:
    path = write(tmp_path / "a.csv", content)
    assert failure(path).startswith(f"{path}: {said}")


def test_word_documents_are_no_archives_of_records(tmp_path: Path) -> None:
    path = tmp_path / "letter.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr("word/document.xml", "<x/>")
    assert failure(path) == f"{path}: a text document; save the records as a table first"


def test_standard_input_may_be_any_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (sqlite_file(tmp_path / "papers.db"), xlsx_file(tmp_path / "papers.xlsx")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        assert found("-") == WANTED


def test_a_database_becomes_a_graph(tmp_path: Path) -> None:
    path = sqlite_file(tmp_path / "papers.db")
    numbered = read_records(f"{path}::SELECT text FROM papers WHERE id <> 'a/b'")
    assert [r.id for r in numbered] == ["papers.db:1", "papers.db:2"]
    graph = hin.load(f"{path}::SELECT * FROM papers", graph=tmp_path / "g.hin")
    assert graph.names("tags").tolist() == ["a", "b"]
    with pytest.raises(BadInput, match="no such file"):
        hin.load(f"{tmp_path}/nowhere.db::papers")


TABLE = "id,text,city\np1,Über den Fluß,Köln\np2,Am See,Bonn\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le-sig", "utf-32", "utf-8-sig"])
def test_texts_with_a_mark_are_read_as_it_says(tmp_path: Path, encoding: str) -> None:
    content = b"\xff\xfe" + TABLE.encode("utf-16-le") if encoding == "utf-16-le-sig" else TABLE.encode(encoding)
    for name in ("a.csv", "a.txt"):
        records = read_records(write(tmp_path / name, content))
        assert [(r.id, r.texts, r.metadata) for r in records][0] == ("p1", ("Über den Fluß",), {"city": ["Köln"]})
    packed = write(tmp_path / "a.csv.gz", gzip.compress(content))
    assert [r.id for r in read_records(packed)] == ["p1", "p2"]


def test_another_encoding_is_one_option(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", TABLE.encode("cp1252"))
    assert "not valid UTF-8" in failure(path, encoding="utf-8")
    records = read_records(path, LoadOptions(encoding="cp1252"))
    assert [r.texts[0] for r in records] == ["Über den Fluß", "Am See"]
    assert "not valid ascii (near byte 16)" in failure(path, encoding="ascii")
    for wrong in ("nonsense", "hex", "base64", "a\0b"):
        with pytest.raises(BadUsage, match="no encoding"):
            LoadOptions(encoding=wrong)
    book = xlsx_file(tmp_path / "papers.xlsx")
    assert [r.id for r in read_records(book, LoadOptions(encoding="cp1252"))] == ["p1", "p2"]


def test_many_lines_in_another_encoding_are_the_same_graph(tmp_path: Path) -> None:
    rows = ({"id": f"d{i}", "text": f"Fluß {i % 9} und Müller", "city": f"Köln{i % 3}"} for i in range(3000))
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    plain, other = write(tmp_path / "a.jsonl", lines.encode()), write(tmp_path / "b.jsonl", lines.encode("cp1252"))
    assert hin.load(plain).equals(hin.load(other, encoding="cp1252"))


def test_a_sheet_with_a_table_is_found_and_several_are_asked_about(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "Read me"
    book.active.append(["Made in May"])
    for name in ("Papers", "Places"):
        sheet = book.create_sheet(name)
        sheet.append(["id", "text"])
        sheet.append([f"{name} 1", "On graphs"])
        book.save(tmp_path / f"{name}.xlsx")
    assert [r.id for r in read_records(tmp_path / "Papers.xlsx")] == ["Papers 1"]
    path = tmp_path / "Places.xlsx"
    hint = f"name the one with the documents, for example '{path}::Papers'"
    assert failure(path) == f"{path} has several sheets: Papers, Places; {hint}"
    assert [r.id for r in read_records(f"{path}::Places")] == ["Places 1"]
    book["Places"].append(["Places 2", "A harbour pilot finds the old chart behind the mirror of the inn."])
    book.save(path)
    reader = BatchReader(path)
    assert [batch.ids for batch in reader] == [["Places 1", "Places 2"]]
    assert "of its sheets Places was read" in reader.notes[0]


def test_a_readme_beside_the_data_is_left_out_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "box.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("box/README.md", "About these")
        archive.writestr("box/LICENSE", "MIT")
        archive.writestr("box/papers.csv", "id,text\np1,On graphs\n")
    graph = hin.load(path)
    assert graph.documents.tolist() == ["p1"]
    assert graph.notes == ("2 files beside the data left out: README.md, LICENSE",)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("papers", "id,text\np1,On graphs\n")
    assert hin.load(path).documents.tolist() == ["p1"], "a name that tells nothing is no reason to leave all out"


def test_identifiers_of_databases_are_ids(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "a.duckdb")) as database:
        database.execute("create table a as select uuid() as id, 'On graphs' as text")
    (record,) = read_records(tmp_path / "a.duckdb")
    assert len(record.id) == 36
    path = write(tmp_path / "a.jsonl", b'{"_id": {"$oid": "5f1d"}, "text": "On graphs"}\n')
    assert [r.id for r in read_records(path)] == ["5f1d"]
