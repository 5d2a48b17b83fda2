"""Rows of unit length: the same bytes however many are scaled together, in memory or in a file."""

from __future__ import annotations

import numpy as np
import pytest

from embed import vectors
from embed.vectors import unit_rows
from hin.files import mapped


@pytest.mark.parametrize("rounded", [False, True])
def test_the_same_bytes_in_blocks_and_in_files(rounded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).standard_normal((50, 7)).astype(np.float32)
    rows[3] = 0.0
    whole = unit_rows(rows, rounded)
    length = np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(whole, rows / np.maximum(length, 1e-12), rtol=1e-6)
    monkeypatch.setattr(vectors, "_ROWS", 8)
    monkeypatch.setattr(mapped, "_LARGE_ZEROS", 1)
    assert unit_rows(rows, rounded).tobytes() == unit_rows(rows, rounded, mapped=True).tobytes() == whole.tobytes()
    assert unit_rows(rows[:0], rounded).shape == (0, 7)
