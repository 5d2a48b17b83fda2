"""`hin load` on a cluster gives the folder that threads give, to the byte, and the same errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.hin.reading.test_batches import BROKEN, jsonl, loaded, packed, papers, parquet, small_batches, table

pytestmark = pytest.mark.spark
__all__ = ["small_batches"]


@pytest.mark.parametrize("write", [jsonl, packed, table, parquet])
def test_the_folder_is_the_same(spark: Any, write: Callable[..., Path], tmp_path: Path) -> None:
    files = [write(tmp_path / "papers.jsonl", papers())]
    one = loaded(tmp_path, files, "local:1")
    assert one[0] is None
    assert loaded(tmp_path, files, spark) == one
    assert loaded(tmp_path, files, spark.session) == one


@pytest.mark.parametrize(("how", "on_error"), [("twice, then not JSON", "stop"), ("twice, far apart", "skip")])
def test_the_errors_are_the_same(spark: Any, how: str, on_error: str, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "papers.jsonl", papers())
    file.write_text("".join(BROKEN[how](file.read_text().splitlines(keepends=True))))
    one = loaded(tmp_path, [file], "local:1", on_error=on_error)
    assert loaded(tmp_path, [file], spark, on_error=on_error) == one
