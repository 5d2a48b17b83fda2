"""Documents come out of every format as they were put in."""

from __future__ import annotations

import bz2
import contextlib
import csv
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from hin.errors import HinError
from hin.reading.columns.html_text import has_html
from hin.reading.documents import BatchReader, read_records
from hin.reading.fields import FieldSpec, field_key, parse_fields
from hin.reading.inputs.files import expand_paths
from hin.reading.na_words import NA_WORDS
from hin.reading.options import LoadOptions
from hin.reading.parsers.json_array import array_elements
from hin.reading.parsers.lines import lines_of
from hin.reading.records import BATCH_SIZE

# HTML is taken out of texts, so a round trip is for all others; among them those that look a little like it.
pieces = st.sampled_from(["&", "#0", "#39", "amp", "sum", ";", "<", "/", "b", "br", "p", "3", ">", " ", "a=1", "x"])
letters = st.characters(exclude_categories=["Cs"])
text = (st.text(letters, max_size=12) | st.lists(pieces, max_size=8).map("".join)).filter(lambda t: not has_html(t))
name = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
values = st.lists(name, max_size=3)
# Spaces around an id go, so an id needs something else.
ids = name.filter(str.strip)
record = st.fixed_dictionaries({"id": ids, "text": text, "author": values, "venue": values, "label": st.none() | name})
ENTITY = {"id": "0", "text": "&#0;", "author": [], "venue": [], "label": None}
records = st.lists(record, min_size=1, max_size=6, unique_by=lambda row: row["id"].strip())


def read(content: bytes, ending: str, **options: Any) -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{ending}"
        path.write_bytes(content)
        return list(read_records(path, LoadOptions(**options)))


