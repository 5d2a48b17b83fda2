"""Tests that share a server run on one worker, so that one server is started."""

from __future__ import annotations

import os

import pytest


@pytest.mark.xdist_group("together")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="one process: no workers to share")
def test_workers_know_the_groups(request: pytest.FixtureRequest) -> None:
    """With pytest 9.2, pytest-xdist 3.8 names no group: every worker started a Neo4j and a Spark of its own."""
    assert request.node.nodeid.endswith("@together")
