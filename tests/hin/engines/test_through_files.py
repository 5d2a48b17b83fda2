"""Values that travel by files: the same values, one result in memory at a time, and no file left."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from hin.engines.local import LocalEngine
from hin.engines.through_files import ThroughFiles, through_files


class Elsewhere(LocalEngine):
    """A worker that gets and gives pickles alone, as another process does."""

    here = False

    def map(self, work: Any, blocks: Any) -> Iterator[Any]:
        there = pickle.loads(pickle.dumps(work))
        return (pickle.loads(pickle.dumps(there(block))) for block in blocks)


@pytest.fixture
def engine(tmp_path: Path) -> ThroughFiles:
    return ThroughFiles(Elsewhere("local:1"), tmp_path)


class Sum:
    def __init__(self, table: Any) -> None:
        self.table = table

    def __call__(self, block: int) -> Any:
        rows, names = self.table()
        assert rows.flags.writeable  # compiled loops take others for another kind of array
        return rows[block], names[block], rows.flags.aligned


def test_what_is_shared_is_the_same_there(engine: ThroughFiles) -> None:
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    found = list(engine.map(Sum(engine.share((rows, ["a", "b"]))), range(2)))
    assert [(part.tolist(), name, aligned) for part, name, aligned in found] == [
        ([0.0, 1.0, 2.0], "a", True),
        ([3.0, 4.0, 5.0], "b", True),
    ]


@pytest.mark.parametrize(
    "value",
    [
        np.zeros((0, 3)),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(12)[::2],
        [np.arange(3, dtype=np.uint8), {"b": np.arange(4.0), "c": None}],
        sparse.csr_array(np.eye(3, dtype=np.float32)),
    ],
)
def test_any_value_comes_back_as_it_was(engine: ThroughFiles, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.engines.through_files._SMALL", 1)
    (found,) = engine.map(as_it_is, [value])
    assert pickle.dumps(found) == pickle.dumps(value)
    assert pickle.dumps(engine.share(value)()) == pickle.dumps(value)


def as_it_is(value: Any) -> Any:
    return value


def large(number: int) -> Any:
    return np.full(100_000, number, dtype=np.float64)


def test_a_result_is_read_when_its_turn_has_come_and_no_file_stays(engine: ThroughFiles, tmp_path: Path) -> None:
    results = engine.map(large, range(3))
    assert next(results).sum() == 0
    assert not list(tmp_path.iterdir())
    assert [int(part[0]) for part in results] == [1, 2] and not list(tmp_path.iterdir())


def test_small_results_need_no_file(engine: ThroughFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.engines.through_files._write", lambda *_: pytest.fail("a file for a number"))
    assert list(engine.map(abs, [-1, 2])) == [1, 2]


def test_a_shared_value_goes_when_nothing_can_use_it(engine: ThroughFiles, tmp_path: Path) -> None:
    table = engine.share(np.arange(3))
    travelled = pickle.loads(pickle.dumps(table))
    del travelled  # a worker's: the file stays
    gc.collect()
    assert len(list(tmp_path.iterdir())) == 1
    assert table().tolist() == [0, 1, 2]
    del table
    gc.collect()
    assert not list(tmp_path.iterdir())


def test_threads_need_no_files(tmp_path: Path) -> None:
    here = LocalEngine("local:2")
    assert through_files(here, tmp_path) is here
