"""Kernels: bounds checks when they are asked for, and a damaged cache is as good as none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
KERNEL = """
import numpy as np
from hin.arrays.compiling import BOUNDS_CHECKED, njit

@njit(cache=True)
def at(numbers, i):
    return numbers[i]

print(BOUNDS_CHECKED, at(np.arange(3), 2))
"""
#: The tests that run the compiled loops themselves.
KERNEL_TESTS = (
    "embed/sgd/test_embed_gradients.py",
    "embed/sgd/test_embed_samplers.py",
    "embed/sgd/test_embed_merge.py",
    "embed/test_embed_specificity.py",
    "classify/documents/test_encoder.py",
    "classify/learners/test_cnn.py",
    "hin/reading/test_batches.py",
    "hin/text/test_tokenize.py",
    "hin/text/test_phrases.py",
)


def _run(place: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    # Not the variables of coverage or of a debugger: only what the case is about.
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "HYPOTHESIS_PROFILE", "LANG")}
    environment = {**kept, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(place / "cache"), **more}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, cwd=place)


@pytest.mark.slow
def test_a_damaged_cache_is_compiled_again(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(KERNEL)
    assert _run(tmp_path, "kernel.py").stdout == "False 2\n"
    for kind in ("*.nbi", "*.nbc"):
        kept = list((tmp_path / "cache").rglob(kind))
        assert kept, kind
        for path in kept:
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        again = _run(tmp_path, "kernel.py")
        assert (again.stdout, again.stderr) == ("False 2\n", "")


def test_bounds_are_checked_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(KERNEL.replace("np.arange(3), 2", "np.arange(3), 1000"))
    reported = _run(tmp_path, "kernel.py", HIN_BOUNDSCHECK="1")
    assert "IndexError" in reported.stderr


def test_every_kernel_is_compiled_with_these_settings() -> None:
    kernels = [path for room in ("hin", "motifs", "embed", "classify") for path in (ROOT / room).rglob("*_kernel.py")]
    own = [path.name for path in kernels if "from numba import njit" in path.read_text(encoding="utf-8")]
    assert len(kernels) > 10 and own == []


@pytest.mark.slow
def test_the_kernels_pass_their_tests_with_bounds_checks(tmp_path: Path) -> None:
    files = [str(ROOT / "tests" / name) for name in KERNEL_TESTS]
    flags = (
        "-m",
        "pytest",
        "-q",
        "-x",
        "-m",
        "not slow",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(ROOT),
        "-c",
        str(ROOT / "pyproject.toml"),
    )
    reported = _run(tmp_path, *flags, *files, HIN_BOUNDSCHECK="1", HYPOTHESIS_PROFILE="quick")
    assert reported.returncode == 0, reported.stdout[-3000:] + reported.stderr[-1000:]
