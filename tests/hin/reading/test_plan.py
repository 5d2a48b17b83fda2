"""The one table of columns: what became of each, at every load."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hin.loading import load, plan_columns
from hin.reading.columns.plan import plan_text
from hin.reading.options import LoadOptions


def test_every_load_shows_one_line_for_each_column(tmp_path: Path, hin: Callable) -> None:
    rows = "".join(
        f"{i},{2000 + i},Rain and wind over the sea {i % 7},{['Rome', 'Oslo'][i % 2]},x\n" for i in range(40)
    )
    path = tmp_path / "a.csv"
    path.write_text("no,score,text,city,topic\n" + rows)
    done = hin("load", path, "--graph", tmp_path / "g.hin")
    table = [line.split() for line in done.out.splitlines()[1:]]
    assert table[0] == ["column", "kind", "values", "example", "why"], done.out
    assert [(row[0], row[1]) for row in table[2:]] == [
        ("no", "id"),
        ("score", "left"),
        ("text", "text"),
        ("city", "metadata"),
        ("topic", "left"),
    ]
    assert "maybe the labels: --label topic evaluates by it" in done.out
    done = hin("load", path, "--graph", tmp_path / "g.hin", "--replace", "--json")
    assert [row["column"] for row in json.loads(done.out)["columns"]] == ["no", "score", "text", "city", "topic"]
    assert hin("load", path, "--graph", tmp_path / "g.hin", "--replace", "-q").out == ""


def test_links_and_named_columns_stay_what_they_are_in_a_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    papers = [{"id": str(i), "text": "graphs", "cites": [str(i - 1)], "by": {"name": f"A{i % 2}"}} for i in range(30)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(paper) + "\n" for paper in papers))
    plan, _ = plan_columns("a.jsonl", LoadOptions(links="cites", metadata="by=by.name"))
    assert [(row.column, row.kind) for row in plan] == [
        ("id", "id"),
        ("text", "text"),
        ("cites", "link"),
        ("by", "metadata=by.name"),
    ]
    assert plan[-1].why == "`metadata=` names it"
    (tmp_path / "plan.toml").write_text(plan_text(plan))
    again = load("a.jsonl", columns="plan.toml")
    assert (list(again.links), again.fields) == (["cites"], ("by",))
    ignored, _ = plan_columns("a.jsonl", LoadOptions(ignore="by"))
    assert [(row.kind, row.why) for row in ignored if row.column == "by"] == [("left out", "`ignore=` names it")]


def test_only_what_is_spelled_alike_is_taken_for_meant(tmp_path: Path, hin: Callable) -> None:
    path = tmp_path / "a.csv"
    path.write_text("state,body\nx,graphs\n")
    assert "did you mean" not in hin("load", path, "--graph", tmp_path / "g.hin", "--text", "title").err
    assert "did you mean 'body'" in hin("load", path, "--graph", tmp_path / "g.hin", "--text", "Bodi").err
