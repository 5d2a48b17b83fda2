"""The same input gives the same bytes, whatever the hash seed and, for whole numbers, the kind of processor."""

from __future__ import annotations

import json
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


#: The plainest x86-64 that the libraries know; on other machines these variables name nothing and change nothing.
PLAIN = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "OPENBLAS_CORETYPE": "PRESCOTT",
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
}


def test_load_and_motifs_do_not_depend_on_the_kind_of_processor(tmp_path: Path, hin_process: Callable) -> None:
    words = ["data", "mining", "graphs", "of", "large", "networks", "query", "plans", "in", "a", "database", "system"]
    rows = [
        {
            "id": str(i),
            "text": " ".join(words[i * k % len(words)] + " " + words[k] for k in range(9)),
            "venue": f"v{i % 3}",
        }
        for i in range(60)
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    written = []
    for name, kind in (("a.hin", {}), ("b.hin", {**PLAIN, "NUMBA_CACHE_DIR": str(tmp_path / "cache")})):
        for command in (("load", tmp_path / "a.jsonl"), ("motifs", "--pattern", "venue-term", "--min-count", "2")):
            done = hin_process(*command, "--graph", tmp_path / name, env=kind)
            assert done.code == 0, done.err
        written.append(contents(tmp_path / name))
    assert written[0] == written[1]
