"""`hin classify FILE` and `hin.classify`: from a user's table to the same table with labels."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from classify.labelled.tables import classify
from hin.errors import BadUsage

pytestmark = pytest.mark.slow

TICKETS = Path(__file__).parents[3] / "examples" / "tickets.csv"
NAMES = "billing, delivery, login, repair, returns"
QUICK = ["--classifier", "linear", "--epochs", "2", "--dim", "20", "--text", "subject,body", "--label", "topic"]


@pytest.fixture
def tickets(tmp_path: Path) -> Path:
    """The first hundred tickets, and one without words."""
    path = tmp_path / "tickets.csv"
    lines = TICKETS.read_text(encoding="utf-8").splitlines()[:101]
    path.write_text("\n".join([*lines, "T-9999,!,?,,,,,"]) + "\n", encoding="utf-8")
    return path


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_file_goes_in_and_comes_back_with_three_more_columns(tickets: Path, hin: Callable) -> None:
    out, own_graph = tickets.with_name("out.csv"), tickets.with_name("tickets.csv.hin")
    done = hin("classify", tickets, "-c", NAMES, *QUICK, "--out", out, "--json")
    assert done.code == 0 and done.json["documents"] == 101 and done.json["rows"] == "your rows"
    before, after = rows_in(tickets), rows_in(out)
    assert [{name: row[name] for name in before[0]} for row in after] == before
    assert list(after[0])[-3:] == ["category", "confidence", "because"]
    assert sum(row["category"] == row["topic"] for row in after) > 80
    assert 1 <= len(after[0]["because"].split("; ")) <= 3
    assert after[-1]["category"] == after[-1]["because"] == ""

    first, said = out.read_bytes(), hin("classify", tickets, "-c", NAMES, *QUICK, "--out", out)
    assert "already" in said.err and out.read_bytes() == first
    assert f"--graph {own_graph}" in said.err  # the next command needs it

    changed = tickets.read_text(encoding="utf-8").replace("T-0001,", "T-1111,")
    tickets.write_text(changed, encoding="utf-8")
    assert hin("classify", tickets, "-c", NAMES, *QUICK, "--out", out).code == 0
    assert rows_in(out)[0]["id"] == "T-1111"


def test_a_graph_that_was_loaded_before_gives_the_rows_of_its_file(tickets: Path, hin: Callable) -> None:
    graph, out = tickets.with_name("graph.hin"), tickets.with_name("out.jsonl")
    assert hin("load", tickets, "--text", "subject,body", "--label", "topic", "--graph", graph).code == 0
    asked = ["classify", "-c", NAMES, *QUICK[:6], "--graph", graph, "--out", out]
    assert "the rows of tickets.csv" in hin(*asked, "--scores").out
    row = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert list(row)[:2] == ["id", "subject"] and set(row["scores"]) == set(NAMES.split(", "))
    tickets.rename(tickets.with_name("elsewhere.csv"))
    assert "as the graph keeps them" in hin(*asked).out
    row = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert list(row)[:2] == ["document", "subject"] and "because" in row and "scores" not in row
    assert hin(*asked, "--plain").code == 0
    row = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert list(row) == ["document", "category", "confidence"]


def test_other_peoples_graphs_are_not_replaced(tickets: Path, hin: Callable) -> None:
    graph, other = tickets.with_name("graph.hin"), tickets.with_name("other.csv")
    other.write_text("id,text\na,one two\nb,three\n")
    assert hin("load", other, "--graph", graph).code == 0
    done = hin("classify", tickets, "-c", NAMES, *QUICK, "--graph", graph)
    assert done.code == 1 and "a graph of other documents" in done.err and "--replace" in done.err


def test_files_that_match_a_pattern_have_one_graph_beside_their_folder(tickets: Path, hin: Callable) -> None:
    folder, out = tickets.parent / "parts", tickets.parent / "out.csv"
    folder.mkdir()
    header, *lines = tickets.read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "a.csv").write_text(header + "".join(lines[:50]), encoding="utf-8")
    (folder / "b.csv").write_text(header + "".join(lines[50:]), encoding="utf-8")
    for again in (False, True):
        done = hin("classify", folder / "*.csv", "-c", NAMES, *QUICK, "--out", out)
        assert done.code == 0 and ("has the documents of" in done.err) == again, done.err
        assert len(out.read_text(encoding="utf-8").splitlines()) == 1 + len(lines)
    assert (tickets.parent / "parts.hin").is_dir() and sorted(path.name for path in folder.iterdir()) == [
        "a.csv",
        "b.csv",
    ]


def test_streams_in_and_out_with_several(tickets: Path, hin_process: Callable) -> None:
    stdin = tickets.read_text(encoding="utf-8")
    done = hin_process("classify", "-", "-c", NAMES, *QUICK, "--several", "--out", "-", stdin=stdin, cwd=tickets.parent)
    assert done.code == 0, done.err
    rows = list(csv.DictReader(done.out.splitlines()))
    assert len(rows) == 101 and list(rows[0])[-3:] == ["categories", "confidence", "because"]
    assert {name for row in rows for name in row["categories"].split("; ") if name} <= set(NAMES.split(", "))
    assert sorted(path.name for path in tickets.parent.iterdir()) == ["tickets.csv"]


def test_frames_come_back_as_what_they_were(tickets: Path) -> None:
    pandas = pd.read_csv(tickets).set_index("id")
    given = {"categories": NAMES.split(", "), "text": ["subject", "body"], "label": "topic"}
    found = classify(pandas, **given)
    assert isinstance(found, pd.DataFrame) and found.index.equals(pandas.index)
    pd.testing.assert_frame_equal(found[pandas.columns], pandas)
    assert list(found.columns[-3:]) == ["category", "confidence", "because"]
    assert "category" not in pandas.columns
    assert (found.category == found.topic).mean() > 0.8 and found.category.isna().iloc[-1]

    from_polars = classify(pl.read_csv(tickets), **given)
    assert isinstance(from_polars, pl.DataFrame)
    assert from_polars["category"].to_list()[:100] == found.category.to_list()[:100]

    from_file = classify(tickets, **given)
    assert isinstance(from_file, pa.Table)
    assert from_file["category"].to_pylist()[:100] == found.category.to_list()[:100]


def test_an_option_that_is_not_there_is_named() -> None:
    with pytest.raises(BadUsage, match="txt"):
        classify([{"text": "a"}], ["a", "b"], txt="text")
    with pytest.warns(DeprecationWarning, match="seed"), pytest.raises(BadUsage, match="txt"):
        classify([{"text": "a"}], ["a", "b"], txt="text", random_state=1)
