"""What happens when parts of a cluster die: the work goes on, or the graph is as before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hin.engines.base import ranges
from hin.loading import load_into
from hin.reading.options import LoadOptions
from hin.stores.folder import FolderStore
from motifs import MotifOptions, Pattern, match
from motifs.on_engine import match_on_engine
from tests.hin.reading.test_batches import jsonl, loaded, papers
from tests.motifs.test_on_engine import graph_of, same

pytestmark = pytest.mark.spark

ROOT = Path(__file__).resolve().parents[2]


def test_the_work_of_a_killed_worker_is_done_again(spark: Any, deadly: list[float]) -> None:
    def work(block: tuple[int, int]) -> int:
        time.sleep(0.2)
        return sum(range(*block))

    assert list(spark.map(work, ranges(400, 20))) == [sum(range(*block)) for block in ranges(400, 20)]
    assert deadly


def test_a_load_goes_on_when_a_worker_is_killed(
    spark: Any, deadly: list[float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hin.reading.documents.BATCH_SIZE", 10)
    file = jsonl(tmp_path / "papers.jsonl", papers(600))
    one = loaded(tmp_path, [file], "local:1")
    assert loaded(tmp_path, [file], spark) == one
    assert deadly


def test_matching_goes_on_when_a_worker_is_killed(spark: Any, deadly: list[float], tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "papers.hin")
    graph = store.write_graph(graph_of(), options={})
    stage = store.stage("load")
    assert stage is not None
    options = MotifOptions(min_count=2)
    found = match_on_engine(spark, stage.path, graph, Pattern("author-author"), options)
    assert same(found, match(graph, Pattern("author-author"), options=options))
    assert deadly


def test_the_graph_is_as_before_when_the_driver_is_killed(tmp_path: Path) -> None:
    place = tmp_path / "papers.hin"
    load_into(place, jsonl(tmp_path / "old.jsonl", papers(5)))
    before = FolderStore(place).read_graph().documents.tolist()
    new = jsonl(tmp_path / "new.jsonl", papers(9000))
    script = (
        "import hin.reading.documents as documents, cli; documents.BATCH_SIZE = 10; "
        f"cli.main(['load', {str(new)!r}, '--graph', {str(place)!r}, '--replace', '--engine', 'spark:local[1]'])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SPARK_LOCAL_IP": "127.0.0.1"}
    driver = subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        deadline = time.monotonic() + 240
        tokens = place / ".tmp-scratch" / "raw-tokens.npy"
        while not tokens.exists() or tokens.stat().st_size < 1000:
            assert driver.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
    assert FolderStore(place).read_graph().documents.tolist() == before
    load_into(place, new, LoadOptions(replace=True))
    assert len(FolderStore(place).read_graph()) == 9000
    assert not (place / ".tmp-scratch").exists()
