"""The resources of the workbench: previews, fields, quality, motifs, columns, topics, a teacher."""

from __future__ import annotations

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import hin
from classify import ClassifyOptions, Pipeline, Workspace, as_categories
from classify.explore.resources import (
    categories,
    fields,
    motifs,
    preview,
    quality,
    query,
    runs,
    source,
    state,
    teacher,
    topics,
    why,
)
from classify.explore.resources.base import RequestParameters
from classify.explore.resources.documents import answer, documents
from classify.explore.session import Session
from classify.explore.source_file import write_labelled_file
from hin.errors import BadUsage, QueryTimeout, UnknownName
from tests.classify.answers.bad_server import serving as serving_model
from tests.classify.explore.explore_kit import NAMES, write_tickets


def _records(session: Session, **changed: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**asdict(one), **changed.get(one.name, {})} for one in session.edits.categories]


def _run(session: Session) -> None:
    session.start_run()
    session.run.wait()
    assert session.run.status()["status"] == "done", session.run.status()


def test_without_a_change_a_preview_moves_nothing(session: Session) -> None:
    found = preview.preview(session, RequestParameters({}))
    assert (found["moved"], found["documents"], found["moves"]) == (0, 90, [])
    assert list(found["sizes"].values()) == [one["documents"] for one in session.classified().sizes()]


def test_a_word_of_another_category_moves_documents_that_hold_it(session: Session) -> None:
    changed = _records(session, billing={"keywords": ["password", "login page", "account"]})
    found = preview.preview(session, RequestParameters({"categories": changed}))
    assert {"before": "login", "after": "billing"}.items() <= found["moves"][0].items()
    shown = documents(session, RequestParameters({"queue": "preview", "lasso": found["lasso"], "limit": "90"}))[
        "documents"
    ]
    assert len(shown) == found["moved"] > 0
    assert all(one["after"] not in (None, one["category"]) for one in shown)
    assert [category.keywords for category in session.edits.categories] == [(), (), ()], "a preview changes nothing"


def test_a_preview_follows_renamed_merged_new_and_removed_categories(session: Session) -> None:
    session.edit_categories("renamed", _records(session, login={"name": "password"}), {"login": "password"}, 0)
    assert preview.preview(session, RequestParameters({}))["moved"] <= 9, "another name for the same documents"
    merged = [one for one in _records(session) if one["name"] != "password"]
    session.edit_categories("merged", merged, {"password": "billing"}, 1)
    assert preview.preview(session, RequestParameters({}))["sizes"]["billing"] >= 55
    session.undo()
    removed = preview.preview(session, RequestParameters({"categories": _records(session)[1:]}))
    assert removed["moved"] >= 30 and {move["before"] for move in removed["moves"]} >= {None}
    new = preview.preview(session, RequestParameters({"categories": [*_records(session), {"name": "courier"}]}))
    assert new["sizes"]["courier"] > 0


def test_an_answer_moves_its_document_in_the_preview(session: Session) -> None:
    session.answer({"t000": "login"})
    found = preview.preview(session, RequestParameters({}))
    assert "t000" in [
        one["document"]
        for one in documents(session, RequestParameters({"queue": "preview", "lasso": found["lasso"]}))["documents"]
    ]


def test_suggested_words_say_what_they_would_move(session: Session) -> None:
    found = preview.words(session, RequestParameters({"category": "delivery"}))
    assert found and all(isinstance(moved, int) and moved >= 0 for moved in found.values())


def test_a_word_is_checked_for_what_it_clashes_with(session: Session) -> None:
    def notes(kind: str, text: str, of: str = "billing") -> list[str]:
        return list(categories.check(session, RequestParameters({"kind": kind, "text": text, "of": of}))["notes"])

    assert notes("word", "invoice") == []
    assert [note.partition(",")[0] for note in notes("word", "password")] == ["clashes with login"]
    assert notes("word", "password", of="login") == [] and notes("word", "-password") == []
    assert "clashes with the category login" in notes("word", "Login")
    assert "clashes with the category delivery" in notes("name", "Delivery", of="")
    assert notes("word", "zebra") == ["occurs nowhere"]


