"""`hin motifs` on a cluster gives the same folder to the byte."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from hin.stores.folder import FolderStore
from motifs import MotifOptions, Pattern, match
from motifs.on_engine import match_on_engine
from tests.motifs.test_on_engine import PATTERNS, graph_of, same

pytestmark = pytest.mark.spark


def test_workers_find_the_same_instances(spark: Any, tmp_path: Path) -> None:
    graph = graph_of()
    store = FolderStore(tmp_path / "papers.hin")
    graph = store.write_graph(graph, options={})
    stage = store.stage("load")
    assert stage is not None
    for pattern in PATTERNS:
        options = MotifOptions(min_count=2)
        found = match_on_engine(spark, stage.path, graph, Pattern(pattern), options)
        assert same(found, match(graph, Pattern(pattern), options=options))


def test_the_command_writes_the_same_folder(
    spark: Any, hin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here.hin", tmp_path / "there.hin"
    FolderStore(here).write_graph(graph_of(), options={})
    shutil.copytree(here, there)
    # the last one is compared with chance by shuffles
    arguments = ["motifs", "-p", "venue-year", "-p", "author-author", "-p", PATTERNS[5], "--min-count", "2", "--json"]
    monkeypatch.setattr("motifs.commands.closing_engine", lambda engine: _Given(spark if engine else None))
    local = hin(*arguments, "--graph", here)
    cluster = hin(*arguments, "--graph", there, "--engine", "spark://given")
    assert local.code == cluster.code == 0
    assert local.out == cluster.out
    one, other = FolderStore(here).stage("motifs"), FolderStore(there).stage("motifs")
    assert one is not None
    assert other is not None
    assert one.identity == other.identity


class _Given:
    """An engine that stays open: starting another session would take longer than the test."""

    def __init__(self, engine: Any) -> None:
        from hin.engines.base import open_engine

        self.engine = engine or open_engine("local")

    def __enter__(self) -> Any:
        return self.engine

    def __exit__(self, *_: object) -> None:
        pass
