"""Texts of some documents are read from the batches that hold them, and from no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from hin.graph import Texts


@pytest.fixture
def texts(tmp_path: Path) -> Texts:
    table = pa.table({"title": [f"t{i}" for i in range(10)], "body": [f"b{i}" for i in range(10)]})
    path = tmp_path / "texts.arrow"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)
    return Texts(pa.ipc.open_file(pa.memory_map(str(path))).read_all(), path)


def test_any_documents_in_any_order(texts: Texts) -> None:
    for rows in ([9, 0, 3, 3, 2], [], [4]):
        assert texts.of_documents(np.array(rows, dtype=np.int64)) == [(f"t{i}", f"b{i}") for i in rows]


def test_batches_without_one_of_them_are_not_read(texts: Texts, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    read = Texts._batches
    monkeypatch.setattr(Texts, "_batches", lambda self, numbers=None: asked.append(numbers) or read(self, numbers))
    texts.of_documents(np.array([4, 9]))
    assert asked == [[1, 3]]


def test_no_text_at_all() -> None:
    assert Texts(pa.table({})).of_documents(np.array([2, 0])) == [(), ()]