def expected(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the expected records: spaces around ids, values and labels go, and so do words for no value."""

    def values(given: list[str]) -> list[str]:
        return [value.strip() for value in given if value.strip() and value.strip().lower() not in NA_WORDS]

    def made(row: dict[str, Any]) -> tuple[Any, ...]:
        label = (row["label"] or "").strip() or None
        return row["id"].strip(), (row["text"],), values(row["author"]), values(row["venue"]), label

    return [made(row) for row in rows]


def found(rows: list[Any]) -> list[tuple[Any, ...]]:
    """Records without their places; a field that no record has a value of is not a field."""
    return [(r.id, r.texts, r.metadata.get("author", []), r.metadata.get("venue", []), r.label) for r in rows]


def jsonl(rows: list[dict[str, Any]], **how: Any) -> bytes:
    return "".join(json.dumps(row, **how) + "\n" for row in rows).encode()


@given(rows=records, escaped=st.booleans())
@example(rows=[ENTITY], escaped=True)
def test_json_lines_round_trip(rows: list[dict[str, Any]], escaped: bool) -> None:
    assert found(read(jsonl(rows, ensure_ascii=escaped), ".jsonl")) == expected(rows)


@given(records, st.sampled_from([None, 0, 3]), st.sampled_from([".json", ".jsonl", ""]))
@example([ENTITY], None, ".json")
def test_json_array_round_trip(rows: list[dict[str, Any]], indent: int | None, ending: str) -> None:
    assert found(read(json.dumps(rows, indent=indent).encode(), ending)) == expected(rows)


@given(records)
@example([ENTITY])
def test_parquet_round_trip(rows: list[dict[str, Any]]) -> None:
    sink = io.BytesIO()
    strings = pa.list_(pa.string())
    schema = pa.schema(
        {"id": pa.string(), "text": pa.string(), "author": strings, "venue": strings, "label": pa.string()}
    )
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), sink)
    assert found(read(sink.getvalue(), ".parquet")) == expected(rows)


plain = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="|"), min_size=1, max_size=8)
cells = st.fixed_dictionaries(
    {
        "id": plain.filter(str.strip),
        "text": (plain | st.lists(pieces, min_size=1, max_size=8).map("".join)).filter(lambda t: not has_html(t)),
        "author": st.lists(plain, max_size=3),
        "venue": st.just([]),
        "label": st.none() | plain,
    }
)


@given(
    st.lists(cells, min_size=1, max_size=6, unique_by=lambda row: row["id"].strip()), st.sampled_from([",", "\t", ";"])
)
@example([ENTITY], ",")
def test_table_round_trip(rows: list[dict[str, Any]], delimiter: str) -> None:
    sink = io.StringIO()
    writer = csv.writer(sink, delimiter=delimiter)
    writer.writerow(["id", "text", "author", "label"])
    for row in rows:
        writer.writerow([row["id"], row["text"], "|".join(row["author"]), row["label"] or ""])
    ending = ".tsv" if delimiter == "\t" else ".csv"
    # What stands between separators is stripped, and a cell in brackets may spell a list.
    stripped = [
        {
            **row,
            "author": [name for part in row["author"] if (name := part.strip())],
            "label": (row["label"] or "").strip() or None,
        }
        for row in rows
    ]
    assume(not any("".join(row["author"]).strip()[:1] in ("[", "{", "(") or _bracketed(row["label"]) for row in rows))
    assert found(read(sink.getvalue().encode(), ending, separator="|")) == expected(stripped)


def _bracketed(label: str | None) -> bool:
    return (label or "").strip()[:1] in ("[", "{", "(") or "|" in (label or "")


@given(st.lists(st.binary(max_size=9), max_size=9))
def test_lines_do_not_depend_on_the_chunks(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)
    parts = whole.split(b"\n")
    kept = parts if parts[-1] else parts[:-1]
    assert list(lines_of(chunks)) == list(enumerate(kept, 1))


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(name, inner, max_size=3)


@given(st.lists(st.recursive(name | st.integers(), nested, max_leaves=5), max_size=4), st.data())
def test_array_elements_do_not_depend_on_the_chunks(items: list[Any], data: st.DataObject) -> None:
    whole = json.dumps(items, indent=data.draw(st.sampled_from([None, 1]))).encode()
    size = data.draw(st.integers(1, max(1, len(whole))))
    chunks = [whole[i : i + size] for i in range(0, len(whole), size)]
    assert [json.loads(raw) for _, raw in array_elements(chunks)] == items  # type: ignore[misc]


ROWS = [{"id": f"p{i}", "text": "Graphs ☃", "author": ["Ann"], "venue": [], "label": None} for i in range(3)]


@pytest.mark.parametrize(
    ("ending", "pack"),
    [
        (".gz", gzip.compress),
        (".xz", lzma.compress),
        (".bz2", bz2.compress),
        (".zst", lambda data: pa.compress(data, codec="zstd", asbytes=True)),
    ],
)
def test_compressed_files_in_one_or_several_pieces(ending: str, pack: Any) -> None:
    assert found(read(pack(jsonl(ROWS)), f".jsonl{ending}")) == expected(ROWS)
    several = pack(jsonl(ROWS[:1])) + pack(jsonl(ROWS[1:]))
    assert found(read(several, f".jsonl{ending}")) == expected(ROWS)
    assert found(read(pack(jsonl(ROWS)), ".jsonl")) == expected(ROWS)  # the bytes decide, not the name
    assert found(read(pack(json.dumps(ROWS).encode()), f".json{ending}")) == expected(ROWS)
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([{"id": "p1", "text": "x"}]), sink)
    assert [r.id for r in read(pack(sink.getvalue()), f".parquet{ending}")] == ["p1"]


def test_numbers_keep_their_spelling() -> None:
    big = "123456789012345678901234567890"
    line = f'{{"id": {big}, "text": "x", "version": [1.10, 1e3, 7], "year": 2008, "size": {big}}}'
    (row,) = read(line.encode(), ".jsonl")
    assert row.id == big
    assert row.metadata == {"version": ["1.10", "1e3", "7"], "year": ["2008"], "size": [big]}


def test_integer_fields_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id":1,"text":"","year":2008,"mixed":1,"v":1.5}\n{"id":2,"text":"","year":[1999],"mixed":"x"}\n')
    reader = BatchReader(path)
    assert sum(map(len, reader)) == 2
    assert reader.schema() == {
        "id": "id",
        "text": ["text"],
        "label": "label",
        "renames": {},
        "kinds": {"year": "integer", "mixed": "string", "v": "string"},
    }


def test_cells_are_integers_when_all_are(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,text,year,code\n1,x,2008,007\n2,y,,008\n")
    reader = BatchReader(path)
    assert [batch.metadata for batch in reader] == [{"year": [["2008"], []], "code": [["007"], ["008"]]}]
    assert reader.schema()["kinds"] == {"year": "integer", "code": "string"}


@pytest.mark.parametrize("spelling", ["-0", "[-0, 7]", "-0.0", "-0e1"])
def test_minus_zero_keeps_its_spelling(tmp_path: Path, spelling: str) -> None:
    wanted = ["-0", "7"] if spelling[0] == "[" else [spelling]
    for name, line in (
        ("a.jsonl", f'{{"id": "a", "text": "x", "x": {spelling}}}\n'),
        ("a.json", f'[{{"id": "a", "x":{spelling},"text": "on 2020-01-02, -0 degrees"}}]'),
    ):
        path = tmp_path / name
        path.write_text(line)
        [row] = read_records(path)
        assert row.metadata == {"x": wanted}


def test_parquet_types_become_their_plain_spelling() -> None:
    import datetime
    import decimal

    row = {
        "id": 5,
        "text": "x",
        "when": datetime.date(2020, 1, 2),
        "price": decimal.Decimal("1.10"),
        "score": 1.5,
        "none": float("nan"),
        "flag": True,
    }
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([row]), sink)
    (got,) = read(sink.getvalue(), ".parquet")
    dates = {"when_year": ["2020"], "when_month": ["2020-01"]}
    assert (got.id, got.metadata) == ("5", {**dates, "price": ["1.10"], "score": ["1.5"]})


def test_values_lose_the_spaces_around_them_and_missing_ones_are_dropped() -> None:
    row = {"id": " p 1 ", "text": "x", "author": ["\xa0Ann B ", "", None, "N/A"], "venue": " - ", "city": "Unknown"}
    (got,) = read(jsonl([row]), ".jsonl")
    assert (got.id, got.metadata) == ("p 1", {"author": ["Ann B"]})
    (got,) = read(jsonl([row]), ".jsonl", na_values="ann b")
    assert got.metadata == {"author": ["N/A"], "venue": ["-"], "city": ["Unknown"]}


def test_fields_keep_the_order_of_the_file() -> None:
    rows = [{"id": 1, "text": "x", "b": [], "a": "1"}, {"id": 2, "text": "x", "b": "2", "a": "1"}]
    assert list(read(jsonl(rows), ".jsonl")[0].metadata) == ["b", "a"]
    assert list(read(jsonl(rows), ".jsonl", metadata="a,b")[0].metadata) == ["a", "b"]


def test_default_id_and_text_fields() -> None:
    row = {"_id": "x", "id": "y", "abstract": "A", "title": "T", "year": 1}
    (got,) = read(jsonl([row]), ".jsonl")
    assert (got.id, got.texts, got.metadata) == ("y", ("T", "A"), {"_id": ["x"], "year": ["1"]})
    (got,) = read(jsonl([row]), ".jsonl", id="_id", text=["abstract"], metadata=["when=year"])
    assert (got.id, got.texts, got.metadata) == ("x", ("A",), {"when": ["1"]})


def test_a_missing_part_of_the_text_is_empty() -> None:
    rows = [{"id": 1, "title": "T", "abstract": None}, {"id": 2, "abstract": ["A", "B"]}]
    assert [r.texts for r in read(jsonl(rows), ".jsonl", text="title,abstract")] == [("T", ""), ("", "A\nB")]
    assert [r.texts for r in read(jsonl(rows[:1]), ".jsonl")] == [("T",)]


def test_ids_of_line_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text\nx\n\ny\n")
    assert [r.id for r in read_records(tmp_path / "a.csv", LoadOptions(id="@line"))] == ["a.csv:2", "a.csv:4"]


def test_label_is_the_field_of_that_name_unless_said_otherwise() -> None:
    content = jsonl([{"id": 1, "text": "x", "label": "a", "truth": "b"}])
    (got,) = read(content, ".jsonl")
    assert (got.label, got.metadata) == ("a", {"truth": ["b"]})
    (got,) = read(content, ".jsonl", label="truth")
    assert (got.label, got.metadata) == ("b", {"label": ["a"]})
    (got,) = read(content, ".jsonl", label="")  # an answer that is not read is no metadata either
    assert (got.label, got.metadata) == (None, {"truth": ["b"]})
    (got,) = read(content, ".jsonl", metadata="label")
    assert (got.label, got.metadata) == (None, {"label": ["a"]})


def test_links_are_ids_and_no_metadata() -> None:
    (got,) = read(jsonl([{"id": 1, "text": "x", "refs": [2, "p"]}]), ".jsonl", links="cites=refs")
    assert (got.links, got.metadata) == ({"cites": ["2", "p"]}, {})


def test_byte_order_mark_and_windows_lines() -> None:
    assert [r.id for r in read(b'\xef\xbb\xbf{"id": 1, "text": "x"}\r\n\r\n{"id": 2, "text": "y"}\r\n', ".jsonl")] == [
        "1",
        "2",
    ]
    (got,) = read(b"\xef\xbb\xbfid,text\r\n1,x\r\n", ".csv")
    assert (got.id, got.texts, got.where[1]) == ("1", ("x",), 2)


def test_a_cell_longer_than_the_csv_module_likes() -> None:
    (got,) = read(b"id,text\n1," + b"x" * 300_000 + b"\n", ".csv")
    assert len(got.texts[0]) == 300_000


def test_formats_are_reported_by_content_where_the_name_says_nothing() -> None:
    assert read(b"id\ttext\n1\tx\n", "")[0].id == "1"
    assert read(b"id,text\n1,x\n", ".txt")[0].id == "1"
    assert read(b'\n {"id": 1, "text": "x"}', ".data")[0].id == "1"
    assert read(b'{"id": 1, "text": "x"}', ".csv", format="jsonl")[0].id == "1"


def test_several_files_and_patterns(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text('{"id": "b", "text": "x"}')
    (tmp_path / "a.csv").write_text("id,text\na,x\n")
    (tmp_path / "sub.jsonl").mkdir()
    assert [Path(p).name for p in expand_paths(str(tmp_path / "*.[jc]s*"))] == ["a.csv", "b.jsonl"]
    assert [r.id for r in read_records([tmp_path / "b.jsonl", str(tmp_path / "a*")])] == ["b", "a"]


def test_a_file_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "a[1].jsonl").write_text('{"id": "b", "text": "x"}')
    assert [r.id for r in read_records(tmp_path / "a[1].jsonl")] == ["b"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input(pack: Any) -> None:
    code = "from hin.reading.documents import read_records; print([r.id for r in read_records('-')])"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(
        [sys.executable, "-c", code], input=pack(b"id,text\n1,x\n"), stdout=subprocess.PIPE, check=True, env=env
    )
    assert done.stdout == f"['1']{os.linesep}".encode()


def test_an_error_while_the_other_end_of_the_pipe_is_open() -> None:
    code = "from hin.reading.documents import read_records; list(read_records('-'))"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=env, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"{\n" * (3 << 20))
        assert process.wait(timeout=60) == 1
        assert b"BadInput: standard input, line 1: not valid JSON" in process.stderr.read()


def test_parts_of_objects() -> None:
    row = {
        "meta": {"key": 7, "title": "T"},
        "authors": [{"name": "Ann"}, {"name": "Bob", "at": ["X", "Y"]}],
        "a.b": "dot",
        "truth": {"name": "t"},
        "refs": [{"id": "p2"}],
    }
    content = jsonl([row])
    metadata = ["author=authors.name", "place=authors.at", "a.b"]
    (got,) = read(
        content,
        ".jsonl",
        id="meta.key",
        text="meta.title",
        metadata=metadata,
        label="truth.name",
        links="cites=refs.id",
    )
    assert (got.id, got.texts, got.label, got.links) == ("7", ("T",), "t", {"cites": ["p2"]})
    assert got.metadata == {"author": ["Ann", "Bob"], "place": ["X", "Y"], "a.b": ["dot"]}
    with pytest.raises(HinError, match=r"no record has the field 'authors\.nme' \(--metadata\)"):
        read(content, ".jsonl", id="meta.key", text="meta.title", metadata="x=authors.nme")


def test_batches_and_progress(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        jsonl([{"id": i, "text": "x", **({"late": i} if i > BATCH_SIZE else {})} for i in range(BATCH_SIZE + 9)])
    )
    reported: list[tuple[int, int | None]] = []
    reader = BatchReader(path, progress=lambda label, done, total, note="": reported.append((done, total)))
    batches = list(reader)
    assert [len(batch) for batch in batches] == [BATCH_SIZE, 9]
    assert [sorted(batch.metadata) for batch in batches] == [[], ["late"]]
    assert batches[1].metadata["late"] == [[], *([str(i)] for i in range(BATCH_SIZE + 1, BATCH_SIZE + 9))]
    assert reported[-1] == (path.stat().st_size, path.stat().st_size)
    assert reader.inputs[0]["bytes"] == path.stat().st_size


def test_leaving_half_way_stops_the_thread(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(jsonl([{"id": i, "text": "x" * 2000} for i in range(20_000)]), 1))
    reader = iter(BatchReader(path))
    next(reader)
    reader.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name == "hin-unpack"]


@given(name.filter(lambda text: text == text.strip() and text != "*"), name.filter(lambda text: text == text.strip()))
def test_field_specs_round_trip(new: str, source: str) -> None:
    spec = FieldSpec(new, source)
    assert parse_fields(str(spec)) == (spec,)


@given(name)
def test_field_keys_forget_case(text: str) -> None:
    assert field_key(text.upper().lower()) == field_key(text.upper().lower().swapcase().lower())
    assert field_key(field_key(text)) == field_key(text)


def test_options_go_into_a_manifest() -> None:
    options = LoadOptions(metadata="a,kind=category", links={"cites": "refs"})
    assert json.loads(json.dumps(options.reading_settings())) == {
        "id": None,
        "text": None,
        "metadata": ["a", "kind=category"],
        "label": None,
        "links": ["cites=refs"],
        "separator": None,
        "format": None,
        "ignore": [],
        "html": None,
        "columns": None,
        "encoding": None,
        "dates": None,
        "na_values": None,
        "keep_case": False,
    }
