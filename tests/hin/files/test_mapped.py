"""Memory that is released: arrays mapped into files are the same numbers, and leave the process when asked to."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from hin.files.mapped import map_large, mapped_zeros, release_pages


def _mapped_bytes() -> int:
    found = re.search(r"RssFile:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_pages_that_were_read_are_handed_back() -> None:
    given = np.arange(4 << 20, dtype=np.int64)
    aside = map_large(given, large=1)
    assert np.array_equal(aside, given)
    held = _mapped_bytes()
    release_pages(aside)
    assert held - _mapped_bytes() > given.nbytes // 2
    assert np.array_equal(aside, given)


def test_small_arrays_and_those_without_a_place_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    small = np.arange(3)
    assert map_large(small) is small and map_large(small[:0], large=0).size == 0

    def full(dir: str | None = None) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    assert map_large(small, large=1) is small
    assert mapped_zeros((2, 2), "float32", large=1).tolist() == [[0, 0], [0, 0]]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_pages_that_were_written_are_handed_back_and_keep_what_was_written(tmp_path: Path) -> None:
    room = mapped_zeros((4 << 20,), "int64", tmp_path, large=1)
    assert not room.any() and not list(tmp_path.iterdir())
    room[:] = np.arange(len(room))
    held = _mapped_bytes()
    release_pages(room[5:])
    assert held - _mapped_bytes() > room.nbytes // 2
    assert np.array_equal(room, np.arange(len(room)))
