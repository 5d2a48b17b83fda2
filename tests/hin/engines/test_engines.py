"""Engines by name, and errors that are reported before Java would start."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from hin.engines.base import ENGINES, EngineError, open_engine, ranges
from hin.engines.spark import _as_hin_error
from hin.errors import BadUsage


def test_the_environment_names_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_engine().location == "local"
    monkeypatch.setenv("HIN_ENGINE", "local:3")
    assert open_engine().workers == 3
    assert ENGINES.names() == ["local", "spark"]


@pytest.mark.parametrize("bad", ["local:0", "local:x", "lokal", "spark://host", "spark:", 3])
def test_a_location_that_means_nothing_is_bad_usage(bad: object) -> None:
    with pytest.raises(BadUsage):
        open_engine(bad)


def test_a_master_that_does_not_answer_is_reported_before_java_starts() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(EngineError, match="no Spark master answers at spark://127.0.0.1"):
        open_engine(f"spark://127.0.0.1:{port}")


def test_without_pyspark_the_remedy_is_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(EngineError, match=r"pip install hin-toolkit\[spark\]"):
        open_engine("spark:local[1]")


def test_without_java_the_remedy_is_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(EngineError, match="install Java 17"):
        open_engine("spark:local[1]")


def test_threads_take_no_more_blocks_than_they_work_on() -> None:
    taken: list[int] = []

    def blocks() -> object:
        for i in range(50):
            taken.append(i)
            yield i

    results = open_engine("local:2").map(lambda i: i, blocks())
    assert next(results) == 0
    assert len(taken) <= 4
    results.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("hin-block")]


def test_blocks_do_not_overlap_and_leave_nothing_out() -> None:
    assert [i for block in ranges(23, 5) for i in range(*block)] == list(range(23))
    assert ranges(0, 5) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pyspark.errors: [PYTHON_VERSION_MISMATCH] Python in worker", "the workers' Python is not the driver's"),
        ("ModuleNotFoundError: No module named 'hin'\n at ...", "the workers lack the package hin"),
        ("Job aborted\nTraceback\nValueError: x is bad\n\tat scala", "the cluster gave up: ValueError: x is bad"),
    ],
)
def test_a_failure_of_spark_is_one_line(text: str, message: str) -> None:
    assert _as_hin_error(RuntimeError(text)).message == message
