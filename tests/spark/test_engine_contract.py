"""What every engine must do: the same tests on threads and on a real cluster."""

from __future__ import annotations

import errno
import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hin.engines.base import EngineError, open_engine, ranges
from hin.errors import BadInput, NoSpace

pytestmark = pytest.mark.spark


def test_results_come_in_the_order_of_the_blocks(engine: Any) -> None:
    def work(block: tuple[int, int]) -> int:
        import time

        time.sleep(0.05 * (block[0] == 0))  # the first block is the slowest
        return block[0]

    assert list(engine.map(work, ranges(40, 3))) == list(range(0, 40, 3))


def test_floats_are_added_in_one_order(engine: Any) -> None:
    values = np.random.default_rng(0).normal(size=10_000).astype(np.float32) * 1e3
    expected = np.zeros(1, dtype=np.float32)
    for first, stop in ranges(len(values), 700):
        expected += values[first:stop].sum(dtype=np.float32)

    def work(block: tuple[int, int]) -> Any:
        return values[block[0] : block[1]].sum(dtype=np.float32, keepdims=True)

    assert sum(engine.map(work, ranges(len(values), 700)), np.zeros(1, np.float32)).tobytes() == expected.tobytes()


def test_no_blocks_no_results(engine: Any) -> None:
    assert list(engine.map(str, [])) == []


def test_every_worker_gets_what_is_shared(engine: Any) -> None:
    table = engine.share({"a": 1, "b": 2})
    assert list(engine.map(lambda key: table()[key], ["b", "a"])) == [2, 1]


def test_what_nobody_can_use_any_more_is_forgotten(spark: Any) -> None:
    table = spark.share([1, 2, 3])
    broadcast = table._broadcast

    def taken(at: int, table: Any = table) -> Any:
        return table()[at]

    assert list(spark.map(taken, [2])) == [3]
    assert Path(broadcast._path).exists()
    del table, taken
    gc.collect()
    assert not Path(broadcast._path).exists()


def test_a_failure_with_a_remedy_arrives_as_it_is(engine: Any) -> None:
    def work(block: int) -> int:
        raise BadInput("papers.jsonl, line 7: not valid JSON", hint="mend it")

    with pytest.raises(BadInput) as failed:
        list(engine.map(work, [1]))
    assert (failed.value.message, failed.value.hint) == ("papers.jsonl, line 7: not valid JSON", "mend it")


def test_paths_that_are_there_pass_the_check(engine: Any, tmp_path: Path) -> None:
    engine.check([tmp_path])


def test_a_path_that_a_worker_does_not_see_is_reported_at_once(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="does not see .*nowhere; use a path that the driver and all workers share"):
        spark.check([tmp_path / "nowhere"])


def test_a_full_disk_on_a_worker_is_reported(spark: Any) -> None:
    def work(block: int) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(NoSpace, match="no space left on the worker"):
        list(spark.map(work, [1]))


def test_an_unexpected_failure_is_one_line(spark: Any) -> None:
    def work(block: int) -> float:
        return 1 / block

    with pytest.raises(EngineError) as failed:
        list(spark.map(work, [0]))
    assert "ZeroDivisionError" in failed.value.message
    assert "\n" not in str(failed.value)


@pytest.mark.parametrize("theirs", [("3.8", "0.0.1"), ("3.11", "99")])
def test_a_worker_of_another_version_does_no_work(
    spark: Any, theirs: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hin.engines.spark._version", lambda: theirs)  # the driver's side only
    with pytest.raises(EngineError, match="install the same versions on every worker"):
        spark.check()


def test_a_session_that_is_there_is_used_and_left_open(spark: Any) -> None:
    engine = open_engine(spark.session)
    assert list(engine.map(abs, [-1])) == [1]
    engine.close()
    assert list(spark.map(abs, [-2])) == [2]


def test_a_path_that_was_seen_is_not_looked_at_again(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[object] = []
    run = spark._run
    monkeypatch.setattr(spark, "_run", lambda *arguments: jobs.append(arguments) or run(*arguments))
    spark.check([tmp_path])
    assert jobs
    jobs.clear()
    spark.check([tmp_path])  # every pattern of `hin motifs` asks
    assert not jobs
