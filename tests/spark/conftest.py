"""One Spark cluster for the whole session: a master and two workers on loopback, and one engine on it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from benchmarks.common import docker_script


@pytest.fixture(scope="session")
def spark_tool() -> ModuleType:
    """The cluster script; tests are skipped where it cannot run, and fail there in CI."""
    module = docker_script("spark_cluster")
    if problem := module.missing_tools():
        if os.environ.get("CI"):
            pytest.fail(f"the Spark tests must run in CI: {problem}")
        pytest.skip(problem)
    return module


class Running:
    """A cluster that somebody else started: HIN_TEST_SPARK=URL, with Spark's variables in the environment."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.environment = {"HIN_ENGINE": url}


@pytest.fixture(scope="session")
def spark_cluster(spark_tool: ModuleType) -> Iterator[Any]:
    if given := os.environ.get("HIN_TEST_SPARK"):
        yield Running(given)
        return
    with spark_tool.temporary_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def spark(spark_cluster: Any) -> Iterator[Any]:
    """An engine on the cluster; one session serves all tests, because starting it takes most of the time."""
    from hin.engines.base import open_engine

    with pytest.MonkeyPatch.context() as patch:
        for name, value in spark_cluster.environment.items():
            patch.setenv(name, value)
        patch.delenv("HIN_ENGINE")
        engine = open_engine(spark_cluster.url)
        yield engine
        engine.close()


@pytest.fixture(params=["local:1", "local:3", "spark"])
def engine(request: pytest.FixtureRequest) -> Any:
    """Each engine in turn: what every one of them must do."""
    if request.param == "spark":
        return request.getfixturevalue("spark")
    from hin.engines.base import open_engine

    return open_engine(request.param)


@pytest.fixture
def deadly(spark: Any, spark_cluster: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Kill a worker with everything on it while the next job runs; afterwards there are two again."""
    if not hasattr(spark_cluster, "kill_worker"):
        pytest.skip("this cluster is somebody else's")
    killed: list[float] = []
    run: Callable[..., list[Any]] = spark._run

    def kill() -> None:
        time.sleep(0.2)
        spark_cluster.kill_worker(len(spark_cluster.workers) - 1)
        killed.append(time.monotonic())

    def deadly_run(*arguments: Any) -> list[Any]:
        if killed:
            return run(*arguments)
        killer = threading.Thread(target=kill)
        killer.start()
        try:
            return run(*arguments)
        finally:
            killer.join()  # a job that ends sooner must not leave the killing to the next test

    monkeypatch.setattr(spark, "_run", deadly_run)
    yield killed
    _replace_worker(spark_cluster, len(spark_cluster.workers) - 1)


@pytest.fixture
def replaced(spark_cluster: Any) -> Iterator[list[int]]:
    """The numbers of workers that a test killed; afterwards there are two again."""
    if not hasattr(spark_cluster, "kill_worker"):
        pytest.skip("this cluster is somebody else's")
    killed: list[int] = []
    yield killed
    for number in killed:
        _replace_worker(spark_cluster, number)


def _replace_worker(cluster: Any, number: int) -> None:
    cluster.workers.pop(number)
    cluster.add_worker()
    deadline = time.monotonic() + 120
    while cluster.alive() < 2 and time.monotonic() < deadline:
        time.sleep(0.5)
