"""Fixtures of the workbench: a classified graph, a session on it, a server, a page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hin
from classify.explore.session import Session
from tests.classify.explore.explore_kit import Bench, Served, classified_graph, serving


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return classified_graph(tmp_path_factory.mktemp("made"))


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "tickets.hin"))


@pytest.fixture
def session(place: Path) -> Iterator[Session]:
    opened = Session(hin.open_store(place))
    yield opened
    opened.close()


@pytest.fixture
def served(place: Path) -> Iterator[Served]:
    with serving(place) as found:
        yield found


@pytest.fixture
def bench(browser: Any, served: Served) -> Iterator[Bench]:
    page = Bench(browser, served.address)
    yield page
    page.close()
