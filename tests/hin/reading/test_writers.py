"""What pandas and polars write with their default arguments is read without an option, and has the same records."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import hin
from hin.errors import BadInput
from hin.reading.documents import read_records

TEXTS = [f"A harbour pilot finds the old chart number {i} behind the mirror of the inn." for i in range(30)]
CITIES = ["Oslo", "Rome", "Lima"]
FRAME = pd.DataFrame(
    {"text": TEXTS, "city": [CITIES[i % 3] for i in range(30)], "year": [2001 + i % 5 for i in range(30)]}
)


def to_sql(frame: pd.DataFrame, path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        frame.to_sql("papers", database)
        database.commit()


PANDAS: dict[str, tuple[str, Callable[[pd.DataFrame, Path], Any]]] = {
    "to_csv": ("a.csv", lambda frame, path: frame.to_csv(path)),
    "to_json": ("a.json", lambda frame, path: frame.to_json(path)),
    **{
        f"to_json {orient}": ("a.json", lambda frame, path, orient=orient: frame.to_json(path, orient=orient))
        for orient in ("split", "records", "index", "columns", "values", "table")
    },
    "to_json lines": ("a.jsonl", lambda frame, path: frame.to_json(path, orient="records", lines=True)),
    "to_json indented": ("a.json", lambda frame, path: frame.to_json(path, indent=2)),
    "to_parquet": ("a.parquet", lambda frame, path: frame.to_parquet(path)),
    "to_feather": ("a.feather", lambda frame, path: frame.to_feather(path)),
    "to_excel": ("a.xlsx", lambda frame, path: frame.to_excel(path)),
    "to_sql": ("a.db", to_sql),
}
POLARS: dict[str, tuple[str, Callable[[pl.DataFrame, Path], Any]]] = {
    "write_csv": ("a.csv", lambda frame, path: frame.write_csv(path)),
    "write_json": ("a.json", lambda frame, path: frame.write_json(path)),
    "write_ndjson": ("a.ndjson", lambda frame, path: frame.write_ndjson(path)),
    "write_parquet": ("a.parquet", lambda frame, path: frame.write_parquet(path)),
    "write_ipc": ("a.arrow", lambda frame, path: frame.write_ipc(path)),
    "write_ipc_stream": ("a.arrows", lambda frame, path: frame.write_ipc_stream(path)),
}


def check(path: Path, named: bool = True) -> None:
    records = list(read_records(path))
    assert [record.texts for record in records] == [(text,) for text in TEXTS]
    city, year = ("city", "year") if named else ("column 2", "column 3")
    assert [record.metadata[city] for record in records] == [[value] for value in FRAME["city"]]
    assert [record.metadata[year] for record in records] == [[str(value)] for value in FRAME["year"]]
    assert len({record.id for record in records}) == 30
    assert set(hin.load(path).fields) == {city, year}


@pytest.mark.parametrize(("name", "write"), PANDAS.values(), ids=PANDAS)
def test_pandas(tmp_path: Path, name: str, write: Callable[[pd.DataFrame, Path], Any], request: Any) -> None:
    write(FRAME, tmp_path / name)
    check(tmp_path / name, "values" not in request.node.name)


@pytest.mark.parametrize("index", ["index", "columns", "split", "table"])
def test_an_index_of_names_is_the_id(tmp_path: Path, index: str) -> None:
    frame = FRAME.set_axis([f"d{i}" for i in range(30)])
    frame.to_json(tmp_path / "a.json", orient=index)
    assert [record.id for record in read_records(tmp_path / "a.json")] == list(frame.index)


@pytest.mark.parametrize(("name", "write"), POLARS.values(), ids=POLARS)
def test_polars(tmp_path: Path, name: str, write: Callable[[pl.DataFrame, Path], Any]) -> None:
    write(pl.from_pandas(FRAME), tmp_path / name)
    check(tmp_path / name)


RECORDS = json.loads(FRAME.to_json(orient="records"))
SHAPES: dict[str, Any] = {
    "keyed by id": {f"02cG{i}": record for i, record in enumerate(RECORDS)},
    "under a key": {"count": 30, "next": None, "results": RECORDS},
    "two levels down": {"response": {"status": "ok", "docs": RECORDS}},
    "features": {
        "type": "FeatureCollection",
        "features": [{"type": "Feature", "geometry": {"x": 1}, "properties": record} for record in RECORDS],
    },
    "lists by column": FRAME.to_dict("list"),
    "rows with names": [list(FRAME.columns), *FRAME.values.tolist()],
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_json_that_holds_all_records_in_one_value(tmp_path: Path, shape: Any, indent: int | None) -> None:
    (tmp_path / "a.json").write_text(json.dumps(shape, indent=indent))
    check(tmp_path / "a.json")


def test_objects_over_several_lines_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("\n".join(json.dumps(record, indent=2) for record in RECORDS))
    check(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"a": [{"text": "x"}], "b": [{"text": "y"}]}', "several lists of records: 'a', 'b'"),
        ('{\n "p1": {"text": "x"},\n "p2": {"text" "y"}\n}', "line 3: not valid JSON"),
        ('{\n "p1": {"text": "x"},\n "p1": {"text": "y"}\n}', "the key 'p1' twice"),
        ('[{"id": "a", "text": 7}]', "the field 'text' holds a number"),
    ],
)
def test_what_is_wrong_with_json_is_one_line(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(BadInput, match=said):
        list(read_records(tmp_path / "a.json"))