def test_fields_are_judged_on_request_where_the_patterns_were_named(tmp_path: Path) -> None:
    place = tmp_path / "named.hin"
    hin.load(write_tickets(tmp_path / "tickets.jsonl", 240), text=["title", "text"], metadata=["agent"], graph=place)
    with Workspace(hin.open_store(place)) as workspace:
        options = ClassifyOptions(classifier="linear", patterns=["agent"])
        _ = Pipeline(workspace.graph, as_categories(NAMES), options, workspace=workspace).stored
    session = Session(hin.open_store(place))
    (before,) = fields.fields(session, RequestParameters({}))
    assert (before["worth"], before["why"]) == (None, None)
    assert fields.judge(session, RequestParameters({}))["run"]["status"] == "running"
    session.run.wait()
    (after,) = fields.fields(session, RequestParameters({}))
    assert after["worth"] > 0.5 and "predicts" in after["why"], session.run.status()
    assert after["used"] and state.state(session, RequestParameters({}))["classified"]["current"] is True
    session.close()


def test_a_query_beyond_its_limits_names_what_helps_on_the_page(session: Session, monkeypatch: Any) -> None:
    def long_query(*_: object) -> None:
        raise QueryTimeout("the query ran out of time", hint="give it more with `timeout=SECONDS`")

    monkeypatch.setattr(session, "query", long_query)
    with pytest.raises(BadUsage, match="ran out of time; add a WHERE or a LIMIT"):
        query.query(session, RequestParameters({"query": "MATCH (d) RETURN d"}))


def test_a_field_that_is_switched_off_is_off_in_the_run_and_in_the_commands(session: Session) -> None:
    (one,) = fields.fields(session, RequestParameters({}))
    assert (one["field"], one["used"], one["switched"], one["values"]) == ("agent", True, False, 7)
    assert preview.preview(session, RequestParameters({"fields": {"agent": False}}))["documents"] == 90
    found = fields.switch(session, RequestParameters({"field": "agent", "on": False}))
    assert found["classified"]["current"] is False
    from classify.explore.resources.files import commands_text

    assert "--pattern term" in commands_text(session)
    _run(session)
    assert session.model().facts_.patterns == ["term"]
    assert state.state(session, RequestParameters({}))["classified"]["current"] is True
    assert fields.fields(session, RequestParameters({}))[0]["used"] is False
    session.undo()
    assert fields.fields(session, RequestParameters({}))[0]["used"] is True
    with pytest.raises(UnknownName):
        session.switch("nothing", on=True)


def test_switches_survive_a_restart(session: Session, place: Path) -> None:
    session.switch("agent", on=False)
    session.close()
    again = Session(hin.open_store(place))
    assert again.run_options.patterns == ["term"]
    again.close()


def test_what_is_measured_is_blind_and_teaches_nothing(session: Session) -> None:
    before = quality.figures(session, RequestParameters({}))
    assert before["measured"] is None and before["answers"] == 0
    drawn = quality.draw(session, RequestParameters({"number": 12}))
    listed = documents(session, RequestParameters({"queue": "measure"}))["documents"]
    assert len(listed) == drawn["documents"] == 12
    assert {one["category"] for one in listed} == {None} and "confidence" not in listed[0]
    for one in listed:
        number = int(one["document"][1:])
        right = NAMES[number % 3] if one is not listed[0] else None
        answer(session, RequestParameters({"documents": [one["document"]], "category": right, "purpose": "measure"}))
    found = quality.figures(session, RequestParameters({}))
    assert found["answers"] == found["measured"]["answers"] == 12
    assert 0 <= found["measured"]["low"] <= found["measured"]["accuracy"] <= found["measured"]["high"] <= 1
    assert sum(one["answers"] for one in found["calibration"]) == sum(map(sum, found["confusion"]["table"])) == 12
    assert found["more"]["half_width_then"] < found["more"]["half_width"]
    assert session.answers.current() == {} and state.state(session, RequestParameters({}))["classified"]["current"]
    session.undo()
    assert quality.figures(session, RequestParameters({}))["answers"] == 11


def test_more_answers_are_expected_to_move_what_the_last_ones_moved(session: Session) -> None:
    for first in (0, 3):
        session.answer({f"t{number:03}": "login" for number in range(first, first + 30, 6)})
        _run(session)
    found = quality.figures(session, RequestParameters({}))
    assert found["more"]["moves"] is None or found["more"]["moves"] >= 0
    assert [run["known"] for run in runs.runs(session, RequestParameters({}))] == [0, 5, 10]


