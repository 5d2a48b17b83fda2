"""What databases, portals, R, Spark and older programs write is read without an option."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from hin.errors import BadInput
from hin.loading import plan_columns
from hin.reading.documents import BatchReader, read_records
from hin.reading.options import LoadOptions

TEXTS = [f"A harbour pilot finds the old chart number {i} behind the mirror of the inn." for i in range(30)]
ROWS = [{"nr": f"p{i}", "title": f"Of chart {i} and inn", "text": text, "city": "Oslo"} for i, text in enumerate(TEXTS)]
NAMES = list(ROWS[0])
CELLS = [list(row.values()) for row in ROWS]
SENTENCE = 'She said "never", and left.'


def read(path: Path, content: str | bytes) -> BatchReader:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return BatchReader(path)


def test_missing_numbers_as_python_writes_them_are_null(tmp_path: Path) -> None:
    rows = [{**row, "price": float("nan")} for row in ROWS]
    for name, content in (("a.json", json.dumps(rows)), ("a.jsonl", "\n".join(map(json.dumps, rows)))):
        (tmp_path / name).write_text(content)
        assert [record.texts[1] for record in read_records(tmp_path / name)] == TEXTS


def test_a_dict_a_line_is_a_record(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("".join(f"{row!r}\n" for row in ROWS))
    assert [record.texts[1] for record in read_records(tmp_path / "a.json")] == TEXTS


def test_lines_below_a_table_are_skipped_and_said(tmp_path: Path) -> None:
    table = "id,text,city\n" + "".join(f"p{i},{text},Oslo\n" for i, text in enumerate(TEXTS))
    reader = read(tmp_path / "a.csv", f'{table}\n"Source: the agency, 2024"\nLast updated in May\n')
    assert sum(len(batch.ids) for batch in reader) == 30
    assert "2 lines below the table skipped, from line 33 on" in reader.notes[0]
    (tmp_path / "b.csv").write_text(f"{table}alone\np31,one more,Rome\n")
    with pytest.raises(BadInput, match="line 32: the row has 1 cells"):
        list(read_records(tmp_path / "b.csv"))


def test_quotes_with_a_backslash_are_read(tmp_path: Path) -> None:
    said = SENTENCE.replace('"', '\\"')
    lines = "".join(f'"p{i}","{text}"\n' for i, text in enumerate([*TEXTS, said, "C:\\\\", said, "two\\nlines"]))
    (tmp_path / "a.csv").write_text(f"id,text\n{lines}")
    texts = [record.texts[0] for record in read_records(tmp_path / "a.csv")]
    assert texts == [*TEXTS, SENTENCE, "C:\\\\", SENTENCE, "two\\nlines"]


def test_a_space_may_stand_before_a_quoted_cell(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id, text, city\n1, "One, and two", Oslo\n2, "Three, and four", Rome\n')
    records = list(read_records(tmp_path / "a.csv"))
    assert [record.texts for record in records] == [("One, and two",), ("Three, and four",)]
    assert [record.metadata["city"] for record in records] == [["Oslo"], ["Rome"]]


def test_the_names_of_rows_in_r_have_no_name(tmp_path: Path) -> None:
    lines = "".join(f'"{i + 1}"\t"{text}"\t"Oslo"\n' for i, text in enumerate(TEXTS))
    (tmp_path / "a.tsv").write_text(f'"text"\t"city"\n{lines}')
    records = list(read_records(tmp_path / "a.tsv"))
    assert [record.texts for record in records] == [(text,) for text in TEXTS]


@pytest.mark.parametrize(("mark", "encoding"), [("\t", "utf-16"), ("|", "utf-8"), (";", "cp1252")])
def test_a_table_may_be_called_txt_and_have_cells_of_several_lines(tmp_path: Path, mark: str, encoding: str) -> None:
    lines = f'id{mark}text\n1{mark}"One\ntwo"\n' + "".join(f"{i}{mark}{text}\n" for i, text in enumerate(TEXTS, 2))
    (tmp_path / "a.txt").write_bytes(lines.encode(encoding))
    assert [record.texts[0] for record in read_records(tmp_path / "a.txt")] == ["One\ntwo", *TEXTS]


NAMED: dict[str, Any] = {
    "CKAN": {"fields": [{"id": name, "type": "text"} for name in NAMES], "records": CELLS},
    "Socrata": {"meta": {"view": {"id": "x", "columns": [{"id": -1, "name": name} for name in NAMES]}}, "data": CELLS},
    "Datasette": {"database": "x", "columns": NAMES, "rows": CELLS, "truncated": False},
}


@pytest.mark.parametrize("shape", NAMED.values(), ids=NAMED)
def test_names_may_stand_beside_the_rows(tmp_path: Path, shape: Any) -> None:
    (tmp_path / "a.json").write_text(json.dumps(shape, indent=1))
    records = list(read_records(tmp_path / "a.json"))
    assert [record.id for record in records] == [row["nr"] for row in ROWS]
    assert [record.texts for record in records] == [(row["title"], row["text"]) for row in ROWS]
    assert records[0].metadata == {"city": ["Oslo"]}


ENVELOPES: dict[str, Any] = {
    "Elasticsearch": [{"_index": "a", "_id": row["nr"], "_source": row} for row in ROWS],
    "Airtable": {"records": [{"id": row["nr"], "createdTime": "2024-01-01", "fields": row} for row in ROWS]},
    "Hugging Face": {"features": [{"name": n} for n in NAMES], "rows": [{"row_idx": 1, "row": row} for row in ROWS]},
}


@pytest.mark.parametrize("shape", ENVELOPES.values(), ids=ENVELOPES)
def test_an_object_with_the_text_has_the_title_and_the_metadata_too(tmp_path: Path, shape: Any) -> None:
    (tmp_path / "a.json").write_text(json.dumps(shape))
    records = list(read_records(tmp_path / "a.json"))
    assert [record.texts for record in records] == [(row["title"], row["text"]) for row in ROWS]
    assert records[0].metadata["city"] == ["Oslo"]


def test_types_of_mongodb_are_values(tmp_path: Path) -> None:
    rows = [
        {
            "_id": {"$oid": row["nr"]},
            "text": row["text"],
            "sent": {"$date": "2009-03-01T00:00:00Z"},
            "n": {"$numberInt": "5"},
        }
        for row in ROWS
    ]
    (tmp_path / "a.json").write_text("\n".join(map(json.dumps, rows)))
    first = next(iter(read_records(tmp_path / "a.json")))
    assert first.id == "p0" and first.metadata == {"sent_year": ["2009"], "sent_month": ["2009-03"], "n": ["5"]}


def test_works_as_crossref_and_citation_tools_write_them(tmp_path: Path) -> None:
    works = [
        {
            "DOI": f"10.1/{i}",
            "title": [TEXTS[i]],
            "author": [{"given": "Ann", "family": f"Lee {i % 3}", "sequence": "first"}, {"literal": "The Team"}],
            "issued": {"date-parts": [[2010 + i % 2, 5, 1 + i]]},
            "reference": [{"key": "r1"}],
        }
        for i in range(30)
    ]
    (tmp_path / "a.json").write_text(json.dumps(works))
    first = next(iter(read_records(tmp_path / "a.json")))
    assert (first.id, first.texts) == ("10.1/0", (TEXTS[0],))
    assert first.metadata == {
        "author": ["Ann Lee 0", "The Team"], "issued_year": ["2010"], "issued_month": ["2010-05"]
    }  # fmt: skip


def test_works_as_openalex_answers(tmp_path: Path) -> None:
    works = [
        {
            "id": f"W{i}",
            "title": f"Work {i} of a long series",
            "abstract_inverted_index": {word: [at] for at, word in enumerate(dict.fromkeys(text.split()))}
            if i % 5
            else None,
            "authorships": [{"author_position": "first", "author": {"id": "A1", "display_name": f"Ann {i % 3}"}}],
            "primary_location": {"is_oa": True, "source": {"display_name": ("Nature", "Cell")[i % 2]}},
        }
        for i, text in enumerate(TEXTS)
    ]
    (tmp_path / "a.json").write_text(json.dumps({"meta": {"count": 30}, "results": works}))
    records = list(read_records(tmp_path / "a.json"))
    assert records[0].texts == ("Work 0 of a long series", "")
    assert records[1].texts[1].split()[:5] == ["A", "harbour", "pilot", "finds", "the"]
    assert records[1].metadata == {"authorships": ["Ann 1"], "primary_location": ["Cell"]}


def test_an_object_of_any_depth_and_a_date_of_odd_figures_are_no_fault(tmp_path: Path) -> None:
    deep: dict[str, Any] = {}
    for _ in range(900):
        deep = {"in": deep}
    works = [{"id": i, "text": text, "deep": deep, "issued": {"date-parts": [["²"]]}} for i, text in enumerate(TEXTS)]
    (tmp_path / "a.json").write_text(json.dumps(works))
    assert next(iter(read_records(tmp_path / "a.json"))).texts == (TEXTS[0],)


def test_a_zotero_item_loads_with_creators_and_tags(tmp_path: Path) -> None:
    items = [
        {
            "key": f"K{i}",
            "data": {
                "title": text,
                "creators": [{"creatorType": "author", "firstName": "Ann", "lastName": f"Lee {i % 3}"}],
                "tags": [{"tag": "sky", "type": 1}, {"tag": "seas"[: 3 + i % 2]}],
                "relations": [{"dc:relation": ["x"]}],
            },
        }
        for i, text in enumerate(TEXTS)
    ]
    (tmp_path / "a.json").write_text(json.dumps(items))
    first = next(iter(read_records(tmp_path / "a.json")))
    assert first.texts == (TEXTS[0],)
    assert (first.metadata["creators"], first.metadata["tags"]) == (["Ann Lee 0"], ["sky", "sea"])
    assert "relations" not in first.metadata
    whys = {row.column: row.why for row in plan_columns(tmp_path / "a.json", LoadOptions())[0]}
    assert whys["creators"] == whys["tags"] == "its values repeat"


def test_a_zip_archive_of_many_texts_is_a_folder(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for i, text in enumerate(TEXTS):
            archive.writestr(f"docs/{'ab'[i % 2]}/{i}.txt", f"{text}\nA second line.")
    records = list(read_records(tmp_path / "a.zip"))
    assert [record.id for record in records] == [f"docs/{'ab'[i % 2]}/{i}.txt" for i in range(30)]
    assert records[0].metadata == {"folder": ["docs/a"]}


def test_files_of_a_folder_may_have_no_ending(tmp_path: Path) -> None:
    (tmp_path / "sci.space").mkdir()
    (tmp_path / "sci.space" / "60789").write_text("From: ann@example.org\nSubject: Orbits\n\nThey are round.\n")
    (tmp_path / "sci.space" / "00001.7c53336b").write_text("Plain words.")
    (tmp_path / "sci.space" / "60790").write_bytes(b"\0\1\2")
    records = list(read_records(tmp_path))
    assert [record.texts for record in records] == [("", "Plain words."), ("Orbits", "They are round.")]


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"From ann@example.org Wed Nov 18 10:00:00 2020\nSubject: x\n", "a mailbox"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a pointer of Git LFS"),
        (b"<stata_dta><header>", "a Stata file"),
        (b"% my papers\n@article{k1, title={On graphs, and more}, year={2010}}\n", "BibTeX"),
        (b"TY  - JOUR\nTI  - On graphs\nER  - \n", "RIS"),
        (b"- id: 1\n  text: rain, and sun\n- id: 2\n  text: snow\n", "YAML"),
        (b"Obj\x01\x04", "an Avro file"),
        (b"a.csv".ljust(257, b"\0") + b"ustar  \0" + b"\0" * 300, "a tar archive"),
    ],
)
def test_what_is_no_table_is_called_by_its_name(tmp_path: Path, head: bytes, what: str) -> None:
    (tmp_path / "a.csv").write_bytes(head)
    with pytest.raises(BadInput, match=what):
        list(read_records(tmp_path / "a.csv"))
