"""Every way an input can be bad, with the exact line a user reads."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hin.errors import BadInput, DuplicateDocument, HinError
from hin.reading.documents import BatchReader, read_records
from hin.reading.formats import FORMATS
from hin.reading.options import LoadOptions
from hin.reading.parsers.json_shapes import parse_values

SKIP = "or leave such records out with --on-error skip"
JSON_HINT = f"expected one JSON object per line, or one array of objects; fix it, {SKIP}"
UTF8_HINT = f"name the file's encoding, for example --encoding cp1252, {SKIP}"
GOOD = '{"id": "p1", "text": "On graphs"}\n'


def failure(path: Any, **options: Any) -> str:
    with pytest.raises(HinError) as caught:
        list(read_records(path, LoadOptions(**options)))
    return str(caught.value)


def said_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, **options: Any) -> str:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    return failure(name, **options)


BAD_LINES = {
    "bad json": (
        b'{"id": "p2"',
        f"a.jsonl, line 2: not valid JSON (unexpected end of data at column 12); {JSON_HINT}",
    ),
    "bad utf-8": (
        b'{"id": "p2", "text": "caf\xe9"}',
        f"a.jsonl, line 2, field 'text': not valid UTF-8 (byte 0xe9 at column 26); {UTF8_HINT}",
    ),
    "lone surrogate": (
        b'{"id": "p2", "text": "\\ud83d\\ude00 \\ud800"}',
        "a.jsonl, line 2, field 'text': half of a surrogate pair, which is not a character; "
        f"remove the lone \\ud800-\\udfff escape, {SKIP}",
    ),
    "not an object": (b"[1]", f"a.jsonl, line 2: expected an object, found a list; {JSON_HINT}"),
    "a number": (b"7", f"a.jsonl, line 2: expected an object, found a number; {JSON_HINT}"),
    "missing id": (
        b'{"text": "x"}',
        f"a.jsonl, line 2, field 'id': missing; give every record an id, name another field with --id, {SKIP}",
    ),
    "null id": (
        b'{"id": null, "text": "x"}',
        f"a.jsonl, line 2, field 'id': missing; give every record an id, name another field with --id, {SKIP}",
    ),
    "empty id": (
        b'{"id": "", "text": "x"}',
        f"a.jsonl, line 2, field 'id': empty; give every record an id, name another field with --id, {SKIP}",
    ),
    "id of a wrong type": (
        b'{"id": ["p"], "text": "x"}',
        "a.jsonl, line 2, field 'id': expected a string or an integer, found a list; "
        f"name another field with --id, {SKIP}",
    ),
    "id with a fraction": (
        b'{"id": 1.5, "text": "x"}',
        "a.jsonl, line 2, field 'id': expected a string or an integer, found a number; "
        f"name another field with --id, {SKIP}",
    ),
    "missing text": (
        b'{"id": "p2"}',
        f"a.jsonl, line 2, field 'text': missing; give every record a text, name the text fields with --text, {SKIP}",
    ),
    "text of a wrong type": (
        b'{"id": "p2", "text": true}',
        "a.jsonl, line 2, field 'text': expected a string, found true or false; "
        f"name other text fields with --text, {SKIP}",
    ),
    "text with a wrong part": (
        b'{"id": "p2", "text": ["a", {}]}',
        "a.jsonl, line 2, field 'text': expected a string, found a list with an object; "
        f"name other text fields with --text, {SKIP}",
    ),
    "duplicate id": (
        b'{"id": "p1", "text": "x"}',
        "a.jsonl, line 2, field 'id': the id 'p1' was used before, in line 1; "
        f"give every document an id of its own, or number them with --id @line, {SKIP}",
    ),
    "label of a wrong type": (
        b'{"id": "p2", "text": "x", "label": {}}',
        "a.jsonl, line 2, field 'label': expected a label, found an object; "
        f"name another field with --label, or none with --label '', {SKIP}",
    ),
}


@pytest.mark.parametrize(("line", "said"), BAD_LINES.values(), ids=BAD_LINES)
def test_bad_line_is_named_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes, said: str
) -> None:
    assert said_of(tmp_path, monkeypatch, "a.jsonl", GOOD.encode() + line + b"\n", text="text") == said
    more = b"".join(b'{"id": "q%d", "text": "x"}\n' % i for i in range(3))
    assert said_of(tmp_path, monkeypatch, "a.jsonl", GOOD.encode() + line + b"\n" + more) == said


@pytest.mark.parametrize(("line", "said"), BAD_LINES.values(), ids=BAD_LINES)
def test_skip_keeps_the_good_and_puts_the_bad_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_bytes(GOOD.encode() + line + b'\n{"id": "p3", "text": "y"}\n')
    reader = BatchReader("a.jsonl", LoadOptions(text="text", on_error="skip"), side_file="bad.jsonl")
    assert [name for batch in reader for name in batch.ids] == ["p1", "p3"]
    assert (reader.documents, reader.rejected) == (2, 1)
    side = [json.loads(row) for row in Path("bad.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["file"], row["line"]) for row in side] == [("a.jsonl", 2)]
    assert f"{row_place(side[0])}: {side[0]['reason']}; {side[0]['hint']}" == said
    assert side[0]["record"] == line.decode("utf-8", "backslashreplace")


def row_place(row: dict[str, Any]) -> str:
    field = f", field {row['field']!r}" if row["field"] else ""
    return f"{row['file']}, line {row['line']}{field}"


def test_no_side_file_for_a_clean_input(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(GOOD)
    reader = BatchReader(tmp_path / "a.jsonl", LoadOptions(on_error="skip"), side_file=tmp_path / "bad.jsonl")
    assert sum(map(len, reader)) == 1
    assert not (tmp_path / "bad.jsonl").exists()


def test_side_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(GOOD + "{\n")
    reader = BatchReader(tmp_path / "a.jsonl", LoadOptions(on_error="skip"), side_file=tmp_path / "no" / "bad.jsonl")
    with pytest.raises(HinError, match=r"there is no folder .*; create it first"):
        list(reader)


WRONG_FIELDS = {
    "metadata": (
        {"metadata": "flag"},
        "a.jsonl, line 1, field 'flag': expected a string, a number or a list of them, found true or false; "
        f"leave the field out of --metadata, {SKIP}",
    ),
    "nested metadata": (
        {"metadata": "authors"},
        "a.jsonl, line 1, field 'authors': expected a string, a number or a list of them, "
        "found a list with an object; name a part of it, for example --metadata authors=authors.x, "
        f"leave the field out of --metadata, {SKIP}",
    ),
    "links": (
        {"links": "flag"},
        "a.jsonl, line 1, field 'flag': expected the ids of documents, found true or false; "
        f"leave the field out of --links, {SKIP}",
    ),
    "unknown id": (
        {"id": "idd"},
        "a.jsonl: no record has the field 'idd' (--id); did you mean 'id'? there are 'id', 'text', 'flag', 'authors'",
    ),
    "unknown text": (
        {"text": "body"},
        "a.jsonl: no record has the field 'body' (--text); there are 'id', 'text', 'flag', 'authors'",
    ),
    "unknown second text": (
        {"text": "text,zzz"},
        "a.jsonl: no record has the field 'zzz' (--text); there are 'id', 'text', 'flag', 'authors'",
    ),
    "unknown metadata": (
        {"metadata": "author"},
        "a.jsonl: no record has the field 'author' (--metadata); "
        "did you mean 'authors'? there are 'id', 'text', 'flag', 'authors'",
    ),
    "unknown link": (
        {"links": "cites"},
        "a.jsonl: no record has the field 'cites' (--links); there are 'id', 'text', 'flag', 'authors'",
    ),
    "unknown label": (
        {"label": "truth"},
        "a.jsonl: no record has the field 'truth' (--label); there are 'id', 'text', 'flag', 'authors'",
    ),
}


@pytest.mark.parametrize(("options", "said"), WRONG_FIELDS.values(), ids=WRONG_FIELDS)
def test_named_field_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, str], said: str
) -> None:
    content = b'{"id": "p1", "text": "x", "flag": true, "authors": [{"x": "Ann"}]}'
    assert said_of(tmp_path, monkeypatch, "a.jsonl", content, **options) == said


def test_fields_that_cannot_be_used_are_left_out_unless_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "text": "x", "flag": true, "authors": [{"x": "Ann"}], "year": 2008}')
    reader = BatchReader(path)
    assert [batch.metadata for batch in reader] == [{"year": [["2008"]]}]
    assert reader.skipped_fields == {"flag": "true or false", "authors": "a list with an object"}


ALL = "(name the other fields too, or add * for all of them)"
COLLISIONS = {
    "category": (
        {"category": "x"},
        "the field 'category' has the name of a node type of the graph itself; "
        f"rename it with --metadata kind=category {ALL}",
    ),
    "Term": (
        {"Term": "x", "keyword": "y"},
        "the field 'Term' has the name of a node type of the graph itself; "
        f"rename it with --metadata keyword_2=Term {ALL}",
    ),
    "DOCUMENT": (
        {"DOCUMENT": "x"},
        "the field 'DOCUMENT' has the name of a node type of the graph itself; "
        f"rename it with --metadata source=DOCUMENT {ALL}",
    ),
    "motif": (
        {"motif": "x"},
        "the field 'motif' has the name of a node type of the graph itself; "
        f"rename it with --metadata theme=motif {ALL}",
    ),
    "case": (
        {"author": "x", "Author": "y"},
        "the fields 'author' and 'Author' differ only in case or punctuation; "
        f"rename it with --metadata author_2=Author {ALL}",
    ),
    "punctuation": (
        {"author_name": "x", "author name": "y"},
        "the fields 'author_name' and 'author name' differ only in case or punctuation; "
        f"rename it with --metadata 'author_name_2=author name' {ALL}",
    ),
    "no letters": (
        {"--": "x"},
        f"the field '--' has no letter or digit in its name; rename it with --metadata field=-- {ALL}",
    ),
}


@pytest.mark.parametrize(("fields", "said"), COLLISIONS.values(), ids=COLLISIONS)
def test_colliding_names_come_with_the_rename(tmp_path: Path, fields: dict[str, str], said: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "p1", "text": "x", **fields}))
    if "no letter" in said:
        assert failure(path) == f"{path}: {said}"
    elif "category" in fields:  # it may be the answer, so it is metadata only where the user says so
        (record,) = read_records(path, LoadOptions(label=""))
        assert record.metadata == {} and record.label is None
        (record,) = read_records(path, LoadOptions(label="", metadata="*,kind=category"))
        assert record.metadata == {"kind": ["x"]}
    else:  # nobody named it, so it gets the name that the message offers
        (record,) = read_records(path, LoadOptions(label=""))
        assert said.partition("--metadata ")[2].partition("=")[0].strip("'") in record.metadata
    with pytest.raises(BadInput) as caught:
        LoadOptions(metadata={name: name for name in fields})
    assert str(caught.value) == said


def test_the_rename_that_is_shown_works(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "p1", "text": "x", "category": "c", "year": 1}')
    (record,) = read_records(path, LoadOptions(metadata="*,kind=category"))
    assert record.metadata == {"kind": ["c"], "year": ["1"]}


def test_a_field_that_comes_late_collides_too(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [{"id": i, "text": "x", "venue": "v"} for i in range(5000)] + [{"id": "z", "text": "x", "Venue": "v"}]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert failure(path).startswith(
        "a.jsonl, line 5001: the fields 'venue' and 'Venue' differ only in case or punctuation; "
    )


def test_link_names_collide_with_fields_and_edges() -> None:
    with pytest.raises(BadInput) as caught:
        LoadOptions(metadata="venue", links="Venue=next")
    assert str(caught.value) == (
        "the fields 'venue' and 'Venue' differ only in case or punctuation; rename it with --links venue_2=next"
    )
    with pytest.raises(BadInput) as caught:
        LoadOptions(metadata="venue", links="has_venue")
    assert str(caught.value) == (
        "the link 'has_venue' has the name of the edges to 'venue'; rename it with --links has_venue_link=has_venue"
    )


FILES = {
    "empty": ("a.jsonl", b"", "a.jsonl: empty; expected at least one record; leave the file out"),
    "blank": ("a.jsonl", b" \n\n", "a.jsonl: empty; expected at least one record; leave the file out"),
    "empty array": ("a.json", b"[ ]", "a.json: empty; expected at least one record; leave the file out"),
    "only a header": (
        "a.csv",
        b"id,text\n",
        "a.csv, line 1: a line with the columns' names and no records; "
        "expected at least one record below it; leave the file out",
    ),
    "empty parquet": ("a.parquet", b"", "a.parquet: empty; expected at least one record; leave the file out"),
    "empty gzip": ("a.jsonl.gz", b"", "a.jsonl.gz: empty; expected at least one record; leave the file out"),
    "cut utf-16": (
        "a.csv",
        "id,text\n1,x\n".encode("utf-16")[:-1],
        "a.csv: not valid utf-16 (near byte 25); name the right one with `encoding=`",
    ),
    "cut gzip": (
        "a.jsonl.gz",
        gzip.compress(GOOD.encode() * 1000)[:-9],
        "a.jsonl.gz: the compressed data ends too early; copy or fetch the file again",
    ),
    "cut xz": (
        "a.jsonl.xz",
        lzma.compress(GOOD.encode())[:-20],
        "a.jsonl.xz: the compressed data ends too early; copy or fetch the file again",
    ),
    "damaged xz": (
        "a.jsonl.xz",
        lzma.compress(GOOD.encode())[:20] + b"\0" * 80,
        "a.jsonl.xz: the compressed data is damaged; copy or fetch the file again",
    ),
    "damaged gzip": (
        "a.jsonl.gz",
        gzip.compress(GOOD.encode())[:-8] + b"\xff" * 8,
        "a.jsonl.gz: the compressed data is damaged; copy or fetch the file again",
    ),
    "short row": (
        "a.csv",
        b'id,text\n1,"a\nb"\n2\n',
        "a.csv, line 4: the row has 1 cells, the header 2; "
        f"put cells that hold quotes, ',' or line breaks in double quotes, {SKIP}",
    ),
    "bad quotes": (
        "a.csv",
        b'id,text\n1,"a"b,c\n',
        "a.csv, line 2: not a valid table row (',' expected after '\"'); "
        f"put cells that hold quotes, ',' or line breaks in double quotes, {SKIP}",
    ),
    "open quotes": (
        "a.csv",
        b'id,text\n1,"a\n',
        "a.csv, line 2: not a valid table row (unexpected end of data); "
        f"a quote in this record is never closed, or the file is cut off: mend it, {SKIP}",
    ),
    "array not closed": (
        "a.json",
        b'[{"id": 1, "text": "x"},\n{"id": 2, "text": "y"',
        f"a.json, line 2: the array is not closed after this; {JSON_HINT}",
    ),
    "array without commas": (
        "a.json",
        b'[{"id": 1, "text": "x"}\n{"id": 2, "text": "y"}]',
        f"a.json, line 2: expected a comma or ] after the record; {JSON_HINT}",
    ),
    "more after the array": (
        "a.json",
        b'[{"id": 1, "text": "x"}]\n[]',
        f"a.json, line 2: there is more after the array's end; {JSON_HINT}",
    ),
    "array of numbers": (
        "a.json",
        b'[\n{"id": 1, "text": "x"},\n"a, ]", [1, {"b": 2}]]',
        f"a.json, line 3: expected an object, found a string; {JSON_HINT}",
    ),
    "no text field": (
        "a.csv",
        b"id,name\n1,x\n",
        "a.csv: no record has a text field (title, subject, abstract, summary, description, text, body, content, "
        "message); there are 'id', 'name'; name the fields with the text with --text",
    ),
}


@pytest.mark.parametrize(("name", "content", "said"), FILES.values(), ids=FILES)
def test_bad_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, said: str) -> None:
    assert said_of(tmp_path, monkeypatch, name, content) == said


def test_bad_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = said_of(tmp_path, monkeypatch, "a.parquet", b"PAR1 and no more")
    assert said.startswith("a.parquet: not a readable Parquet file (")
    assert said.endswith("); write or fetch the file again")


def test_cut_zstd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa

    packed = pa.compress(GOOD.encode() * 100, codec="zstd", asbytes=True)
    said = said_of(tmp_path, monkeypatch, "a.jsonl.zst", packed[:-3])
    assert said == "a.jsonl.zst: the compressed data ends too early; copy or fetch the file again"
    said = said_of(tmp_path, monkeypatch, "a.jsonl.zst", packed[:4] + b"\xff" * 50)
    assert said == "a.jsonl.zst: the compressed data is damaged; copy or fetch the file again"


def test_skip_keeps_what_came_before_the_cut(tmp_path: Path) -> None:
    rows = "".join(json.dumps({"id": i, "text": "x" * 50}) + "\n" for i in range(5000))
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(rows.encode())[:-9])
    reader = BatchReader(path, LoadOptions(on_error="skip"))
    assert 4000 < sum(map(len, reader)) <= 5000
    assert 1 <= reader.rejected <= 2  # the cut, and the line it goes through


def test_paths_that_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("papers").mkdir()
    assert failure("papers") == ("papers: a folder without .txt, .md, .html or .eml files; name the files in it")
    for name in ("a.json", "b.json", "README.md"):
        Path("papers", name).write_text("{}")
    assert failure("papers") == (
        "papers: a folder of 2 files .json, and 1 document; name the files, for example 'papers/**/*.json'"
    )
    assert failure("nothing.jsonl") == "nothing.jsonl: no such file; check the name and the folder"
    assert failure("*.jsonl") == "no file matches '*.jsonl'; check the pattern and the folder"
    assert failure([]) == "no file is named; name one or more files, or - for the standard input"


def test_duplicate_across_files_and_with_the_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text(GOOD)
    Path("b.jsonl").write_text('{"id": "p0", "text": "x"}\n' + GOOD)
    assert failure(["a.jsonl", "b.jsonl"]) == (
        "b.jsonl, line 2, field 'id': the id 'p1' was used before, in a.jsonl, line 1; "
        f"give every document an id of its own, or number them with --id @line, {SKIP}"
    )
    with pytest.raises(DuplicateDocument) as caught:
        list(BatchReader("a.jsonl", known_ids={"p1"}))
    assert str(caught.value) == (
        f"a.jsonl, line 1, field 'id': the id 'p1' is in the graph already; replace that document with --update, {SKIP}"
    )


def test_nothing_left_after_skipping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text("{\n{\n")
    with pytest.raises(BadInput) as caught:
        list(BatchReader("a.jsonl", LoadOptions(on_error="skip")))
    assert str(caught.value) == (
        "a.jsonl: none of 2 records can be used; the first: a.jsonl, line 1: not valid JSON "
        "(unexpected end of data at column 2); fix the records or name the fields with --id and --text"
    )


def test_errors_come_in_the_order_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = said_of(tmp_path, monkeypatch, "a.jsonl", (GOOD + GOOD + "{\n").encode())
    assert said.startswith("a.jsonl, line 2, field 'id': the id 'p1' was used before")


def test_standard_input_can_be_named_once() -> None:
    assert failure(["-", "-"]) == "the standard input is named twice; it can be read once: name - once"


def test_standard_input_is_named_in_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"id": 1, "text": "x"}\n{')))
    assert failure("-").startswith("standard input, line 2: not valid JSON (")


BAD_OPTIONS = {
    "format": ({"format": "xml"}, f"there is no file format called xml; there are: {', '.join(FORMATS.names())}"),
    "separator": ({"separator": ""}, "the separator is empty; give one, for example --separator ';'"),
    "no text": ({"text": []}, "no text field is named; name one with --text, or leave --text out"),
    "text twice": ({"text": "a,a"}, "the text field 'a' is named twice; name it once"),
    "spec": ({"metadata": "a="}, "cannot read the field 'a='; write field, or new_name=field"),
    "on_error": ({"on_error": "panic"}, "on_error is 'panic'; expected 'stop' or 'skip'"),
    "max_fields": ({"max_fields": 0}, "max_fields is 0; give 1 or more"),
    "max_record": ({"max_record": "lots"}, "'lots' is not a size; write it as 64MB or 2GB"),
    "metadata twice": (
        {"metadata": "a,a"},
        f"two fields are named 'a'; rename it with --metadata a_2=a {ALL}",
    ),
}


@pytest.mark.parametrize(("options", "said"), BAD_OPTIONS.values(), ids=BAD_OPTIONS)
def test_bad_options(options: dict[str, Any], said: str) -> None:
    with pytest.raises(HinError) as caught:
        LoadOptions(**options)
    assert str(caught.value) == said


def test_a_database_whose_texts_are_no_utf8_is_one_line(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as database, database:
        database.execute("create table papers (id, text)")
        database.execute("insert into papers values ('1', cast(x'ff80' as text))")
    with pytest.raises(BadInput, match="the database cannot be read"):
        list(BatchReader(tmp_path / "a.sqlite"))


@pytest.mark.parametrize("spoil", [b"PK\x01\x02", b"a.jsonl"])
def test_a_damaged_zip_archive_is_one_line(tmp_path: Path, spoil: bytes) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", '{"id": 1, "text": "words"}\n' * 50)
    data = path.read_bytes()
    path.write_bytes(data.replace(spoil, bytes(len(spoil)), 1))
    with pytest.raises(BadInput):
        list(BatchReader(path))


def test_an_arrow_file_with_odd_offsets_is_one_line(tmp_path: Path) -> None:
    table = pa.table({"id": ["a", "b"], "text": ["some words", "more"]})
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    offsets = np.array([0, 10, 14], dtype=np.int32).tobytes()
    data = (tmp_path / "a.arrow").read_bytes()
    assert offsets in data
    (tmp_path / "a.arrow").write_bytes(data.replace(offsets, np.array([0, 2**30, -5], dtype=np.int32).tobytes()))
    with pytest.raises(BadInput, match="not a readable Arrow file"):
        list(BatchReader(tmp_path / "a.arrow"))


def test_a_date_that_python_cannot_hold_is_one_line(tmp_path: Path) -> None:
    dates = pa.array([2**31 - 1], type=pa.int32()).cast(pa.date32())
    pq.write_table(pa.table({"id": ["a"], "text": ["words"], "day": dates}), tmp_path / "a.parquet")
    with pytest.raises(BadInput, match="not a readable Parquet file"):
        list(BatchReader(tmp_path / "a.parquet"))


def test_a_bad_byte_in_one_json_value_has_its_place() -> None:
    with pytest.raises(BadInput) as caught:
        parse_values(b'{"a":\n "caf\xe9"}', "a.json")
    assert str(caught.value) == f"a.json, line 2: not valid UTF-8 (byte 0xe9 at column 6); {UTF8_HINT}"
