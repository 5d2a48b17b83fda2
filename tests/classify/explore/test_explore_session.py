"""What the workbench remembers: edits, answers, undo; and what it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import hin
from classify.categories.category_file import Category, parse_categories
from classify.explore.resources.base import RequestParameters
from classify.explore.resources.documents import documents
from classify.explore.resources.files import answers_text, labels_text
from classify.explore.resources.runs import difference
from classify.explore.session import Session
from hin.errors import BadInput, GraphBusy, GraphChanged, ReadOnly
from tests.classify.explore.explore_kit import NAMES, ROOT, write_tickets


def _records(session: Session) -> list[dict[str, Any]]:
    return [asdict(category) for category in session.edits.categories]


def _edit(session: Session, records: list[dict[str, Any]], **renamed: str | None) -> None:
    session.edit_categories("edited", records, renamed, session.edits.revision)


def _shown(session: Session, **asked: str) -> list[str]:
    return [one["document"] for one in documents(session, RequestParameters(asked))["documents"]]


def test_it_begins_with_the_last_categories(session: Session) -> None:
    assert [category.name for category in session.edits.categories] == NAMES


def test_answers_and_edits_are_undone_one_by_one(session: Session) -> None:
    session.answer({"t000": "billing"})
    session.answer({"t000": "login", "t003": "login"})
    _edit(session, [*_records(session), asdict(Category("refunds"))])
    session.answer({"t000": None})
    assert session.answers.current() == {"t003": "login"}
    assert session.undo()["documents"] == ["t000"]
    assert session.answers.current() == {"t000": "login", "t003": "login"}
    session.undo()
    assert [category.name for category in session.edits.categories] == NAMES
    session.undo()
    assert session.answers.current() == {"t000": "billing"}
    session.undo()
    assert session.answers.current() == {}
    assert session.undo()["undone"] is None


def test_answers_follow_a_category_that_is_renamed_and_go_with_one_that_is_removed(session: Session) -> None:
    session.answer({"t000": "billing", "t001": "delivery"})
    records = _records(session)
    _edit(session, [{**records[0], "name": "invoices"}, *records[1:]], billing="invoices")
    assert session.answers.current() == {"t001": "delivery", "t000": "invoices"}
    _edit(session, [record for record in _records(session) if record["name"] != "delivery"])
    assert session.answers.current() == {"t000": "invoices"}
    session.undo()
    session.undo()
    assert session.answers.current() == {"t000": "billing", "t001": "delivery"}
    assert [category.name for category in session.edits.categories] == NAMES


def test_what_was_done_is_there_after_a_restart(session: Session, place: Path) -> None:
    session.answer({"t000": "billing"})
    _edit(
        session,
        [{**record, "keywords": ["amount"]} if i == 0 else record for i, record in enumerate(_records(session))],
    )
    session.close()
    again = Session(hin.open_store(place))
    assert again.edits.categories[0].keywords == ("amount",)
    assert again.answers.current() == {"t000": "billing"}
    again.undo()
    again.undo()
    assert again.answers.current() == {} and again.edits.categories[0].keywords == ()
    again.close()


def test_an_edit_of_another_page_is_not_overwritten(session: Session) -> None:
    seen = session.edits.revision
    session.answer({"t000": "billing"})
    with pytest.raises(GraphChanged):
        session.edit_categories("late", _records(session), {}, seen)


def test_categories_are_what_a_labels_file_can_hold(session: Session) -> None:
    given = [
        Category("space", ("orbit", "AGENT[Agent 0-0]"), 0.25, ("cat",), ("science",), "rockets, planets"),
        Category("#hash", ("-minus",)),
        Category("use::games"),
    ]
    _edit(session, [asdict(category) for category in given])
    assert list(parse_categories(labels_text(session).splitlines())) == given
    for name in ("a: b", "a | b", "x [7]", "", "  ", "a > b", "two\nlines: x"):
        with pytest.raises(BadInput):
            _edit(session, [{"name": name}, {"name": "other"}])
    with pytest.raises(BadInput):
        _edit(session, [{"name": "web"}, {"name": "Web"}])


def test_a_second_workbench_may_only_read(session: Session, place: Path) -> None:
    with pytest.raises(GraphBusy):
        Session(hin.open_store(place))
    other = Session(hin.open_store(place), read_only=True)
    for change in (lambda: other.answer({"t000": "billing"}), other.undo, other.start_run, lambda: _edit(other, [])):
        with pytest.raises(ReadOnly):
            change()
    session.answer({"t000": "billing"})
    assert other.answers.current() == {"t000": "billing"}


def test_a_graph_that_was_replaced_is_not_mixed_with_this_one(session: Session, place: Path, tmp_path: Path) -> None:
    hin.load(write_tickets(tmp_path / "other.jsonl", 30), graph=place, replace=True)
    for change in (
        lambda: session.answer({"t000": "billing"}),
        session.undo,
        lambda: documents(session, RequestParameters({})),
    ):
        with pytest.raises(GraphChanged):
            change()


def test_queues(session: Session) -> None:
    found = session.classified()
    assert len(_shown(session, queue="all", limit="500")) == 90
    unsure = _shown(session, queue="unsure", category="billing")
    assert unsure and set(unsure) == set(_shown(session, queue="typical", category="billing"))
    assert _shown(session, queue="search", search="agent: Agent 0-0") == [f"t{n:03}" for n in range(0, 90, 6)]
    assert _shown(session, queue="search", search="INVOICE amount")[0] == "t000"
    assert _shown(session, queue="search", search="/case (7|8)$/") == ["t007", "t008"]
    assert _shown(session, queue="search", search="t042") == ["t042"]
    assert _shown(session, queue="search", search="MATCH (d:Document) WHERE d.id = 't005' RETURN d") == ["t005"]
    assert _shown(session, queue="search", search="MATCH (d:Document {id: 't006'}) RETURN d.id") == ["t006"]
    assert _shown(session, queue="search", search="nothing like it") == []
    asking = _shown(session, queue="asking")
    assert len(asking) == 40
    session.answer({asking[0]: NAMES[0]})
    assert asking[0] not in _shown(session, queue="asking")
    assert _shown(session, queue="answered") == [asking[0]]
    assert asking[0] in answers_text(session)
    between = _shown(session, queue="between", category="billing", other="login")
    assert all(found.names[found.labels[session.row(one)]] != "delivery" for one in between)
    assert _shown(session, queue="moved") == []


def test_a_search_does_not_import_pandas(place: Path) -> None:
    code = f"""import sys, hin
