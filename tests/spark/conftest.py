"""One Spark cluster for the whole session: a master and two workers on loopback, and one engine on it."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _cluster_module() -> ModuleType:
    name = "hin_spark_cluster"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, ROOT / "docker" / "spark_cluster.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(scope="session")
def spark_tool() -> ModuleType:
    """The cluster script; tests are skipped where it cannot run, and fail there in CI."""
    module = _cluster_module()
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
