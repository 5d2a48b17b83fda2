"""DataFrames, Arrow tables and lists of dicts are read as a file with the same rows would be."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import hin
from hin.errors import BadInput, BadUsage
from hin.graph import Graph
from tests.hin.reading.test_columns import films

ROWS: list[dict[str, Any]] = [
    {"id": "p1", "text": "Mining large graphs", "author": ["Ann", "Bob"], "year": 2008, "score": 1.5},
    {"id": "p2", "text": "Query plans", "author": [], "year": 2009, "score": None},
    {"id": "p3", "text": "Graph plans", "author": ["Ann"], "year": 2008, "score": float("nan")},
]


def from_file(tmp_path: Path, rows: list[dict[str, Any]]) -> Graph:
    path = tmp_path / "rows.jsonl"
    clean = [{k: None if v != v else v for k, v in row.items()} for row in rows]
    path.write_text("\n".join(map(json.dumps, clean)))
    return hin.load(path, phrases=False)


TABLES = {
    "dicts": lambda rows: rows,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.Table.from_pylist,
    "batch": pa.RecordBatch.from_pylist,
}


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_the_same_graph_as_from_a_file(tmp_path: Path, make: Any) -> None:
    assert hin.load(make(ROWS), phrases=False).equals(from_file(tmp_path, ROWS))


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_raw_columns_are_reported_by_what_they_hold(kind: str) -> None:
    graph = hin.load(TABLES[kind](films()), phrases=False)
    assert (graph.texts.fields, set(graph.fields)) == (("title", "overview"), {"keywords", "studios", "year"})
    assert graph.documents[:2] == ["0", "1"]


def test_an_index_is_the_id_where_no_column_is() -> None:
    frame = pd.DataFrame({"text": ["a", "b"]}, index=pd.Index(["x", "y"], name="key"))
    assert hin.load(frame).documents.tolist() == ["x", "y"]
    assert hin.load(pd.DataFrame({"text": ["a", "b"]})[1:]).documents.tolist() == ["1"]
    assert hin.load([{"text": "a"}, {"text": "b"}]).documents.tolist() == ["0", "1"]


def test_values_of_numpy_and_pandas_are_spelled_plainly() -> None:
    frame = pd.DataFrame(
        {
            "id": np.array([1, 2]),
            "text": ["a", "b"],
            "when": [pd.Timestamp("2020-01-02"), pd.Timestamp("2020-01-03 04:05")],
            "level": pd.array([1, None], dtype="Int64"),
            "kindof": pd.Categorical(["x", "y"]),
            "tags": [np.array(["s", "t"]), {"u"}],
        }
    )
    graph = hin.load(frame)
    names = {name: graph.names(name).tolist() for name in graph.fields}
    assert names == {
        "when_year": ["2020"],
        "when_month": ["2020-01"],
        "level": ["1"],
        "kindof": ["x", "y"],
        "tags": ["s", "t", "u"],
    }
    rows = [{"id": 1, "text": "a", "day": datetime.date(2020, 1, 2), "part": {"name": "n"}}]
    assert hin.load(rows, metadata="day").names("day").tolist() == ["2020-01-02"]


def test_a_table_can_be_saved_and_appended_to(tmp_path: Path) -> None:
    hin.load(pd.DataFrame({"text": ["a", "b"], "year": [1, 2]}), graph=tmp_path / "g.hin")
    more = pd.DataFrame({"text": ["c"], "year": [2]}, index=[7])
    graph = hin.load(more, graph=tmp_path / "g.hin", append=True)
    assert graph.documents.tolist() == ["0", "1", "7"]
    assert json.loads((tmp_path / "g.hin" / "manifest.json").read_text())


def test_what_is_no_table_is_reported() -> None:
    with pytest.raises(BadUsage, match="cannot load documents from int; give the name of a file, a DataFrame"):
        hin.load(5)
    with pytest.raises(BadInput, match="the table: empty"):
        hin.load(pd.DataFrame({"text": []}))
    with pytest.raises(BadInput, match="the table, line 1, field 'text': missing"):
        hin.load([{"id": 1, "text": "a"}, {"id": 2}])


def test_neither_pandas_nor_polars_is_needed() -> None:
    code = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pandas", "polars"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
import hin
print(hin.load([{"id": "p1", "text": "Mining graphs", "venue": "KDD"}]))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "Graph(1 document, 2 term, 1 venue)\n"


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_text_is_an_empty_text(missing: Any) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "text": ["Mining graphs", missing]})
    assert hin.load(frame).names("document").tolist() == ["a", "b"]
