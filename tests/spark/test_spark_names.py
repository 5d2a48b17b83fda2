"""A module of the user's in the folder that a worker runs in is not taken for one of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.spark

CODE = """
import hin
from hin.engines.base import open_engine

engine = open_engine("spark:local[1]")
print(list(engine.map(hin.parse_name, ["VENUE[KDD]"])), list(engine.map(hin.as_categories, [["a", "b"]])))
engine.close()
"""


def test_workers_run_our_modules(spark_tool: Any, tmp_path: Path) -> None:
    for name in ("motifs", "embed", "classify"):
        (tmp_path / f"{name}.py").write_text("raise AssertionError('a module of the user')\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "KDD" in done.stdout
    assert "Category(name='b'" in done.stdout
