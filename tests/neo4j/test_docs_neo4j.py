"""The examples of the Neo4j guide hold against a real server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.docs.page_examples import Page

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.neo4j
def test_the_examples_of_the_guide_hold(neo4j_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HIN_GRAPH", raising=False)  # the page names the graph itself
    page = Page(ROOT / "docs" / "how-to" / "neo4j.md", tmp_path, {}, "example", server=neo4j_server.url)
    failures = page.run()
    assert not failures, "\n\n".join(failures)
