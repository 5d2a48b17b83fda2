"""Every query of the cookbook, on both engines, with equal rows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hin.cypher.query import QueryOptions, QueryResult, query_graph
from hin.stores.neo4j.query import query_database
from tests.neo4j.comparing import same_rows

pytestmark = pytest.mark.neo4j

PAGE = Path(__file__).parents[2] / "docs" / "cookbook.md"
QUERIES = re.findall(r"^## ([^\n]+)\n(?:(?!^## ).)*?^```cypher\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_there_are_twenty_five() -> None:
    assert len(QUERIES) >= 25


@pytest.mark.parametrize(("title", "text"), QUERIES, ids=[title for title, _ in QUERIES])
def test_both_engines_give_the_same_rows(both_engines: Any, title: str, text: str) -> None:
    view, store = both_engines
    options = QueryOptions(limit=0)
    folder: QueryResult = query_graph(view, text, options)
    server = query_database(store.database, text, options)
    assert folder.columns == server.columns
    assert same_rows(folder, server, ordered=True)
    assert folder.rows