from classify.explore.lists.search import search_rows
from classify.explore.session import Session
session = Session(hin.open_store({str(place)!r}), read_only=True)
assert len(search_rows(session, "invoice amount")) > 0 and len(search_rows(session, "/inv.ice/")) > 0
assert "pandas" not in sys.modules"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})


def test_a_value_of_a_field_with_any_name_is_searched(tmp_path: Path) -> None:
    lines = [{"id": f"d{n}", "text": f"text {n}", "first author": f"Ann: {n % 2}"} for n in range(4)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    graph = hin.load(tmp_path / "a.jsonl", text="text", metadata=["first author"], graph=tmp_path / "a.hin")
    session = Session(hin.open_store(tmp_path / "a.hin"), read_only=True)
    assert graph.fields == ("first author",)
    for search in ("first author: Ann: 1", "First Author:ann: 1", "FIRST AUTHOR[Ann: 1]"):
        assert _shown(session, queue="search", search=search) == ["d1", "d3"]


def test_a_run_moves_documents_and_the_next_process_knows_which(session: Session, place: Path) -> None:
    seven = [f"t{number:03}" for number in range(0, 21, 3)]
    session.answer(dict.fromkeys(seven, "login"))
    session.start_run()
    session.run.wait()
    status = session.run.status()
    assert status["status"] == "done", status
    assert status["result"]["known"] == 7 and status["result"]["moved"] >= 7
    moved = _shown(session, queue="moved", limit="500")
    assert set(seven) <= set(moved) and len(moved) == status["result"]["moved"]
    assert set(moved[-7:]) == set(seven), "what was answered is no news"
    one = next(record for record in documents(session, RequestParameters({"queue": "moved"}))["documents"])
    assert one["before"] != one["category"]
    reported = difference(session, RequestParameters({"before": "1", "after": "2"}))
    assert reported["moved"] == len(moved) == sum(move["documents"] for move in reported["flows"])
    session.close()
    again = Session(hin.open_store(place), read_only=True)
    assert _shown(again, queue="moved", limit="500") == moved


def test_a_run_can_be_stopped_and_changes_nothing(session: Session) -> None:
    before = session.classified().identity
    session.answer({"t000": "login"})
    session.run.start(lambda progress: [session.run.stop(), progress("first step", 0, None)])
    session.run.wait()
    assert session.run.status()["status"] == "stopped"
    assert session.classified().identity == before
    session.start_run()
    session.run.stop()
    session.run.wait()
    assert session.run.status()["status"] in ("stopped", "done")
