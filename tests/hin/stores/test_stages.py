"""The one list of stages."""

from __future__ import annotations

from pathlib import Path

import pytest

from hin.stages import FIRST, LATER, MADE_FROM, STAGES, follows


def test_each_stage_is_made_from_an_earlier_one() -> None:
    for name, source in MADE_FROM.items():
        assert source is None if name == FIRST else STAGES.index(str(source)) < STAGES.index(name)


@pytest.mark.parametrize("name", STAGES)
def test_everything_follows_the_load(name: str) -> None:
    assert follows(name, FIRST) and follows(name, name)
    assert not (name in LATER and follows(FIRST, name))


def test_no_other_module_lists_the_stages() -> None:
    """A list of later stages elsewhere would miss a new one."""
    root = Path(__file__).parents[3]
    listed = [
        path
        for package in ("hin", "motifs", "embed", "classify")
        for path in (root / package).rglob("*.py")
        if path.name != "stages.py" and '"motifs", "embed", "classify"' in path.read_text(encoding="utf-8")
    ]
    assert listed == []