def test_patterns_are_listed_by_their_worth_and_instances_open_their_documents(session: Session) -> None:
    found = motifs.patterns(session, RequestParameters({}))
    assert {one["pattern"] for one in found} == {"term", "agent"}
    assert found[0]["worth"] >= found[1]["worth"] > 0.3
    listed = motifs.instances(session, RequestParameters({"pattern": "agent", "chance": "1", "sort": "share"}))
    first = listed["instances"][0]
    assert first["category"] in NAMES and first["share"] > 0.5 and first["expected"] > 0
    shown = documents(session, RequestParameters({"queue": "motif", "pattern": "agent", "instance": first["instance"]}))
    assert shown["total"] == first["documents"]
    drawn = motifs.picture(session, RequestParameters({"pattern": "agent", "instance": first["instance"]}))
    assert drawn["documents"] == first["documents"] and len(drawn["nodes"]) == 1 + min(12, drawn["documents"])
    tried = motifs.instances(session, RequestParameters({"pattern": "(d)-[:agent]->(a)", "search": "2-0"}))
    assert [one["instance"] for one in tried["instances"]] == ["AGENT[Agent 2-0]"]
    with pytest.raises(hin.HinError):
        motifs.instances(session, RequestParameters({"pattern": "agent-nothing"}))


def test_a_node_of_a_picture_opens_its_neighbours(session: Session) -> None:
    asked = RequestParameters({"query": "MATCH (d:Document {id: 't002'})-[r:HAS_AGENT]->(a) RETURN d, r, a"})
    drawn = {node["label"]: node for node in query.query(session, asked)["picture"]["nodes"]}
    assert (drawn["Document"]["name"], drawn["Document"]["document"]) == ("Ticket 2", "t002")
    assert drawn["Agent"]["show"] == {"queue": "search", "search": "agent: Agent 2-0"}
    found = query.around(session, RequestParameters({"label": "Agent", "name": "Agent 2-0"}))
    assert {one["relationship"] for one in found} == {"HAS_AGENT"} and len(found) == 12
    joined = query.around(session, RequestParameters({"label": "Document", "name": "t002"}))
    assert {one["node"]["label"]: one["node"]["name"] for one in joined} == {"Category": "login", "Agent": "Agent 2-0"}
    category = query.around(session, RequestParameters({"label": "Category", "name": "login"}))
    assert [one["relationship"] for one in category] == ["CLASSIFIED_AS"] * 12
    for label, name in (("Agent", "nobody"), ("Motif", "AGENT[Agent 2-0]"), ("Category", "none"), ("Document", "t999")):
        with pytest.raises(UnknownName):
            query.around(session, RequestParameters({"label": label, "name": name}))


def test_topics_and_columns_of_a_file_that_is_loaded_again(tmp_path: Path) -> None:
    file = write_tickets(tmp_path / "tickets.jsonl")
    hin.load(file, graph=tmp_path / "new.hin")
    session = Session(hin.open_store(tmp_path / "new.hin"))
    found = topics.topics(session, RequestParameters({}))
    assert any("invoice" in " ".join(one["words"]) for one in found)
    listed = source.columns(session, RequestParameters({}))
    assert {one["column"]: one["kind"] for one in listed}["agent"] == "metadata"
    session.edit_categories("named", [{"name": name} for name in NAMES], {}, session.edits.revision)
    session.answer({"t000": "billing"})
    source.correct(session, RequestParameters({"columns": {"agent": "left out", "title": "left out"}}))
    session.run.wait()
    assert session.run.status()["status"] == "done", session.run.status()
    assert session.graph.fields == () or "agent" not in session.graph.fields
    assert [one.name for one in session.edits.categories] == NAMES
    assert {one["column"]: one["kind"] for one in source.columns(session, RequestParameters({}))}["agent"] == "left out"
    source.correct(session, RequestParameters({"columns": {"agent": "a planet"}}))
    session.run.wait()
    assert session.run.status()["status"] == "failed" and "planet" in session.run.status()["message"]
    session.close()


def test_a_column_that_may_be_the_answer_names_the_choice_on_the_page(tmp_path: Path) -> None:
    lines = [f"d{n},text number {n} about a thing,{'ab'[n % 2]}" for n in range(40)]
    (tmp_path / "rows.csv").write_text("\n".join(["id,text,topic", *lines]) + "\n", encoding="utf-8")
    hin.load(tmp_path / "rows.csv", graph=tmp_path / "rows.hin")
    with_columns = Session(hin.open_store(tmp_path / "rows.hin"), read_only=True)
    said = {one["column"]: one["why"] for one in source.columns(with_columns, RequestParameters({}))}
    assert said["topic"] == 'maybe the labels: "true label" evaluates by it'


