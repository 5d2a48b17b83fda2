"""Cards for notebooks: they say what is there, and nothing in them acts, whatever the names are."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hin as package
from hin.errors import argument, in_options
from hin.reading.columns.choose import ColumnChoice
from hin.reading.columns.stored_remarks import attach_remarks
from motifs import match, match_all
from tests.hin.notebook.card_kit import HOSTILE, check


def rows() -> list[dict[str, Any]]:
    return [
        {"id": f"d{i}", "text": "on graphs and their motifs", "venue": HOSTILE[i % len(HOSTILE)], "year": 2000 + i % 2,
         "topic": "a" if i % 2 else "b", "status": "ok"}
        for i in range(40)
    ]  # fmt: skip


def named(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "venue": row["venue"].encode("utf-8", "replace").decode()}


@pytest.fixture(scope="module")
def graph() -> package.Graph:
    return package.load([named(row) for row in rows()], phrases=False)


def test_a_graph_shows_what_is_in_it_and_what_became_of_its_columns(graph: package.Graph) -> None:
    seen = check(graph._repr_html_())
    assert "Graph: 40 documents" in seen.text and "text from text" in seen.text
    assert "2000 (20), 2001 (20)" in seen.text
    assert "What became of 2 columns" in seen.text
    assert "maybe the labels: label='topic' evaluates by it" in seen.text
    assert "metadata='topic,*' uses it" in seen.text


def test_no_name_acts_in_any_card(graph: package.Graph) -> None:
    found = match(graph, "venue", min_count=1)
    for card in (graph._repr_html_(), found._repr_html_(), match_all(graph, ["venue", "venue-year"])._repr_html_()):
        check(card)
    seen = check(found._repr_html_())
    assert "VENUE[<script>window.acted = 1</script>] " in seen.text.replace("]", "] "), "shown, not run"
    assert r"turned \u202e around" in seen.text


def test_a_motif_table_shows_the_most_frequent_instances(graph: package.Graph) -> None:
    found = match(graph, "year", min_count=5)
    seen = check(found._repr_html_())
    assert "Motif year: 2 instances" in seen.text and "100% of 40 documents have an instance" in seen.text
    assert "YEAR[2000]20" in seen.text
    assert "more" not in seen.text
    many = check(match(graph, "venue-year", min_count=1)._repr_html_())
    assert "and 8 more" in many.text
    assert check(match(graph, "venue", min_count=1000)._repr_html_()).text.startswith("Motif venue: 0 instances")


def test_hostile_columns_and_kept_remarks_do_not_act(graph: package.Graph) -> None:
    kept = [{"column": bad, "use": bad, "why": bad, "change": argument("ignore", bad)} for bad in HOSTILE]
    other = attach_remarks(package.load(rows()[:1]), {"columns": kept, "notes": HOSTILE})
    check(other._repr_html_())
    assert len(other.columns) == len(HOSTILE)
    for broken in (None, 3, "x", [1, None, {}], [{"column": 1, "use": "id", "why": "", "change": ""}], {"a": 1}):
        assert attach_remarks(graph, {"columns": broken, "notes": broken}).columns == ()
        graph._repr_html_()


def test_an_opened_graph_is_still_shown(tmp_path: Path) -> None:
    made = package.load([named(row) for row in rows()], graph=tmp_path / "g.hin")
    again = package.open(tmp_path / "g.hin")
    assert made.columns == again.columns and {one.column for one in again.columns} == {"topic", "status"}
    more = [{**named(row), "id": f"e{i}"} for i, row in enumerate(rows()[:3])]
    added = package.load(more, graph=tmp_path / "g.hin", append=True)
    assert added.columns == again.columns, "what was decided stays"


def test_notes_are_reported_in_python_and_as_options_on_the_command_line(tmp_path: Path, hin: Callable) -> None:
    who = ["Ann", "ann", "Bob", "Cy", "Cy"]
    given = [{"id": f"d{i}", "text": "a look at the sky", "who": who[i % 5]} for i in range(20)]
    graph = package.load(given)
    assert graph.notes[0].endswith("(`keep_case=True` of `hin load` keeps them apart)")
    assert "(keep_case=True of hin load keeps them apart)" in check(graph._repr_html_()).text.replace("`", "")
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))
    said = hin("load", tmp_path / "d.jsonl", "--graph", tmp_path / "g.hin").err
    assert "(--keep-case of `hin load` keeps them apart)" in said


@pytest.mark.parametrize("value", [*HOSTILE[:-2], "year,*", "", "it's", 'a "b"', "`", "\\"])
def test_an_argument_becomes_the_option_a_shell_reads(value: str) -> None:
    words = in_options(f"use {argument('metadata', value)}")
    command = f"printf '%s\\0' {words}"
    read = subprocess.run(["bash", "-c", command], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}).stdout
    assert read.decode().split("\0")[:-1] == ["use", "--metadata", value]


def test_a_decision_is_a_sentence() -> None:
    assert str(ColumnChoice("@line", "id", "there is none", "`id='FIELD'`")) == "id, there is none [`id='FIELD'`]"
