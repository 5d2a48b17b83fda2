"""The same input gives the same bytes, whatever the hash seed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@pytest.mark.parametrize("seed", ["1", "2"])
def test_load_does_not_depend_on_the_hash_seed(papers: Path, tmp_path: Path, hin_process: Callable, seed: str) -> None:
    written = []
    for name, hash_seed in (("a.hin", "0"), ("b.hin", seed)):
        done = hin_process("load", papers, "--graph", tmp_path / name, env={"PYTHONHASHSEED": hash_seed})
        assert done.code == 0, done.err
        written.append(contents(tmp_path / name))
    assert written[0] == written[1]