def test_a_dropped_file_is_loaded_beside_the_graph_and_opened(session: Session, tmp_path: Path) -> None:
    content = write_tickets(tmp_path / "other.jsonl", 30).read_bytes()
    (tmp_path / "other.jsonl").unlink()
    session.answer({"t000": "login"})
    for name in ("../up.csv", ".hidden", ""):
        with pytest.raises(BadUsage):
            source.drop(session, RequestParameters({"name": name, "data": ""}))
    half = len(content) // 2
    for offset, part in ((0, content[:half]), (half, content[half:])):
        sent = {"name": "other.jsonl", "offset": offset, "data": base64.b64encode(part).decode(), "last": offset > 0}
        source.drop(session, RequestParameters(sent))
    session.run.wait()
    assert session.run.status()["status"] == "done", session.run.status()
    assert (tmp_path / "other.jsonl").read_bytes() == content
    assert len(session.graph) == 30 and session.edits.categories == () and session.answers.current() == {}
    assert state.state(session, RequestParameters({}))["file"] == "other.jsonl"
    before = Session(hin.open_store(tmp_path / "tickets.hin"))
    assert before.answers.current() == {"t000": "login"}, "the graph before is released, with all that was done"
    before.close()
    with pytest.raises(BadUsage, match="missing"):
        source.drop(session, RequestParameters({"name": "more.csv", "offset": 10, "data": ""}))


def test_the_file_comes_back_with_the_bytes_of_the_command_line(tmp_path: Path, hin_process: Any) -> None:
    file = write_tickets(tmp_path / "tickets.jsonl")
    hin_process("classify", file, "-c", ", ".join(NAMES), "--out", tmp_path / "out.jsonl", "--classifier", "linear")
    session = Session(hin.open_store(f"{file}.hin"))
    made = write_labelled_file(session, tmp_path)
    assert made.name == "tickets-categories.jsonl"
    assert made.read_bytes() == (tmp_path / "out.jsonl").read_bytes()
    session.close()


def test_a_model_is_asked_only_at_the_price_that_was_said(session: Session) -> None:
    def reply(prompt: str, number: int) -> tuple[int, dict[str, str], bytes]:
        content = json.dumps({"category": "login"})
        return 200, {}, json.dumps({"choices": [{"message": {"content": content}}], "usage": {}}).encode()

    with serving_model(reply) as (model, url):
        given = {"url": url, "model": "small", "number": 5}
        said = teacher.price(session, RequestParameters(given))
        assert "5 requests" in said["said"] and not model.prompts
        with pytest.raises(BadUsage, match="price"):
            teacher.ask(session, RequestParameters({"said": "nothing"}))
        teacher.price(session, RequestParameters(given))
        teacher.ask(session, RequestParameters({"said": said["said"]}))
        session.run.wait()
        assert session.run.status()["result"]["answered"] == 5
    assert session.answers.current() == {}, "a teacher's answers are evidence, not a person's"
    assert state.state(session, RequestParameters({}))["classified"]["current"] is False
    _run(session)
    assert state.state(session, RequestParameters({}))["classified"]["current"] is True
    for url in ("echo login", "person", "file:///etc/passwd"):
        with pytest.raises(BadUsage):
            teacher.price(session, RequestParameters({"url": url, "model": "small"}))


def test_explanations_of_many_threads_are_those_of_one(session: Session) -> None:
    names = [f"t{number:03}" for number in range(40)]
    alone = [why.why(session, RequestParameters({"document": name}))["why"]["reasons"] for name in names]
    again = Session(session.store, read_only=True)
    with ThreadPoolExecutor(6) as pool:
        pool.submit(again.grounds)
        together = list(
            pool.map(lambda name: why.why(again, RequestParameters({"document": name}))["why"]["reasons"], names)
        )
    assert together == alone
    assert "flip" in why.flip(session, RequestParameters({"document": "t000"}))


def test_a_model_in_memory_can_be_explored(tmp_path: Path) -> None:
    graph = hin.load(write_tickets(tmp_path / "tickets.jsonl"))
    model = hin.MotifClassifier(NAMES, classifier="linear").fit(graph, ["login", *[None] * 89])
    bench = model.explore(browser=False)
    bench.session.run.wait()
    names = bench.session.classified().named_labels()
    assert names.tolist() == model.predict(graph).tolist() and bench.session.answers.current() == {"t000": "login"}
    bench.stop()
