"""`hin load` on a cluster gives the folder that threads give, to the byte, and the same errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.hin.reading.test_blocks import BROKEN, SMALL, jsonl, loaded, packed, papers, parquet, table

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("write", [jsonl, packed, table, parquet])
def test_the_folder_is_the_same(
    spark: Any, write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [write(tmp_path / "papers.jsonl", papers())]
    if write is packed:  # a compressed file is one block, so there must be two
        files = [packed(tmp_path / "a", papers()[:90]), packed(tmp_path / "b", papers()[90:])]
    one = loaded(tmp_path, files, monkeypatch, None)
    assert one[0] is None
    assert loaded(tmp_path, files, monkeypatch, SMALL, engine=spark) == one
    assert loaded(tmp_path, files, monkeypatch, SMALL, engine=spark.session) == one


@pytest.mark.parametrize(("how", "on_error"), [("twice, then not JSON", "stop"), ("twice, far apart", "skip")])
def test_the_errors_are_the_same(
    spark: Any, how: str, on_error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = jsonl(tmp_path / "papers.jsonl", papers())
    file.write_text("".join(BROKEN[how](file.read_text().splitlines(keepends=True))))
    one = loaded(tmp_path, [file], monkeypatch, None, on_error=on_error)
    assert loaded(tmp_path, [file], monkeypatch, SMALL, on_error=on_error, engine=spark) == one
