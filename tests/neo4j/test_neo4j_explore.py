"""The workbench on Neo4j: lists, reasons, answers, a run and queries, as on a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hin
from classify import ClassifyOptions
from classify.categories.category_file import as_categories
from classify.explore.resources.base import RequestParameters
from classify.explore.resources.documents import document_records
from classify.explore.resources.files import commands_text, predictions
from classify.explore.resources.query import query, schema
from classify.explore.resources.why import near, why
from classify.explore.session import Session
from hin.errors import HinError
from tests.classify.explore.explore_kit import NAMES, write_tickets

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]


def _worked(place: str, file: Path) -> Session:
    """Load, name, answer and run, as the page does."""
    hin.load(file, text=["title", "text"], metadata=["agent"], graph=place)
    options = ClassifyOptions(classifier="linear")
    session = Session(hin.open_store(place), as_categories(NAMES), options)
    session.answer({"t000": "login", "t003": "billing"})
    session.start_run()
    session.run.wait()
    assert session.run.status()["status"] == "done", session.run.status()
    return session


def test_a_database_gives_what_a_folder_gives(neo4j_server: Any, tmp_path: Path) -> None:
    file = write_tickets(tmp_path / "tickets.jsonl")
    sessions = [_worked(str(tmp_path / "here.hin"), file), _worked(neo4j_server.url, file)]
    here, there = sessions
    assert predictions(here) == predictions(there)
    rows = list(range(len(here.graph)))
    assert document_records(here, rows) == document_records(there, rows)
    one = RequestParameters({"document": "t001"})
    assert why(here, one) == why(there, one)
    assert near(here, one) == near(there, one)
    asked = RequestParameters(
        {"query": "MATCH (d:Document)-[:CLASSIFIED_AS]->(c:Category) RETURN d.id, c.name ORDER BY d.id"}
    )
    assert query(here, asked)["records"] == query(there, asked)["records"]
    assert {row["label"] for row in schema(there, RequestParameters({}))["labels"]} >= {"Document", "Agent", "Category"}
    with pytest.raises(HinError):
        query(there, RequestParameters({"query": "MATCH (d:Document) DETACH DELETE d"}))
    assert neo4j_server.url in commands_text(there)
    assert there.undo()["documents"] == ["t000", "t003"]
    assert there.answers.current() == {}
    for session in sessions:
        session.close()
