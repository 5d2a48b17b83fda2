"""The limits on one file: each message names the option that raises it, and the work below the limit is linear."""

from __future__ import annotations

import gzip
import json
import os
import struct
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import hin
from hin.errors import BadInput
from hin.loading import load_into
from hin.reading.documents import BatchReader
from hin.reading.limits import Limits, RecordTooLongError
from hin.reading.options import LoadOptions
from hin.reading.parsers.delimited import table_rows
from hin.reading.parsers.json_array import array_elements
from hin.reading.parsers.lines import lines_of

SMALL = LoadOptions(max_record=1000, max_fields=20)


def _endless(start: bytes) -> Iterator[bytes]:
    """A chunk at a time, counted: a reader that goes on for ever fails the test instead of the machine."""
    yield start
    for _ in range(100):
        yield b"a" * 1000
    pytest.fail("read on past the limit")


@pytest.mark.parametrize(
    "read",
    [
        lambda: lines_of(_endless(b'{"id": 1, "text": "'), 5000),
        lambda: array_elements(_endless(b'[{"id": 1, "text": "'), 5000),
        lambda: table_rows(_endless(b'id,text\n1,"'), ",", None, 5000),
    ],
    ids=["lines", "array", "table"],
)
def test_a_record_without_an_end_is_left_at_the_limit(read: object) -> None:
    with pytest.raises(RecordTooLongError):
        list(read())  # type: ignore[operator]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.jsonl.gz"])
def test_a_long_record_is_one_line_that_names_the_option(tmp_path: Path, name: str) -> None:
    text = "x" * 50_000
    content = {"jsonl": f'{{"id": 1, "text": "{text}"}}', "json": f'[{{"id": 1, "text": "{text}"}}]'}
    body = content.get(name.split(".")[1], f"id,text\n1,{text}").encode()
    (tmp_path / name).write_bytes(gzip.compress(body) if name.endswith("gz") else body)
    with pytest.raises(BadInput, match="a record of more than 1.0 kB") as reported:
        list(BatchReader(tmp_path / name, SMALL))
    assert "max_record=" in (reported.value.hint or "")
    assert next(iter(BatchReader(tmp_path / name))).texts == [(text,)]


def test_what_comes_before_a_long_record_can_be_kept(tmp_path: Path) -> None:
    good = "".join(json.dumps({"id": i, "text": "fine"}) + "\n" for i in range(5))
    (tmp_path / "a.jsonl").write_text(good + '{"id": 9, "text": "' + "x" * 5000)
    reader = BatchReader(tmp_path / "a.jsonl", replace(SMALL, on_error="skip"))
    assert [name for batch in reader for name in batch.ids] == ["0", "1", "2", "3", "4"]
    assert reader.rejected == 1


def test_too_many_fields_are_refused_with_the_option(tmp_path: Path) -> None:
    many = {"id": 1, "text": "x", **{f"f{i}": i for i in range(30)}}
    (tmp_path / "a.jsonl").write_text(json.dumps(many))
    with pytest.raises(BadInput, match="32 fields, the limit is 20") as reported:
        list(BatchReader(tmp_path / "a.jsonl", SMALL))
    assert "max_fields=" in (reported.value.hint or "")


def test_new_fields_in_every_record_are_counted_together(tmp_path: Path) -> None:
    rows = [json.dumps({"id": i, "text": "x", f"f{i}": ["a", "b"]}) for i in range(30)]
    (tmp_path / "a.jsonl").write_text("\n".join(rows))
    with pytest.raises(BadInput, match="more than 20 metadata fields"):
        list(BatchReader(tmp_path / "a.jsonl", LoadOptions(metadata="*", max_fields=20)))


def test_a_packed_file_that_must_be_whole_has_a_limit(tmp_path: Path) -> None:
    (tmp_path / "a.parquet.gz").write_bytes(gzip.compress(b"PAR1" + bytes(9_000_000)))
    with pytest.raises(BadInput, match=r"larger than 1\.0 MB") as reported:
        list(BatchReader(tmp_path / "a.parquet.gz", LoadOptions(max_unpacked=10**6)))
    assert "max_unpacked=" in (reported.value.hint or "")


def _bomb(path: Path, megabytes: int) -> None:
    """A workbook whose sheet unpacks to so much."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["id", "text"], ["p1", "On graphs"]):
        book.active.append(row)
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = next(name for name in parts if name.endswith("sheet1.xml"))
    parts[sheet] = parts[sheet].replace(b"</worksheet>", b" " * megabytes * 10**6 + b"</worksheet>")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("honest", [True, False])
def test_a_spreadsheet_may_not_unpack_to_more(tmp_path: Path, honest: bool) -> None:
    path = tmp_path / "a.xlsx"
    _bomb(path, 30)
    if not honest:  # the archive says that nothing in it is large
        with zipfile.ZipFile(path) as archive:
            size = struct.pack("<L", max(entry.file_size for entry in archive.infolist()))
        path.write_bytes(path.read_bytes().replace(size, struct.pack("<L", 5000)))
    with pytest.raises(BadInput, match="a.xlsx: unpacked it is larger than 10.0 MB") as reported:
        list(BatchReader(path, LoadOptions(max_unpacked=10**7)))
    assert "max_unpacked=" in (reported.value.hint or "")
    if honest:
        assert [batch.ids for batch in BatchReader(path, LoadOptions(max_unpacked=10**8))] == [["p1"]]


def test_a_packed_export_may_not_unpack_to_more(tmp_path: Path) -> None:
    graph = hin.load([{"id": "p1", "text": "On graphs"}])
    path = hin.export(graph, "igraph", tmp_path / "g.graphmlz")
    whole = gzip.decompress(path.read_bytes())
    path.write_bytes(gzip.compress(whole.replace(b"</graphml>", b" " * 10**7 + b"</graphml>")))
    options = LoadOptions(max_unpacked="1MB")
    with pytest.raises(BadInput, match="g.graphmlz: unpacked it is larger than 1.0 MB"):
        load_into(tmp_path / "g.hin", path, options)
    assert not (tmp_path / "g.hin").exists()
    assert hin.load(path).equals(graph)


def test_limits_are_no_part_of_what_is_remembered() -> None:
    wide = LoadOptions(max_record="1GB", max_fields=9)
    assert wide.limits == Limits(record=10**9, fields=9)
    assert wide.reading_settings() == LoadOptions().reading_settings()


def test_a_pipe_with_a_name_is_read_once_and_left_when_its_writer_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    done = threading.Event()

    def write() -> None:
        with pipe.open("w") as file:
            file.write('{"id": 1, "text": "one"}\nbroken\n')
            file.flush()
            done.wait(30)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        reader = BatchReader(pipe, LoadOptions(max_record=1000))
        rows = reader._rows(0, str(pipe))
        assert os.path.exists(pipe)
        rows.close()  # type: ignore[attr-defined]
    finally:
        done.set()
        with pipe.open("r"):
            writer.join()


def test_a_field_that_is_there_twice_is_a_bad_record(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 1, "text": "a \\": b", "venue": "KDD", "venue" : "WSDM"}')
    with pytest.raises(BadInput, match="line 1, field 'venue': the record has this field twice"):
        list(BatchReader(tmp_path / "a.jsonl"))


def test_texts_that_look_like_keys_are_no_fields(tmp_path: Path) -> None:
    rows = [{"id": 1, "text": '"a": 1, "a": 2', "authors": [{"name": "Ann"}, {"name": "Bob"}]}]
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    assert next(iter(BatchReader(tmp_path / "a.jsonl"))).ids == ["1"]
